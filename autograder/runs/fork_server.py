"""The server from which grading processes are forked. It loads everything once and starts no threads."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerContext

SAFE_PATH = "PYTHONSAFEPATH"  # Python's: a process looks for no module in the current folder, which may be anybody's


def context() -> ForkServerContext:
    """Return how the pool's processes are started, once the server runs."""
    start()
    return get_context("forkserver")


def start() -> None:
    """Start the server while this process loads its own modules; only the pool's first process waits for it."""
    get_context("forkserver").set_forkserver_preload([f"{__package__}.preload"])
    with _environment(SAFE_PATH, "1"):
        forkserver.ensure_running()


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """Set a variable for the processes that are started meanwhile."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        os.environ |= {} if before is None else {name: before}
