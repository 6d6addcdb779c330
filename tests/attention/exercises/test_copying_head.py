"""The exercise ``copying_head``: which models it asks, that heads are renumbered, and that other right ways pass."""

import numpy as np
import pytest

from attention.exercises import exercises_of
from attention.exercises.gpt.copying_head import HIDDEN, MODELS, SHOWN, looks_of, renumbered
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISE = exercises_of("gpt")["copying_head"]


def cases(seed, kind):
    """Return the cases of one kind that are drawn for a seed."""
    return [case for criterion, case in EXERCISE.questions(seed) if criterion == kind]


def by_largest_weight(weights, tokens):
    """Count the rows whose largest weight, the token itself aside, is on a follower; return a list of NumPy's numbers."""
    weights = np.array(weights)
    counts = np.zeros(weights.shape[:2])
    for layer, head, t in np.ndindex(weights.shape[:3]):
        earlier = [s + 1 for s in range(t) if tokens[s] == tokens[t]]
        if earlier:
            counts[layer, head] += weights[layer, head, t].argmax() in earlier
    return list(np.argwhere(counts == counts.max())[0])


def by_what_stands_there(weights, tokens):
    """Add up the weights on each place in front of which the row's own symbol stands."""
    follows = np.zeros((len(tokens), len(tokens)))
    follows[:, 1:] = tokens[:, None] == tokens[:-1]
    totals = np.einsum("lhts,ts->lh", weights, np.tril(follows))
    return divmod(totals.argmax(), weights.shape[1])


@pytest.mark.parametrize("other_way", [by_largest_weight, by_what_stands_there])
def test_another_right_way_gets_full_marks(other_way):
    """No limit between two measures that anybody would choose decides."""
    for seed in range(5):
        verdict = judge(EXERCISE, seed, [reply_of(other_way, case) for _, case in EXERCISE.questions(seed)])
        assert verdict.message == "Right."


@pytest.mark.parametrize("guess", [(1, 0), (1, 1), (1, 2), (1, 3)])
def test_no_head_is_right_for_every_model(guess):
    """Who always names the same head is wrong for one at least."""
    for seed in range(20):
        right = [EXERCISE.reference(*case.args) for case in cases(seed, "unseen")]
        assert len(right) == 6
        assert right.count(guess) < 6


def test_every_grading_asks_models_of_every_size_and_none_that_is_shown():
    """Six different models, with two, three and four heads; the notebook and the worked examples show two others."""
    assert not {look.model for look in HIDDEN} & set(SHOWN)
    for seed in range(20):
        weights = [case.args[0] for case in cases(seed, "unseen")]
        assert {one.shape[:2] for one in weights} == {(2, 2), (2, 3), (2, 4)}
        assert len({np.sort(one.sum(axis=(-2, -1)).ravel()).tobytes() for one in weights}) == 6


def test_heads_are_renumbered_within_their_layers(rng):
    """The copying head comes under every number, and stays in its layer; which symbols are alike stays as it was."""
    look = looks_of(next(number for number, model in enumerate(MODELS) if model["h"] == 4))[0]
    heads = set()
    for _ in range(40):
        weights, tokens = renumbered(rng, look)
        assert np.array_equal(tokens[:, None] == tokens, look.args[1][:, None] == look.args[1])
        layer, head = EXERCISE.reference(weights, tokens)
        assert layer == EXERCISE.reference(*look.args)[0]
        heads.add(head)
    assert heads == {0, 1, 2, 3}


def test_a_mistake_is_told_on_the_first_example_by_a_head_of_its_own():
    """Eight heads by hand do one thing each: nearly every listed mistake names another of them."""
    example = EXERCISE.examples[0]
    named = {mistake.id: str(mistake.wrong(*example.args)) for mistake in EXERCISE.mistakes}
    of_five = ("first_occurrence_only", "latest_occurrence_only")
    others = [answer for name, answer in named.items() if name not in (*of_five, "least_weight")]
    assert len(set(others)) == len(others)
