"""Reads a solution notebook's exercises, and writes derived text into it."""

import copy
import re
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from autograder.errors import CourseError
from autograder.plain import plural

LINE = re.compile(
    r"^(?:[\d.]+ points? · )?difficulty (?P<difficulty>[1-5]) of 5 · (?P<minutes>\d+) minutes$", re.MULTILINE
)
TOTALS_LINE = re.compile(r"^\w+ functions?, [\d.]+ points?, about \d+ minutes\.$", re.MULTILINE)
FUNCTION_HEAD = re.compile(r'def (?P<call>\w+\(.*?\)):\n\s+"""(?P<purpose>[^\n]*?)"*$', re.MULTILINE)
SOLUTION_MARKS = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
NUMBER_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@dataclass(frozen=True)
class Task:
    """One exercise as its notebook presents it: its signature, its result, difficulty and time."""

    name: str
    call: str
    purpose: str
    points: float
    difficulty: int
    minutes: int


def tasks(assignment: Any) -> list[Task]:
    """Return the tasks of a chapter in the notebook's order.

    Errors: CourseError if the text above an answer does not say how difficult it is and how long it takes, or the
    answer has no docstring.
    """
    return [task_of(assignment, name, exercise.points) for name, exercise in assignment.exercises.items()]


def task_of(assignment: Any, name: str, points: float) -> Task:
    """Read one task."""
    about, answer = (
        assignment.cells[cell].cell.source if cell in assignment.cells else "" for cell in (f"about_{name}", name)
    )
    said, stub = LINE.search(about), FUNCTION_HEAD.search(answer)
    if not said:
        raise CourseError(
            f"expected a line like 'difficulty 2 of 5 · 8 minutes' in the cell about_{name} of {assignment.path}, "
            "got none: write it below the heading; the points before it are written by `autograder release`"
        )
    if not stub:
        raise CourseError(
            f"expected a docstring of one line in the cell {name} of {assignment.path}: say what it returns"
        )
    return Task(name, stub["call"], stub["purpose"], points, int(said["difficulty"]), int(said["minutes"]))


def tidied(notebook: NotebookNode) -> NotebookNode:
    """Return a solution notebook with everything derived brought up to date.

    No outputs and no counts; a cell's id is its nbgrader id with hyphens; the line of points above an answer shows its
    test cell's points, and the title shows the sums.
    """
    tidy = copy.deepcopy(notebook)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in tidy.cells if "nbgrader" in cell.metadata}
    for grade_id, cell in cells.items():
        cell.id = grade_id.replace("_", "-")
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    points = {name: cell.metadata.nbgrader.points for name, cell in cells.items() if cell.metadata.nbgrader.grade}
    minutes = []
    for name, worth in points.items():
        about = cells.get(f"about_{name.removeprefix('test_')}")
        if said := about and LINE.search(about.source):
            line = f"{plural(worth, 'point')} · difficulty {said['difficulty']} of 5 · {said['minutes']} minutes"
            about.source = LINE.sub(line, about.source, count=1)
            minutes.append(int(said["minutes"]))
    if "title" in cells:
        count = NUMBER_WORDS[len(points)].capitalize() if len(points) < len(NUMBER_WORDS) else f"{len(points)}"
        functions = f"{count} function" + ("" if len(points) == 1 else "s")
        sums = f"{functions}, {plural(sum(points.values()), 'point')}, about {sum(minutes)} minutes."
        cells["title"].source = TOTALS_LINE.sub(sums, cells["title"].source, count=1)
    return tidy
