"""Wrong answers that no list names are put together by what they do."""

import numpy as np

from autograder.diagnosis.exercise import CRITERIA
from autograder.diagnosis.verdict import Criterion, Verdict
from autograder.pages.unlisted_answers import consequences, group_unlisted, groups_alike


def exercise(name="a", passed=(False, False, False, False), message="Wrong.", **other):
    """One exercise of a result as it is recorded; the criteria say what the message says."""
    criteria = tuple(
        Criterion(criterion, held, "" if held else message)
        for criterion, held in zip(CRITERIA.values(), passed, strict=True)
    )
    usual = {"status": "graded", "score": 0.0, "points": 2.0, "mistake": None}
    return Verdict(**{**usual, "name": name, "message": message, "criteria": criteria, **other})


def result(*exercises, **behaviours):
    """A result as it is recorded."""
    return {"exercises": list(exercises)} | ({"behaviours": behaviours} if behaviours else {})


def known(*numbers, kind="k"):
    """A description as it is recorded."""
    return {
        "kind": kind,
        "numbers": list(numbers),
        "where": "Wrong: unseen inputs.",
        "what": "It is.",
    }


def test_the_same_numbers_are_one_row_whatever_was_told():
    """Equal up to single precision's rounding: one row; another number or another kind: another. Commonest first."""
    results = {
        "ada": result(exercise(message="One."), a=known(0.5, 2.0)),
        "ben": result(exercise(message="Two."), a=known(0.5, 2.5)),
        "cy": result(exercise(message="One."), a=known(0.500001, 2.00001)),
        "dee": result(exercise(message="Other."), a=known(0.5, 2.0)),
        "eve": result(exercise(message="One."), a=known(0.5, 2.0, kind="other")),
    }
    found = group_unlisted(results)
    assert [one["students"] for one in found] == [["ada", "cy", "dee"], ["ben"], ["eve"]]
    assert found[0]["told"] == "One."
    assert found[0]["where"] == "Wrong: unseen inputs."


def test_what_has_a_place_elsewhere_is_no_row():
    """Right, listed, not attempted, stopped: none of them; what follows from a wrong function above is counted."""
    follows = exercise(above="b")
    results = {
        "ada": result(
            exercise(passed=(True,) * 4), exercise("b", mistake="flat"), exercise("c", status="not_attempted")
        ),
        "ben": result(exercise(status="time_limit"), follows, exercise("b", mistake="flat")),
    }
    assert group_unlisted(results) == []
    assert consequences(results) == 1


def test_a_record_without_descriptions_is_put_together_by_what_was_told():
    """What was recorded before there were any has rows all the same, by criteria and message."""
    held = (True, False, False, False)
    results = {student: result(exercise(passed=held, message="Too large.")) for student in ("ada", "ben")}
    results["cy"] = result(exercise(passed=(False,) * 4, message="Too large."))
    found = group_unlisted(results)
    assert [one["students"] for one in found] == [["ada", "ben"], ["cy"]]
    assert found[0]["where"] == "These criteria hold: matches the worked example."
    assert found[1]["where"] == "No criterion holds."


def test_only_sentences_of_the_courses_own_are_hints():
    """What a criterion says may quote a student; how an answer is related to the right one may not."""
    quoted = exercise(message="Raises ValueError: Ada was here.")
    related = exercise(message="`a` is the right answer times 2.", told_by="relation")
    found = group_unlisted({"ada": result(quoted), "ben": result(related)})
    assert {one["students"][0]: one["hint"] for one in found} == {"ada": False, "ben": True}


def test_many_are_told_apart_as_by_comparing_each_with_each(rng):
    """Three hundred answers, many of them alike up to rounding: the same groups as by hand, all in one place each."""
    centres = rng.normal(size=(37, 6))
    centres[:, 1::2] = np.abs(centres[:, 1::2]) + 1
    which = rng.integers(0, 37, size=300)
    rows = centres[which] * (1 + 1e-7 * rng.normal(size=(300, 6)))
    members = [(str(place), None, {"numbers": row.tolist()}) for place, row in enumerate(rows)]
    found = [frozenset(int(student) for student, _, _ in group) for group in groups_alike(members)]
    assert set(found) == {frozenset(np.flatnonzero(which == one).tolist()) for one in set(which)}
