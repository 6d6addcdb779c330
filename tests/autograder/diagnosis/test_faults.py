"""An error in what explains an answer costs a sentence, never a mark; several results need no annotation."""

import json

import numpy as np
import pytest

from attention.chapters.context import softmax
from attention.exercises.query_key_value.attention import EXERCISE
from autograder.course.examples import example_entry
from autograder.diagnosis import relations
from autograder.diagnosis.exercise import Case, Exercise, Mistake
from autograder.diagnosis.faults import Fault
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of
from autograder.diagnosis.selfcheck import finding

ATTENTION = EXERCISE.worth(5)


def top_k(query, key, value, k):
    """Return attention to the k best keys of each query."""
    scores = query @ key.T
    hidden = scores < np.sort(scores, axis=-1)[:, -k][:, None]
    weights = softmax(np.where(hidden, -np.inf, scores))
    return weights @ value, weights


def not_cut(query, key, value, k):
    """Return attention to all keys."""
    weights = softmax(query @ key.T / np.sqrt(key.shape[-1]))
    return weights @ value, weights


def cut_after_softmax(query, key, value, k):
    """Return attention whose weights do not sum to one."""
    scores = query @ key.T
    weights = np.where(scores < np.sort(scores, axis=-1)[:, -k][:, None], 0, softmax(scores))
    return weights @ value, weights


def drawn(rng, n_k, k):
    """Return a case with so many keys."""
    return Case(f"{n_k} keys", (rng.normal(size=(3, 5)), rng.normal(size=(n_k, 5)), rng.normal(size=(n_k, 2)), k))


def exercise_of(reference, returns=("output", "weights")):
    """Return an exercise with one example and two unseen cases."""
    return Exercise(
        name="top_k",
        reference=reference,
        returns=returns,
        examples=(drawn(np.random.default_rng(1), 4, 2),),
        unseen=lambda rng: [drawn(rng, 7, 2), drawn(rng, 5, 3)],
        edges=lambda rng: [drawn(rng, 3, 3)],
    )


def verdict_on(exercise, function):
    """Judge a function as an answer."""
    return judge(exercise, 5, [reply_of(function, case) for _, case in exercise.questions(5)])


def told_in_notebook(exercise, function):
    """Return what a notebook's check finds, from the examples that are released."""
    return finding(exercise.name, json.loads(example_entry(exercise)), function)


def annotated(annotation):
    """Return the reference with an annotation of what it returns."""

    def reference(query, key, value, k):
        return top_k(query, key, value, k)

    reference.__annotations__["return"] = annotation
    return reference


def with_scores(function):
    """Return three results, the scores first."""
    return lambda query, key, value, k: (query @ key.T, *function(query, key, value, k))


SEVERAL = {
    "no annotation": (top_k, ("output", "weights")),
    "a tuple of something": (annotated(tuple), ("output", "weights")),
    "a tuple of one kind": (annotated(tuple[np.ndarray, ...]), ("output", "weights")),
    "a text": (annotated("tuple[np.ndarray, np.ndarray]"), ("output", "weights")),
    "too few": (annotated(tuple[np.ndarray]), ("output", "weights")),
    "three results": (with_scores(top_k), ("scores", "output", "weights")),
}


@pytest.mark.parametrize("wrong", [not_cut, cut_after_softmax])
@pytest.mark.parametrize(("reference", "returns"), SEVERAL.values(), ids=SEVERAL)
def test_several_results_need_no_annotation(reference, returns, wrong):
    """Grader and check explain a wrong answer, however the reference says what it returns."""
    exercise = exercise_of(reference, returns)
    wrong = with_scores(wrong) if len(returns) == 3 else wrong
    assert exercise.signature["results"] == [""] * len(returns)
    verdict = verdict_on(exercise, wrong)
    assert (verdict.score, verdict.status, verdict.told_by, verdict.faults) == (0, "graded", "relation", ())
    assert "`weights`" in verdict.message
    assert told_in_notebook(exercise, wrong).status == "wrong"
    assert verdict_on(exercise, reference).score == exercise.points
    assert told_in_notebook(exercise, reference).status == "right"


@pytest.mark.parametrize("default", [np.tanh, print, object()], ids=["ufunc", "builtin", "object"])
def test_a_default_that_is_no_data_is_no_obstacle(default):
    """An argument may be a function by default: the released examples do without it."""

    def applied(x, activation=default):
        return np.tanh(x)

    case = Case("two", (np.array([0.5, 2.0]),))
    exercise = Exercise("applied", applied, ("y",), (case,), lambda rng: [case], lambda rng: [])
    assert exercise.signature["arguments"][1] == ["activation", "", None]
    assert told_in_notebook(exercise, np.sin).status == "wrong"


