"""The server that grading processes are forked from. It loads everything once, and has no threads of ours."""

from multiprocessing import forkserver, get_context


def context():
    """Return how processes of a pool are started."""
    found = get_context("forkserver")
    found.set_forkserver_preload([f"{__package__}.preload"])
    return found


def start():
    """Let it load while this process loads its own; nothing but the first process of a pool waits for it."""
    context()
    forkserver.ensure_running()
