"""Record: marks go into nbgrader's gradebook, graded notebooks into autograded/, one submission at a time."""

import json
import re
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.errors import CourseError

from .course import COURSE_ID, ClassRoom, replace_folder
from .grade import Result
from .release import generate, tools_on_path

RESULT = "result.json"


@contextmanager
def gradebook(classroom: ClassRoom):
    """Open the class's gradebook. Errors: CourseError where the database cannot be used."""
    from nbgrader.api import Gradebook
    from sqlalchemy.exc import SAWarning, SQLAlchemyError

    try:
        with warnings.catch_warnings(), tools_on_path(), Gradebook(classroom.database, COURSE_ID) as book:
            warnings.simplefilter("ignore", SAWarning)  # nbgrader's own models, at every new submission
            yield book
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise CourseError(
            f"the gradebook {classroom.database} cannot be used ({reason}): "
            "close what else is using it, or name another with --db"
        ) from error


def register(classroom, assignment):
    """Make the gradebook know this assignment as the solution notebook has it.

    Errors: CourseError where cells came or went after marks were given: nbgrader refuses that.
    """
    with gradebook(classroom) as book:
        if known_cells(book, assignment) == wanted_cells(assignment):
            return
    with tempfile.TemporaryDirectory(dir=classroom.root, prefix=".register-") as folder:
        generate(assignment, folder, classroom.database)


def known_cells(book, assignment):
    """Return the cells that the gradebook holds, as ``{grade_id: (source, points)}``; {} where it has none."""
    from nbgrader.api import MissingEntry

    try:
        notebook = book.find_notebook(assignment.chapter, assignment.chapter)
    except MissingEntry:
        return {}
    points = {cell.name: cell.max_score for cell in notebook.grade_cells}
    # Answers are kept with their solutions replaced; their text is not compared.
    return {cell.name: (cell.source if cell.locked else "", points.get(cell.name)) for cell in notebook.source_cells}


def wanted_cells(assignment):
    """Return the cells of the solution notebook in the same form."""
    return {
        name: (
            "" if assignment.is_answer(name) else locked.cell.source,
            float(locked.exercise.points) if locked.exercise else None,
        )
        for name, locked in assignment.cells.items()
    }


def record(book, classroom: ClassRoom, assignment, student: str, result: Result):
    """Write one result: the files first, then the marks in one transaction. Infrastructure failures change nothing."""
    if result.status == "infrastructure":
        return
    write_files(classroom, assignment, student, result)
    write_marks(book, assignment, student, result)


def write_files(classroom, assignment, student, result):
    """Put the graded notebook and the result in the place of the old ones, in one step."""
    target = classroom.autograded(student, assignment.chapter)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".grading-") as folder:
        new = Path(folder) / assignment.chapter
        new.mkdir()
        nbformat.write(graded_notebook(assignment, result), new / f"{assignment.chapter}.ipynb")
        (new / RESULT).write_text(json.dumps(result_data(student, result), indent=1), encoding="utf-8")
        replace_folder(new, target)


def result_data(student, result):
    """Return everything about a result as plain data: what feedback and reports are made from."""
    cells = [
        {"kind": ran.piece.kind, "type": ran.piece.cell_type, "id": ran.piece.grade_id, "source": ran.piece.source}
        | {"outputs": list(ran.outputs), "status": ran.status}
        for ran in result.cells
    ]
    bound = {"seed": result.seed, "level": result.level, "submission_sha256": result.submission_hash}
    return {"student": student, **result.as_dict(), **bound, "seconds": round(result.seconds, 3), "cells": cells}


def graded_notebook(assignment, result):
    """Return the notebook that the formgrader shows: the course's cells as they are, the student's as text and code."""
    verdicts = {f"test_{verdict.name}": verdict for verdict in result.verdicts}
    if result.cells:
        cells = [graded_cell(assignment, ran, verdicts.get(ran.piece.grade_id)) for ran in result.cells]
    else:
        reason = new_markdown_cell(fenced(f"{result.status}: {result.message}"))
        cells = [reason, *(course_cell(assignment, name, "") for name in assignment.cells)]
    metadata = assignment.notebook.metadata
    notebook = new_notebook(cells=cells, metadata={name: metadata[name] for name in ("kernelspec", "language_info")})
    for index, cell in enumerate(notebook.cells):
        cell.id = f"cell-{index}"
    return notebook


def graded_cell(assignment, ran, verdict):
    """Return one cell with its outputs; a test cell ends with its points, as nbgrader reads them."""
    piece = ran.piece
    if piece.kind == "own":
        if piece.cell_type == "code":
            return new_code_cell(piece.source, outputs=[nbformat.from_dict(output) for output in ran.outputs])
        return new_markdown_cell(fenced(piece.source))  # the formgrader would run the scripts in it
    return course_cell(assignment, piece.grade_id, piece.source, ran, verdict)


def course_cell(assignment, grade_id, source, ran=None, verdict=None):
    """Return a course cell, or the student's answer in its place."""
    locked = assignment.cells[grade_id]
    answer = assignment.is_answer(grade_id)
    cell = nbformat.from_dict(locked.cell)
    cell.source = source if answer else locked.cell.source
    if cell.cell_type == "code":
        cell.execution_count = None
        shown = ran.outputs if ran else ()
        cell.outputs = marked(shown, verdict) if locked.exercise else [nbformat.from_dict(output) for output in shown]
    return cell


def marked(outputs, verdict):
    """Return a test cell's outputs: what it printed, the message, and the points as the one value."""
    printed = "".join(output["text"] for output in outputs if output["output_type"] == "stream")
    message = verdict.message if verdict else "not graded"
    score = verdict.score if verdict else 0.0
    points = new_output("execute_result", {"text/plain": str(float(score))}, execution_count=1)
    return [new_output("stream", name="stdout", text=f"{printed}{message}\n"), points]


def fenced(text):
    """Return text as a markdown code block that nothing in it can close."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def write_marks(book, assignment, student, result):
    """Set the automatic marks and comments of one submission; manual ones stay and win, as nbgrader has it."""
    book.update_or_create_student(student)
    book.update_or_create_submission(assignment.chapter, student)
    submitted = book.find_submission_notebook(assignment.chapter, assignment.chapter, student)
    verdicts = {verdict.name: verdict for verdict in result.verdicts}
    for grade in submitted.grades:
        verdict = verdicts.get(grade.name.removeprefix("test_"))
        grade.auto_score = verdict.score if verdict else 0.0
        grade.needs_manual_grade = grade.manual_score is not None
    for comment in submitted.comments:
        verdict = verdicts.get(comment.name)
        comment.auto_comment = verdict.message if verdict else result.message
    book.db.commit()
