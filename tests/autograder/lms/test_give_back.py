"""What is returned is taken by Moodle and Canvas, as their documentation and source have it, for the right persons."""

import copy
import json
import os
import shutil
import zipfile

import nbformat
import pytest

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.roster import Enrolled
from autograder.errors import UsageError
from autograder.lms.collect import Collector
from autograder.lms.export import export
from autograder.lms.give_back import give_back
from autograder.pages.feedback import feedback
from autograder.runs.class_run import ClassRun
from tests.support.hand_in import CHAPTER, RIGHT, answer_in

from .lms_models import (
    Student,
    canvas_export,
    canvas_feedback_import,
    canvas_grades_import,
    moodle_export,
    moodle_feedback_import,
    moodle_grades_import,
    moodle_worksheet,
    zip_of,
)

NAME = f"{CHAPTER}.ipynb"
CLASS = [
    Student("ada", "Ada", "Lovelace", "ada@x.org", 5201, 90017),
    Student("ben", "Benoît", "d'Arc_7_", "ben@x.org", 5208, 90048),
    Student("sam1", "Sam", "Lee", "sam1@x.org", 5215, 90079),
    Student("sam2", "Sam", "Lee", "sam2@x.org", 5222, 90110),
    Student("zoe", "Zoë", "van der Berg", "zoe@x.org", 5229, 90141),
]
WRONG = "def double(x):\n    return x ** 2"
POINTS = {"ada": 10.0, "ben": 0.0, "sam1": 0.0, "sam2": 10.0}  # zoe handed nothing in
ATTACHMENTS = {
    "ada": (311, f"{CHAPTER}-1.ipynb"),
    "ben": (313, "my answers.zip"),
    "sam1": (317, NAME),
    "sam2": (331, NAME),
}


@pytest.fixture(scope="module")
def work(released):
    """What everybody hands in, ``{student: (name, bytes)}``: right answers, wrong ones, and one that is broken."""
    right, wrong = (nbformat.writes(answer_in(copy.deepcopy(released), source)).encode() for source in (RIGHT, WRONG))
    data = {"ada": right, "ben": zip_of([(NAME, wrong)]), "sam1": right[:500], "sam2": right}
    return {one: (ATTACHMENTS[one.login][1], data[one.login]) for one in CLASS if one.login in data}


@pytest.fixture(scope="module")
def classes(mini, assignment, work, tmp_path_factory):
    """A class by LMS: collected from its export, graded, with pages."""
    found = {}
    for lms in ("moodle", "canvas"):
        files, found[lms] = tmp_path_factory.mktemp("files"), ClassRoom(tmp_path_factory.mktemp(lms))
        held = {one: [(ATTACHMENTS[one.login][0], *file)] for one, file in work.items()}
        exported = canvas_export(held, late=["ada"])
        if lms == "moodle":
            exported = moodle_export({one: [file] for one, file in work.items()})
            (files / "worksheet.csv").write_text(moodle_worksheet(CLASS, {}))
        (files / "class.zip").write_bytes(exported)
        roster = [Enrolled(one.login, f"{one.first} {one.last}", one.email, lms_id=str(one.user)) for one in CLASS]
        said = Collector(mini, found[lms], roster, chapter=CHAPTER).collect(sorted(files.iterdir()))
        assert (said.new, said.left) == ({CHAPTER: sorted(POINTS)}, [])
        dict(ClassRun(found[lms], [assignment], seed=7))
        feedback(found[lms], assignment)
    return found


@pytest.fixture
def graded_from(classes, classroom):
    """Put the class that was collected from an LMS into ``classroom``."""
    return lambda lms: shutil.copytree(classes[lms].root, classroom.root, dirs_exist_ok=True)


def page_of(classroom, login):
    """Return a student's page."""
    return (classroom.feedback(login, CHAPTER) / f"{CHAPTER}.html").read_bytes()


def test_moodle_takes_pages_and_marks(graded_from, classroom, assignment, tmp_path):
    """Its importer gives everybody their own page, and its gradebook their own points; zoe has none."""
    graded_from("moodle")
    given = give_back(classroom, assignment, "moodle", tmp_path / "back.zip")
    assert (given.students, given.without_page, given.from_elsewhere) == (tuple(sorted(POINTS)), (), ())
    taken = moodle_feedback_import((tmp_path / "back.zip").read_bytes(), CLASS)
    assert taken == {login: {f"{CHAPTER}.html": page_of(classroom, login)} for login in POINTS}
    export(classroom, [assignment], tmp_path / "marks.csv", "moodle")
    assert moodle_grades_import((tmp_path / "marks.csv").read_text(), CLASS) == POINTS


def test_canvas_takes_pages_and_marks(graded_from, classroom, assignment, tmp_path, work):
    """Each file becomes a comment on its own submission, under the name that was handed in: of that kind it is."""
    graded_from("canvas")
    give_back(classroom, assignment, "canvas", tmp_path / "back.zip")
    attached = {(one, ATTACHMENTS[one.login][0]): file[0] for one, file in work.items()}
    taken, ignored = canvas_feedback_import((tmp_path / "back.zip").read_bytes(), attached)
    assert ignored == []
    assert {login: list(files) for login, files in taken.items()} == {
        one.login: [file[0]] for one, file in work.items()
    }
    for login, ((name, data),) in ((login, files.items()) for login, files in taken.items()):
        page = page_of(classroom, login).decode()
        body = page[page.index("<main>") : page.rindex("</body>")]
        if name.endswith(".zip"):
            (tmp_path / "one.zip").write_bytes(data)
            assert zipfile.ZipFile(tmp_path / "one.zip").read(f"{CHAPTER}.html").decode() == page
            continue
        notebook = nbformat.reads(data.decode(), as_version=4)
        nbformat.validate(notebook)
        assert notebook.cells[0].outputs[0].data["text/html"].strip() == body.strip()
    export(classroom, [assignment], tmp_path / "marks.csv", "canvas")
    assert canvas_grades_import((tmp_path / "marks.csv").read_text(), CLASS) == POINTS


