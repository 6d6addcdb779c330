"""Remembers when a student's answers first arrived: the same answers, handed in again, keep that time.

An entry of ``collected.json`` holds ``answers``, the hash of those that are in the class's folder now, and ``first``,
when each of the student's answers first arrived.
"""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from autograder.classroom.arrival import arrival_beside
from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.classroom.lateness import MONTHS
from autograder.errors import CourseError
from autograder.grading.answers import CourseCells, answers_digest
from autograder.grading.intake import cells_of, submission_bytes, submission_hash
from autograder.sandbox.host.limited_child import run_limited

from .collected import HandIn

MAX_ANSWERS = 50  # of a student in a chapter
READ_SECONDS = 10  # of processor time


@dataclass(frozen=True)
class FirstArrivals:
    """The first arrivals of a class's answers. ``cells`` are the course's own, by chapter; ``scratch`` is a folder."""

    classroom: ClassRoom
    memory: dict[str, Any]
    cells: dict[str, CourseCells]
    scratch: Path

    def of_hand_in(self, chapter: str, login: str, hand: HandIn, there: str) -> tuple[datetime | None, str]:
        """Return when the answers of a hand-in first arrived, and a line if that is not when they came now.

        ``there`` is the hash of what it takes the place of. None if that is the same and nothing says when it came now.
        """
        is_same = there == hand.item.sha256
        if is_same and hand.came is None:
            return None, ""
        if there:
            self.see_present(chapter, login, there, hand.item.answers if is_same else "")
        answers = self.entry(chapter, login)["answers"] if is_same else hand.item.answers
        return self.arrive(chapter, login, answers, hand.came)

    def see_present(self, chapter: str, login: str, sha256: str = "", answers: str = "") -> None:
        """Note the answers that are in the class's folder, in a file with this hash, and the time beside them.

        That time wins over an older note: a person may have corrected it. Answers that are not noted yet are read from
        the file unless they are given: an older version of this program collected them, or a person put them there.
        """
        entry, path = self.entry(chapter, login), self.classroom.notebook(login, chapter)
        if "answers" not in entry or entry.get("sha256", sha256) != sha256:
            entry["answers"] = answers or self.read_answers(path, chapter)
        if entry["answers"] and (came := arrival_beside(path.parent, self.zone)):
            entry.setdefault("first", {})[entry["answers"]] = came.isoformat()

    def arrive(self, chapter: str, login: str, answers: str, came: datetime | None) -> tuple[datetime | None, str]:
        """Note that answers were handed in, at ``came`` if that is known; return when they first were, and a line.

        The line is "" unless another time than ``came`` counts.
        """
        entry = self.entry(chapter, login)
        entry["answers"] = answers
        first = entry.setdefault("first", {})
        known = [datetime.fromisoformat(first[answers])] if answers in first else []
        moment = min([*known, *([came] if came else [])], default=None)
        if moment is None:
            return None, ""
        first[answers] = moment.isoformat()
        entry["first"] = {each: first[each] for each in sorted(first, key=first.__getitem__)[-MAX_ANSWERS:]}
        line = f"{login} {chapter}: {_describe(moment, came, self.zone)}"
        return moment, line if moment != came else ""

    def entry(self, chapter: str, login: str) -> dict[str, Any]:
        """Return a student's entry, a new one if there is none."""
        return self.memory.setdefault(chapter, {}).setdefault(login, {"labels": {}})

    def read_answers(self, path: Path, chapter: str) -> str:
        """Return the hash of the answers in a notebook; of its bytes if that is none, or takes too much to read.

        A limited child reads it: a student wrote it.
        """
        scratch, own = self.scratch / "answers", self.cells.get(chapter, CourseCells())

        def write() -> None:
            scratch.write_text(answers_digest(cells_of(submission_bytes(path, FOLDERS)), own), encoding="utf-8")

        try:
            run_limited(write, READ_SECONDS)
            return scratch.read_text(encoding="utf-8")
        except CourseError:
            return submission_hash(path, FOLDERS)

    @property
    def zone(self) -> tzinfo:
        """The class's time zone."""
        return self.classroom.class_file.timezone


def _describe(first: datetime, came: datetime | None, zone: tzinfo) -> str:
    there = first.astimezone(zone)
    is_same_day = came is not None and came.astimezone(zone).date() == there.date()
    at = f" at {there:%H:%M}" if is_same_day else ""
    return f"same answers as on {there.day} {MONTHS[there.month - 1]}{at}: that time counts"
