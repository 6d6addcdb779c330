"""Grades one notebook file and describes the result."""

import secrets
from pathlib import Path

from autograder.course.course import Course
from autograder.course.which_course import find_course
from autograder.errors import InvalidSubmission, UsageError
from autograder.grading.grade import Grader
from autograder.grading.intake import cells_of, submission_bytes
from autograder.grading.result import Result, describe_faults, describe_refused
from autograder.grading.which_chapter import chapters_by_cell, chapters_of
from autograder.plain import visible, visible_line


def check(path: Path, protected: bool = True, course: Course | None = None) -> Result:
    """Grade one notebook of any chapter: that of its cells or, if they do not say, that of its file or folder.

    ``course`` is by default the one in the current folder, or the installed one: never one near the notebook.
    A timeout counts only if it happens twice.
    Errors: UsageError if there is no such file, or nothing says of which chapter it is; SandboxUnavailable.
    """
    if not path.is_file():
        raise UsageError(f"no notebook {path}: expected the path of an .ipynb file")
    course = course or find_course()
    assignment = course.assignment(chapter_of(path, course))
    with Grader(assignment, secrets.randbits(63), protected=protected) as grader:
        result = grader.grade(path)
        return grader.grade(path) if result.ran_late else result


def chapter_of(path: Path, course: Course) -> str:
    """Return the chapter of a notebook: that of its cells or, if they do not say, that of its file or folder.

    Errors: UsageError if none of them says; it names what is wrong with the file.
    """
    named = [name for name in (path.stem, path.resolve().parent.name) if name in course.every_chapter()]
    reason = "a notebook without a cell of this course's exercises: expected the released one, filled in"
    found = []
    try:
        found = chapters_of(cells_of(submission_bytes(path, 0)), chapters_by_cell(course))
    except InvalidSubmission as error:
        reason = str(error)
    if not (found or named):
        raise UsageError(f"{visible_line(path)} is not graded: {visible_line(reason)}")
    return found[0][0] if found else named[0]


def describe_result(result: Result) -> str:
    """Return a result as a few lines for the terminal."""
    lines = [f"{result.assignment}: {result.score:g} of {result.max_score:g} points ({result.status})"]
    lines += [result.message] if result.message else []
    lines += result.notes
    lines += [f"altered, restored: {what}" for what in result.tampered]
    lines += [f"faults of the checks: {describe_faults(result.faults)}"] if result.faults else []
    lines += [f"refused by the sandbox: {describe_refused(result.refused)}"] if result.refused else []
    for verdict in result.verdicts:
        lines.append(f"  {verdict.name}: {verdict.score:g} of {verdict.points:g}, {verdict.status}. {verdict.message}")
    return "\n".join(line[: len(line) - len(line.lstrip())] + " ".join(visible(line).split()) for line in lines)
