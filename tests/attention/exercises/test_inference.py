"""The checks of chapter 12: the tree's numbers, languages in which the choice of beams matters, and steps as data."""

import json
import math

import numpy as np
import pytest

from attention.exercises import exercises_of
from autograder.course.examples import plain
from autograder.diagnosis import selfcheck
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of
from autograder.step_table import StepTable

EXERCISES = exercises_of("inference")


def cases(name, seed, kind):
    """Return the cases of one kind that are drawn for a seed."""
    return [case for criterion, case in EXERCISES[name].questions(seed) if criterion == kind]


@pytest.mark.parametrize("seed", range(10))
def test_the_longest_sentence_of_a_beam_is_too_unlikely_for_a_float(seed):
    """Its probability rounds to 0, so that products show."""
    case = next(case for case in cases("beam_search", seed, "edges") if case.label == "three hundred tokens")
    tokens, log_probability = EXERCISES["beam_search"].reference(*case.args)
    assert len(tokens) == 301
    assert math.exp(log_probability) == 0


@pytest.mark.parametrize("seed", range(10))
def test_unseen_sentences_end_and_greedy_misses_them(seed):
    """In each unseen language the beam's sentence ends, and is likelier than greedy's, or is pushed there by others."""
    for case in cases("beam_search", seed, "unseen"):
        step, sos, eos, max_length, _ = case.args
        tokens, _ = EXERCISES["beam_search"].reference(*case.args)
        assert tokens[-1] == eos
        assert tokens != EXERCISES["greedy_decode"].reference(step, sos, eos, max_length)


@pytest.mark.parametrize("seed", [10, 75])
def test_rare_languages_are_looked_for_long_enough(seed):
    """Of these seeds the first 300 languages let other searches find the same: a notebook must not pay for that."""
    drawn = EXERCISES["beam_search"].unseen(np.random.default_rng(seed))
    assert [case.args[4] for case in drawn] == [2, 3, 2]


@pytest.mark.parametrize("name", ["greedy_decode", "sequence_log_probability", "beam_search"])
def test_unseen_logits_stay_within_four(name):
    """Whatever a language says, its logits are between -4 and 4."""
    for case in cases(name, 3, "unseen"):
        assert np.abs(case.args[0].rows).max() <= 4


def test_a_step_survives_the_examples_file():
    """The self-check reads the same function that the release wrote, and an equal one counts as unchanged."""
    for name in ("greedy_decode", "sequence_log_probability", "beam_search"):
        for case in EXERCISES[name].examples:
            step, again = case.args[0], selfcheck.decode(json.loads(json.dumps(plain(case.args[0]))))
            assert isinstance(again, StepTable)
            assert again == step


def by_recursion(step, sos, eos, max_length, width):
    """Search with a beam, written in another way: arrays of totals, and the best picked by argpartition."""

    def further(beams, left):
        if left == 0 or all(tokens[-1] == eos for tokens, _ in beams):
            return max(beams, key=lambda beam: beam[1])
        grown = []
        for tokens, total in beams:
            if tokens[-1] == eos:
                grown.append((tokens, total))
                continue
            logits = np.asarray(step(np.array(tokens)))
            grown += [((*tokens, w), total + p) for w, p in enumerate(logits - np.logaddexp.reduce(logits))]
        best = np.argpartition([-total for _, total in grown], min(width, len(grown)) - 1)[:width]
        return further([grown[place] for place in best], left - 1)

    tokens, total = further([((sos,), 0.0)], max_length)
    return np.array(tokens), np.float64(total)


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("beam_search", by_recursion),
        (
            "sequence_log_probability",
            lambda step, tokens: (
                -sum(np.logaddexp.reduce(step(tokens[:t])) - step(tokens[:t])[tokens[t]] for t in range(1, len(tokens)))
            ),
        ),
        ("length_normalised", lambda total, length, alpha: total * np.exp(-alpha * np.log(length))),
    ],
)
def test_other_right_ways_get_full_marks(name, other_way):
    """Recursion, arrays and other formulas are as right as ours."""
    exercise = EXERCISES[name].worth(1)
    for seed in range(3):
        verdict = judge(exercise, seed, [reply_of(other_way, case) for _, case in exercise.questions(seed)])
        assert verdict.score == 1, verdict


def test_a_sentence_that_was_cut_off_may_be_the_answer():
    """After two tokens the cut-off A x has 0.7 · 0.8 = 0.56, and EOS at once 0.3, which is only the best that ended."""
    exercise, label = EXERCISES["beam_search"], "cut off, and likelier than the finished one"
    (case,) = (case for case in cases("beam_search", 0, "edges") if case.label == label)
    (wrong,) = (mistake.wrong for mistake in exercise.mistakes if mistake.id == "finished_alone_compared")
    for search, said, probability in ((exercise.reference, [0, 2, 4], 0.56), (wrong, [0, 1], 0.3)):
        tokens, log_probability = search(*case.args)
        assert list(tokens) == said
        assert math.exp(log_probability) == pytest.approx(probability)
