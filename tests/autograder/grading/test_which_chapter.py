"""Which chapter a notebook is of, and what is none of this chapter: named, with what to hand in."""

import json

import pytest

from autograder.grading.grade import Grader


@pytest.fixture(scope="module")
def grader(published):
    """Grades chapter 4 of the real course."""
    with Grader(published.assignment("04_query_key_value"), seed=0) as grader:
        yield grader


@pytest.mark.parametrize("has_ids", [True, False])
def test_another_chapters_notebook_cannot_be_graded(grader, published, has_ids):
    """Chapter 5's notebook under chapter 4's name is named, and so is what to hand in.

    So it is where an editor has dropped all ids.
    """
    notebook = json.loads(published.assignment("05_scaling").released_path.read_text())
    for cell in notebook["cells"] if not has_ids else ():
        cell["metadata"] = {}
    result = grader.grade_bytes(json.dumps(notebook).encode())
    assert result.status == "invalid_submission"
    assert "05_scaling" in result.message
    assert "hand in 04_query_key_value.ipynb" in result.message


def test_cells_of_another_chapter_beside_ones_own_are_the_students(grader, root):
    """With one exercise of this chapter left in it, a notebook is this chapter's, and what is gone was not there."""
    notebooks = [
        json.loads((root / f"exercises/{name}/{name}.ipynb").read_text())
        for name in ("04_query_key_value", "05_scaling")
    ]
    own = [cell for cell in notebooks[0]["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")][:1]
    notebooks[1]["cells"] += own
    result = grader.grade_bytes(json.dumps(notebooks[1]).encode())
    assert result.status != "invalid_submission"
    assert not any(words.startswith("test_attention") for words in result.tampered)


def notebook_of(*sources):
    """Return the bytes of a notebook with these cells of code, without ids."""
    cells = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []} for source in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (notebook_of(), "empty"),
        (notebook_of("", "  \n"), "empty"),
        (notebook_of("print('my holiday')"), "without any exercise"),
        (b"%PDF-1.7", "PDF"),
        (b"<!DOCTYPE html><html></html>", "web page"),
    ],
)
def test_what_holds_no_answer_is_named_and_nobody_is_accused(grader, data, word):
    """It cannot be graded; what to hand in is said."""
    result = grader.grade_bytes(data)
    assert (result.status, result.score, result.tampered) == ("invalid_submission", 0, ())
    assert word in result.message
    assert "hand in" in result.message


def test_an_answer_alone_is_graded(grader):
    """One function in a new notebook, without any cell of the course, is what it always was."""
    result = grader.grade_bytes(notebook_of("import numpy as np", "def attention(query, key, value): return 0"))
    assert result.status != "invalid_submission"
