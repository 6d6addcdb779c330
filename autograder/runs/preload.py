"""What the fork server does once before it forks: it imports the grader and looks for what the sandbox will hold."""

from contextlib import suppress

with suppress(Exception):  # what fails here, for lack of memory too, fails again in the run, which reports it
    from autograder.sandbox import level
    from autograder.sandbox.host import bubblewrap

    from . import schedule  # noqa: F401 - each process of the pool finds it loaded

    level()
    bubblewrap.arguments(tmp_bytes=0)
