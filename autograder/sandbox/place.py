"""The place that all notebooks of a sandbox share: what lies in it, and what they might change about it."""

import os
import resource
from pathlib import Path

LIMITS = sorted(value for name, value in vars(resource).items() if name.startswith("RLIMIT_"))
WRITABLE = ("/tmp", "/dev/shm")
WORK = "/tmp/work"
DEPTH = 5  # of folders that a notebook may leave behind
LEFTOVERS = 500  # files in a folder; after a notebook that leaves more behind the worker is replaced


def write_files(files):
    """Write the companions of a notebook into the working folder."""
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")


def standing():
    """Return what a notebook might change about the first process, and every later notebook would inherit."""
    return (
        os.getpriority(os.PRIO_PROCESS, 0),
        os.sched_getaffinity(0),
        os.sched_getscheduler(0),
        Path("/proc/self/oom_score_adj").read_text(),
        [resource.getrlimit(limit) for limit in LIMITS],
    )


def emptied(folders):
    """Remove what lies in the writable folders; False where it is more, or stranger, than a class leaves behind."""
    os.chdir("/")
    try:
        for folder in folders:
            empty(Path(folder), DEPTH)
            os.utime(folder, (0, 0))  # nor may its time stamp carry a word
    except OSError:
        return False
    return True


def empty(folder, depth):
    """Remove everything in a folder. Errors: OSError where it is nested deeper, or holds very much."""
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
