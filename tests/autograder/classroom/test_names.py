"""Students are called what they are called: any name is graded that can be written down."""

import csv
import logging
import shutil

import pytest
from nbgrader.api import Gradebook

from autograder.classroom.results.load import load_results, submitters
from autograder.cli import main
from autograder.course.course import COURSE_ID
from autograder.files import describe_os_error
from autograder.lms.exchange_collect import Collect
from autograder.lms.export import export
from autograder.pages.feedback import feedback
from autograder.plain import can_be_named
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


FORGED = "forged"
HOSTILE = [f"eve\n{FORGED}: 20", f"eve\r\x1b[1A{FORGED}", f"eve\t\x85{FORGED}\u2028{FORGED}"]


@pytest.fixture
def printed(graded, classroom, assignment, monkeypatch, capsys):
    """Run a command on a graded class with hostile folders, and return the lines that it prints."""
    monkeypatch.setattr("autograder.classroom.class_course.find_course", lambda named=None: assignment.course)
    for name in HOSTILE:
        shutil.copytree(classroom.submitted("ada", CHAPTER), classroom.submitted(name, CHAPTER))
        shutil.copytree(classroom.autograded("ada", CHAPTER), classroom.autograded(name, CHAPTER))

    def run(*arguments):
        with pytest.raises(SystemExit):
            main([*arguments, "--root", str(classroom.root)])
        said = capsys.readouterr()
        return [*said.out.splitlines(), *said.err.splitlines()]

    return run


@pytest.mark.parametrize("command", ["grade", "grade --json", "report", "feedback", "collect"])
def test_a_name_writes_no_line(printed, classroom, tmp_path, command):
    """A line break, a carriage return and other controls in a folder's name are seen, and begin no line anywhere."""
    name, *options = command.split()
    if name == "collect":
        for folder in HOSTILE:
            (tmp_path / "hand in" / folder).mkdir(parents=True)
            (tmp_path / "hand in" / folder / "a.txt").touch()
        lines = printed("collect", str(tmp_path / "hand in"), str(tmp_path / "hand in" / HOSTILE[0]))
    else:
        lines = printed(name, CHAPTER, *options)
    assert lines
    pages = "\n".join(path.read_text() for path in classroom.root.glob("*.html"))
    assert not [line for line in (*lines, *pages.splitlines()) if line.strip().startswith(FORGED)]
    assert not {"\x1b", "\x85", "\u2028"} & set("".join(lines) + pages)


def test_a_name_is_one_row_of_an_export(printed, classroom, assignment, tmp_path):
    """A name that reached the gradebook in another way makes no row of its own in the file."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        book.update_or_create_student(HOSTILE[0])
    export(classroom, [assignment], tmp_path / "marks.csv")
    assert not [line for line in (tmp_path / "marks.csv").read_text().splitlines() if line.startswith(FORGED)]


def test_a_name_writes_no_line_into_the_log_of_nbgrader(caplog):
    """Any student may name a folder of the exchange; what is collected is read from the lines of this log."""
    collect = Collect()
    collect.log = logging.getLogger("collect")
    assert collect._path_to_record(f"/nowhere/eve+{CHAPTER}\nnot collected: ada")["username"] is None
    assert "\n" not in caplog.messages[0]


def test_a_path_in_an_error_is_one_line():
    """The file's name comes from a student; the error is quoted in logs and lines."""
    assert "\n" not in describe_os_error(OSError(2, "No such file", "a\nb"))