def test_the_same_pages_make_the_same_zip(graded_from, classroom, assignment, tmp_path):
    """Again is no change to an LMS that compares files."""
    graded_from("canvas")
    for name in ("one.zip", "two.zip"):
        give_back(classroom, assignment, "canvas", tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_who_gets_no_page_is_named(graded_from, classroom, assignment, tmp_path, submit, answered):
    """A page that is older than its result or missing, and work that came from elsewhere, are left out and named."""
    graded_from("moodle")
    submit("eve", answered())
    dict(ClassRun(classroom, [assignment], seed=7))
    (classroom.feedback("ada", CHAPTER) / f"{CHAPTER}.html").unlink()
    os.utime(classroom.feedback("ben", CHAPTER) / f"{CHAPTER}.html", (1, 1))
    given = give_back(classroom, assignment, "moodle", tmp_path / "back.zip")
    assert (given.students, given.without_page, given.from_elsewhere) == (("sam1", "sam2"), ("ada", "ben"), ("eve",))
    assert set(moodle_feedback_import((tmp_path / "back.zip").read_bytes(), CLASS)) == {"sam1", "sam2"}


def test_errors_of_use_leave_the_file_alone(graded, classroom, assignment, tmp_path):
    """An unknown LMS, a place that cannot be written, a class that came from elsewhere: one line, and the zip stays."""
    path = tmp_path / "back.zip"
    path.write_text("old")
    for lms, to, words in (
        ("ilias", path, "unknown format 'ilias': expected one of moodle, canvas"),
        ("moodle", tmp_path / "nowhere" / "x.zip", "cannot be written: name a file in a folder that is there"),
        ("moodle", tmp_path, "cannot be written"),
        ("canvas", path, f"nothing of {CHAPTER} was collected from Canvas: run `autograder collect` on its zip first"),
    ):
        with pytest.raises(UsageError, match=words):
            give_back(classroom, assignment, lms, to)
    assert path.read_text() == "old"


def test_a_notebook_of_another_name_is_no_zero(classroom, assignment, submit, answered, tmp_path, mini):
    """It has no mark anywhere until it is collected; then it has the one that it deserves."""
    submit("ada", answered())
    submit("ben", answered())
    path = classroom.notebook("ben", CHAPTER)
    path.rename(path.with_name(f"{CHAPTER} (1).ipynb"))
    run = ClassRun(classroom, [assignment], seed=7)
    result = dict(run)["ben"]
    assert result.status == "no_notebook"
    assert run.notes == [
        f"ben {CHAPTER}: no mark: no notebook {NAME}, found {CHAPTER} (1).ipynb: submit it under the name it was "
        "released with, or run `autograder collect`"
    ]
    feedback(classroom, assignment)
    assert b"no mark yet" in page_of(classroom, "ben")
    written = export(classroom, [assignment], tmp_path / "marks.csv")
    assert (written.students, written.marks) == (2, 1)
    assert (tmp_path / "marks.csv").read_text().splitlines()[2].startswith("ben,ben,,10,no_notebook,")
    dict(ClassRun(classroom, [assignment], seed=7))  # again: what is recorded is not written as a mark either
    assert export(classroom, [assignment], tmp_path / "marks.csv").marks == 1
    Collector(mini, classroom).collect([classroom.root / "submitted"])
    again = ClassRun(classroom, [assignment], seed=7, write_changes=True)
    assert dict(again)["ben"].score == 10
    assert again.notes == [f"ben {CHAPTER}: not graded, beside the notebook: {CHAPTER} (1).ipynb"]
    feedback(classroom, assignment)
    assert f"were not read: {CHAPTER} (1).ipynb".encode() in page_of(classroom, "ben")
    assert f"{CHAPTER} (1).ipynb" in (classroom.root / "marks.html").read_text()


def test_a_mark_stays_where_its_notebook_was_taken_away(classroom, assignment, submit, answered, tmp_path):
    """What was graded keeps its mark and says that it is out of date; no 0 is proposed in its place."""
    submit("ada", answered())
    dict(ClassRun(classroom, [assignment], seed=7))
    path = classroom.notebook("ada", CHAPTER)
    path.rename(path.with_name("mine.ipynb"))
    run = ClassRun(classroom, [assignment], seed=7)
    assert dict(run)["ada"].status == "no_notebook"
    assert run.changes == []
    export(classroom, [assignment], tmp_path / "marks.csv")
    assert (tmp_path / "marks.csv").read_text().splitlines()[1] == "ada,ada,10,10,graded,,10"


def test_a_page_in_a_notebook_holds_no_blank_of_the_page(graded_from, classroom, assignment, tmp_path):
    """What JupyterLab shows of it is the page's own content: headings, messages and the student's code."""
    graded_from("canvas")
    give_back(classroom, assignment, "canvas", tmp_path / "back.zip")
    with zipfile.ZipFile(tmp_path / "back.zip") as archive:
        (name,) = (name for name in archive.namelist() if name.startswith("leesam") and "_331_" in name)
        shown = json.loads(archive.read(name))["cells"][0]["outputs"][0]["data"]["text/html"]
    assert "10 of 10 points" in shown
    assert "<style>" not in shown
    assert "<title>" not in shown
