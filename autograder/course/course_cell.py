"""One cell of a solution notebook that belongs to the course."""

import re
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder.diagnosis.exercise import Exercise

_HIDDEN_TESTS = re.compile(r"^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS\n?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class CourseCell:
    """A cell that belongs to the course: shown, restored, never taken from a submission."""

    grade_id: str
    cell: NotebookNode
    source: str  # as released, without hidden tests
    exercise: Exercise | None = None  # of a graded test cell


def without_hidden_tests(source: str) -> str:
    """Return a cell's text as it is released."""
    return _HIDDEN_TESTS.sub("", source).rstrip("\n")
