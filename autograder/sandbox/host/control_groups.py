"""Limits on the process tree as a whole, through the kernel's control groups where this user may use them."""

import os
import re
import signal
import time
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path

from .steps import Limits

CGROUPS = Path("/sys/fs/cgroup")
PREFIX = "autograder-"
OOM_FILES = ("memory.events", "memory.oom_control")  # of version 2, and of version 1
SMALLEST_SHARE = 256 << 20  # the interpreter needs more than less
# When memory runs out, the kernel kills what scores highest: the sandbox, never the grader.
FIRST_TO_END = "echo 1000 > /proc/self/oom_score_adj"
JOIN = FIRST_TO_END + '; while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"'


@cache
def groups() -> dict[str, Path]:
    """Return the folders in which this process may create control groups, ``{controller: folder}``."""
    found = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(",") if names else [""]:
            folder = CGROUPS / name / path.lstrip("/")
            if name in ("pids", "memory") and (folder / "cgroup.procs").exists() and os.access(folder, os.W_OK):
                found[name] = folder
            if name == "" and can_delegate(folder):
                found["pids"] = found["memory"] = folder
    return found


def can_delegate(folder: Path) -> bool:
    """Say whether version-2 groups for pids and memory may be created below this folder."""
    control = folder / "cgroup.subtree_control"
    return control.exists() and os.access(folder, os.W_OK) and {"pids", "memory"} <= set(control.read_text().split())


def level() -> str:
    """Describe the limits on the process tree."""
    remove_old_groups()
    held = " and ".join(sorted(groups()))
    return (
        f"control groups for {held}"
        if held
        else "limits per process, memory watched (control groups are not delegated)"
    )


def available_memory() -> int | None:
    """Return the bytes that programs of this machine, or of our group, may still allocate; None: unknown."""
    found = re.search(r"^MemAvailable: +(\d+) kB", small_text(Path("/proc/meminfo")), re.MULTILINE)
    left = [int(found[1]) << 10] if found else []
    for line in small_text(Path("/proc/self/cgroup")).splitlines():
        _, names, path = line.split(":", 2)
        folder = CGROUPS / ("memory" if "memory" in names.split(",") else "") / path.lstrip("/")
        for most, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
            numbers = [small_text(folder / name).strip() for name in (most, used)]
            if all(number.isdigit() for number in numbers):
                left.append(int(numbers[0]) - int(numbers[1]))
    return min(left, default=None)


def small_text(path: Path) -> str:
    """Return a small file's text; "" if it cannot be read."""
    try:
        return path.read_text()
    except OSError:
        return ""


def share_of_memory(most: int, sandboxes: int) -> int:
    """Return the bytes that all processes of one of several sandboxes may hold together, at most ``most``."""
    available = available_memory()
    return most if available is None else max(SMALLEST_SHARE, min(most, available // sandboxes))


class Tree:
    """The control groups of one sandbox: ``wrapped`` starts a command in them, ``remove`` deletes them afterwards.

    ``memory`` is the bytes that all its processes may hold together; ``holds_memory`` says whether the kernel enforces
    that.
    """

    def __init__(self, limits: Limits, memory: int) -> None:
        self.folders, self.kills, self.holds_memory = set(), 0, False
        name = f"{PREFIX}{uuid.uuid4().hex[:12]}"
        settings = {
            "pids": [("pids.max", limits.processes)],
            "memory": [("memory.max", memory), ("memory.limit_in_bytes", memory)],
        }
        for controller, parent in groups().items():
            folder = parent / name
            try:
                folder.mkdir(exist_ok=True)
                self.folders.add(folder)
                for file, value in settings[controller]:
                    if (folder / file).exists():
                        (folder / file).write_text(str(value))
                        self.holds_memory |= controller == "memory"
            except OSError:
                continue

    def wrapped(self, command: list[str]) -> list[str]:
        """Return a command that moves itself into the groups and then becomes the given one."""
        lists = [str(folder / "cgroup.procs") for folder in sorted(self.folders)]
        return ["/bin/sh", "-c", JOIN, "sh", *lists, "--", *command]

    def ran_out_of_memory(self) -> bool | None:
        """Say whether the kernel killed a process for lack of memory since the last call; None: unknown."""
        counts = [found for folder in self.folders for found in map(oom_kills, (folder / name for name in OOM_FILES))]
        counts = [count for count in counts if count is not None]
        before, self.kills = self.kills, sum(counts)
        return self.kills > before if counts else None

    def remove(self) -> None:
        """End what is left in the groups and remove them; the kernel may need a moment for it."""
        for folder in self.folders:
            for _ in range(200):
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    end_all(folder)
                    time.sleep(0.01)


def oom_kills(path: Path) -> int | None:
    """Return how many processes a group has lost to the memory limit, or None if the kernel does not tell."""
    try:
        found = re.search(r"^oom_kill (\d+)", path.read_text(), re.MULTILINE)
        return int(found[1]) if found else None
    except OSError:
        return None


def end_all(folder: Path) -> None:
    """End every process in our groups."""
    with suppress(OSError):
        for line in (folder / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(line), signal.SIGKILL)


def remove_old_groups() -> None:
    """Remove groups that a killed run left behind; those in use refuse, and young ones may still be needed."""
    for parent in groups().values():
        for folder in parent.glob(f"{PREFIX}*"):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > 600:
                    folder.rmdir()
