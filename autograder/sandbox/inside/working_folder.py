"""The working folder that all notebooks of a sandbox share, and how it is reset between them."""

import os
import resource
import secrets
from contextlib import suppress
from pathlib import Path

import proc

LIMITS = sorted(value for name, value in vars(resource).items() if name.startswith("RLIMIT_"))
WRITABLE = ("/tmp", "/dev/shm")
WORK = "/tmp/work"
MAX_FOLDER_DEPTH = 5  # of folders that a notebook may leave behind
LEFTOVERS = 500  # files in a folder; a notebook that leaves more behind costs the worker
SWEPT = 100_000  # files and folders removed for a notebook that goes on: about a second's work


def write_files(files: dict[str, str]) -> None:
    """Write a notebook's companions into the working folder."""
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")


def standing() -> tuple:
    """Return the state of the first process that a notebook might change and later ones would inherit."""
    return (
        os.getpriority(os.PRIO_PROCESS, 0),
        os.sched_getaffinity(0),
        os.sched_getscheduler(0),
        proc.read("self/oom_score_adj"),
        [resource.getrlimit(limit) for limit in LIMITS],
    )


def emptied(folders: tuple[str, ...]) -> bool:
    """Empty the writable folders; False if they hold more, or stranger things, than a class leaves behind."""
    os.chdir("/")
    try:
        for folder in folders:
            empty(Path(folder), MAX_FOLDER_DEPTH)
            os.utime(folder, (0, 0))  # its modification time could carry information too
    except OSError:
        return False
    return True


def empty(folder: Path, depth: int) -> None:
    """Remove everything in a folder. Errors: OSError if it is nested too deeply, or holds too much."""
    if depth == 0:
        raise OSError("nested too deeply")
    folder.chmod(0o700)
    for count, entry in enumerate(os.scandir(folder)):
        path = Path(entry.path)
        if count == LEFTOVERS:
            raise OSError("too many files")
        if entry.is_dir(follow_symlinks=False):
            empty(path, depth - 1)
            path.rmdir()
        else:
            path.unlink()


def swept(files: dict[str, str]) -> bool:
    """Empty the writable folders except for the companions, for a notebook that goes on; False if that fails.

    The working folder itself stays, since processes use it as their current folder.
    """
    os.chdir("/")
    try:
        left = sweep("/tmp", sweep("/dev/shm", SWEPT))
        with suppress(FileExistsError):
            Path(WORK).mkdir()
        sweep(WORK, left)
        os.chdir(WORK)
        write_files(files)
        for folder in (WORK, *WRITABLE):
            os.utime(folder, (0, 0), follow_symlinks=False)
    except OSError:
        return False
    return True


def sweep(top: str, left: int) -> int:
    """Remove everything in a folder, however deeply nested; return how many removals are left.

    A subfolder's contents are moved up first: a path may be longer than the kernel accepts.
    Errors: OSError if there is too much, or if another process is writing there.
    """
    waiting = folder_contents(top)
    while waiting:
        path, is_folder = waiting.pop()
        left -= path != WORK
        if left < 0:
            raise OSError("too many files")
        if path == WORK and is_folder:
            continue
        if not is_folder:
            os.unlink(path)  # noqa: PTH108 - many Paths for few
            continue
        for below, kind in folder_contents(path):
            waiting.append((f"{top}/{secrets.token_hex(8)}", kind))
            os.rename(below, waiting[-1][0])  # noqa: PTH104
        os.rmdir(path)  # noqa: PTH106
    return left


def folder_contents(folder: str) -> list[tuple[str, bool]]:
    """Return ``(path, is a folder)`` for a folder's contents, even if it is closed to its owner; follows no link."""
    with suppress(NotADirectoryError):
        descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            os.chmod(f"self/fd/{descriptor}", 0o700, dir_fd=proc.folder())  # this folder itself
            return [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in os.scandir(folder)]
        finally:
            os.close(descriptor)
    return []
