"""The server from which grading processes are forked. It loads everything once and starts no threads."""

from multiprocessing import forkserver, get_context
from typing import Any

from autograder.course.course import Assignment


def context(*also: str) -> Any:
    """Return how the pool's processes are started; ``also`` are modules that a server started now loads."""
    found = get_context("forkserver")
    found.set_forkserver_preload([f"{__package__}.preload", *also])
    return found


def start(chosen: list[Assignment]) -> None:
    """Start the server while this process loads its own modules; only the pool's first process waits for it."""
    context(*(name for assignment in chosen for name in assignment.check_modules()))
    forkserver.ensure_running()
