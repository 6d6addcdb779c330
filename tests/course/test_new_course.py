"""``autograder init`` writes a course that works with every command, and that is not about attention."""

import json
import sqlite3
import subprocess
import sys

import nbformat
import pytest

from autograder.course.course import find_course
from autograder.course.new_course import start_course
from autograder.errors import UsageError

CHAPTER = "01_errors"
CONTENT = ("autograder.reference", "autograder.models", "autograder.trained", "autograder.checks.given", "demos")
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
