"""Whatever comes back instead of an answer is judged in bearable time, earns nothing and breaks nothing."""

from collections import namedtuple

import numpy as np
import pytest

from attention.exercises import CHAPTERS, exercises_of
from autograder.diagnosis import compare
from autograder.diagnosis.as_arrays import as_arrays
from autograder.diagnosis.compare import Answer, holds_texts
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import Reply
from tests.support.fuzz import a_third
from tests.support.naming import about

EXERCISES = [exercise for stem in CHAPTERS for exercise in exercises_of(stem).values()]
LONG = 1009
Named = namedtuple("Named", "output weights")
BOTH = {"the": 0, "cat": 1, "": 2}
STRANGE = {
    "long list": lambda: [0.5] * LONG,
    "long tuple": lambda: (0.5,) * LONG,
    "rows": lambda: [[0.5] * LONG, [0.5] * LONG],
    "numbers, and one word": lambda: [0.5] * LONG + ["lion"],
    "rows of unequal length": lambda: [[0.5] * LONG, [0.5]],
    "arrays in a list": lambda: [np.zeros(3), np.ones(3)],
    "words and arrays": lambda: ["lion", np.zeros(3)],
    "arrays in a dictionary": lambda: {word: np.zeros(2) for word in BOTH},
    "arrays under numbers": lambda: {number: np.zeros(2) for number in range(9)},
    "lists in a dictionary": lambda: {word: [[1, 2], "lion"] for word in BOTH},
    "endless and empty": lambda: np.zeros((1 << 40, 0)),
    "many axes": lambda: np.zeros((1,) * 16),
    "words": lambda: ["lion"] * 31,
    "array of words": lambda: np.array(["lion", "grass"]),
    "named tuple": lambda: Named(np.zeros(3), np.ones(3)),
}


def replies_to(exercise, value, seed=5):
    """Return a reply of this value, and arguments whose parts are arrays, to every question."""
    return [Reply(Answer(value=value()), tuple(map(spoilt, case.args))) for _, case in exercise.questions(seed)]


def spoilt(argument):
    """Return an argument into which an array was put in place of every part."""
    if isinstance(argument, (list, tuple)):
        return type(argument)(np.zeros(2) for _ in argument)
    return dict.fromkeys(argument, np.zeros(2)) if isinstance(argument, dict) else argument


@pytest.mark.parametrize(
    ("place", "exercise"), list(enumerate(EXERCISES)), ids=[exercise.name for exercise in EXERCISES]
)
def test_a_strange_answer_is_judged(place, exercise):
    """It earns nothing, and its judge does not stumble."""
    for kind, value in a_third(STRANGE.items(), place):
        with about(kind):
            verdict = judge(exercise, 5, replies_to(exercise, value))
            assert (verdict.score, verdict.mistake) == (0.0, None)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_a_long_list_is_looked_through_once(exercise, monkeypatch):
    """However many mistakes and relations an answer is compared with."""
    looked, original = [], compare.holds_numbers
    monkeypatch.setattr(compare, "holds_numbers", lambda value: looked.append(type(value) is float) or original(value))
    long = ("long list", "long tuple", "rows", "numbers, and one word", "rows of unequal length")
    for kind in a_third(long, EXERCISES.index(exercise)):
        with about(kind):
            looked.clear()
            replies = replies_to(exercise, STRANGE[kind])
            judge(exercise, 5, replies)
            asked = 0 if holds_texts(exercise.reference(*exercise.examples[0].args)) else LONG * len(replies)
            assert asked <= sum(looked) < 3 * LONG * len(replies)  # numbers are not looked for where texts are wanted


def test_lists_of_numbers_count_as_arrays():
    """What is settled agrees with what it was: results stay apart, and numbers stay numbers."""
    right = Answer(value=(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.arange(31)))
    answer = Answer(value=([[1, 2], [3, 4], [5, 6]], list(range(31))))
    found = as_arrays(answer, right)
    assert isinstance(found.value, tuple)
    assert [type(one) for one in found.value] == [np.ndarray, np.ndarray]
    assert compare.counts_as(found, right)
    assert compare.counts_as(answer, right)


def test_results_in_a_named_tuple_count():
    """Stock nbgrader hands over the tuple itself, and our grader a plain one: both earn the points."""
    exercise = exercises_of("query_key_value")["attention"]
    replies = [
        Reply(Answer(value=Named(*exercise.reference(*case.args, **case.kwargs))), case.args)
        for _, case in exercise.questions(5)
    ]
    assert judge(exercise, 5, replies).score == exercise.points
