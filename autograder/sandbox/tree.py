"""Limits on the process tree as a whole, through the kernel's control groups where this user may use them."""

import os
import time
import uuid
from functools import cache
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


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
    held = " and ".join(sorted(groups()))
    return f"control groups for {held}" if held else "limits per process only (control groups are not delegated)"


class Tree:
    """The groups of one sandbox: ``join`` is called in the child before it starts, ``remove`` once all has ended."""

    def __init__(self, limits):
        self.folders = set()
        name = f"autograder-{uuid.uuid4().hex[:12]}"
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

    def remove(self):
        """Remove the groups; the kernel may need a moment until the last process has left them."""
        for folder in self.folders:
            for _ in range(200):
                try:
                    folder.rmdir()
                except OSError:
                    time.sleep(0.01)
                else:
                    break
