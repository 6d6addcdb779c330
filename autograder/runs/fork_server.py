"""The server from which grading processes are forked. It loads everything once and starts no threads."""

from multiprocessing import forkserver, get_context
from typing import Any


def context() -> Any:
    """Return how processes of a pool are started."""
    found = get_context("forkserver")
    found.set_forkserver_preload([f"{__package__}.preload"])
    return found


def start() -> None:
    """Let it load while this process loads its own; nothing but the first process of a pool waits for it."""
    context()
    forkserver.ensure_running()
