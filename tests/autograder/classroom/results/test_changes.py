"""What a regrade says of pages that would change although the points stay."""

from dataclasses import replace

import pytest

from autograder.classroom.results.changes import Change, describe_changes, describe_page_changes
from autograder.diagnosis.exercise import CRITERIA
from autograder.diagnosis.verdict import Criterion, Verdict
from autograder.grading.result import Result


def verdict(message="Wrong.", failed="example", status="graded", points=5):
    """Return a verdict whose criteria hold but for one."""
    criteria = tuple(Criterion(words, name != failed) for name, words in CRITERIA.items())
    return Verdict("double", status, 0, points, None, message, criteria)


def result(*verdicts, **facts):
    """Return a result with these verdicts."""
    return replace(Result("01_doubling", "graded", 0, 5, verdicts=verdicts), **facts)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (result(verdict()), result(verdict()), ()),
        (result(verdict("Wrong.")), result(verdict("Half.")), ("double: another message",)),
        (result(verdict("Wrong at 0.3.", "unseen")), result(verdict("Wrong at 0.7.", "unseen")), ()),
        (result(verdict("Right.", None)), result(verdict("Well done.", None)), ()),
        (result(verdict()), result(verdict(status="error")), ("double: another message",)),
        (result(verdict()), result(verdict(points=6)), ("double: out of 6 instead of 5",)),
        (result(), result(verdict()), ()),  # new, and worth nothing: the points say it
        (result(status="tampered"), result(), ("status tampered -> graded",)),
        (result(tampered=("a",)), result(tampered=("b",)), ("different cells are reported as altered",)),
        (result(notes=("old",)), result(notes=("new",)), ("another note on changes to the course",)),
        (result(), result(notes=("new",)), ("a note on changes to the course",)),
        (result(notes=("old",)), result(), ("no note on changes to the course",)),
        (result(message="broken"), result(message="too large"), ("another reason",)),
        (result(verdict(), message="text restored"), result(verdict()), ()),
        (result(message="broken"), result(verdict()), ()),
        (
            result(tampered=("a",), status="tampered"),
            result(status="graded"),
            ("status tampered -> graded",),  # which says why no cell is reported any more
        ),
    ],
)
def test_what_else_a_student_would_see(before, after, said):
    """Status, altered cells, notes, reasons, points, and sentences that do not depend on what was drawn."""
    assert describe_page_changes(before, after) == said


@pytest.mark.parametrize(("count", "names"), [(5, "s0, s1, s2, s3, s4"), (6, "s0, s1, s2, s3, s4 and 1 more")])
def test_five_students_are_named_and_the_others_counted(count, names):
    """Pages that change in the same way share a line."""
    changes = [Change(f"s{i}", "01_doubling", {}, {}, "the checks changed", page=("a note",)) for i in range(count)]
    assert describe_changes(changes) == [f"{names} 01_doubling: same points, changed page (a note): the checks changed"]
