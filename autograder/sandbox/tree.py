"""Limits on the process tree as a whole, through the kernel's control groups where this user may use them."""

import os
import re
import signal
import time
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
PREFIX = "autograder-"


@cache
def groups():
    """Return the folders in which this process may make groups, as ``{controller: folder}``."""
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


def can_delegate(folder):
    """Say whether version-2 groups for pids and memory may be made below this folder."""
    control = folder / "cgroup.subtree_control"
    return control.exists() and os.access(folder, os.W_OK) and {"pids", "memory"} <= set(control.read_text().split())


def level():
    """Say in words what holds the tree."""
    sweep()
    held = " and ".join(sorted(groups()))
    return f"control groups for {held}" if held else "limits per process only (control groups are not delegated)"


class Tree:
    """The groups of one sandbox: ``join`` is called in the child before it starts, ``remove`` once all has ended."""

    def __init__(self, limits):
        self.folders = set()
        name = f"{PREFIX}{uuid.uuid4().hex[:12]}"
        settings = {
            "pids": [("pids.max", limits.processes)],
            "memory": [("memory.max", limits.memory_bytes), ("memory.limit_in_bytes", limits.memory_bytes)],
        }
        for controller, parent in groups().items():
            folder = parent / name
            try:
                folder.mkdir(exist_ok=True)
                self.folders.add(folder)
                for file, value in settings[controller]:
                    if (folder / file).exists():
                        (folder / file).write_text(str(value))
            except OSError:
                continue

    def join(self):
        """Put the calling process into the groups."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(os.getpid()))

    def out_of_memory(self):
        """Say whether the kernel has ended a process here because the memory for all of them was used up."""
        for folder in self.folders:
            for file in ("memory.events", "memory.oom_control"):
                with suppress(OSError):
                    if re.search(r"^oom_kill [1-9]", (folder / file).read_text(), re.MULTILINE):
                        return True
        return False

    def remove(self):
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


def end_all(folder):
    """End every process that is in a group of ours."""
    with suppress(OSError):
        for line in (folder / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(line), signal.SIGKILL)


def sweep():
    """Remove groups that a killed run left behind; those in use refuse to go, and young ones may be needed yet."""
    for parent in groups().values():
        for folder in parent.glob(f"{PREFIX}*"):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > 600:
                    folder.rmdir()
