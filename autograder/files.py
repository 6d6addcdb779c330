"""Writes files in one step: each is written beside its place and then moved there."""

import errno
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .plain import visible_line

FIRST_OF_COPY = re.compile(r"\[Errno (\d+)\] ([^:\"]+)")  # of the errors that shutil.copytree has collected
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


def describe_os_error(error: OSError) -> str:
    """Say which file an OSError is about, and what to do if the disk is full or read-only."""
    if isinstance(error, shutil.Error) and (first := FIRST_OF_COPY.search(str(error))):
        error = OSError(int(first[1]), first[2])
    what = "Make it writable" if error.errno == errno.EROFS else "Make room"
    remedy = f". {what} and run the same command again" if error.errno in FULL else ""
    return f"{visible_line(error.filename or 'a file')}: {error.strerror or error}{remedy}"


def write_whole(path: Path, text: str | bytes) -> Path:
    """Write a file, text or bytes, in one step, and return its path; if anything fails, the old file stays.

    Whatever has the new file's name is removed first: a link there would lead the text to another place.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        new.unlink(missing_ok=True)
        with new.open("xb") as file:
            file.write(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
        return new.replace(path)
    except OSError as error:
        if error.errno and not error.filename:
            error.filename = str(path)  # a failing write does not name its file
        new.unlink(missing_ok=True)
        raise
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def make_student_folder(folder: Path) -> None:
    """Make ``<student>/<chapter>``; a symbolic link in its place is removed, so that nothing is written through it."""
    for one in (folder.parent, folder):
        if one.is_symlink():
            one.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def replace_folder(new: Path, old: Path) -> None:
    """Replace the folder ``old`` by ``new`` in one step; in a container, whose image's folders stay, in two."""
    old.parent.mkdir(parents=True, exist_ok=True)
    aside = old.with_name(f".{old.name}.old")
    shutil.rmtree(aside, ignore_errors=True)
    if old.exists():
        shutil.move(old, aside)  # copies where the folder belongs to a container's image, and cannot be renamed
    new.rename(old)
    shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def staging_folder(root: Path, prefix: str) -> Iterator[Path]:
    """Yield an empty folder in ``root``, removed afterwards; those that killed runs left are removed too.

    Only one process at a time may do this for a ``root`` and ``prefix``: the caller holds a lock.
    """
    for left in root.glob(f"{prefix}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=root, prefix=prefix) as folder:
        yield Path(folder)
