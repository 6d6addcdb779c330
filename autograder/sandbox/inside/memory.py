"""Inside the sandbox, kills the largest process when all of them together exceed their share of memory.

For machines without memory control groups. It sees the memory that processes have mapped. For what the kernel does not
report it assumes the largest value: every socket is full, and every page of a process is a mapping of its own. It adds
what the kernel itself needs for each file, even an empty one. Unmapped shared memory can only be in the writable
folders, whose size is limited (syscalls.py refuses every other kind, and larger sockets).
"""

import os
import re
import select
import signal
from collections.abc import Iterable
from contextlib import suppress

import proc

LOOK_SECONDS = 0.05  # in that time a process can take about 100 MB
ROOM = re.compile(rb"^FDSize:\s+(\d+)", re.MULTILINE)
HELD = re.compile(rb"^(VmSize|VmPTE|RssAnon|RssShmem):\s+(\d+) kB", re.MULTILINE)
PAGE_BYTES, MAPPING_BYTES = 4096, 256  # a mapping has a page or more; what the kernel keeps of each
SOCKET_BYTES = 1 << 18  # what a socket holds when it is full: the kernel's usual 208 KiB, and one message beyond
FILE_BYTES = 1280  # what the kernel keeps of a file with a long name, whatever is in it
COPIES = 32  # per notebook at most; each starts with the first process's memory and shares it


class MemoryGuard:
    """Enforces a share of memory, in bytes, while the first process waits for an order.

    ``folders`` are the places where files can be written, each a file system of its own.
    """

    def __init__(self, share: int, folders: Iterable[str]) -> None:
        self.share, self.folders = share, folders
        self.at_start = held_by("self")
        self.sockets_at_start = sockets()
        self.dying: set[int] = set()

    def until_ready(self, descriptor: int) -> None:
        """Wait until there is something to read."""
        while not select.select([descriptor], [], [], LOOK_SECONDS)[0]:
            self.look()

    def look(self) -> None:
        """Kill the largest processes until the others fit."""
        held = {pid: held_by(pid) for pid in proc.process_ids() - {1}}
        queued = (sockets() - self.sockets_at_start) * SOCKET_BYTES
        listed = sum(map(files_in, self.folders)) * FILE_BYTES
        over = sum(held.values()) + queued + listed - self.at_start * min(len(held), COPIES) - self.share
        if over > 0 and queued > 0:
            held = {pid: size + room_for_files(pid) * SOCKET_BYTES for pid, size in held.items()}
        self.dying &= held.keys()
        # First those that were killed before and are not gone yet: what they hold is about to be free.
        for pid, size in sorted(held.items(), key=lambda pair: (pair[0] not in self.dying, -pair[1])):
            if over <= 0:
                break
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self.dying.add(pid)
            over -= size


def held_by(pid: int | str) -> int:
    """Return the bytes that a process holds, except files, with what the kernel keeps of them; 0 if it has ended.

    Arrays shared for a call are included: a few kilobytes.
    """
    try:
        status = proc.read(f"{pid}/status")
    except OSError:
        return 0
    found = {name: int(size) << 10 for name, size in HELD.findall(status)}
    mappings = found.pop(b"VmSize", 0) // PAGE_BYTES  # at most so many
    return sum(found.values()) + mappings * MAPPING_BYTES


def sockets() -> int:
    """Return how many sockets there are in the sandbox, those that are on their way in a message included."""
    try:
        return int(proc.read("net/sockstat").split()[2])  # "sockets: used 7"
    except (OSError, ValueError, IndexError):
        return 0


def files_in(folder: str) -> int:
    """Return how many files and folders there are in the file system of a folder."""
    facts = os.statvfs(folder)
    return facts.f_files - facts.f_ffree


def room_for_files(pid: int) -> int:
    """Return for how many open files and sockets a process has room, as far as one may see; 0 if it has ended."""
    try:
        return int(ROOM.findall(proc.read(f"{pid}/status"))[0])
    except (OSError, IndexError):
        return 0
