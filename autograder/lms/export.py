"""Exports marks from the gradebook, as plain CSV or in the formats that Canvas and Moodle import."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.chapter_totals import read_totals
from autograder.classroom.gradebook.gradebook import max_scores, read_gradebook
from autograder.classroom.gradebook.total import scores_by_student
from autograder.classroom.results.load import is_graded, load_as_graded, no_mark, nothing_graded, submitters
from autograder.course.course import Assignment
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.grading.result import WITHOUT_MARK
from autograder.pages.templating import title_of
from autograder.plain import visible_line

if TYPE_CHECKING:
    from nbgrader.api import Gradebook, Student

RISKY = re.compile(
    r"\s*[=+\-@＝＋－＠]|[\t\r\n]"
)  # what a spreadsheet may take for a formula, full-width forms included
NO_MARK = "-"  # Moodle's own word for it


@dataclass(frozen=True)
class Column:
    """One chapter's marks, ``{student: points}``, and statuses; a student without a mark is not among the marks.

    ``reasons`` say why something handed in could not be graded.
    ``unreadable`` are the students whose records are damaged: they have no mark here.
    """

    chapter: str
    title: str
    max_score: float
    marks: dict[str, float]
    statuses: dict[str, str]
    reasons: dict[str, str]
    unreadable: tuple[str, ...]


@dataclass(frozen=True)
class Exported:
    """The file that was written, and its contents in short; ``unreadable``: (student, chapter) of damaged records.

    ``waiting`` are the students whose totals would fall through lateness, and wait for a word, by chapter.
    """

    path: Path
    students: int
    marks: int
    unreadable: tuple[tuple[str, str], ...] = ()
    waiting: dict[str, list[str]] = field(default_factory=dict)


def export(classroom: ClassRoom, chosen: list[Assignment], path: Path, form: str = "csv") -> Exported:
    """Write the marks of the chosen assignments to a file, in one step.

    Errors: UsageError for an unknown format, a path that cannot be written, or a chapter without a mark;
    CourseError if the gradebook cannot be read. The file stays as it was in all these cases.
    """
    require_format(form)
    if not path.parent.is_dir():
        raise UsageError(f"no folder {path.parent}: make it, or name another file with --to")
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file with --to")
    for assignment in chosen:
        if not is_graded(classroom, assignment.chapter):
            raise nothing_graded(classroom, assignment.chapter)
    with read_gradebook(classroom) as book:
        totals = [read_totals(classroom, book, assignment) for assignment in chosen]
        scores = map(scores_by_student, totals)
        columns = [marks_column(book, classroom, *pair) for pair in zip(chosen, scores, strict=True)]
        people = {student.id: sortable_name(student) for student in book.students}
    students = sorted(people.keys() | {student for column in columns for student in column.statuses})
    roster = classroom.class_file.roster
    if form == "csv":  # for people: names as the roster has them
        people |= {student: found.name for student in students if (found := roster.find(student)) and found.name}
    else:  # an LMS no longer knows students who left
        students = [student for student in students if not (enrolled := roster.find(student)) or not enrolled.left]
    # UTF-8 without a byte order mark: R and Python would read it as a part of the first column's name.
    write_whole(path, as_csv(FORMATS[form](columns, students, people)))
    count = sum(student in column.marks for column in columns for student in students)
    unreadable = tuple((student, column.chapter) for column in columns for student in column.unreadable)
    by_chapter = zip((column.chapter for column in columns), totals, strict=True)
    waiting = {name: [one for one, total in some.items() if total.waits is not None] for name, some in by_chapter}
    return Exported(path, len(students), count, unreadable, {name: some for name, some in waiting.items() if some})


def require_format(form: str) -> None:
    """Check that the format exists. Errors: UsageError, which lists the formats."""
    if form not in FORMATS:
        raise UsageError(f"unknown format {form!r}: expected one of {', '.join(FORMATS)}")


def require_csv(path: Path) -> None:
    """Check that a file is called what is written into it. Errors: UsageError for a spreadsheet's own format."""
    if path.suffix.lower() != ".csv":
        raise UsageError(f"{path} is not called a CSV file: expected a name that ends in .csv, which spreadsheets open")


