"""What the fork server does once before it forks: it imports the grader and looks for what the sandbox will hold."""

from contextlib import suppress

from autograder.errors import SandboxUnavailable
from autograder.sandbox import bubblewrap, level

from . import schedule  # noqa: F401 - each process of the pool finds it loaded

with suppress(SandboxUnavailable):  # the run itself will report it
    level()
    bubblewrap.arguments(tmp_bytes=0)
