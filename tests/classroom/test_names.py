"""Students are called what they are called: any name is graded that can be written down."""

import csv

import pytest
from nbgrader.api import Gradebook

from autograder.course.course import COURSE_ID
from autograder.delivery.export import export
from autograder.pages.feedback import feedback
from autograder.plain import can_be_named
from autograder.results.load import load_results, submitters
from autograder.runs.class_run import ClassRun

CHAPTER = "01_doubling"
NAMES = {
    "a zero-width joiner": "क्\u200dष ada",
    "a zero-width non-joiner": "می\u200cخواهم",
    "a joiner that joins nothing": "lovelace\u200d",
    "a joiner in front": "\u200clovelace",
    "a no-break space": "ada\u00a0lovelace",
    "two blanks": "ada  lovelace",
    "a blank at the end": "ada ",
    "a blank in front": " ada",
    "an ideographic space": "山田\u3000太郎",
    "an emoji": "ada 🦁",
    "joined emoji": "👩\u200d💻",
    "right to left": "עדה",
    "combining marks": "A\u0301da",
}
REFUSED = [
    "ada\n",
    "\x1b[2J",
    "ada\u202e",
    "ada\u2028",
    "ada\udcff",
    ".ada",
    "ada\u2066",
    "\tada",
]


def test_any_name_is_graded_recorded_and_exported(classroom, assignment, submit, answered, tmp_path):
    """Each has the mark in the gradebook, a page, and a row; nobody is waiting."""
    names = sorted([*NAMES.values(), "ada", "👩💻"])  # the last differs from another by a joiner alone
    for name in names:
        submit(name, answered())
    results = dict(ClassRun(classroom, [assignment], seed=7))
    assert {name: result.score for name, result in results.items()} == dict.fromkeys(names, 10)
    with Gradebook(classroom.database, COURSE_ID) as book:
        assert sorted(entry["student"] for entry in book.submission_dicts(CHAPTER)) == names
    assert list(load_results(classroom, assignment)) == submitters(classroom, CHAPTER) == names
    assert len(feedback(classroom, assignment)) == len(names)
    export(classroom, [assignment], tmp_path / "marks.csv")
    with (tmp_path / "marks.csv").open(encoding="utf-8", newline="") as file:
        assert len([row for row in csv.reader(file) if "graded" in row]) == len(names)


@pytest.mark.parametrize("name", REFUSED)
def test_what_drives_a_terminal_is_no_name(name):
    """Control characters, line ends, turned text, broken letters and hidden folders are refused."""
    assert not can_be_named(name)
