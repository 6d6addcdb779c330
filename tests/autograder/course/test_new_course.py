"""``autograder init`` writes a course that works with every command, and that is not about attention."""

import json
import re
import shutil
import sqlite3

import nbformat
import pytest

from autograder.course.new_course import start_course
from autograder.course.settings import pages_in_toc
from autograder.course.which_course import find_course
from autograder.errors import CourseError, UsageError
from tests.support.commands import run_commands

CHAPTER = "01_errors"
CONTENT = (
    "attention.chapters",
    "attention.models",
    "attention.trained",
    "attention.exercises.given_functions",
    "demos",
)

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


def test_every_command_works_there_and_loads_nothing_of_attention(started):
    """From the release to the report; each kind of student gets what is due."""
    commands = (
        ("release",),
        ("sample-class", CHAPTER, "--students", "7"),
        ("grade", CHAPTER, "--jobs", "1", "--json"),
        ("feedback", CHAPTER),
        ("report", CHAPTER),
        ("export", CHAPTER, "--to", "marks.csv"),
        ("check", f"solutions/{CHAPTER}/{CHAPTER}.ipynb"),
    )
    ends, modules = run_commands(started, *commands)
    assert {end.code for end in ends} == {0}, ends
    assert [name for name in modules if name.startswith(CONTENT)] == []
    done = {words[0]: end for words, end in zip(commands, ends, strict=True)}
    results = {result["student"]: result for result in map(json.loads, done["grade"].out.splitlines()[:7])}
    assert results["student0001"]["score"] == 5
    wrong = {exercise["name"]: exercise["mistake"] for exercise in results["student0002"]["exercises"]}
    assert wrong == {"mean_absolute_error": "signed", "standardise": "by_row"}
    assert "5 of 5 points" in done["check"].out
    assert "Errors of opposite sign cancel" in (started / f"feedback/student0002/{CHAPTER}/{CHAPTER}.html").read_text(
        encoding="utf-8"
    )
    with sqlite3.connect(started / "gradebook.db") as book:
        assert book.execute("select course_id from assignment").fetchall() == [("my-course",)]


FAULTS = [
    ("returns=", "return=", "cannot be loaded: line 8: SyntaxError"),
    ("np.mean", "np.meen", "cannot be loaded: line 9: AttributeError"),
    ("import numpy", "import numpi", "cannot be loaded: line 1: ModuleNotFoundError"),
    ('name="shares', 'name="chairs', "expected an EXERCISE named 'shares"),
]


def test_checks_that_cannot_be_loaded_are_one_line(started, tmp_path):
    """It names the file of the course's own and the line in it, whatever the fault is."""
    course = shutil.copytree(started, tmp_path / "mine")
    chapters = [f"{number:02}_shares_{letter}" for number, letter in enumerate("abcd", 2)]
    for chapter, (old, new, _) in zip(chapters, FAULTS, strict=True):
        name = chapter[3:]
        (course / "solutions" / chapter).mkdir()
        shutil.copy(course / f"solutions/{CHAPTER}/{CHAPTER}.ipynb", course / f"solutions/{chapter}/{chapter}.ipynb")
        package = course / "course_checks" / name
        package.mkdir()
        (package / "__init__.py").touch()
        source = SHARES.replace("shares", name).replace(old, new)
        (package / f"{name}.py").write_text(source)
        add_to_toc(course, chapter)
    ends, _ = run_commands(course, *(("release", chapter) for chapter in chapters))
    for chapter, end, (*_, fault) in zip(chapters, ends, FAULTS, strict=True):
        assert end.code == 2
        (line,) = end.err.splitlines()
        assert re.search(rf"{chapter[3:]}\b.*{fault}", line), line


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
    released = nbformat.read(course.assignment(CHAPTER).released_path, as_version=4)
    text = "".join(cell.source for cell in released.cells)
    assert text.count("raise NotImplementedError()") == 2
    assert "SOLUTION" not in text


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    """It is refused in one line, and nothing is written."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty: expected a new folder, or an empty one"):
        start_course(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
