"""What the fork server does once before it forks: it imports the grader and tests the sandbox."""

from contextlib import suppress

from autograder.errors import SandboxUnavailable
from autograder.sandbox import level

from . import schedule  # noqa: F401 - each process of the pool finds it loaded

with suppress(SandboxUnavailable):  # the run itself will report it
    level()
