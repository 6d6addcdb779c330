"""Refuses the system calls that a notebook may not make, and counts them: the kernel asks the host about each."""

import os
import struct
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl

from ..inside import protocol
from . import syscalls

# Of linux/seccomp.h, the same on x86-64 and aarch64.
RECEIVE, ANSWER = 0xC0502100, 0xC0182101
CALL = struct.Struct("=QIIiIQ6Q")  # its id, process, flags, number, architecture, instruction and arguments
NO = struct.Struct("=Qqii")  # the call's id, a value, minus the error, flags
MAX_REFUSALS = 1000  # then we hang up, and the kernel refuses by itself (ENOSYS): no notebook keeps us busy


class Refusals:
    """What the kernel asks about the calls of one notebook and all its copies. The answer is always no.

    ``listener`` is the descriptor through which it asks, None where it does not.
    """

    def __init__(self, listener: int | None) -> None:
        self.listener, self.counts = listener, listener is not None
        self.by_number: Counter[int] = Counter()

    def also(self, wait: Callable) -> Callable:
        """Return a function that waits as ``wait(readable, writable)`` does, and refuses calls meanwhile."""

        def waiting(readable: list[int], writable: list[int]) -> None:
            while self.listener is not None:
                wait([*readable, self.listener], writable)
                if protocol.is_ready(readable, writable):
                    return
                self.refuse(self.listener)
            wait(readable, writable)

        return waiting

    def refuse(self, listener: int) -> None:
        """Count the call that the kernel asks about, and refuse it."""
        call = bytearray(CALL.size)
        with suppress(OSError):  # the process that asked has ended
            ioctl(listener, RECEIVE, call)
            which, _, _, number, *_ = CALL.unpack(call)
            self.by_number[number] += 1
            ioctl(listener, ANSWER, NO.pack(which, 0, -syscalls.EPERM, 0))
        if self.by_number.total() >= MAX_REFUSALS:
            self.close()

    def close(self) -> None:
        """Hang up."""
        listener, self.listener = self.listener, None
        if listener is not None:
            os.close(listener)


def times_refused(notebook: list[Refusals]) -> dict[str, int] | None:
    """Return how often each call was refused, by its name; None if that is not known of all.

    A notebook that runs again after a cell has cost it makes most calls again: the most of any time counts.
    """
    if not all(one.counts for one in notebook):
        return None
    most: Counter[int] = Counter()
    for one in notebook:
        most |= one.by_number
    return {syscalls.name_of(number): times for number, times in sorted(most.items())}
