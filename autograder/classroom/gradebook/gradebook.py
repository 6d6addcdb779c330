"""Marks in nbgrader's own database. A mark given by hand always wins."""

import copy
import json
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from secrets import token_hex
from types import ModuleType
from typing import TYPE_CHECKING, Any

import nbformat

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Assignment
from autograder.course.course_cell import CourseCell
from autograder.course.release import generate
from autograder.files import staging_folder

from .comments import as_comment
from .database import (
    Contents,
    contents_of,
    drop_tables,
    engine_of,
    full_address,
    head_revision,
    in_one_line,
    is_busy,
    nbgrader_folder,
)
from .registration import Pending, bring_up_to_date, pending

if TYPE_CHECKING:
    from nbgrader.api import Gradebook
    from sqlalchemy import Insert, Table

ID_BYTES = 16  # like nbgrader's ids; the uuid module takes four times as long
BUSY_SECONDS = 60.0  # seconds to wait while a formgrader writes


@cache
def models() -> ModuleType:
    """Return nbgrader.api without the rest of nbgrader, which loads Jupyter's server and takes a second."""
    if "nbgrader" in sys.modules or "nbgrader.api" in sys.modules:
        from nbgrader import api

        return api
    package = ModuleType("nbgrader")
    package.__path__ = [str(nbgrader_folder())]
    sys.modules["nbgrader"] = package
    try:
        from nbgrader import api
    finally:
        del sys.modules["nbgrader"]  # loaded in full where needed
    return api


@contextmanager
def gradebook(classroom: ClassRoom) -> Iterator[Any]:
    """Open the class's gradebook, created if there is none. Errors: CourseError if the database cannot be used."""
    url, metadata = classroom.database, models().Base.metadata
    with in_one_line(url):
        if contents_of(url, metadata) is Contents.UNFINISHED:
            drop_tables(url, metadata)
        with open_gradebook(full_address(url), classroom.course_id) as book:
            yield book


@contextmanager
def read_gradebook(classroom: ClassRoom) -> Iterator[Any]:
    """Open the class's gradebook to read it; an empty one in memory if there is none.

    Errors: CourseError if the database cannot be used.
    """
    url = classroom.database
    with in_one_line(url):
        is_there = contents_of(url, models().Base.metadata) is Contents.GRADEBOOK
        # Without a course's id, nbgrader adds no row for the course.
        with open_gradebook(full_address(url) if is_there else "sqlite://", "") as book:
            yield book


def has_gradebook(classroom: ClassRoom) -> bool:
    """Say whether the class has a gradebook yet. Errors: CourseError if the database cannot be used."""
    with in_one_line(classroom.database):
        return contents_of(classroom.database, models().Base.metadata) is Contents.GRADEBOOK


@contextmanager
def open_gradebook(address: str, course_id: str) -> Iterator[Any]:
    """Open a database as nbgrader does, without starting another program to ask for its revision."""
    from sqlalchemy.exc import SAWarning

    api: Any = models()
    api.get_alembic_version, api.create_engine = head_revision, engine_of
    with warnings.catch_warnings(), api.Gradebook(address, course_id) as book:
        warnings.simplefilter("ignore", SAWarning)  # nbgrader's own models, at every new submission
        yield book


def to_register(book: "Gradebook", assignment: Assignment) -> Pending:
    """Return what the gradebook must learn about this assignment before marks can be written; falsy for nothing."""
    return pending(models(), book, assignment)


def register(classroom: ClassRoom, assignment: Assignment) -> None:
    """Update the gradebook to the solution notebook.

    Marks are rescaled if points changed.
    Errors: CourseError if the exercises have to be released first, or nbgrader refuses the notebook.
    """
    with staging_folder(classroom.root, ".register-") as folder:
        with gradebook(classroom) as book:
            known = known_cells(book, assignment)
            if known == wanted_cells(assignment) or (not known and add(book, assignment)):
                return
            bring_up_to_date(models(), book, assignment, cells_in_gradebook(assignment))
        generate(assignment, str(folder), full_address(classroom.database))


