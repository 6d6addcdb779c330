"""A record that is damaged, or another version's, is one student's problem: everybody else's pages are written."""

import csv
import json
import os
import shutil
from typing import ClassVar

import pytest

from autograder.classroom.results.load import load_results, load_run
from autograder.classroom.results.records import RESULT, RUN, Damaged, read_record
from autograder.errors import CourseError
from autograder.lms.export import export
from autograder.pages import figures
from autograder.pages.feedback import feedback
from autograder.pages.report import report
from autograder.runs.class_run import ClassRun

CHAPTER = "01_doubling"
PAGES = ("marks", f"report_{CHAPTER}", f"report_{CHAPTER}_nameless")


@pytest.fixture
def ben(graded, classroom):
    """The folder of ben's graded notebook, in a graded class."""
    return classroom.autograded("ben", CHAPTER)


@pytest.fixture
def run_and_export(classroom, assignment, tmp_path, monkeypatch):
    """Write everybody's feedback, both reports and all exports; return what feedback raised and the statuses."""
    monkeypatch.setattr(figures, "svg", lambda *_: "data:,")

    def run():
        shutil.rmtree(classroom.root / "feedback", ignore_errors=True)
        with pytest.raises(CourseError) as error:
            feedback(classroom, assignment)
        report(classroom, assignment)
        report(classroom, assignment, nameless=True)
        for form in ("canvas", "moodle", "csv"):
            done = export(classroom, [assignment], tmp_path / "marks.csv", form)
        with (tmp_path / "marks.csv").open() as file:
            return str(error.value), done, {row[0]: row[4] for row in list(csv.reader(file))[1:]}

    return run


def empty(path):
    """Write an object without a field."""
    path.write_text("{}")


def pipe(path):
    """Put a pipe into the file's place, on which a reader would wait for ever."""
    path.unlink()
    os.mkfifo(path)


def large(path):
    """Let the file grow to 100 MB."""
    os.truncate(path, 100 << 20)


@pytest.mark.parametrize("damage", [empty, pipe, large])
def test_a_damaged_record_costs_nobody_else_a_page(ben, classroom, run_and_export, damage):
    """Three mechanisms: another shape, another kind of file, another size. Its student is named everywhere."""
    damage(ben / RESULT)
    said, done, statuses = run_and_export()
    assert said.startswith("3 pages written, 1 failed: ben (")
    assert sorted(path.name for path in (classroom.root / "feedback").iterdir()) == ["ada", "cy", "dee"]
    assert statuses == {"ada": "graded", "ben": "infrastructure", "cy": "invalid_submission", "dee": "graded"}
    assert done.unreadable == (("ben", CHAPTER),)
    marks, page, nameless = ((classroom.root / f"{name}.html").read_text() for name in PAGES)
    assert RESULT in marks
    assert RESULT in page
    assert "ben" not in nameless


def test_a_damaged_record_leaves_the_gradebook_alone_and_is_graded_again(ben, classroom, assignment, run_and_export):
    """Its mark stays in the gradebook; grading once more, and nothing else, makes the record whole."""
    empty(ben / RESULT)
    run_and_export()
    (ben / RESULT).unlink()
    (ben / RESULT).mkdir()
    (ben / RESULT / "file").touch()
    run = ClassRun(classroom, [assignment], seed=7)
    assert {student: result.status for student, result in run}["ben"] == "graded"
    assert run.changes == []
    assert load_results(classroom, assignment)["ben"]["damage"] == ""


CHANGES = {
    "a missing field": lambda data: data.pop("score"),
    "an extra field": lambda data: data.update(version=9),
    "text for a number": lambda data: data.update(score="10"),
    "no number": lambda data: data.update(max_score=float("nan")),
    "a number for text": lambda data: data["exercises"][0].update(message=7),
    "another verdict": lambda data: data["exercises"][0].update(weight=2),
    "half a pair": lambda data: data.update(behaviours={"double": dict(kind="", numbers=[1], where="", what="")}),
    "another output": lambda data: data["cells"][0].update(outputs=[{"output_type": "stream", "data": {}}]),
    "no cells": lambda data: data.update(cells=None),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_result_of_another_shape_is_damaged(ben, name):
    """One field is enough; the record that was saved is none of these."""
    data = json.loads((ben / RESULT).read_text())
    assert read_record(ben, RESULT) == data
    CHANGES[name](data)
    (ben / RESULT).write_text(json.dumps(data))
    assert isinstance(read_record(ben, RESULT), Damaged)


class TestRun:
    """The record of how a mark came about."""

    DAMAGE: ClassVar = [{"seconds": "7"}, {"seconds": float("inf")}, {"refused": {"open": "often"}}, {"bound": []}]

    @pytest.mark.parametrize("new", DAMAGE, ids=str)
    def test_an_odd_run_is_out_of_date(self, ben, classroom, assignment, monkeypatch, new):
        """Its student is named as out of date, the mark stays, and the reports are written."""
        monkeypatch.setattr(figures, "svg", lambda *_: "data:,")
        (ben / RUN).write_text(json.dumps({**json.loads((ben / RUN).read_text()), **new}))
        assert load_run(classroom, "ben", CHAPTER) is None
        result = load_results(classroom, assignment)["ben"]
        assert (result["status"], bool(result["stale"]), result["damage"]) == ("graded", True, "")
        report(classroom, assignment)


def test_a_record_that_is_gone_is_damaged_too(ben, classroom, assignment):
    """A result that was removed, or a link that leads nowhere, is not taken for a submission that waits."""
    (ben / RESULT).unlink()
    assert load_results(classroom, assignment)["ben"]["damage"]
    (ben / RESULT).symlink_to("nowhere")
    assert load_results(classroom, assignment)["ben"]["status"] == "infrastructure"


def test_a_folder_that_nobody_could_hand_in_under_is_no_record(ben, classroom, assignment):
    """A name with a line break is never graded, so a folder of that name made by hand is left alone."""
    shutil.copytree(ben.parent, ben.parents[1] / "eve\nada")
    assert list(load_results(classroom, assignment)) == ["ada", "ben", "cy", "dee"]
