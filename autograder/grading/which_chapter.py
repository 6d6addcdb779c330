"""Finds the chapter of a notebook by the ids of its exercises, or by the text of its tests; not by its file's name."""

import re
from collections import Counter
from functools import cache
from typing import Any

from autograder.course.course import Assignment, Course
from autograder.course.ledger import text_hash
from autograder.errors import InvalidSubmission

from .lost_ids import has_ids


@cache
def chapters_by_cell(course: Course) -> dict[str, str]:
    """Return ``{what tells a cell: chapter}``: ids of answers and tests, hashes of tests' texts.

    What two chapters share is left out. Errors: CourseError for a damaged ledger.
    """
    found = {}
    for chapter in course.chapters():
        assignment = course.assignment(chapter)
        texts = {version.digest for version in assignment.ledger.versions if "grade" in version.flags}
        for sign in (*ids_of_exercises(assignment), *texts):
            found.setdefault(sign, set()).add(chapter)
    return {sign: chapters.pop() for sign, chapters in found.items() if len(chapters) == 1}


def ids_of_exercises(assignment: Assignment) -> list[str]:
    """Return the ids of an assignment's answers and tests."""
    flags = (cell.metadata.get("nbgrader", {}) for cell in assignment.notebook.cells)
    return [each["grade_id"] for each in flags if each.get("solution") or each.get("grade")]


def chapters_of(cells: list[dict[str, Any]], by_cell: dict[str, str]) -> list[tuple[str, int]]:
    """Return the chapters whose exercises a notebook's cells hold, with how many cells, most first.

    Cells are known by their ids; where no cell has one, by their text.
    """
    if has_ids(cells):
        signs = [cell["nbgrader"].get("grade_id") for cell in cells]
    else:
        signs = [text_hash(cell["source"]) for cell in cells]
    return Counter(by_cell[sign] for sign in signs if isinstance(sign, str) and sign in by_cell).most_common()


def refuse_without_exercises(assignment: Assignment, cells: list[dict[str, Any]]) -> None:
    """Errors: InvalidSubmission if nothing in a notebook can be an answer: it is empty, or not of this chapter."""
    ids = {cell["nbgrader"].get("grade_id") for cell in cells if isinstance(cell["nbgrader"].get("grade_id"), str)}
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    wanted = f"hand in {assignment.chapter}.ipynb as you received it, with your answers"
    if not any(map(str.strip, code)):
        raise InvalidSubmission(f"an empty notebook, without any code: {wanted}")
    if not ids.isdisjoint(ids_of_exercises(assignment)):
        return  # nearly always; to read all chapters takes a moment
    chapters = dict(chapters_of(cells, chapters_by_cell(assignment.course)))
    if assignment.chapter in chapters:
        return
    if chapters:
        raise InvalidSubmission(f"the notebook of {next(iter(chapters))}, not of {assignment.chapter}: {wanted}")
    words = set(re.findall(r"\w+", "\n".join(code)))
    if words.isdisjoint(assignment.exercises):
        raise InvalidSubmission(f"a notebook without any exercise of {assignment.chapter}: {wanted}")