def marks_column(book: "Gradebook", classroom: ClassRoom, assignment: Assignment, marks: dict[str, float]) -> Column:
    """Return one chapter's marks, given known ``{student: points}``. Errors: UsageError if there are none."""
    statuses = dict.fromkeys(submitters(classroom, assignment.chapter), "not_graded")
    statuses |= dict.fromkeys(marks, "graded")
    results = load_as_graded(classroom, assignment)
    statuses |= {student: result["status"] for student, result in results.items()}
    reasons = {student: result["message"] for student, result in results.items() if not result["exercises"]}
    unreadable = tuple(student for student, result in results.items() if result["damage"])
    marks = {student: points for student, points in marks.items() if statuses[student] not in WITHOUT_MARK}
    if not marks:
        raise no_mark(classroom, assignment.chapter)
    worth = sum(
        max_scores(book, assignment.chapter).values()
    )  # the marks are out of these, whatever the notebook says now
    return Column(assignment.chapter, title_of(assignment), worth, marks, statuses, reasons, unreadable)


def sortable_name(student: "Student") -> str:
    """Return a student's name as Canvas sorts it, or the id if the gradebook has no name."""
    return ", ".join(part for part in (student.last_name, student.first_name) if part) or student.id


def plain_rows(columns: list[Column], students: list[str], names: dict[str, str]) -> Iterator[list[Any]]:
    """Return a general-purpose table: points, maximum, status and reason of each chapter, and their sum.

    The reason says why something handed in could not be graded.
    """
    parts = [
        (name, *(f"{name} {part}" for part in ("max", "status", "reason"))) for name in (c.chapter for c in columns)
    ]
    yield ["student", "name", *(name for part in parts for name in part), "total"]
    for student in students:
        row: list[Any] = [student, names.get(student, student)]
        for column in columns:
            status = column.statuses.get(student, "not_submitted")
            row += [column.marks.get(student, ""), column.max_score, status, column.reasons.get(student, "")]
        marks = [column.marks[student] for column in columns if student in column.marks]
        yield [*row, sum(marks) if marks else ""]


def canvas_rows(columns: list[Column], students: list[str], names: dict[str, str]) -> Iterator[list[Any]]:
    """Return the table that Canvas's gradebook imports.

    ID stays empty: it is Canvas's internal number, and would take precedence over the login.
    Source: instructure/canvas-lms, lib/gradebook_importer.rb.
    """
    empty = ["", "", "", ""]
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *(column.title for column in columns)]
    yield ["    Points Possible", *empty, *(column.max_score for column in columns)]
    for student in students:
        marks = [column.marks.get(student, "") for column in columns]
        yield [names.get(student, student), "", "", student, "", *marks]


def moodle_rows(columns: list[Column], students: list[str], _: dict[str, str]) -> Iterator[list[Any]]:
    """Return the table that Moodle's gradebook imports; map `username` to username there.

    A missing mark is a dash, as in Moodle's own exports: an empty cell of a new grade item becomes 0.
    Source: moodle/moodle, grade/import/csv/classes/load_data.php (import_new_grade_item).
    """
    yield ["username", *(column.title for column in columns)]
    for student in students:
        yield [student, *(column.marks.get(student, NO_MARK) for column in columns)]


FORMATS = {"csv": plain_rows, "canvas": canvas_rows, "moodle": moodle_rows}


def as_csv(rows: Iterator) -> str:
    """Return a table as CSV."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([safe(cell) for cell in row] for row in rows)
    return file.getvalue()


def safe(cell: str | float) -> str | float:
    """Format a cell: numbers in short form, and an apostrophe before text that a spreadsheet would run."""
    if isinstance(cell, str):
        return f"'{visible_line(cell)}" if cell != NO_MARK and RISKY.match(cell) else visible_line(cell)
    rounded = round(float(cell), 2)
    return int(rounded) if rounded.is_integer() else rounded
