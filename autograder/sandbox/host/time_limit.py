"""Measures from outside what a step has used, and decides whether that is too much.

A step may compute for a number of seconds of processor time and may wait for another number. Time spent waiting for a
processor counts as neither: a busy machine allows every notebook what an idle one does.

The way of a step that takes too long; the seconds are those of ``Limits`` and the constants in ``steps.py``:

    allowed        Sandbox._perform: what the notebook has left
    decided        TimeLimit.look, here, which RemoteProcess.hear asks while it waits
    interrupted    RemoteProcess.hear: SIGINT, and GRACE_SECONDS for the step to say where it was
    ended          Sandbox._abandon and _hang_up: SIGKILL, if these have passed, too
    the last net   inside/kernel_limits.py: the kernel ends the process, BY_THE_KERNEL seconds after its allowance
"""

import math
import time
from collections.abc import Callable
from typing import Any

from ..inside import protocol
from .steps import LATE_STEPS

FIRST_SECONDS = 0.1  # nearly all steps are faster than this, and are never measured
PAUSE_SECONDS, LONGEST_PAUSE = 0.02, 0.5  # between two measurements; nothing but they tells that a process is gone


class TimeLimit:
    """Limits the steps of a process, one after another; ``measure`` asks the worker what the process has used.

    ``over`` is "computing" or "waiting" once a step has used up its time; ``stops`` are all steps for which it was so,
    with the seconds that they had. ``spent`` are the seconds of all steps, which may use ``together`` in total. A step
    that begins later has ``late`` seconds, until as many as for ``LATE_STEPS`` have been spent so.
    """

    def __init__(
        self, measure: Callable, computing: float, waiting: float, together: float = math.inf, late: float = 0.0
    ) -> None:
        self.measure, self.allowed, self.together, self.late = measure, (computing, waiting), together, late
        self.spent, self.over, self.used, self.is_certain = 0.0, "", {}, True
        self.stops: list[tuple[str, float]] = []
        self.begin()

    def begin(self) -> None:
        """Start measuring the next step."""
        self.over, left = "", self.together - self.spent
        if -LATE_STEPS * self.late < left < self.late:
            left = self.late
        self.computing, self.waiting = (min(seconds, left) for seconds in self.allowed)
        self.began = time.monotonic()
        self.first: Any = None
        self.due = self.began + FIRST_SECONDS

    def wait(self, readable: list[int], writable: list[int]) -> None:
        """Wait until one of the descriptors is ready.

        Errors: Deadline if the step's time is over first, or its process gone: children may hold the other end.
        """
        while not protocol.ready(readable, writable, self.due):
            if not self.look():
                raise protocol.Deadline

    def look(self) -> bool:
        """Measure the step, and set when to measure next; say whether it goes on."""
        now, used = time.monotonic(), self.measure()
        self.first = self.first or (now, used)
        computed = used["computed"] - self.first[1]["computed"]
        waited = now - self.first[0] - max(0.0, used["occupied"] - self.first[1]["occupied"])
        self.used = {**used, "seconds": max(computed, 0.0) + max(waited, 0.0)}
        if computed >= self.computing:
            self.over = "computing"
        elif waited >= self.waiting:
            self.over, self.is_certain = "waiting", used["is_certain"]
        if self.over:
            self.stops.append((self.over, self.computing if self.over == "computing" else self.waiting))
        left = min(self.computing - computed, self.waiting - waited)
        self.due = now + min(max(PAUSE_SECONDS, left), LONGEST_PAUSE)
        return not (self.over or used["ended"])

    def end(self) -> None:
        """Add the step's use to ``spent``."""
        if self.first is None:
            self.spent += min(time.monotonic() - self.began, FIRST_SECONDS)
            return
        if not self.over:
            self.look()
        self.spent += FIRST_SECONDS + self.used["seconds"]
