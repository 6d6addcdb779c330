"""The exercises of a chapter as its notebook presents them."""

import re
from dataclasses import dataclass

from autograder.errors import CourseError

from .course import Assignment
from .derived_text import LINE

FUNCTION_HEAD = re.compile(r'def (?P<call>\w+\(.*?\)):\n\s+"""(?P<purpose>[^\n]*?)"*$', re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """One exercise as its notebook presents it: its signature, its result, difficulty and time."""

    name: str
    call: str
    purpose: str
    points: float
    difficulty: int
    minutes: int


def tasks(assignment: Assignment) -> list[Task]:
    """Return the tasks of a chapter in the notebook's order.

    Errors: CourseError if the text above an answer does not say how difficult it is and how long it takes, or the
    answer has no docstring.
    """
    return [task_of(assignment, name, exercise.points) for name, exercise in assignment.exercises.items()]


def task_of(assignment: Assignment, name: str, points: float) -> Task:
    """Read one task."""
    about, answer = (
        assignment.cells[cell].cell.source if cell in assignment.cells else "" for cell in (f"about_{name}", name)
    )
    said, stub = LINE.search(about), FUNCTION_HEAD.search(answer)
    if not said:
        raise CourseError(
            f"expected a line like 'difficulty 2 of 5 · 8 minutes' in the cell about_{name} of "
            f"{assignment.solution_path}, got none: write it below the heading; the points before it are written by "
            "`autograder release`"
        )
    if not stub:
        raise CourseError(
            f"expected a docstring of one line in the cell {name} of {assignment.solution_path}: say what it returns"
        )
    return Task(name, stub["call"], stub["purpose"], points, int(said["difficulty"]), int(said["minutes"]))
