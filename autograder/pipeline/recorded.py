"""What was recorded, as pages and files are made from it: marks by hand applied, stale marks named."""

import json

from autograder.errors import CourseError, UsageError
from autograder.plain import visible
from autograder.sandbox import Limits

from .course import FOLDERS, can_be_named
from .gradebook import by_hand, gradebook
from .intake import beside, digest
from .record import RESULT, bound_to, read_run, why_stale


def read_results(classroom, assignment):
    """Return every graded student's result as ``{student: result}``, in order, marks by hand applied.

    Errors: UsageError where nothing has been graded yet; CourseError where a result or the gradebook cannot be read.
    """
    results = recorded(classroom, assignment)
    if not results:
        raise nothing_graded(classroom, assignment.chapter)
    with gradebook(classroom) as book:
        marks, comments = by_hand(book, assignment.chapter)
    for student, result in results.items():
        add_marks_by_hand(result, marks.get(student, {}), comments.get(student, {}))
    return results


def nothing_graded(classroom, chapter="CHAPTER"):
    """Return the error of use that says so."""
    return UsageError(f"nothing graded below {classroom.root / 'autograded'}: run `autograder grade {chapter}` first")


def recorded(classroom, assignment):
    """Return every result as it was recorded, in order, with why it is ``stale`` or ""; {} where there is none."""
    found = sorted(classroom.root.glob(f"autograded/*/{assignment.chapter}/{RESULT}"))
    results = {path.parents[1].name: without_cells(read_json(path)) for path in found}
    for student, result in results.items():
        run = read_run(classroom, student, assignment.chapter)
        now = bound_to(assignment, Limits(), digest(classroom.notebook(student, assignment.chapter), FOLDERS))
        result["stale"] = why_stale(run, now) if run else "its record is not complete"
        result["beside"] = beside(classroom.notebook(student, assignment.chapter))
        result["seconds"] = run.get("seconds") if run else None
    return results


def without_cells(result):
    """Return a result without its cells: those of a whole class would not fit into memory."""
    del result["cells"]
    return result


def read_cells(classroom, student, chapter):
    """Return the cells of one result. Errors: CourseError where it is damaged."""
    return read_json(classroom.autograded(student, chapter) / RESULT)["cells"]


def read_json(path):
    """Return a file of ours. Errors: CourseError where it is damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CourseError(f"cannot read {path} ({error}): remove its folder and grade again") from error


def submitters(classroom, chapter):
    """Return who handed this chapter in, in order, as names that can be written down; nobody is no error here."""
    try:
        return [student if can_be_named(student) else visible(student) for student in classroom.students(chapter)]
    except UsageError:
        return []


def graded_chapters(course, classroom):
    """Return the chapters of which something is graded, by us or by stock nbgrader. Errors: UsageError if none is."""
    found = [chapter for chapter in course.chapters() if any(classroom.root.glob(f"autograded/*/{chapter}"))]
    if not found:
        raise nothing_graded(classroom)
    return found


def add_marks_by_hand(result, marks, comments):
    """Put the marks and comments that a person gave, by exercise, in the place of the automatic ones."""
    # A notebook that could not be read has no exercises here, and a person may have marked it all the same.
    automatic = {exercise["name"]: exercise["score"] for exercise in result["exercises"]}
    result["score"] += sum(mark - automatic.get(name, 0.0) for name, mark in marks.items())
    for exercise in result["exercises"]:
        exercise["comment"] = comments.get(exercise["name"])
        exercise["by_hand"] = exercise["name"] in marks
        exercise["score"] = marks.get(exercise["name"], exercise["score"])
