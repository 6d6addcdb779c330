"""Writes the notebook that the formgrader shows: the course's cells as they are, the student's as text and code."""

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from nbformat import NotebookNode

from autograder.course.course import Assignment
from autograder.diagnosis.verdict import Verdict
from autograder.grading.result import Ran, Result
from autograder.plain import visible


def graded_notebook(assignment: Assignment, result: Result) -> str:
    """Return the text of the notebook, of format 4."""
    verdicts = {f"test_{verdict.name}": verdict for verdict in result.verdicts}
    if result.cells:
        ran = enumerate(result.cells)
        cells = [cell_text(assignment, index, one, verdicts.get(one.piece.grade_id)) for index, one in ran]
    else:
        reason = cell_json(markdown(fenced(f"{result.status}: {result.message}")), 0)
        cells = [
            reason,
            *(cell_json(course_cell(assignment, name, ""), i) for i, name in enumerate(assignment.cells, 1)),
        ]
    return f'{{"cells": [{", ".join(cells)}], {closing(assignment)}'


def cell_text(assignment: Assignment, index: int, ran: Ran, verdict: Verdict | None) -> str:
    """Return the text of one cell."""
    grade_id = ran.piece.grade_id
    own = ran.piece.kind in ("own", "earlier") or assignment.is_answer(grade_id) or assignment.cells[grade_id].exercise
    if own or ran.outputs:
        return cell_json(graded_cell(assignment, ran, verdict), index)
    return constant_cell(assignment, grade_id, index)


@cache
def constant_cell(assignment: Assignment, grade_id: str, index: int) -> str:
    """Return the text of a cell of the course that is the same for everybody: most are, and a class has thousands."""
    return cell_json(course_cell(assignment, grade_id, ""), index)


def cell_json(cell: dict[str, Any], index: int) -> str:
    """Return a cell with its id as text."""
    return json.dumps({**cell, "id": f"cell-{index}"})


@cache
def closing(assignment: Assignment) -> str:
    """Return what follows the cells."""
    metadata = {name: assignment.notebook.metadata[name] for name in ("kernelspec", "language_info")}
    return json.dumps({"metadata": metadata, "nbformat": 4, "nbformat_minor": 5})[1:]


def graded_cell(assignment: Assignment, ran: Ran, verdict: Verdict | None) -> dict[str, Any]:
    """Return one cell with its outputs; a test cell ends with its points, as nbgrader reads them."""
    piece = ran.piece
    if piece.kind not in ("own", "earlier"):
        return course_cell(assignment, piece.grade_id, piece.source, ran, verdict)
    if piece.cell_type == "code":
        return code(piece.source, ran.outputs)
    return markdown(fenced(piece.source))  # the formgrader would run its scripts


def course_cell(
    assignment: Assignment, grade_id: str, source: str, ran: Ran | None = None, verdict: Verdict | None = None
) -> dict[str, Any]:
    """Return a course cell, or the student's answer in its place."""
    locked = assignment.cells[grade_id]
    source = source if assignment.is_answer(grade_id) else locked.cell.source
    metadata = locked.cell.metadata
    if locked.cell.cell_type != "code":
        return markdown(source, metadata)
    shown = ran.outputs if ran else ()
    return code(source, test_outputs(shown, verdict) if locked.exercise else shown, metadata)


def test_outputs(outputs: tuple[dict[str, Any], ...], verdict: Verdict | None) -> list[dict[str, Any]]:
    """Return a test cell's outputs: what it printed, the message, and the points as the one value."""
    printed = "".join(output["text"] for output in outputs if output["output_type"] == "stream")
    message = verdict.message if verdict else "not graded"
    points = {"text/plain": str(float(verdict.score if verdict else 0.0))}
    return [
        {"output_type": "stream", "name": "stdout", "text": f"{printed}{message}\n"},
        {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": 1},
    ]


def code(
    source: str,
    outputs: Iterable[dict[str, Any]],
    metadata: NotebookNode | None = None,
) -> dict[str, Any]:
    """Return a code cell."""
    outputs = list(outputs)
    metadata = metadata or {}
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": outputs,
        "source": source,
    }


def markdown(source: str, metadata: NotebookNode | None = None) -> dict[str, Any]:
    """Return a markdown cell."""
    return {"cell_type": "markdown", "metadata": metadata or {}, "source": source}


def fenced(text: str) -> str:
    """Return text as a markdown code block that nothing in it can close."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{visible(text)}\n{fence}"
