"""Which course a command is about: never one that lies near a submission, or that others could have written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.classroom.class_course import course_identity, course_of_class, refuse_another_course
from autograder.classroom.class_file import CLASS_FILE
from autograder.classroom.which_gradebook import remember_gradebook
from autograder.commands.setting import announce
from autograder.course.course import Course
from autograder.course.which_course import TRUSTED_ANYWAY, find_course
from autograder.errors import UsageError

CHAPTER = "01_errors"
PLANTED = "from pathlib import Path\nPath({mark!r}).touch()\n"


def run(*arguments):
    """Run a command in a process of its own, where no course is loaded yet; return its exit code."""
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False).returncode


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A course that works."""
    folder = tmp_path_factory.mktemp("template") / "course"
    assert run("init", folder) == 0
    return folder


@pytest.fixture
def course(template, tmp_path):
    """A course of one's own, and nothing else below its parent."""
    return shutil.copytree(template, tmp_path / "course")


@pytest.fixture
def planted(course, tmp_path):
    """A course that leaves a mark when its checks are loaded."""
    mark = tmp_path / "ran"
    for path in (course / "course_checks").rglob("*.py"):
        path.write_text(PLANTED.format(mark=str(mark)) + path.read_text())
    (course / "own" / "errors").mkdir(parents=True)
    (course / "own" / "errors" / "mistakes_standardise.py").write_text(PLANTED.format(mark=str(mark)))
    return mark


def test_a_notebook_brings_no_course(planted, course, tmp_path, monkeypatch):
    """Unpacked from a student's zip beside a whole course, it is graded by the installed one."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    notebook = shutil.copy(course / "solutions" / CHAPTER / f"{CHAPTER}.ipynb", course)
    assert run("check", notebook) == 2  # no chapter of the installed course
    assert not planted.exists()


def test_a_course_above_a_class_is_not_its_course(planted, course, tmp_path, monkeypatch):
    """What somebody plants in a shared folder is not looked at, whatever command names a class below it."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    submitted = course / "class" / "submitted" / "ada" / CHAPTER
    submitted.mkdir(parents=True)
    shutil.copy(course / "solutions" / CHAPTER / f"{CHAPTER}.ipynb", submitted)
    assert run("grade", CHAPTER, "--root", course / "class") == 2
    assert not planted.exists()


def test_a_course_above_the_current_folder_is_not_used(planted, course, monkeypatch):
    """A folder of somebody's course may be anybody's."""
    (course / "sub").mkdir()
    monkeypatch.chdir(course / "sub")
    assert find_course().root != course
    assert run("release", CHAPTER) == 2
    assert not planted.exists()


def open_to_all(path):
    """Let every account write to a folder or file."""
    path.chmod(path.stat().st_mode | 0o002)


@pytest.mark.parametrize(
    "inside",
    [
        "",
        "..",
        "own",
        "own/errors/mistakes_standardise.py",
        "course_checks/errors",
        "course.toml",
        "solutions/01_errors",
    ],
)
@pytest.mark.parametrize("by_name", [True, False])
def test_a_course_that_others_may_write_to_is_refused(planted, course, inside, by_name, monkeypatch):
    """Before anything in it runs; the folder itself, one above it, or what decides in it."""
    monkeypatch.chdir(course)
    open_to_all(course / inside)
    with pytest.raises(UsageError, match="write"):
        find_course(course if by_name else None)
    assert not planted.exists()


def test_a_course_of_another_account_is_refused(course, monkeypatch):
    """Whoever owns it could change it at any time."""
    if os.geteuid() == 0:
        os.chown(course, 4711, -1)
    else:
        monkeypatch.setattr("os.geteuid", lambda: 4711)
    with pytest.raises(UsageError, match="belongs to"):
        find_course(course)


def test_named_folders_are_let_through(course, monkeypatch):
    """An environment variable names them, as git's safe.directory does; no other folder profits."""
    open_to_all(course)
    monkeypatch.setenv(TRUSTED_ANYWAY, str(course.parent))
    with pytest.raises(UsageError):
        find_course(course)
    monkeypatch.setenv(TRUSTED_ANYWAY, f"{course.parent}:{course}")
    assert find_course(course).root == course


def test_the_named_course_comes_before_the_current_folder_and_that_before_the_installed(course, root, monkeypatch):
    """Nothing else is looked for: a folder that is named and holds no course is an error."""
    monkeypatch.chdir(course.parent)
    assert find_course().root == Path(root).resolve()
    monkeypatch.chdir(course)
    assert find_course().root == course
    assert find_course(Path(root)).root == Path(root).resolve()
    with pytest.raises(UsageError, match="no course in"):
        find_course(course / "book")


def test_a_command_says_which_course_it_uses(course, monkeypatch, capsys):
    """In its first line, unless it is the current folder."""
    monkeypatch.chdir(course.parent)
    announce(find_course(course))
    assert capsys.readouterr().err == f"course: {course}\n"
    monkeypatch.chdir(course)
    announce(find_course())
    assert capsys.readouterr().err == ""


def class_with(folder, text):
    """Make a class's folder with a class file."""
    folder.mkdir(exist_ok=True)
    (folder / CLASS_FILE).write_text(text)
    return folder


def test_a_class_names_its_course(course, tmp_path):
    """By a path from its own folder, which only --root leads to."""
    room = class_with(tmp_path / "room", '[class]\ncourse = "../course"\n')
    assert course_of_class(None, room).root == course
    assert course_of_class(course, room).root == course
    assert course_of_class(None, None).root != course


def test_a_class_and_the_command_must_agree(course, root, tmp_path):
    """Neither silently wins."""
    room = class_with(tmp_path / "room", '[class]\ncourse = "../course"\n')
    with pytest.raises(UsageError, match="--course"):
        course_of_class(Path(root), room)
    with pytest.raises(UsageError, match="--root"):
        refuse_another_course(room, Course(Path(root)))


def test_a_class_file_that_others_may_write_names_no_course(planted, course, tmp_path):
    """Nor one in a folder where others may put theirs."""
    room = class_with(tmp_path / "room", '[class]\ncourse = "../course"\n')
    for path in (room / CLASS_FILE, room):
        open_to_all(path)
        with pytest.raises(UsageError, match="write"):
            course_of_class(None, room)
        path.chmod(0o700)
    assert not planted.exists()


@pytest.fixture
def term(course, tmp_path):
    """A class outside the course's folder, which was graded by it."""
    room = tmp_path / "room"
    room.mkdir()
    remember_gradebook(room, "sqlite:///gradebook.db", course_identity(find_course(course)))
    return room


def test_a_class_graded_by_another_course_is_refused(term, course, template, tmp_path):
    """The line names both, and what to type; a course that was moved is the same one."""
    another = find_course(shutil.copytree(template, tmp_path / "another"))
    with pytest.raises(UsageError, match=f"--course {course}"):
        refuse_another_course(term, another)
    course.rename(tmp_path / "moved")
    refuse_another_course(term, find_course(tmp_path / "moved"))


def test_a_course_of_another_id_does_not_take_over_a_class(term, course, template, tmp_path):
    """Even if the first one is gone: its marks are in nbgrader's gradebook under its id."""
    another = shutil.copytree(template, tmp_path / "another")
    text = (another / "course.toml").read_text()
    (another / "course.toml").write_text(text.replace("my-course", "physics"))
    shutil.rmtree(course)
    with pytest.raises(UsageError, match="graded with"):
        refuse_another_course(term, find_course(another))
    class_with(term, f'[class]\ncourse = "{another}"\n')
    refuse_another_course(term, find_course(another))
