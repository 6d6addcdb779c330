"""The text of a solution notebook that is derived from its cells: points above answers, sums in the title."""

import copy
import re

from nbformat import NotebookNode

from autograder.plain import plural

LINE = re.compile(
    r"^(?:[\d.]+ points? · )?difficulty (?P<difficulty>[1-5]) of 5 · (?P<minutes>\d+) minutes$", re.MULTILINE
)
_TOTALS_LINE = re.compile(r"^\w+ functions?, [\d.]+ points?, about \d+ minutes\.$", re.MULTILINE)
SOLUTION_MARKS = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
_NUMBER_WORDS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


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
        count = _NUMBER_WORDS[len(points)].capitalize() if len(points) < len(_NUMBER_WORDS) else f"{len(points)}"
        functions = f"{count} function" + ("" if len(points) == 1 else "s")
        sums = f"{functions}, {plural(sum(points.values()), 'point')}, about {sum(minutes)} minutes."
        cells["title"].source = _TOTALS_LINE.sub(sums, cells["title"].source, count=1)
    return tidy
