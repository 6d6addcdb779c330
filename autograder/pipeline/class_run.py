"""A class run: every submission of some chapters through grading into the record, with a progress bar."""

import secrets
import sys
from collections.abc import Iterator

from tqdm import tqdm

from autograder import sandbox

from .course import ClassRoom
from .grade import Result, grade_all
from .record import gradebook, record, register


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
            tasks.append(((student, assignment), (assignment, path, seed, None, protected)))
    for assignment in chosen:
        assignment.companions()
        register(classroom, assignment)
    with gradebook(classroom) as book, tqdm(total=len(tasks), unit="notebook", file=sys.stderr) as progress:
        for (student, assignment), result in grade_all(tasks, min(jobs, len(tasks))):
            record(book, classroom, assignment, student, result)
            progress.update()
            yield student, result