def add(book: "Gradebook", assignment: Assignment) -> bool:
    """Add a new assignment as nbgrader would, in one transaction; say whether that was done.

    It is not done if an assignment of that name exists, or the released notebook is not the solution's.
    """
    api = models()

    released = nbformat.read(assignment.released_path, as_version=4)
    stubs = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell.source for cell in released.cells}
    known = book.db.query(api.Assignment).filter(api.Assignment.name == assignment.chapter).count()
    if known or stubs.keys() != assignment.cells.keys():
        return False
    kernel, whole = json.dumps(released.metadata.get("kernelspec", {})), api.Assignment(name=assignment.chapter)
    whole.course_id = book.course_id
    of = {"notebook": api.Notebook(name=assignment.chapter, kernelspec=kernel, assignment=whole)}
    book.db.add_all([whole, *of.values()])
    for name, locked in cells_in_gradebook(assignment).items():
        cell, kind = copy.deepcopy(locked.cell), {"cell_type": locked.cell.cell_type}
        if assignment.is_answer(name):
            cell.source = stubs[name]
            book.db.add(api.SolutionCell(name=name, **of))
        if locked.exercise:
            book.db.add(api.GradeCell(name=name, max_score=float(locked.exercise.points), **kind, **of))
        facts = {"source": cell.source, "checksum": api.utils.compute_checksum(cell)}
        facts["locked"] = not assignment.is_answer(name)
        book.db.add(api.SourceCell(name=name, **facts, **kind, **of))
    book.db.commit()
    return True


def known_cells(book: "Gradebook", assignment: Assignment) -> dict[str, tuple[str, float | None]]:
    """Return the gradebook's cells, ``{grade_id: (source, points)}``; {} if it has none."""
    api = models()

    try:
        notebook = book.find_notebook(assignment.chapter, assignment.chapter)
    except api.MissingEntry:
        return {}
    points = {cell.name: cell.max_score for cell in notebook.grade_cells}
    # Answers are kept with their solutions replaced; their text is not compared.
    return {cell.name: (cell.source if cell.locked else "", points.get(cell.name)) for cell in notebook.source_cells}


def wanted_cells(assignment: Assignment) -> dict[str, tuple[str, float | None]]:
    """Return the cells of the solution notebook in the same form."""
    return {
        name: (
            "" if assignment.is_answer(name) else locked.cell.source,
            float(locked.exercise.points) if locked.exercise else None,
        )
        for name, locked in cells_in_gradebook(assignment).items()
    }


def cells_in_gradebook(assignment: Assignment) -> dict[str, CourseCell]:
    """Return the cells that nbgrader stores in a gradebook: all that are locked or graded."""
    cells = assignment.cells.items()
    return {name: cell for name, cell in cells if assignment.is_solution(name) or not assignment.is_answer(name)}


