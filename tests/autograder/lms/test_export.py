"""Marks leave as nbgrader computes them, in the tables that others read, and nothing in them runs."""

import csv
import json

import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins.export import CsvExportPlugin

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.load import graded_chapters
from autograder.course.course import COURSE_ID
from autograder.errors import CourseError, UsageError
from autograder.lms import export as exports
from autograder.lms.export import export

CHAPTER = "01_doubling"
TITLE = "Exercises 1: doubling"


@pytest.fixture
def table(graded, classroom, assignment, tmp_path):
    """Export the graded class and return the rows."""

    def run(form="csv"):
        export(classroom, [assignment], tmp_path / "marks.csv", form)
        with (tmp_path / "marks.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    return run


@pytest.fixture
def book(graded, classroom):
    """The class's gradebook, open."""
    with Gradebook(classroom.database, COURSE_ID) as opened:
        yield opened


def grade_in(book, student):
    """One student's only grade."""
    return book.find_grade("test_double", CHAPTER, CHAPTER, student)


def test_the_plain_table(table, book, classroom):
    """Name, points, maximum, status, reason, sum; a mark is empty where nothing was handed in or graded, never 0.

    What cannot be graded is there with its reason, so it is not taken for missing.
    """
    classroom.submitted("eve", CHAPTER).mkdir(parents=True)
    book.update_or_create_student("flo", first_name="Flo", last_name="Fox")
    rows = table()
    assert "broken JSON" in rows[3].pop(5)
    rows[3].insert(5, "")
    assert rows == [
        ["student", "name", CHAPTER, f"{CHAPTER} max", f"{CHAPTER} status", f"{CHAPTER} reason", "total"],
        ["ada", "ada", "10", "10", "graded", "", "10"],
        ["ben", "ben", "0", "10", "graded", "", "0"],
        ["cy", "cy", "0", "10", "invalid_submission", "", "0"],
        ["dee", "dee", "10", "10", "graded", "", "10"],
        ["eve", "eve", "", "10", "not_graded", "", ""],
        ["flo", "Fox, Flo", "", "10", "not_submitted", "", ""],
    ]


def test_names_are_the_rosters(graded, classroom, assignment, tmp_path):
    """For people, a name is as the roster has it, whichever part is the surname; Canvas gets it as it sorts names."""
    names = {"ada": "Lars van der Late", "ben": "李小龙"}
    (tmp_path / "class.toml").write_text('[class]\nroster = "roster.csv"\n')
    (tmp_path / "roster.csv").write_text("login,name\n" + "".join(f"{login},{name}\n" for login, name in names.items()))
    classroom = ClassRoom(classroom.root)
    for form, column in (("csv", 1), ("canvas", 0)):
        export(classroom, [assignment], tmp_path / "marks.csv", form)
        with (tmp_path / "marks.csv").open(encoding="utf-8", newline="") as file:
            found = [row[column] for row in csv.reader(file)]
        assert (set(names.values()) <= set(found)) is (form == "csv")


def test_students_and_marks_are_counted(classroom, assignment, book, tmp_path):
    """What the command says: how many rows there are, and how many of them have a mark."""
    book.update_or_create_student("flo")
    done = export(classroom, [assignment], tmp_path / "marks.csv")
    assert (done.students, done.marks) == (5, 4)


def test_marks_are_those_that_nbgrader_exports(table, book, tmp_path):
    """Marks by hand, extra credit and late penalties come out as from nbgrader's own exporter."""
    grade_in(book, "ben").manual_score = 4.5
    grade_in(book, "dee").extra_credit = 1
    for student, penalty in (("ada", 2.25), ("cy", 3)):
        book.find_submission_notebook(CHAPTER, CHAPTER, student).late_submission_penalty = penalty
    book.db.commit()
    nbgrader = CsvExportPlugin(to=str(tmp_path / "nbgrader.csv"))
    nbgrader.export(book)
    with (tmp_path / "nbgrader.csv").open() as file:
        theirs = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert {row[0]: float(row[2]) for row in table()[1:]} == theirs == {"ada": 7.75, "ben": 4.5, "cy": 0, "dee": 11}


def test_the_canvas_table(table, book):
    """Header and points row as Canvas's importer reads them; people are found by login, never by Canvas's number."""
    book.update_or_create_student("ada", first_name="Ada", last_name="Lovelace")
    rows = table("canvas")
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", TITLE]
    assert rows[1] == ["    Points Possible", "", "", "", "", "10"]
    assert rows[2] == ["Lovelace, Ada", "", "", "ada", "", "10"]
    assert rows[3] == ["ben", "", "", "ben", "", "0"]


def test_the_moodle_table(table, classroom):
    """A dash is no mark in Moodle; an empty cell of a new grade item would become 0 there."""
    classroom.submitted("eve", CHAPTER).mkdir(parents=True)
    assert table("moodle") == [
        ["username", TITLE],
        ["ada", "10"],
        ["ben", "0"],
        ["cy", "0"],
        ["dee", "10"],
        ["eve", "-"],
    ]


def test_half_a_record_is_no_zero(table, book):
    """A submission that the gradebook knows but nobody has marked yet, by machine or by hand, has an empty mark."""
    grade_in(book, "ada").auto_score = None
    book.db.commit()
    assert table()[1] == ["ada", "ada", "", "10", "graded", "", ""]
    grade_in(book, "ada").manual_score = 6
    book.db.commit()
    assert table()[1][2] == "6"


def test_an_infrastructure_failure_is_no_zero(table, classroom):
    """What failed on our side is an empty mark with its status."""
    path = classroom.autograded("ben", CHAPTER) / "result.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "status": "infrastructure"}))
    assert table()[2] == ["ben", "ben", "", "10", "infrastructure", "", ""]


@pytest.mark.parametrize("start", [*"=+-@＝＠", "\t=", "\r=", "\n=", " =", "\t", "\r", "\n"])
def test_text_that_a_spreadsheet_would_run_is_neutralised(start):
    """Cells that start like a formula, behind white space too, get an apostrophe."""
    shown = start.replace("\r", r"\x0d").replace("\t", r"\t").replace("\n", r"\n")
    assert exports.safe(f"{start}SUM(A1)") == f"'{shown}SUM(A1)"


@pytest.mark.parametrize(
    ("cell", "written"),
    [(-1.5, -1.5), (7.0, 7), (6.6000000000000005, 6.6), ("", ""), ("-", "-"), ("ada=1", "ada=1"), ("a,\"b'", "a,\"b'")],
)
def test_what_is_ours_stays_as_it_is(cell, written):
    """Numbers stay numbers, rounded like marks; harmless text and Moodle's dash are untouched."""
    assert exports.safe(cell) == written


def test_names_are_quoted_and_neutralised_in_the_file(table, book):
    """Commas, quotes, letters of any script and formulas come back as one cell each, and a line break as its escape."""
    names = ['=HYPERLINK("http://x","y")', 'Żółć, "the best"', "two\nlines"]
    for name in names:
        book.update_or_create_student(name)
    found = {row[0] for row in table()[1:]}
    assert found >= {f"'{names[0]}", names[1], r"two\nlines"}


@pytest.mark.parametrize(
    ("form", "to", "words"),
    [
        ("xls", "marks.csv", "unknown format 'xls': expected one of csv, canvas, moodle"),
        ("csv", "nowhere/marks.csv", "no folder .*nowhere"),
        ("csv", "autograded", "autograded is a folder"),
    ],
)
def test_errors_of_use_leave_the_file_alone(graded, classroom, assignment, tmp_path, form, to, words):
    """An unknown format and a path that cannot be written are one line, and an old file stays."""
    (tmp_path / "marks.csv").write_text("old")
    with pytest.raises(UsageError, match=words):
        export(classroom, [assignment], tmp_path / to, form)
    assert (tmp_path / "marks.csv").read_text() == "old"


def test_an_export_that_fails_leaves_the_file_alone(graded, classroom, assignment, tmp_path, monkeypatch):
    """A foreign file as gradebook, or a full disk at the last moment, changes nothing and leaves nothing behind."""
    path, before = tmp_path / "marks.csv", b"old"
    path.write_bytes(before)
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        export(classroom, [assignment], path)
    (classroom.root / "gradebook.db").write_text("this is a shopping list, not a database, and long enough to be read")
    with pytest.raises(CourseError, match="file is not a database"):
        export(classroom, [assignment], path)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.glob("*marks*")] == ["marks.csv"]


def test_an_export_needs_marks(mini, assignment, classroom, book, tmp_path):
    """A class of which nothing is graded, and a gradebook that does not know it, are errors of use; no file is made."""
    assert graded_chapters(mini, classroom) == [CHAPTER]
    empty = ClassRoom(tmp_path / "empty")
    with pytest.raises(UsageError, match="nothing graded below"):
        graded_chapters(mini, empty)
    with pytest.raises(UsageError, match=f"nothing graded below .*grade {CHAPTER}"):
        export(empty, [assignment], tmp_path / "marks.csv")
    book.find_assignment(CHAPTER).name = "02_halving"
    book.db.commit()
    with pytest.raises(UsageError, match=f"no mark of {CHAPTER} in sqlite"):
        export(classroom, [assignment], tmp_path / "marks.csv")
    assert not (tmp_path / "marks.csv").exists()
