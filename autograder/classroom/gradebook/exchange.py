"""The files that nbgrader's exchange puts beside a submission and expects beside its feedback.

``nbgrader submit`` writes the arrival time into a submission's folder, and a secret of which the student keeps a copy.
``nbgrader release_feedback`` names a page after the hash of that secret, so that no one else can request it. Both files
are kept with the graded notebook and released with its page: they belong to the submission that was graded, even if
another has arrived since.
"""

import os
import secrets
import stat
import time
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from autograder.classroom.arrival import TIMESTAMP, bytes_beside
from autograder.classroom.classroom import ClassRoom
from autograder.files import write_whole

from .gradebook import models

SECRET_FILE = "submission_secret.txt"
MAX_STAMP_BYTES = 1000  # bytes of either
MAX_FILES = 100  # of a submission, at most
APART = timedelta(minutes=10)  # what `nbgrader submit` may take, and two machines' clocks may differ by


def is_complete(folder: Path) -> bool:
    """Say whether `nbgrader submit` has finished a folder of the exchange: it writes the secret last."""
    try:
        return os.lstat(folder / SECRET_FILE).st_size > 0
    except OSError:
        return False


def is_settled(folder: Path) -> bool:
    """Say whether nothing in a folder of the exchange has changed for a while, so that nobody is still writing it."""
    try:
        return time.time() - last_change(folder) > APART.total_seconds()
    except OSError:
        return False


def last_change(folder: Path) -> float:
    """Return when a folder or a file in it last changed, in seconds as the kernel counts; owners cannot set it.

    Errors: OSError, as for a link in the folder's place.
    """
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(f"{folder} is no folder")
    with os.scandir(folder) as entries:
        changes = [entry.stat(follow_symlinks=False).st_ctime for entry in islice(entries, MAX_FILES)]
    return max([status.st_ctime, *changes])


def read_stamps(folder: Path) -> dict[str, str]:
    """Return the two files beside a submission, ``{file: text}``, if present and credible."""
    found = {name: read_small(folder / name) for name in (TIMESTAMP, SECRET_FILE)}
    if parse_arrival(found) is None:
        found[TIMESTAMP] = ""
    return {name: text for name, text in found.items() if text}


def read_small(path: Path) -> str:
    """Return a student's small file as text, or "" if there is none. Errors as for bytes_beside."""
    data = bytes_beside(path)
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8") if len(data) <= MAX_STAMP_BYTES else ""
    return ""


def parse_arrival(stamps: dict[str, str]) -> datetime | None:
    """Return when a submission arrived, in UTC as in nbgrader's gradebook, or None if unknown."""
    try:
        return models().utils.parse_utc(stamps.get(TIMESTAMP) or None)
    except Exception:  # a student wrote it: dateutil can fail in many ways
        return None


def keep_stamps(classroom: ClassRoom, student: str, chapter: str, stamps: dict[str, str]) -> None:
    """Write the graded submission's stamps beside the graded notebook, if they differ."""
    write_stamps(classroom.autograded(student, chapter), stamps)


def write_stamps(folder: Path, stamps: dict[str, str]) -> None:
    """Write exactly these stamps into a folder, if anything differs."""
    before = {name: text for name in (TIMESTAMP, SECRET_FILE) if (text := read_own(folder / name))}
    for name in before.keys() - stamps.keys():
        (folder / name).unlink()
    for name, text in stamps.items():
        if text != before.get(name):
            write_whole(folder / name, text)


def release_stamps(classroom: ClassRoom, student: str, chapter: str) -> None:
    """Put beside a student's page what ``nbgrader release_feedback`` needs: it would stop at the first page without.

    A submission from outside the exchange has no secret: its page gets a new one, which nobody can request.
    """
    graded, shown = classroom.autograded(student, chapter), classroom.feedback(student, chapter)
    stamps = {name: read_own(graded / name) for name in (TIMESTAMP, SECRET_FILE)}
    stamps[SECRET_FILE] = stamps[SECRET_FILE] or read_own(shown / SECRET_FILE) or secrets.token_hex(64)
    for name, text in stamps.items():
        if text != read_own(shown / name) or not (shown / name).exists():
            write_whole(shown / name, text)


def read_own(path: Path) -> str:
    """Return one of our own files, or "" if it does not exist."""
    with suppress(FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8")
    return ""
