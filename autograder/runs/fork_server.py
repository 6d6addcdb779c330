"""The server from which grading processes are forked. It loads everything once and starts no threads."""

from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerContext


def context() -> ForkServerContext:
    """Return how the pool's processes are started."""
    found = get_context("forkserver")
    found.set_forkserver_preload([f"{__package__}.preload"])
    return found


def start() -> None:
    """Start the server while this process loads its own modules; only the pool's first process waits for it."""
    context()
    forkserver.ensure_running()
