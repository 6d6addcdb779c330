"""Reads when a submission arrived, as nbgrader's exchange or `autograder collect` noted it beside the notebook."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.errors import CourseError, InvalidSubmission, NotReadable
from autograder.grading.intake import submission_bytes

from .classroom import FOLDERS, ClassRoom

TIMESTAMP = "timestamp.txt"
TIMESTAMP_BYTES = 200
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?) ?(\S*)", re.ASCII)
OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?", re.ASCII)


def arrival(classroom: ClassRoom, student: str, chapter: str) -> datetime | None:
    """Return when a student's submission arrived, or None if no readable note says so."""
    return moment_of(note_of(classroom, student, chapter), classroom.class_file.timezone)


def arrival_beside(folder: Path, zone: tzinfo) -> datetime | None:
    """Return the arrival that is noted in a submission's own folder, or None if no readable note says so."""
    return moment_of(text_of_note(bytes_beside(folder / TIMESTAMP)), zone)


def note_of(classroom: ClassRoom, student: str, chapter: str) -> str:
    """Return the note of the arrival, "" for none; that of the graded submission, if the record has one.

    A file's modification time is no such note: copying changes it.
    """
    for folder in (classroom.autograded(student, chapter), classroom.submitted(student, chapter)):
        if data := bytes_beside(folder / TIMESTAMP):
            return text_of_note(data)
    return ""


def text_of_note(data: bytes) -> str:
    """Return the text of a note of the arrival, "" for one that is too long."""
    return data.decode("utf-8-sig", "replace").strip() if len(data) <= TIMESTAMP_BYTES else ""


def bytes_beside(path: Path) -> bytes:
    """Return a student's file beside the notebook, nothing if it is missing or refused. Links are not followed.

    Errors: CourseError if the machine fails to read it: without the note, a late submission would count as punctual.
    """
    try:
        return submission_bytes(path, FOLDERS)
    except NotReadable as error:
        raise CourseError(f"{path.parent}: {error}. Run the same command again when it can be read") from error
    except InvalidSubmission:
        return b""


def moment_of(text: str, zone: tzinfo) -> datetime | None:
    """Return the moment that a line such as ``2026-12-05 09:12:00 UTC`` stands for, or None if it is no such line.

    The zone is an offset, a name like ``Europe/Rome``, or an abbreviation like CET that clocks in ``zone`` used then;
    without one it is UTC, as in nbgrader.
    """
    found = MOMENT.fullmatch(text.strip())
    try:
        moment = zoned(datetime.fromisoformat(f"{found[1]} {found[2]}"), found[3], zone) if found else None
        return moment.astimezone(UTC) if moment and 1970 < moment.year < 9000 else None
    except (ValueError, OverflowError):
        return None


def zoned(local: datetime, name: str, zone: tzinfo) -> datetime | None:
    """Return a moment in the zone of this name, or None if there is no such zone."""
    if name in ("", "Z", "UTC", "GMT"):
        return local.replace(tzinfo=UTC)
    if offset := OFFSET.fullmatch(name):
        hours, minutes = int(offset[2]), int(offset[3] or 0)
        return local.replace(tzinfo=timezone((-1 if offset[1] == "-" else 1) * timedelta(hours=hours, minutes=minutes)))
    for fold in (1, 0):  # abbreviations distinguish the two equal hours in autumn
        moment = local.replace(tzinfo=zone, fold=fold)
        if moment.tzname() == name:
            return moment
    try:
        return local.replace(tzinfo=ZoneInfo(name)) if "/" in name else None
    except (KeyError, OSError):
        return None
