"""Inside the sandbox, kills the largest process when all of them together exceed their share of memory.

For machines without memory control groups. It sees the memory that processes have mapped; unmapped shared memory can
only be in the writable folders, whose size is limited (syscalls.py refuses every other kind).
"""

import os
import re
import select
import signal
from contextlib import suppress
from pathlib import Path

LOOK_SECONDS = 0.05  # in that time a process can take about 100 MB
HELD = re.compile(rb"^Rss(?:Anon|Shmem):\s+(\d+) kB", re.MULTILINE)
COPIES = 32  # per notebook at most; each starts with the first process's memory and shares it


class MemoryGuard:
    """Enforces a share of memory, in bytes, while the first process waits for an order."""

    def __init__(self, share: int) -> None:
        self.share = share
        self.at_start = held_by("self")

    def until_ready(self, descriptor: int) -> None:
        """Wait until there is something to read."""
        while not select.select([descriptor], [], [], LOOK_SECONDS)[0]:
            self.look()

    def look(self) -> None:
        """Kill the largest processes until the others fit."""
        held = {int(pid): held_by(pid) for pid in os.listdir("/proc") if pid.isdigit() and pid != "1"}  # noqa: PTH208
        over = sum(held.values()) - self.at_start * min(len(held), COPIES) - self.share
        for pid, size in sorted(held.items(), key=lambda pair: -pair[1]):
            if over <= 0:
                break
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            over -= size


def held_by(pid: int | str) -> int:
    """Return the bytes of memory that a process holds, its own and shared, except files; 0 if it has ended.

    Arrays shared for a call are included: a few kilobytes.
    """
    try:
        found = HELD.findall(Path(f"/proc/{pid}/status").read_bytes())
    except OSError:
        return 0
    return sum(map(int, found)) << 10
