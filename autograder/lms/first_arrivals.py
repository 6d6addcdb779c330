"""Remembers when a student's work first arrived: what is handed in again keeps that time, and new work never gets it.

Where the file in the class's folder has equal answers, but for comments and layout, it stays: it arrived first, and it
is graded. What replaces it has an earlier time only if all its code arrived then, letter by letter: code can read its
own comments. An entry of ``collected.json`` holds ``answers`` and ``sources``, the hashes of the file there,
``answers_of``, the hash of its bytes, and ``first``, when each of the student's sources first arrived.
"""

import json
from dataclasses import asdict, dataclass, fields
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from autograder.classroom.arrival import arrival_beside
from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.classroom.lateness import MONTHS
from autograder.errors import CourseError
from autograder.grading.answers import CourseCells, answers_digest, sources_digest
from autograder.grading.intake import cells_of, submission_bytes, submission_hash
from autograder.sandbox.host.limited_child import run_limited

MAX_SOURCES = 50  # of a student in a chapter
READ_SECONDS = 10  # of processor time


@dataclass(frozen=True)
class Work:
    """A notebook's hashes: of its answers but for comments and layout, of its sources, and of its bytes."""

    answers: str
    sources: str
    answers_of: str


WORK = tuple(field.name for field in fields(Work))


@dataclass(frozen=True)
class FirstArrivals:
    """The first arrivals of a class's work. ``cells`` are the course's own, by chapter; ``scratch`` is a folder."""

    classroom: ClassRoom
    memory: dict[str, Any]
    cells: dict[str, CourseCells]
    scratch: Path

    def see_present(self, chapter: str, login: str, sha256: str) -> None:
        """Note the work that is in the class's folder, in a file with this hash, and the time beside it.

        That time wins over an older note: a person may have corrected it. Work that is not noted yet is read from the
        file: an older version of this program collected it, or a person put it there.
        """
        entry, path = self.entry(chapter, login), self.classroom.notebook(login, chapter)
        if entry.get("answers_of") != sha256 or any(name not in entry for name in WORK):
            entry |= asdict(self.read_work(path, chapter))
        if entry["sources"] and (came := arrival_beside(path.parent, self.zone)):
            entry.setdefault("first", {})[entry["sources"]] = came.isoformat()

    def is_older_equal(self, chapter: str, login: str, new: Work) -> bool:
        """Say whether the work in the class's folder, seen before, has answers equal to another file's, and stays.

        It does not if all code of that file is known to have arrived earlier.
        """
        entry = self.entry(chapter, login)
        if not new.answers or entry["answers"] != new.answers or entry["answers_of"] == new.answers_of:
            return False
        here, there = (_first(entry, sources) for sources in (new.sources, entry["sources"]))
        return not (here and there and here < there)

    def keep(self, chapter: str, login: str, new: Work, came: datetime | None) -> tuple[datetime | None, str]:
        """Note that work came at ``came`` whose answers equal those in the class's folder, which stay; return a line.

        Return the time of what stays, too: it came no later, whatever its comments are.
        """
        entry = self.entry(chapter, login)
        _note(entry, new.sources, came)
        there = _first(entry, entry["sources"]) or _note(entry, entry["sources"], came)
        as_on = _describe(there, came, self.zone) if there and there != came else "as before"
        return there, f"{login} {chapter}: same answers {as_on}: that hand-in stays"

    def arrive(self, chapter: str, login: str, new: Work, came: datetime | None) -> tuple[datetime | None, str]:
        """Note that work is put into the class's folder, and came at ``came`` if that is known.

        Return when it first came, and a line, "" unless that is another time.
        """
        entry = self.entry(chapter, login)
        entry |= asdict(new)
        moment = _note(entry, new.sources, came)
        if moment is None or moment == came:
            return moment, ""
        as_on = _describe(moment, came, self.zone)
        return moment, f"{login} {chapter}: same answers {as_on}: that time counts"

    def entry(self, chapter: str, login: str) -> dict[str, Any]:
        """Return a student's entry, a new one if there is none."""
        return self.memory.setdefault(chapter, {}).setdefault(login, {"labels": {}})

    def read_work(self, path: Path, chapter: str) -> Work:
        """Return the hashes of a notebook; those of its bytes if it is none, or takes too much to read.

        A limited child reads it: a student wrote it.
        """
        scratch, own = self.scratch / "answers", self.cells.get(chapter, CourseCells())

        def write() -> None:
            cells = cells_of(submission_bytes(path, FOLDERS))
            digests = [answers_digest(cells, own), sources_digest(cells, own)]
            scratch.write_text(json.dumps(digests), encoding="utf-8")

        sha256 = submission_hash(path, FOLDERS)
        try:
            run_limited(write, READ_SECONDS)
            answers, sources = json.loads(scratch.read_text(encoding="utf-8"))
            return Work(answers, sources, sha256)
        except CourseError:
            return Work(sha256, sha256, sha256)

    @property
    def zone(self) -> tzinfo:
        """The class's time zone."""
        return self.classroom.class_file.timezone


def _first(entry: dict[str, Any], sources: str) -> datetime | None:
    text = entry.get("first", {}).get(sources)
    return datetime.fromisoformat(text) if text else None


def _note(entry: dict[str, Any], sources: str, came: datetime | None) -> datetime | None:
    """Note that sources came at a time, if it is known; return when they first did, or None."""
    moment = min(filter(None, (_first(entry, sources), came)), default=None)
    if moment and sources:
        first = {**entry.get("first", {}), sources: moment.isoformat()}
        entry["first"] = {each: first[each] for each in sorted(first, key=first.__getitem__)[-MAX_SOURCES:]}
    return moment


def _describe(first: datetime, came: datetime | None, zone: tzinfo) -> str:
    there = first.astimezone(zone)
    is_same_day = came is not None and came.astimezone(zone).date() == there.date()
    at = f" at {there:%H:%M}" if is_same_day else ""
    return f"as on {there.day} {MONTHS[there.month - 1]}{at}"
