"""Finds a class's progress over the graded chapters, and the students who need help."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from autograder.classroom.class_file import read_class
from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.chapter_totals import read_totals
from autograder.classroom.gradebook.gradebook import read_gradebook
from autograder.classroom.gradebook.total import scores_by_student
from autograder.classroom.results.load import SavedResult, is_graded, submitters
from autograder.course.course import Assignment
from autograder.diagnosis.difference import several
from autograder.grading.result import SEVERITY

FELL = 0.3  # share of a chapter's points lost compared with earlier chapters
LITTLE = 0.5  # of the points so far
UNTIMELY = tuple(status for status in SEVERITY if status != "error")
STATUS_PREDICATES = {
    "time_limit": "took too long",
    "memory_limit": "took too much memory",
    "crashed": "ended Python",
    "output_limit": "printed too much",
}


@dataclass(frozen=True)
class Chapter:
    """One graded chapter: its number, its points, who handed it in, and ``{student: points}``."""

    number: int
    name: str
    max_score: float
    handed_in: frozenset
    marks: dict

    def share(self, student: str) -> float | None:
        """Return a student's share of the points; None without a mark."""
        return self.marks[student] / self.max_score if student in self.marks else None


def chapters_so_far(classroom: ClassRoom, assignment: Assignment) -> list[Assignment]:
    """Return the graded chapters up to this one, in the course's order."""
    course = assignment.course
    names = [name for name in course.chapters() if name <= assignment.chapter and is_graded(classroom, name)]
    return [course.assignment(name) for name in names]


def graded_so_far(classroom: ClassRoom, assignment: Assignment) -> list[Chapter]:
    """Return the chapters graded up to this one, in the course's order."""
    chapters = chapters_so_far(classroom, assignment)
    with read_gradebook(classroom) as book:
        marks = [scores_by_student(read_totals(classroom, book, one)) for one in chapters]
    return [
        Chapter(
            number=int(one.chapter[:2]),
            name=one.chapter,
            max_score=one.max_score,
            handed_in=frozenset(submitters(classroom, one.chapter)),
            marks=scores,
        )
        for one, scores in zip(chapters, marks, strict=True)
    ]


def expected(classroom: ClassRoom, chapters: list[Chapter], now: datetime) -> dict[str, Any]:
    """Return ``{student: chapters that were due}`` for the roster and everyone who hands in.

    Students who left are excluded. Without deadlines, all graded chapters count as due.
    """
    class_file = read_class(classroom.root)
    roster = class_file.roster.students
    gone = {student.login for student in roster if student.left and student.left <= now.date()}
    handing_in = {student for chapter in chapters for student in chapter.handed_in | chapter.marks.keys()}
    everybody = {student.login for student in roster} | handing_in
    due = {
        student: {chapter.name: class_file.due(student, chapter.name) for chapter in chapters} for student in everybody
    }
    return {
        student: frozenset(name for name, until in due[student].items() if until is None or until < now)
        for student in everybody - gone
    }


def trend_rows(chapters: list[Chapter]) -> list[dict[str, float]]:
    """Return each chapter's figures: submissions, and the quartiles of their shares.

    Without an earlier chapter there is no trend: nothing.
    """
    rows = []
    for chapter in chapters if len(chapters) > 1 else ():
        shares = [chapter.share(student) for student in chapter.marks]
        if shares:
            low, median, high = np.percentile(shares, (25, 50, 75))
            figures = {"low": low, "median": median, "high": high, "mean": float(np.mean(shares))}
            rows.append({"number": chapter.number, "count": len(chapter.handed_in), **figures})
    return rows


def who_needs_help(
    chapters: list[Chapter], results: dict[str, SavedResult], due: dict[str, frozenset[str]]
) -> list[dict[str, Any]]:
    """Return who may need help, fewest points so far first, each with the facts.

    A student is listed who has not handed in a chapter, has less than half of the points so far, fell by about a third
    of this chapter's points compared with earlier ones, or whose notebook or answers failed. ``due`` is
    ``{student: chapters that should be there}``; other chapters are not held against anyone.
    """
    rows = [help_row(student, chapters, results.get(student), due[student]) for student in due]
    return sorted((row for row in rows if row["facts"]), key=lambda row: (row["share"], row["student"]))


def help_row(
    student: str,
    chapters: list[Chapter],
    result: SavedResult | None,
    due: frozenset[str],
) -> dict[str, Any]:
    """Return one student's points, shares by chapter, and notable facts."""
    chapters_of = [chapter for chapter in chapters if chapter.name in due or student in chapter.marks]
    shares = [chapter.share(student) for chapter in chapters]
    points = sum(chapter.marks.get(student, 0.0) for chapter in chapters)
    most = sum(chapter.max_score for chapter in chapters_of)
    share = points / most if most else 1.0
    missing = [chapter.number for chapter in chapters_of if student not in chapter.handed_in | chapter.marks.keys()]
    facts = [f"chapter{'s' if len(missing) > 1 else ''} {several(missing)} not handed in"] if missing else []
    facts += fall(shares)
    facts += describe_failure(result) if result else []
    if (share < LITTLE or facts) and (without := without_a_point(result)):
        facts.append(without)
    if share < LITTLE and not facts:
        facts.append("fewer than half of the points so far")
    return {"student": student, "points": points, "most": most, "share": share, "shares": shares, "facts": facts}


def fall(shares: list[float | None]) -> list[str]:
    """Say that this chapter went worse than the earlier ones."""
    before = [share for share in shares[:-1] if share is not None]
    if shares[-1] is None or not before or np.mean(before) - shares[-1] < FELL:
        return []
    return [f"{100 * shares[-1]:.0f}% here, {100 * np.mean(before):.0f}% on average before"]


def describe_failure(result: SavedResult) -> list[str]:
    """Describe what failed."""
    if result["status"] == "invalid_submission":
        return ["what was handed in could not be graded"]
    found = [(status, [e.name for e in result["exercises"] if e.status == status]) for status in UNTIMELY]
    return [f"{several(names)} {STATUS_PREDICATES[status]}" for status, names in found if names]


def without_a_point(result: SavedResult | None) -> str:
    """List the exercises of this chapter without a point; "" if there is none."""
    exercises = result["exercises"] if result else []
    without = [exercise for exercise in exercises if exercise.score == 0]
    if not without:
        return ""
    if len(without) == len(exercises):
        tried = [exercise for exercise in without if exercise.status != "not_attempted"]
        return "no point in this chapter" if tried else "nothing attempted in this chapter"
    return f"no point in {several([exercise.name for exercise in without])}"
