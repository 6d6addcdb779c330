"""A notebook whose editor dropped nbgrader's metadata costs its student nothing."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.grading.lost_ids import LOST
from tests.support.hand_in import RIGHT, cell_of

WRONG = "def double(x):\n    return x ** 2"


def without_ids(notebook):
    """Drop all metadata of the cells, and return the notebook."""
    for cell in notebook.cells:
        cell.metadata = {}
    return notebook


def test_the_cells_are_recognised_by_their_text(grade, answered):
    """It is graded as if nothing had happened, nothing is called altered, and its student is told."""
    result = grade(without_ids(answered()))
    assert (result.status, result.score) == ("graded", 10)
    assert (result.tampered, result.message, result.notes) == ((), "", (LOST,))
    assert [(ran.piece.kind, ran.piece.grade_id) for ran in result.cells if ran.piece.kind == "answer"] == [
        ("answer", "double")
    ]


def test_with_one_id_left_the_others_were_not_there(grade, answered):
    """A copy of one cell beside ids that are gone costs nothing, and nobody is accused."""
    notebook = answered()
    kept = dict(cell_of(notebook, "double").metadata)
    without_ids(notebook)
    notebook.cells[[cell.source for cell in notebook.cells].index(RIGHT)].metadata = kept
    result = grade(notebook)
    assert (result.status, result.score, result.tampered) == ("graded", 10, ())
    assert "test_double" in result.message


@pytest.mark.parametrize(
    ("above", "below", "score"),
    [([WRONG, RIGHT], [], 10), ([RIGHT, WRONG], [], 0), ([RIGHT], [WRONG], 10), (["double = lambda x: x + x"], [], 10)],
)
def test_the_last_definition_above_the_test_is_the_answer(grade, answered, above, below, score):
    """As if the notebook were run in order; what comes after the test does not reach it."""
    notebook = answered("# gone")
    place = notebook.cells.index(cell_of(notebook, "double"))
    cells = [[new_code_cell(source) for source in sources] for sources in (above, below)]
    notebook.cells[place : place + 2] = [*cells[0], notebook.cells[place + 1], *cells[1]]
    result = grade(without_ids(notebook))
    assert (result.status, result.score) == ("graded", score)
    assert [ran.piece.source for ran in result.cells if ran.piece.kind == "answer"] == [above[-1]]


def test_answers_pasted_into_a_new_notebook_are_graded(grade):
    """Without a single cell of the course, the functions are found by their names."""
    result = grade(new_notebook(cells=[new_code_cell("import numpy as np"), new_code_cell(RIGHT)]))
    assert (result.status, result.score, result.notes) == ("graded", 10, (LOST,))


def test_a_stub_without_its_id_is_not_attempted(grade, notebook):
    """The released notebook, handed in as it is, says the same with ids and without."""
    assert grade(without_ids(notebook)).status == "not_attempted"


def test_a_notebook_of_something_else_is_named(grade):
    """Where nothing is recognised, nothing was altered."""
    result = grade(new_notebook(cells=[new_code_cell("print(1)")]))
    assert (result.status, result.score, result.notes) == ("invalid_submission", 0, ())