def recursing(*_):
    """Call itself for ever."""
    return recursing()


def no_memory(*_):
    """Say that there is no memory."""
    raise MemoryError


def a_lookup(seen, *_):
    """Look something up that no call has."""
    return seen[0].given["zebra"]


RAISING = [(recursing, "RecursionError"), (no_memory, "MemoryError"), (a_lookup, "KeyError")]


@pytest.mark.parametrize(("broken", "kind"), RAISING, ids=[kind for _, kind in RAISING])
def test_a_relation_that_raises_costs_its_sentence_alone(monkeypatch, expected_faults, broken, kind):
    """The mark stands, another relation or the criterion speaks, and the fault names the relation and the type."""
    before = verdict_on(ATTENTION, not_scaled_back), told_in_notebook(ATTENTION, not_scaled_back)
    monkeypatch.setattr(relations, "RELATIONS", (broken, *relations.RELATIONS))
    verdict, told = verdict_on(ATTENTION, not_scaled_back), told_in_notebook(ATTENTION, not_scaled_back)
    assert verdict.faults == told.faults == (Fault(broken.__name__, kind),)
    assert (verdict.score, verdict.message) == (before[0].score, before[0].message)
    assert (told.status, told.said) == (before[1].status, before[1].said)
    monkeypatch.setattr(relations, "RELATIONS", (broken,))
    monkeypatch.setattr(relations, "VAGUE", ())
    monkeypatch.setattr(relations, "without_batches", lambda look: broken)
    verdict = verdict_on(ATTENTION, lambda query, key, value: (query * 0 + 7, key))
    assert (verdict.told_by, verdict.score) == ("criterion", 0)
    assert verdict.message
    assert verdict_on(ATTENTION, ATTENTION.reference).faults == ()


def not_scaled_back(query, key, value):
    """Return weights that are half of what they should be."""
    output, weights = ATTENTION.reference(query, key, value)
    return output, weights / 2


class Broken(tuple):
    """A tuple that has no length."""

    def __len__(self):
        raise OSError("no length")


def raises(error):
    """Return a wrong version that raises an error."""

    def wrong(query, key, value):
        raise error

    return wrong


@pytest.mark.parametrize("error", [SystemExit(3), RecursionError(), MemoryError(), StopIteration()], ids=repr)
def test_a_wrong_version_may_raise_anything(monkeypatch, error):
    """It is an answer like any other: recognised in whoever raises the same, and no obstacle for all others."""
    monkeypatch.setattr(Exercise, "mistakes", (Mistake(raises(error), "It ends there."),))
    assert verdict_on(ATTENTION, not_scaled_back).told_by == "relation"
    assert verdict_on(ATTENTION, raises(error)).message.startswith("It ends there.")
    assert told_in_notebook(ATTENTION, raises(error)).said.startswith("not right yet. It ends there.")


def test_a_wrong_version_that_cannot_be_compared_costs_nothing(monkeypatch, expected_faults):
    """Its answers are no data of ours; the mark stands, a relation speaks, and the mistake is named."""
    monkeypatch.setattr(Exercise, "mistakes", (Mistake(lambda *_: Broken(), "Broken."),))
    verdict = verdict_on(ATTENTION, not_scaled_back)
    assert (verdict.told_by, verdict.faults) == ("relation", (Fault("<lambda>", "OSError"),))


def test_a_signature_that_cannot_be_read_costs_nothing(expected_faults):
    """An annotation may be any object, also one that raises when it is looked at."""

    class Odd:
        @property
        def dim_str(self):
            raise RuntimeError

    reference = annotated(tuple)
    reference.__annotations__["query"] = Odd()
    verdict = verdict_on(exercise_of(reference), not_cut)
    assert (verdict.score, verdict.told_by, verdict.faults) == (0, "criterion", (Fault("related", "RuntimeError"),))


def test_a_check_that_fails_ends_in_one_sentence(expected_faults):
    """An answer that cannot be compared, or a record that is damaged, is no traceback of ours, and not right."""
    stored = json.loads(example_entry(ATTENTION))
    found = finding("attention", stored, lambda query, key, value: Broken())
    assert (found.status, found.faults) == ("open", (Fault("finding", "OSError"),))
    assert "OSError" in found.said
    found = finding("attention", {**stored, "cases": [{}]}, ATTENTION.reference)
    assert (found.status, found.faults) == ("open", (Fault("finding", "KeyError"),))
