"""Which chapter a notebook is of: another one's gets no mark, and is named."""

import json

import pytest

from autograder.grading.grade import Grader


@pytest.fixture(scope="module")
def grader(published):
    """Grades chapter 4 of the real course."""
    with Grader(published.assignment("04_query_key_value"), seed=0) as grader:
        yield grader


@pytest.mark.parametrize("has_ids", [True, False])
def test_another_chapters_notebook_gets_no_mark(grader, published, has_ids):
    """Chapter 5's notebook under chapter 4's name costs nobody a point: it is named, and what to hand in.

    So it is where an editor has dropped all ids.
    """
    notebook = json.loads(published.assignment("05_scaling").released.read_text())
    for cell in notebook["cells"] if not has_ids else ():
        cell["metadata"] = {}
    result = grader.grade_bytes(json.dumps(notebook).encode())
    assert result.status == "no_notebook"
    assert result.message == (
        "this is the notebook of 05_scaling, not of 04_query_key_value: hand in 04_query_key_value.ipynb"
    )


def test_cells_of_another_chapter_beside_ones_own_are_the_students(grader, root):
    """With one exercise of this chapter left in it, a notebook is this chapter's, and what is gone was deleted."""
    notebooks = [
        json.loads((root / f"exercises/{name}/{name}.ipynb").read_text())
        for name in ("04_query_key_value", "05_scaling")
    ]
    own = [cell for cell in notebooks[0]["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")][:1]
    notebooks[1]["cells"] += own
    result = grader.grade_bytes(json.dumps(notebooks[1]).encode())
    assert result.status == "tampered"
