"""Writes the page of similar submissions, side by side, for the instructor only."""

from typing import Any

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.load import SavedResult, load_cells
from autograder.course.course import Assignment
from autograder.files import write_whole

from .report_names import ReportNames, cut
from .similar import ALWAYS_FOUND, LEAST, SMALLEST_CLASS, Comparison, rare_at_most, similar, similar_lines
from .templating import PAGES, title_of
from .tokens import MAX_CODE, all_names

LINES = 100  # of a cell


def similar_name(assignment: Assignment) -> str:
    """Return the page's file name."""
    return f"similar_{assignment.chapter}.html"


def write_similar(classroom: ClassRoom, assignment: Assignment, results: dict[str, SavedResult]) -> Comparison:
    """Write the page and return what it compares; without a pair, no page is written."""
    students = [student for student, result in results.items() if result["exercises"]]
    found, path = similar(classroom, assignment, students), classroom.root / similar_name(assignment)
    if not found.pairs:
        path.unlink(missing_ok=True)
        return found
    people, known = ReportNames(classroom, assignment), all_names(assignment.read_released_code())
    named = {student for pair in found.pairs for student in pair["students"]}
    cells = {student: cells_by_name(people, student) for student in named}
    text = PAGES.get_template("report_similar.html").render(
        title=title_of(assignment),
        pairs=[
            pair | {"people": people.links(pair["students"]), "parts": similar_cells(cells, pair, known)}
            for pair in found.pairs
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
    cells: dict[str, dict[str, str]], pair: dict[str, Any], known: set[str]
) -> list[tuple[str, list[list[tuple[str, bool]]]]]:
    """Return ``(exercise, [lines of each])`` for all similar cells; added cells come last."""
    both = [cells[student] for student in pair["students"]]
    names = list(dict.fromkeys(name for each in both for name in each))
    parts = []
    for name in sorted(names, key=lambda name: not name):
        sides = [similar_lines(each.get(name, ""), pair["rare"], known) for each in both]
        if any(alike for lines in sides for _, alike in lines):
            parts.append((name, sides))
    return parts


def cells_by_name(people: ReportNames, student: str) -> dict[str, str]:
    """Return the beginning of a student's code as ``{exercise: source}``; "" is for the cells that they added."""
    found: dict[str, list[str]] = {}
    for cell in load_cells(people.classroom, student, people.assignment.chapter):
        if cell["type"] == "code" and cell["kind"] in ("answer", "own") and cell["source"].strip():
            sources = found.setdefault(cell["id"], [])
            sources += [cell["source"][:MAX_CODE]] if len(sources) < LINES else []
    return {name: cut("\n\n".join(sources)[:MAX_CODE], LINES) for name, sources in found.items()}
