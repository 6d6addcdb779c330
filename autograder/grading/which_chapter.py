"""Finds the chapter of a notebook by the ids of its exercises; its file name does not matter."""

from collections import Counter
from functools import cache
from typing import Any

from autograder.course.course import Assignment, Course
from autograder.errors import NoNotebook


@cache
def chapters_by_id(course: Course) -> dict[str, str]:
    """Return ``{grade id: chapter}`` for answers and tests, except ids that two chapters share."""
    found = {}
    for chapter in course.chapters():
        for grade_id in ids_of_exercises(course.assignment(chapter)):
            found.setdefault(grade_id, set()).add(chapter)
    return {grade_id: chapters.pop() for grade_id, chapters in found.items() if len(chapters) == 1}


def ids_of_exercises(assignment: Assignment) -> list[str]:
    """Return the ids of an assignment's answers and tests."""
    flags = (cell.metadata.get("nbgrader", {}) for cell in assignment.notebook.cells)
    return [each["grade_id"] for each in flags if each.get("solution") or each.get("grade")]


def chapters_by_cells(cells: list[dict[str, Any]], by_id: dict[str, str]) -> list[tuple[str, int]]:
    """Return the chapters whose exercises a notebook's cells hold, with how many cells, most first."""
    ids = (cell["nbgrader"].get("grade_id") for cell in cells)
    return Counter(by_id[grade_id] for grade_id in ids if isinstance(grade_id, str) and grade_id in by_id).most_common()


def refuse_another_chapters(assignment: Assignment, cells: list[dict[str, Any]]) -> None:
    """Errors: NoNotebook if a notebook holds exercises of another chapter, and none of this one's."""
    ids = {cell["nbgrader"].get("grade_id") for cell in cells if isinstance(cell["nbgrader"].get("grade_id"), str)}
    if ids.isdisjoint(ids_of_exercises(assignment)) and (
        others := chapters_by_cells(cells, chapters_by_id(assignment.course))
    ):
        raise NoNotebook(
            f"this is the notebook of {others[0][0]}, not of {assignment.chapter}: hand in {assignment.chapter}.ipynb"
        )
