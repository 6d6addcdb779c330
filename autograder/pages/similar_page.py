"""Writes the page of similar submissions, side by side, for the instructor only."""

from typing import Any

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Assignment
from autograder.files import write_whole
from autograder.results.load import SavedResult, load_cells

from .report_names import ReportNames, cut
from .similar import ALWAYS_FOUND, LEAST, SMALLEST_CLASS, rare_at_most, similar, similar_lines
from .templating import PAGES, title_of
from .tokens import all_names

LINES = 100  # of a cell


def similar_name(assignment: Assignment) -> str:
    """Return the page's file name."""
    return f"similar_{assignment.chapter}.html"


def write_similar(
    classroom: ClassRoom, assignment: Assignment, results: dict[str, SavedResult]
) -> list[dict[str, Any]]:
    """Write the page and return its pairs; without any, no page is written."""
    students = [student for student, result in results.items() if result["exercises"]]
    found, path = similar(classroom, assignment, students), classroom.root / similar_name(assignment)
    if not found:
        path.unlink(missing_ok=True)
        return []
    people, known = ReportNames(classroom, assignment), all_names(assignment.released_code())
    text = PAGES.get_template("report_similar.html").render(
        title=title_of(assignment),
        pairs=[
            pair | {"people": people.links(pair["students"]), "parts": similar_cells(people, pair, known)}
            for pair in found
        ],
        most=rare_at_most(len(students)),
        count=len(students),
        run=ALWAYS_FOUND,
        least=LEAST,
        smallest=SMALLEST_CLASS,
    )
    write_whole(path, text)
    return found


def similar_cells(
    people: ReportNames, pair: dict[str, Any], known: set[str]
) -> list[tuple[str, list[list[tuple[str, bool]]]]]:
    """Return ``(exercise, [lines of each])`` for all similar cells; added cells come last."""
    both = [cells_by_name(people, student) for student in pair["students"]]
    names = list(dict.fromkeys(name for cells in both for name in cells))
    parts = []
    for name in sorted(names, key=lambda name: not name):
        sides = [similar_lines(cut(cells.get(name, ""), LINES), pair["rare"], known) for cells in both]
        if any(alike for lines in sides for _, alike in lines):
            parts.append((name, sides))
    return parts


def cells_by_name(people: ReportNames, student: str) -> dict[str, str]:
    """Return a student's code as ``{exercise: source}``; "" is for the cells that they added."""
    found = {}
    for cell in load_cells(people.classroom, student, people.assignment.chapter):
        if cell["type"] == "code" and cell["kind"] in ("answer", "own") and cell["source"].strip():
            name = cell["id"] or ""
            found[name] = f"{found[name]}\n\n{cell['source']}" if name in found else cell["source"]
    return found