def automatic_marks(book: "Gradebook", assignment: Assignment) -> dict[str, dict[str, float]]:
    """Return the gradebook's marks: ``{student: {exercise: automatic score}}``."""
    api = models()

    try:
        notebook = book.find_notebook(assignment.chapter, assignment.chapter)
    except api.MissingEntry:
        return {}
    rows = (
        book.db.query(api.SubmittedAssignment.student_id, api.BaseCell.name, api.Grade.auto_score)
        .join(api.SubmittedNotebook, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
        .join(api.Grade, api.Grade.notebook_id == api.SubmittedNotebook.id)
        .join(api.BaseCell, api.BaseCell.id == api.Grade.cell_id)
        .filter(api.SubmittedNotebook.notebook_id == notebook.id)
    )
    marks = {}
    for student, cell, score in rows:
        marks.setdefault(student, {})[cell.removeprefix("test_")] = score
    return marks


def max_scores(book: "Gradebook", chapter: str) -> dict[str, float]:
    """Return each exercise's maximum in the gradebook: ``{exercise: points}``."""
    api = models()

    try:
        cells = book.find_notebook(chapter, chapter).grade_cells
    except api.MissingEntry:
        return {}
    return {cell.name.removeprefix("test_"): cell.max_score for cell in cells}


def gradebook_id(book: "Gradebook", chapter: str) -> str:
    """Return the id that this gradebook gave an assignment as it was registered: another gradebook has another one."""
    return book.find_assignment(chapter).id


def marks_by_hand(book: "Gradebook", chapter: str) -> tuple[dict[str, dict[str, float]], dict]:
    """Return marks given by hand, ``{student: {exercise: mark}}`` with extra credit, and comments in the same form.

    One query for the whole class: a query per student takes three milliseconds each.
    """
    api = models()

    given = api.Grade.manual_score.is_not(None) | (api.Grade.extra_credit != 0)
    said = api.Comment.manual_comment.is_not(None)
    return (
        by_student(book, chapter, api.Grade, api.Grade.score, given),
        by_student(book, chapter, api.Comment, api.Comment.manual_comment, said),
    )


def marks_from_people(book: "Gradebook", chapter: str) -> dict[str, dict[str, tuple[float, float | None]]]:
    """Return marks given by hand, ``{student: {exercise: (mark or None, extra credit or None)}}``."""
    api = models()

    given = api.Grade.manual_score.is_not(None) | (api.Grade.extra_credit != 0)
    marks = by_student(book, chapter, api.Grade, api.Grade.manual_score, given)
    extra = by_student(book, chapter, api.Grade, api.Grade.extra_credit, given)
    return {student: {name: (mark, extra[student][name]) for name, mark in of.items()} for student, of in marks.items()}


def by_student(book: "Gradebook", chapter: str, table: Any, value: Any, condition: Any) -> dict[str, dict[str, Any]]:
    """Return a column of the gradebook's cells under a condition, as ``{student: {exercise: value}}``."""
    api = models()

    asked = book.db.query(api.SubmittedAssignment.student_id, api.BaseCell.name, value).select_from(table)
    asked = asked.join(api.SubmittedNotebook).join(api.SubmittedAssignment).join(api.Assignment)
    asked = asked.join(api.BaseCell, api.BaseCell.id == table.cell_id).filter(api.Assignment.name == chapter, condition)
    found = {}
    for student, cell, content in asked:
        found.setdefault(student, {})[cell.removeprefix("test_")] = content
    return found


def times(book: "Gradebook", assignment: Assignment) -> dict[str, datetime | None]:
    """Return when each submission in the gradebook arrived, ``{student: time in UTC or None}``."""
    api = models()

    asked = book.db.query(api.SubmittedAssignment.student_id, api.SubmittedAssignment.timestamp)
    return dict(asked.join(api.Assignment).filter(api.Assignment.name == assignment.chapter).all())


def write_marks(
    book: "Gradebook", assignment: Assignment, graded: dict[str, dict[str, Any]], came: dict[str, datetime | None]
) -> None:
    """Write the automatic marks and comments of ``{student: result as data}`` in one transaction.

    ``came`` holds each arrival time: the formgrader shows a submission as ungraded if its time differs.
    Errors: SQLAlchemyError if the database refuses, after waiting for another writer.
    """
    from sqlalchemy.exc import OperationalError

    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            write_rows(book, assignment, graded, came)
            book.db.commit()
            return
        except OperationalError as error:
            book.db.rollback()
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        except BaseException:
            book.db.rollback()
            raise


def write_rows(
    book: "Gradebook", assignment: Assignment, graded: dict[str, dict[str, Any]], came: dict[str, datetime | None]
) -> None:
    """Update the rows of some submissions, or insert them; each row is touched once."""
    notebook = book.find_notebook(assignment.chapter, assignment.chapter)
    known = submitted_notebooks(book, notebook, graded)
    new = {student: token_hex(ID_BYTES) for student in graded if student not in known}
    if known:
        update_rows(book, *notebook_rows(notebook, {known[student]: graded[student] for student in known}))
        update_times(book, notebook, {student: came[student] for student in known})
    if new:
        add_submissions(book, notebook, new, came)
        add_rows(book, *notebook_rows(notebook, {new[student]: graded[student] for student in new}))


def notebook_rows(
    notebook: Any, graded: dict[str, dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return the marks and comments of submitted notebooks, ``{id: result as data}``, one row per cell."""
    marks, comments = [], []
    for submitted, data in graded.items():
        exercises = {exercise["name"]: exercise for exercise in data["exercises"]}
        for cell in notebook.grade_cells:
            exercise = exercises.get(cell.name.removeprefix("test_"))
            marks.append({"of": submitted, "at": cell.id, "score": exercise["score"] if exercise else 0.0})
        for cell in notebook.solution_cells:
            exercise = exercises.get(cell.name)
            text = exercise["message"] if exercise else data["message"]
            comments.append({"of": submitted, "at": cell.id, "text": as_comment(text)})
    return marks, comments


def update_rows(book: "Gradebook", marks: list[dict[str, Any]], comments: list[dict[str, str]]) -> None:
    """Update existing marks and comments; those given by hand stay."""
    api = models()
    from sqlalchemy import bindparam, update

    by_a_person = api.Grade.manual_score.isnot(None)
    for kind, values, rows in (
        (api.Grade, {"auto_score": bindparam("score"), "needs_manual_grade": by_a_person}, marks),
        (api.Comment, {"auto_comment": bindparam("text")}, comments),
    ):
        table = kind.__table__
        place = (table.c.notebook_id == bindparam("of")) & (table.c.cell_id == bindparam("at"))
        book.db.connection().execute(update(table).where(place).values(values), rows)


def update_times(book: "Gradebook", notebook: Any, came: dict[str, datetime | None]) -> None:
    """Update when existing submissions arrived, ``{student: time in UTC or None}``."""
    api = models()
    from sqlalchemy import bindparam, update

    table = api.SubmittedAssignment.__table__
    place = (table.c.assignment_id == notebook.assignment_id) & (table.c.student_id == bindparam("of"))
    rows = [{"of": student, "came": moment} for student, moment in came.items()]
    book.db.connection().execute(update(table).where(place).values(timestamp=bindparam("came")), rows)


def add_rows(book: "Gradebook", marks: list[dict[str, Any]], comments: list[dict[str, str]]) -> None:
    """Insert marks and comments of new submissions."""
    api = models()

    def place(row: dict[str, Any]) -> dict[str, str]:
        return {"id": token_hex(ID_BYTES), "notebook_id": row["of"], "cell_id": row["at"]}

    insert(book, api.Grade, [{**place(r), "auto_score": r["score"], "needs_manual_grade": False} for r in marks])
    insert(book, api.Comment, [{**place(row), "auto_comment": row["text"]} for row in comments])


def submitted_notebooks(book: "Gradebook", notebook: Any, students: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return ``{student: id of the submitted notebook}`` for those who have one."""
    api = models()

    asked = book.db.query(api.SubmittedAssignment.student_id, api.SubmittedNotebook.id)
    asked = asked.join(api.SubmittedNotebook, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
    asked = asked.filter(api.SubmittedNotebook.notebook_id == notebook.id)
    return dict(tuple(row) for row in asked.filter(api.SubmittedAssignment.student_id.in_(students)))


def add_submissions(book: "Gradebook", notebook: Any, new: dict[str, str], came: dict[str, datetime | None]) -> None:
    """Insert missing students, and a submission with its notebook for each of ``{student: id of the notebook}``."""
    api = models()

    enrolled = {name for (name,) in book.db.query(api.Student.id).filter(api.Student.id.in_(new))}
    insert(book, api.Student, [{"id": student} for student in new if student not in enrolled])
    of = {student: token_hex(ID_BYTES) for student in new}
    assignment = notebook.assignment_id
    rows = [{"id": of[student], "assignment_id": assignment, "student_id": student} for student in new]
    insert(book, api.SubmittedAssignment, [{**row, "timestamp": came[row["student_id"]]} for row in rows])
    rows = [{"id": new[student], "assignment_id": of[student], "notebook_id": notebook.id} for student in new]
    insert(book, api.SubmittedNotebook, [{**row, "flagged": False} for row in rows])


def insert(book: "Gradebook", kind: Any, rows: list[dict[str, Any]]) -> None:
    """Insert rows of one kind in one statement; all have the same columns."""
    table, connection = kind.__table__, book.db.connection()
    if rows and connection.dialect.name == "postgresql":
        connection.execute(from_json(table, tuple(rows[0])), {"rows": json.dumps(rows, default=str)})
    elif rows:
        connection.execute(table.insert(), rows)


@cache
def from_json(table: "Table", names: tuple[str, ...]) -> "Insert":
    """Return a statement that takes all rows as one JSON value.

    A value per field would cost the client more time than the server needs for the row.
    """
    from sqlalchemy import JSON, Text, bindparam, cast, column, func, select

    columns = [column(name, table.c[name].type) for name in names]
    rows = func.json_to_recordset(cast(bindparam("rows", type_=Text()), JSON)).table_valued(*columns)
    return table.insert().from_select(names, select(*rows.render_derived("new", with_types=True).c))
