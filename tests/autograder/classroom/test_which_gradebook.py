"""A class remembers its gradebook: no command opens an empty one because somebody forgot to name the right one."""

import json
import re
import shutil

import pytest
from nbgrader.api import Gradebook

from autograder import cli
from autograder.classroom.class_course import course_identity
from autograder.classroom.classroom import ClassRoom
from autograder.classroom.which_gradebook import ADDRESS_FILE, remember_gradebook, which_gradebook
from autograder.course.course import COURSE_ID
from autograder.errors import CourseError, UsageError
from autograder.pages.feedback import feedback
from autograder.runs.class_run import ClassRun

CHAPTER = "01_doubling"
SERVER = "postgresql://ana@db/attention"


def test_forgetting_the_gradebook_loses_no_mark_by_hand(classroom, assignment, submit, answered, tmp_path_factory):
    """Graded with --db and marked by hand there, the class shows that mark without it; another is asked about."""
    elsewhere = f"sqlite:///{tmp_path_factory.mktemp('elsewhere') / 'marks.db'}"
    submit("ada", answered("def double(x):\n    return x ** 2"))
    list(ClassRun(ClassRoom(classroom.root, elsewhere), [assignment], seed=7))
    with Gradebook(elsewhere, COURSE_ID) as book:
        book.find_grade("test_double", CHAPTER, CHAPTER, "ada").manual_score = 7
        book.db.commit()
    (page,) = feedback(ClassRoom(classroom.root), assignment)
    assert '<p class="total">7 of 10 points</p>' in page.read_text(encoding="utf-8")
    assert not (classroom.root / "gradebook.db").exists()
    other = "sqlite:////tmp/other.db"
    kept = f"the class was graded into {elsewhere}: leave --db out, or remove .*{ADDRESS_FILE} to start"
    said = f"--db names {other}, but {kept}"
    with pytest.raises(UsageError, match=said):
        feedback(ClassRoom(classroom.root, other), assignment)
    assert ClassRoom(classroom.root, f"{elsewhere}?timeout=1").database == f"{elsewhere}?timeout=1"


def test_a_class_that_is_copied_keeps_its_own_gradebook(graded, classroom, assignment, tmp_path_factory):
    """A gradebook in the class's folder is noted by its relative path, so the folder can be moved."""
    copy = tmp_path_factory.mktemp("copy") / "class"
    shutil.copytree(classroom.root, copy)
    remembered = json.loads((copy / ADDRESS_FILE).read_text())
    assert remembered == {"gradebook": "sqlite:///gradebook.db", "course": course_identity(assignment.course)}
    assert ClassRoom(copy).database == f"sqlite:///{copy / 'gradebook.db'}"
    with pytest.raises(UsageError, match=r"but the class was graded into sqlite:///gradebook\.db: leave --db out"):
        _ = ClassRoom(copy, classroom.database).database


def test_the_class_file_names_the_gradebook(tmp_path):
    """Its address counts, a path from the class on; another --db, or another one before, is asked about."""
    assert which_gradebook(tmp_path, named="sqlite:///marks.db") == f"sqlite:///{tmp_path / 'marks.db'}"
    assert which_gradebook(tmp_path, f"{SERVER}?sslmode=require", SERVER) == f"{SERVER}?sslmode=require"
    with pytest.raises(UsageError, match=r"class\.toml names postgresql://ana@db/attention: leave --db out, or change"):
        which_gradebook(tmp_path, "sqlite:////tmp/other.db", SERVER)
    remember_gradebook(tmp_path, "postgresql://ana@db/last_year")
    with pytest.raises(UsageError, match=r"but the class was graded into postgresql://ana@db/last_year: name that one"):
        which_gradebook(tmp_path, named=SERVER)


def test_what_is_kept_holds_no_password(tmp_path):
    """Neither before the host nor behind the question mark; one that is given now is used now."""
    url = "postgresql+psycopg://ana:s3cret@db/attention?password=s3cret&sslmode=require"
    remember_gradebook(tmp_path, url)
    text = (tmp_path / ADDRESS_FILE).read_text()
    assert "s3cret" not in text
    assert which_gradebook(tmp_path) == "postgresql+psycopg://ana@db/attention?sslmode=require"
    assert which_gradebook(tmp_path, url) == url


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"gradebook": 3}', '{"gradebook": "marks.db"}', "\0", "[" * 10**5])
def test_a_damaged_note_is_one_line(tmp_path, text):
    """It is named, with what it should contain; no gradebook is opened instead."""
    (tmp_path / ADDRESS_FILE).write_text(text)
    with pytest.raises(CourseError, match=r"cannot read .*\.gradebook\.json: expected .*: ADDRESS.*class\.toml"):
        which_gradebook(tmp_path)


@pytest.fixture
def printed(graded, classroom, assignment, monkeypatch, capsys):
    """Run a command on the graded class, and return its exit code and all that it prints."""
    monkeypatch.setattr("autograder.classroom.class_course.find_course", lambda named=None: assignment.course)
    monkeypatch.chdir(assignment.course.root)

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            cli.main([*map(str, arguments), "--root", str(classroom.root)])
        said = capsys.readouterr()
        return stop.value.code, said.out + said.err

    return run


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ana:s3cret@db/attention",
        "postgresql://db/attention?user=ana&password=s3cret",
        "sqlite://ana:s3cret@db/attention",
        "nonsense://ana:s3cret@db",
        "postgresql//ana:s3cret@db",
        "postgresql://ana:s3cret@db:port/attention",
    ],
)
@pytest.mark.parametrize("command", [["grade", "--jobs", 1], ["feedback"], ["report"], ["export", "--to", "marks.csv"]])
def test_no_command_prints_a_password(printed, command, url):
    """Whatever is wrong with an address, or with --db itself, is one line without the password."""
    name, *more = command
    for arguments in ([name, CHAPTER, *more, "--db", url], [name, CHAPTER, *more, "--dbb", url]):
        code, said = printed(*arguments)
        assert code == 2
        assert said.count("\n") == 1
        assert "s3cret" not in said


def test_a_password_in_the_class_file_is_one_line(printed, classroom):
    """The class file is refused before anything is done, and what it holds is not shown."""
    (classroom.root / "class.toml").write_text('[class]\ngradebook = "postgresql://ana:s3cret@db/a"\n')
    code, said = printed("feedback", CHAPTER)
    assert (code, said.count("\n"), "s3cret" in said) == (2, 1, False)
    assert "holds a password: take it out" in said


def test_a_class_file_of_another_course_is_one_line(printed, classroom):
    """A deadline of a chapter that this course does not have is refused, with the nearest one that it has."""
    (classroom.root / "class.toml").write_text("[due]\n01_doublng = 2026-12-04T23:59:00Z\n")
    code, said = printed("feedback", CHAPTER)
    assert (code, said.count("\n")) == (2, 1)
    assert re.search(r"class\.toml: due\.01_doublng: unknown chapter '01_doublng': did you mean '01_doubling'\?", said)
