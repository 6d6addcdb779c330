"""The kernel's files about processes and the machine, which inside the sandbox the worker alone can read.

They show paths, counters and the load of the host, so a notebook finds no /proc. bubblewrap.py mounts them below a
folder that the worker closes before it forks the first notebook. The worker keeps a descriptor, and no notebook has one
or may make a system call that changes a folder's rights (syscalls.py). Outside the sandbox they are those of /proc.
"""

import os
from functools import cache
from pathlib import Path

DOOR = "/processes"
HIDDEN = Path(DOOR, "proc")


@cache
def folder() -> int:
    """Return the descriptor of the folder with the kernel's files."""
    return os.open(HIDDEN if _is_inside() else "/proc", os.O_RDONLY | os.O_DIRECTORY)


def close_door() -> None:
    """Close the folder to everybody who has no descriptor of it."""
    folder()
    if _is_inside():
        Path(DOOR).chmod(0)


def _is_inside() -> bool:
    return (HIDDEN / "self").exists()


def leave() -> None:
    """Close this process's descriptor: a notebook's, before any code of a student runs."""
    os.close(folder())


def read(name: str) -> bytes:
    """Return the bytes of one file, such as ``7/stat``. Errors: OSError if its process has ended."""
    with open(os.open(name, os.O_RDONLY, dir_fd=folder()), "rb") as file:  # noqa: PTH123 - a descriptor
        return file.read()


def process_ids() -> set[int]:
    """Return the numbers of all processes in the sandbox."""
    return {int(name) for name in os.listdir(folder()) if name.isdigit()}
