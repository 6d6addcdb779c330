"""Loads results for pages and exports: marks given by hand applied, stale marks named."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from autograder.classroom.class_file import ClassFile
from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.classroom.gradebook.by_hand import rescale_mark
from autograder.classroom.gradebook.chapter_totals import read_totals
from autograder.classroom.gradebook.gradebook import marks_by_hand, max_scores, read_gradebook
from autograder.classroom.gradebook.total import Total, describe_total
from autograder.classroom.gradebook_url import masked
from autograder.course.course import Assignment, Course
from autograder.diagnosis.faults import Fault
from autograder.diagnosis.verdict import Verdict
from autograder.errors import CourseError, UsageError
from autograder.grading.intake import beside, submission_hash
from autograder.grading.result import WITHOUT_MARK, Result, failed
from autograder.plain import can_be_named, visible_line
from autograder.sandbox import Limits

from .provenance import describe_differences, differences, provenance
from .records import RESULT, RUN, Damaged, SavedCell, SavedFacts, SavedRun, read_record

USUAL = Limits()  # those of `autograder grade`


@dataclass(frozen=True)
class MarkedVerdict(Verdict):
    """The verdict on one exercise, and what a person gave it in the gradebook."""

    by_hand: bool = False
    comment: str | None = None


class SavedResult(SavedFacts):
    """A result as pages and exports get it: the first part is saved, load_as_graded and load_results add the others."""

    exercises: list[MarkedVerdict]

    damage: str  # why its record cannot be read, "" if it can; then nothing else is known
    stale: str  # why it is out of date, "" if it is not
    beside: list[str]  # other notebooks beside the one that was graded
    seconds: float | None
    refused: dict[str, int] | None  # system calls, as in Result

    name: str  # from the roster
    by_hand: list[str]  # exercises with a mark by hand
    late: str  # the effect of lateness, in words
    total: Total | None  # None without a mark


def load_run(classroom: ClassRoom, student: str, chapter: str) -> SavedRun | None:
    """Return what run.json says about a submission, or None if it was not graded or cannot be read."""
    run = read_record(classroom.autograded(student, chapter), RUN)
    return None if isinstance(run, Damaged) else run


def was_graded(classroom: ClassRoom, student: str, chapter: str) -> bool:
    """Say whether a submission was ever graded; its record may be damaged."""
    return (classroom.autograded(student, chapter) / RUN).exists()


def load_result(classroom: ClassRoom, student: str, chapter: str) -> Result | None:
    """Return the saved result without its cells, or None if it cannot be read."""
    data = read_record(classroom.autograded(student, chapter), RESULT)
    if isinstance(data, Damaged):
        return None
    return Result.from_dict({name: value for name, value in data.items() if name != "cells"})


def load_results(
    classroom: ClassRoom, assignment: Assignment, needed: bool = True, limits: Limits = USUAL
) -> dict[str, SavedResult]:
    """Return every graded student's result as ``{student: result}``, in order, with marks given by hand applied.

    ``score`` is the total, lateness included; ``total`` explains it, or is None without a mark, and ``late`` describes
    the effect of lateness. ``name`` comes from the roster. A result is ``stale`` if grading it again, with these
    limits, would compute it from something else.
    Errors: UsageError if nothing has been graded yet, unless not ``needed`` ({} then); CourseError if the gradebook
    cannot be read.
    """
    results = load_as_graded(classroom, assignment, limits)
    if not results and needed:
        raise nothing_graded(classroom, assignment.chapter)
    if not results:
        return {}
    with read_gradebook(classroom) as book:
        marks, comments = marks_by_hand(book, assignment.chapter)
        worth = max_scores(book, assignment.chapter)
        totals = read_totals(classroom, book, assignment)
    if not totals and needed:
        raise no_mark(classroom, assignment.chapter)
    for student, result in results.items():
        bring_to_points(result, worth)
        add_marks_by_hand(result, marks.get(student, {}), comments.get(student, {}))
        add_total(result, totals.get(student), classroom.class_file)
        enrolled = classroom.class_file.roster.find(student)
        result["name"] = enrolled.name if enrolled else ""
    return results


def nothing_graded(classroom: ClassRoom, chapter: str = "CHAPTER") -> UsageError:
    """Return the error that nothing has been graded."""
    return UsageError(f"nothing graded below {classroom.root / 'autograded'}: run `autograder grade {chapter}` first")


def no_mark(classroom: ClassRoom, chapter: str) -> UsageError:
    """Return the error that the gradebook holds no mark: it is another one, or was lost."""
    return UsageError(f"no mark of {chapter} in {masked(classroom.database)}: grade it, or name the gradebook")


def load_as_graded(classroom: ClassRoom, assignment: Assignment, limits: Limits = USUAL) -> dict[str, SavedResult]:
    """Return every result as it was saved, in order, with why it is ``stale``, or ""; {} if there is none.

    One whose record cannot be read is an infrastructure failure, which says so, and has its ``damage``.
    """
    students = recorded(classroom, assignment)
    return {student: saved_result(classroom, assignment, student, limits) for student in students}


def recorded(classroom: ClassRoom, assignment: Assignment) -> list[str]:
    """Return the students with a record of a chapter, even a damaged one, in order."""
    folders = classroom.root.glob(f"autograded/*/{assignment.chapter}")
    there = [folder for folder in folders if any(os.path.lexists(folder / name) for name in (RESULT, RUN))]
    return sorted(filter(can_be_named, (folder.parent.name for folder in there)))  # no other is ever written


def saved_result(classroom: ClassRoom, assignment: Assignment, student: str, limits: Limits) -> SavedResult:
    """Return one student's result as it was saved, without its cells: a whole class's would not fit into memory."""
    folder, path = classroom.autograded(student, assignment.chapter), classroom.notebook(student, assignment.chapter)
    record = read_record(folder, RESULT)
    if isinstance(record, Damaged):
        without = failed(assignment, f"its record cannot be read ({record.reason}): grade again")
        told = {"damage": record.reason, "stale": "", "seconds": None, "refused": {}}
        return cast(SavedResult, {**without.as_dict(), "student": student, "beside": beside(path), **told})
    del record["cells"]
    record["exercises"] = [MarkedVerdict.from_dict(each) for each in record["exercises"]]
    record["faults"] = {name: [Fault(**each) for each in some] for name, some in record.get("faults", {}).items()}
    told = {"student": student, "damage": "", "beside": beside(path)}
    return cast(SavedResult, {"notes": [], **record, **told, **facts_of_run(folder, assignment, path, limits)})


def facts_of_run(folder: Path, assignment: Assignment, notebook: Path, limits: Limits) -> dict[str, Any]:
    """Return what run.json says about a result: whether it is up to date, its seconds, and its refused calls."""
    run = read_record(folder, RUN)
    if isinstance(run, Damaged):
        return {"stale": "its record was damaged", "seconds": None, "refused": {}}
    now = provenance(assignment, limits, submission_hash(notebook, FOLDERS))
    stale = describe_differences(differences(run["bound"], now))
    return {"stale": stale, "seconds": run.get("seconds"), "refused": run.get("refused", {})}


def load_cells(classroom: ClassRoom, student: str, chapter: str) -> list[SavedCell]:
    """Return the cells of one result. Errors: CourseError if it is damaged."""
    record = read_record(classroom.autograded(student, chapter), RESULT)
    if isinstance(record, Damaged):
        raise CourseError(f"its record cannot be read ({record.reason}): grade again")
    return record["cells"]


def submitters(classroom: ClassRoom, chapter: str) -> list[str]:
    """Return who handed in this chapter, in order, under names that can be written down; nobody is no error here."""
    try:
        return [student if can_be_named(student) else visible_line(student) for student in classroom.students(chapter)]
    except UsageError:
        return []


def is_graded(classroom: ClassRoom, chapter: str) -> bool:
    """Say whether a submission of a chapter was graded, by us or by stock nbgrader."""
    return any(classroom.root.glob(f"autograded/*/{chapter}"))


def graded_chapters(course: Course, classroom: ClassRoom) -> list[str]:
    """Return the chapters with graded submissions. Errors: UsageError if there is none."""
    found = [chapter for chapter in course.chapters() if is_graded(classroom, chapter)]
    if not found:
        raise nothing_graded(classroom)
    return found


def bring_to_points(result: SavedResult, worth: dict[str, float]) -> None:
    """Rescale a result to the gradebook's maximum points: a run may have been killed in between."""
    result["exercises"] = [
        replace(each, score=rescale_mark(each.score, each.points, now), points=now)
        for each in result["exercises"]
        for now in [worth.get(each.name, each.points)]
    ]
    result["max_score"] = sum(worth.values()) or result["max_score"]


def add_total(result: SavedResult, total: Total | None, rules: ClassFile) -> None:
    """Replace the automatic sum by the total; without a mark in the gradebook the result has no mark."""
    result["late"] = describe_total(total, rules) if total else ""
    score = total.score if total else None
    if result["status"] in WITHOUT_MARK:
        result["total"], result["score"] = None, 0.0
    elif score is None:
        result["message"] = "its mark is not in the gradebook: grade again"
        result["status"], result["total"], result["score"] = "infrastructure", None, 0.0
    else:
        result["total"], result["score"] = total, score


def add_marks_by_hand(result: SavedResult, marks: dict[str, float], comments: dict[str, str]) -> None:
    """Replace automatic marks by the marks and comments that a person gave, by exercise."""
    result["by_hand"] = sorted(marks)  # an unreadable notebook has no exercises here
    result["exercises"] = [
        replace(
            each,
            comment=comments.get(each.name),
            by_hand=each.name in marks,
            score=marks.get(each.name, each.score),
        )
        for each in result["exercises"]
    ]
