"""A fault of the checks in a graded class: marks stand, the instructor is told, students are not."""

import json

import pytest

from autograder.classroom.results.load import load_result, load_results
from autograder.diagnosis import relations
from autograder.diagnosis.faults import Fault
from autograder.grading.result import describe_faults
from autograder.pages.feedback import feedback
from autograder.pages.report import report
from autograder.runs.class_run import ClassRun

CHAPTER = "01_doubling"
ONE_MORE = "def double(x):\n    return 2 * x + 1"
NO_NAME = "def double(x):\n    return zebra"


class Canary(Exception):
    """An error that a part of the checks raises in these tests."""


def broken_part(*_, **__):
    """Raise what no page of a student may show."""
    raise Canary("CANARY-TEXT")


PARTS = [
    ("autograder.grading.missing_names.Explainer.definition_below", "definition_below", ONE_MORE),
    ("autograder.grading.missing_names.Explainer.fault_above", "fault_above", ONE_MORE),
    ("autograder.grading.missing_names.Explainer.explained", "explained", NO_NAME),
    ("autograder.grading.verdicts._why_missing", "verdict_on_missing", "double_it = 2"),
    ("autograder.grading.remarks.wrong_prerequisite", "prerequisite", ONE_MORE),
    ("autograder.grading.fingerprint.describe_behaviour", "behaviour", ONE_MORE),
    ("autograder.diagnosis.causes.relation", "related", ONE_MORE),
    ("autograder.diagnosis.causes.GradersDiagnosis._matching_mistake", "listed_mistake", ONE_MORE),
]


@pytest.mark.parametrize(("place", "part", "source"), PARTS, ids=[part for _, part, _ in PARTS])
def test_what_explains_may_fail(monkeypatch, grade, answered, expected_faults, place, part, source):
    """Whatever raises while a message is made: the mark is the same, there is a message, and the part is named."""
    before = grade(answered(source))
    monkeypatch.setattr(place, broken_part)
    result = grade(answered(source))
    assert (result.score, result.status, before.faults) == (before.score, before.status, {})
    assert result.faults == {"double": (Fault(part, "Canary"),)}
    assert result.verdicts[0].message
    assert "CANARY" not in json.dumps(result.as_dict())


def test_a_right_answer_needs_no_explanation(monkeypatch, grade, answered):
    """Its mark depends on no relation, and none is asked."""
    monkeypatch.setattr(relations, "RELATIONS", (broken_part,))
    result = grade(answered())
    assert (result.score, result.faults) == (result.max_score, {})


@pytest.mark.parametrize("place", ["verdicts.judge_replies", "ask.mark_right_replies", "ask.questions_of"])
def test_an_exercise_that_cannot_be_judged_gives_no_mark_and_is_named(monkeypatch, grade, answered, place):
    """A wrong answer never becomes right by a fault of ours, and without its points there is no total."""
    monkeypatch.setattr(f"autograder.grading.{place}", broken_part)
    result = grade(answered(ONE_MORE))
    assert (result.status, result.score, result.verdicts) == ("infrastructure", 0, ())
    assert "double" in result.message


def test_a_notebook_without_a_mark_leaves_nothing_in_the_sandbox(monkeypatch, grader, grade, answered):
    """Whatever ends its grading, its processes end with it."""
    monkeypatch.setattr("autograder.grading.verdicts.judge_replies", broken_part)
    grade(answered())
    assert grader.box.notebook is None


def test_a_class_is_told_nothing_and_its_instructor_everything(
    monkeypatch, classroom, assignment, submit, answered, expected_faults
):
    """One line after grading, a section of the report, a field of the record; no page of a student has any of it."""
    monkeypatch.setattr(relations, "RELATIONS", (broken_part,))
    submit("ada", answered(ONE_MORE))
    submit("ben", answered(ONE_MORE + " + 0"))
    submit("cy", answered())
    run = ClassRun(classroom, [assignment], seed=7)
    results = dict(run)
    (line,) = run.describe_faults()
    assert "double: broken_part (Canary, 2 answers)" in line
    path = classroom.autograded("ada", CHAPTER) / "result.json"
    assert json.loads(path.read_text())["faults"] == {"double": [{"part": "broken_part", "error": "Canary"}]}
    assert "faults" not in json.loads((classroom.autograded("cy", CHAPTER) / "result.json").read_text())
    assert load_result(classroom, "ada", CHAPTER).faults == results["ada"].faults
    assert describe_faults(results["ada"].faults) == "double: broken_part (Canary)"
    assert [load_results(classroom, assignment)[one]["score"] for one in results] == [0, 0, assignment.max_score]
    again = ClassRun(classroom, [assignment], seed=7)
    list(again)
    assert again.describe_faults() == [line]
    feedback(classroom, assignment)
    assert "broken_part" in report(classroom, assignment).read_text()
    named = {one for one in classroom.root.rglob("*") if one.is_file() and b"broken_part" in one.read_bytes()}
    assert {one.name for one in named} == {"result.json", f"report_{CHAPTER}.html"}
    assert "broken_part" not in report(classroom, assignment, nameless=True).read_text()
