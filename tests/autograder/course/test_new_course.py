"""``autograder init`` writes a course that works with every command, and that is not about attention."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys

import nbformat
import pytest

from autograder.course.new_course import start_course
from autograder.course.settings import pages_in_toc
from autograder.course.which_course import find_course
from autograder.errors import CourseError, UsageError

CHAPTER = "01_errors"
CONTENT = (
    "attention.chapters",
    "attention.models",
    "attention.trained",
    "attention.exercises.given_functions",
    "demos",
)
# Runs one command, and prints which modules of this course's content it loaded.
WATCHED = f"""
import sys
from autograder.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    loaded = sorted(name for name in sys.modules if name.startswith({CONTENT!r}))
    print("loaded", loaded, file=sys.stderr)
    raise SystemExit(end.code)
"""

SHARES = """import numpy as np
from autograder.diagnosis.exercise import Case, Exercise

def shares(counts):
    return counts / counts.sum()

EXERCISE = Exercise(
    name="shares", reference=shares, returns=("shares",),
    examples=(Case("two", (np.arange(np.mean([2, 4])),)),),
    unseen=lambda rng: [], edges=lambda rng: [],
)
"""


def add_to_toc(course, chapter):
    """List one more chapter."""
    with (course / "_toc.yml").open("a") as toc:
        toc.write(f"  - file: {chapter}\n")


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """A new course, in a folder with a space and an umlaut."""
    return start_course(tmp_path_factory.mktemp("courses") / "my cöurse")


@pytest.fixture(scope="module")
def run(started):
    """Run a command of the autograder there."""

    def run(*arguments):
        command = [sys.executable, "-c", WATCHED, *arguments]
        done = subprocess.run(command, cwd=started, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done

    return run


def test_every_command_works_there_and_loads_nothing_of_attention(run, started):
    """From the release to the report; each kind of student gets what is due."""
    commands = (
        ("release",),
        ("sample-class", CHAPTER, "--students", "20"),
        ("grade", CHAPTER, "--jobs", "1", "--json"),
        ("feedback", CHAPTER),
        ("report", CHAPTER),
        ("export", CHAPTER, "--to", "marks.csv"),
        ("check", f"solutions/{CHAPTER}/{CHAPTER}.ipynb"),
    )
    done = {words[0]: run(*words) for words in commands}
    assert {one.stderr.splitlines()[-1] for one in done.values()} == {"loaded []"}
    results = {result["student"]: result for result in map(json.loads, done["grade"].stdout.splitlines()[:20])}
    assert results["student0001"]["score"] == 5
    wrong = {exercise["name"]: exercise["mistake"] for exercise in results["student0002"]["exercises"]}
    assert wrong == {"mean_absolute_error": "signed", "standardise": "by_row"}
    assert "5 of 5 points" in done["check"].stdout
    assert "Errors of opposite sign cancel" in (started / f"feedback/student0002/{CHAPTER}/{CHAPTER}.html").read_text(
        encoding="utf-8"
    )
    with sqlite3.connect(started / "gradebook.db") as book:
        assert book.execute("select course_id from assignment").fetchall() == [("my-course",)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("returns=", "return=", "shares.py cannot be loaded: line 8: SyntaxError"),
        ("np.mean", "np.meen", "shares.py cannot be loaded: line 9: AttributeError: module 'numpy' has no"),
        (
            "import numpy",
            "import numpi",
            "shares.py cannot be loaded: line 1: ModuleNotFoundError: No module named 'num",
        ),
        (
            '"shares"',
            '"chairs"',
            "the checks in .*shares: expected an EXERCISE named 'shares'.* got one named 'chairs'",
        ),
    ],
)
def test_checks_that_cannot_be_loaded_are_one_line(started, tmp_path, old, new, said):
    """It names the file of the course's own and the line in it, whatever the fault is."""
    course = shutil.copytree(started, tmp_path / "mine")
    (course / "solutions/02_shares").mkdir()
    shutil.copy(course / f"solutions/{CHAPTER}/{CHAPTER}.ipynb", course / "solutions/02_shares/02_shares.ipynb")
    package = course / "course_checks/shares"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "shares.py").write_text(SHARES.replace(old, new))
    add_to_toc(course, "02_shares")
    command = [sys.executable, "-m", "autograder", "release", "02_shares"]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert re.search(said, line)


def test_a_folder_of_solutions_without_its_notebook_is_named(started, tmp_path):
    """A notebook of another name is easily overlooked: its chapter would not be released. Other pages need none."""
    course = shutil.copytree(started, tmp_path / "mine")
    (course / "solutions/notes").mkdir()
    add_to_toc(course, "notes")
    assert find_course(course).chapters() == [CHAPTER]
    pages_in_toc.cache_clear()
    (course / "solutions/02_shares").mkdir()
    (course / "solutions/02_shares/shares.ipynb").touch()
    add_to_toc(course, "02_shares")
    with pytest.raises(CourseError, match=r"02_shares holds no 02_shares\.ipynb: name the notebook after its folder"):
        find_course(course).chapters()


def test_the_course_is_whole(started):
    """One chapter, whose notebook and checks agree; students' notebooks hold no solution."""
    course = find_course(started)
    assert (course.chapters(), course.settings.course_id) == ([CHAPTER], "my-course")
    released = nbformat.read(course.assignment(CHAPTER).released, as_version=4)
    text = "".join(cell.source for cell in released.cells)
    assert text.count("raise NotImplementedError()") == 2
    assert "SOLUTION" not in text


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    """It is refused in one line, and nothing is written."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty: expected a new folder, or an empty one"):
        start_course(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
