"""A class run: every submission of some chapters through grading into the record, with a progress bar."""

import secrets
import sys
from collections.abc import Iterator

from tqdm import tqdm

from autograder import sandbox
from autograder.sandbox import clean

from .course import ClassRoom
from .grade import Result, failed, grade_all
from .record import gradebook, record, register

FOLDERS = 2  # of a submission's path, the student's and the chapter's


def grade_class(classroom: ClassRoom, chosen, jobs=1, protected=True, seed=None) -> Iterator[tuple[str, Result]]:
    """Grade and record every submission of the chosen assignments, yielding ``(student, Result)`` as each is done.

    One seed serves the whole run, so all students meet the same unseen inputs, which nobody knew before.
    Errors: before anything is graded, SandboxUnavailable, UsageError (nobody submitted) or CourseError (gradebook).
    """
    sandbox.level(protected)
    seed = secrets.randbits(63) if seed is None else seed
    tasks = []
    for assignment in chosen:
        for student in classroom.students(assignment.chapter):
            path = classroom.submitted(student, assignment.chapter) / f"{assignment.chapter}.ipynb"
            tasks.append(((student, assignment), (assignment, path, seed, None, protected, FOLDERS)))
    for assignment in chosen:
        assignment.companions()
        register(classroom, assignment)
    nameable = [task for task in tasks if is_plain(task[0][0])]
    with gradebook(classroom) as book, tqdm(total=len(tasks), unit="notebook", file=sys.stderr) as progress:
        for (student, assignment), result in grade_all(nameable, min(jobs, max(1, len(nameable)))):
            yield student, recorded(book, classroom, assignment, student, result)
            progress.update()
        for (student, assignment), _ in tasks:
            if not is_plain(student):
                yield clean(student), unnameable(assignment)
                progress.update()


def recorded(book, classroom, assignment, student, result):
    """Record a result and return it; where that fails, say so in its place, and the others go on."""
    try:
        record(book, classroom, assignment, student, result)
    except Exception as error:
        book.db.rollback()
        return failed(assignment, f"graded, but not recorded ({type(error).__name__}: {error})")
    return result


def is_plain(student):
    """Say whether a folder's name can stand in a gradebook, on a page and in a terminal."""
    return student == " ".join(clean(student).split()) and not student.startswith(".")


def unnameable(assignment):
    """Return the result of a submission whose folder has a name that cannot be written down."""
    reason = "its folder's name is not UTF-8, or holds control characters: rename the folder and grade again"
    return failed(assignment, reason)
