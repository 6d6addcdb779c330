"""How the host stops what a notebook runs: by SIGINT, which is told from what students raise themselves.

Runs inside the sandbox.
"""

import signal
from types import FrameType


class Interrupt:
    """The handler of SIGINT while a notebook's code runs; ``times`` is how often it was called."""

    times = 0

    def __call__(self, sign: int, frame: FrameType | None) -> None:
        """Stop what is running. Errors: KeyboardInterrupt."""
        self.times += 1
        raise KeyboardInterrupt

    def __repr__(self) -> str:
        return "interrupt"


interrupt = Interrupt()


def listen() -> None:
    """Let the host stop what runs from now on."""
    signal.signal(signal.SIGINT, interrupt)


def ignore() -> None:
    """Let nothing be stopped from now on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
