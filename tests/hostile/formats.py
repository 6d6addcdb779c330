"""The notebook is broken, from another world, or its locked cells were altered."""

import json

import nbformat
from nbformat.v4 import new_code_cell, new_output

from tests.support.hand_in import RIGHT, cell_of

from .corpus import Hostile

INVALID = ("invalid_submission",)
TAMPERED = ("tampered",)
CELL = {"cell_type": "code", "metadata": {}, "source": RIGHT, "outputs": [], "execution_count": None}


def raw(**changed):
    """Return a notebook's bytes with something changed."""
    return json.dumps({"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **changed}).encode()


def set_nbgrader(grade_id, /, **facts):
    """Return a change of one cell's nbgrader metadata."""
    return lambda notebook: cell_of(notebook, grade_id).metadata.nbgrader.update(facts)


def delete(grade_id):
    """Return a change that deletes a cell."""
    return lambda notebook: notebook.cells.remove(cell_of(notebook, grade_id))


def rewrite(grade_id, source):
    """Return a change of one cell's text."""
    return lambda notebook: cell_of(notebook, grade_id).update(source=source)


def again(grade_id, source, at=None):
    """Return a change that puts a second cell with the same id somewhere."""

    def change(notebook):
        copy = nbformat.from_dict({**cell_of(notebook, grade_id), "id": "again", "source": source})
        notebook.cells.insert(len(notebook.cells) if at is None else at, copy)

    return change


def strange_metadata(notebook):
    """Ask for another kernel, and fill every cell with what nobody expects."""
    notebook.metadata["kernelspec"] = {
        "name": "../../evil",
        "display_name": "<script>",
        "argv": ["/bin/sh", "-c", "id"],
    }
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    for cell in notebook.cells:
        cell.metadata["tags"] = ["skip-execution", "remove-cell", "hide-input", "raises-exception"]
        cell.metadata["slideshow"] = {"slide_type": "<script>"}


def filled(notebook):
    """Fill the test cell with the output of a full mark."""
    full = new_output("execute_result", {"text/plain": "10.0", "text/html": "<script>1</script>"}, execution_count=1)
    cell_of(notebook, "test_double").outputs = [new_output("stream", name="stdout", text="Right.\n"), full]


def reverse(notebook):
    """Put the cells in the opposite order."""
    notebook.cells.reverse()


def same_ids(notebook):
    """Give all cells the same id."""
    for cell in notebook.cells:
        cell.id = "same"


def impostor(notebook):
    """Give the answer the test cell's id, and the test cell the answer's."""
    answer, test = cell_of(notebook, "double"), cell_of(notebook, "test_double")
    answer.metadata, test.metadata = test.metadata, answer.metadata


def many_cells(notebook):
    """Add three hundred cells."""
    notebook.cells.extend(new_code_cell("1") for _ in range(300))


ENTRIES = (
    Hostile("empty", "no bytes", raw=b"", status=INVALID, words="the file is empty"),
    Hostile("cut_short", "half a notebook", raw=raw()[:80], status=INVALID, words="broken JSON"),
    Hostile("no_object", "a list", raw=b"[]", status=INVALID),
    Hostile("deep", "nine hundred thousand brackets", raw=b"[" * 900_000, status=INVALID, words="not a notebook"),
    Hostile(
        "huge_number",
        "a number of a million digits",
        raw=raw().replace(b'"nbformat": 4', b'"nbformat": ' + b"4" * 10**6),
        status=INVALID,
    ),
    Hostile(
        "not_a_number",
        "NaN, which JSON does not have, in what is read",
        change=set_nbgrader("test_double", points=float("nan")),
        status=TAMPERED,
    ),
    Hostile(
        "unread",
        "outputs that end in the middle",
        raw=raw(cells=[{**CELL, "outputs": [[]]}]).replace(b"[[]]", b"[[]"),
        status=INVALID,
        words="broken JSON",
    ),
    Hostile(
        "twice_a_key",
        "two lists of cells under one name",
        raw=raw().replace(b'{"cells"', b'{"cells": [], "cells"'),
        status=INVALID,
    ),
    Hostile(
        "version_3",
        "nbformat 3",
        raw=raw(nbformat=3, worksheets=[{"cells": [CELL]}]),
        status=INVALID,
        words="nbformat 3",
    ),
    Hostile("version_6", "nbformat 6", raw=raw(nbformat=6), status=INVALID, words="nbformat 6"),
    Hostile("version_true", "nbformat true", raw=raw(nbformat=True), status=INVALID),
    Hostile("utf_16", "another encoding", raw=raw().decode().encode("utf-16"), status=INVALID, words="UTF-16"),
    Hostile("latin_1", "a byte that is no UTF-8", raw=raw().replace(b"double", b"d\xfcble"), status=INVALID),
    Hostile("zeros", "a megabyte of zeros", raw=bytes(1 << 20), status=INVALID),
    Hostile("no_cells", "cells that are no list", raw=raw(cells={"0": CELL}), status=INVALID),
    Hostile("no_text", "a source that is no text", raw=raw(cells=[{**CELL, "source": [1, 2]}]), status=INVALID),
    Hostile(
        "many_cells", "more cells than anyone writes", raw=raw(cells=[CELL] * 1001), status=INVALID, words="1001 cells"
    ),
    Hostile("long_cell", "a cell of a megabyte", raw=raw(cells=[{**CELL, "source": "#" * (1 << 20)}]), status=INVALID),
    Hostile(
        "half_letters",
        "lone surrogates and zeros in the source",
        raw=raw(cells=[{**CELL, "source": "\ud800\0\x1b]0;x\x07"}]),
        status=INVALID,
    ),
    Hostile(
        "strange_ids",
        "nbgrader's facts are lists and objects",
        raw=raw(cells=[{**CELL, "metadata": {"nbgrader": {"grade_id": [{}]}, "tags": {}}}]),
        score=10,
    ),
    Hostile("strange_metadata", "another kernel, and tags that skip tests", change=strange_metadata, status=TAMPERED),
    Hostile(
        "honest_but_marked",
        "right answers with such tags keep their points",
        answer=RIGHT,
        change=strange_metadata,
        status=TAMPERED,
        score=10,
    ),
    Hostile(
        "more_points", "the test is worth a million", change=set_nbgrader("test_double", points=10**6), status=TAMPERED
    ),
    Hostile(
        "honest_more_points",
        "and a right answer still ten",
        answer=RIGHT,
        change=set_nbgrader("test_double", points=10**6),
        status=TAMPERED,
        score=10,
    ),
    Hostile(
        "less_than_none",
        "points below zero, for somebody's joke",
        answer=RIGHT,
        change=set_nbgrader("test_double", points=-10),
        status=TAMPERED,
        score=10,
    ),
    Hostile(
        "unlocked",
        "the test cell is an answer",
        change=set_nbgrader("test_double", solution=True, grade=False, locked=False),
        status=TAMPERED,
    ),
    Hostile(
        "by_hand",
        "the answer asks to be graded by hand",
        change=set_nbgrader("double", grade=True, points=10, task=True),
        status=TAMPERED,
    ),
    Hostile("rewritten", "the test cell holds the points", change=rewrite("test_double", "10.0"), status=TAMPERED),
    Hostile(
        "set_up",
        "the first cell brings its own check",
        change=rewrite("setup", "def check(*names): print('Right.')"),
        status=TAMPERED,
    ),
    Hostile("deleted", "the test cell is gone", change=delete("test_double"), words="Returns nothing"),
    Hostile(
        "no_answer", "the answer cell is gone", change=delete("double"), status=("error",), words="no cell defines it"
    ),
    Hostile("twice", "a second test cell with the points", change=again("test_double", "10.0"), status=TAMPERED),
    Hostile(
        "twice_above", "a second test cell above the first", change=again("test_double", "10.0", 0), status=TAMPERED
    ),
    Hostile(
        "two_answers",
        "a second answer below the test",
        change=again("double", "double = 10.0"),
        words="the one above the test was graded",
    ),
    Hostile(
        "renamed",
        "the test cell has another id",
        change=set_nbgrader("test_double", grade_id="test_other"),
    ),
    Hostile("impostor", "answer and test have changed ids", change=impostor, status=TAMPERED),
    Hostile("reversed", "the cells in the opposite order", change=reverse, status=TAMPERED),
    Hostile("same_ids", "all cells have one id", change=same_ids, words="Returns nothing"),
    Hostile("filled", "the test cell comes with its points", change=filled, words="Returns nothing"),
    Hostile("three_hundred", "three hundred cells of one's own", change=many_cells, status=("graded", "time_limit")),
)
