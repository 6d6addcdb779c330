"""The checks of chapter 5: a wrong scale always shows."""

import numpy as np
import pytest
import scipy  # its parts are loaded when one is used

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("scaling")


def unseen(name, seed):
    """Return the arguments of each unseen case of one seed."""
    return [case.args for criterion, case in EXERCISES[name].questions(seed) if criterion == "unseen"]


@pytest.mark.parametrize("name", ["scaled_scores", "scaled_dot_product_attention"])
def test_unseen_scores_stay_where_softmax_is_alive_and_the_scale_shows(name):
    """Scaled scores are within ±4, and leaving out the scale changes some weight by 0.01 or more."""
    for seed in range(20):
        for query, key, *_ in unseen(name, seed):
            scores = query @ key.T
            scaled = scores / np.sqrt(query.shape[1])
            assert np.abs(scaled).max() <= 4
            moved = scipy.special.softmax(scores, axis=-1) - scipy.special.softmax(scaled, axis=-1)
            assert np.abs(moved).max() >= 0.01


@pytest.mark.parametrize("name", ["scaled_scores", "scaled_dot_product_attention"])
def test_unseen_sizes_are_all_different(name):
    """No two of n_q, n_k, d_k and d_v are equal, so that a scale taken from the wrong one shows."""
    for query, key, *value in unseen(name, 0):
        sizes = [len(query), *key.shape, *(array.shape[1] for array in value)]
        assert len(set(sizes)) == len(sizes)


def test_large_scores_overflow_even_when_they_are_scaled():
    """In every row of the edge case, exp of some scaled score is inf: dividing by √d_k is no remedy for that."""
    for seed in range(20):
        query, key, _ = case_at("scaled_dot_product_attention", "scores of a thousand", seed)
        with np.errstate(over="ignore"):
            powers = np.exp(query @ key.T / np.sqrt(query.shape[1]))
        assert np.isinf(powers).any(axis=-1).all()


def test_a_loud_query_silences_the_others_where_one_maximum_serves_all():
    """Less the largest score of all rows, every exp of the other rows is 0."""
    for seed in range(20):
        query, key, _ = case_at("scaled_dot_product_attention", "one loud query", seed)
        scores = query @ key.T / np.sqrt(query.shape[1])
        assert (np.exp(scores - scores.max())[1:] == 0).all()


def case_at(name, label, seed):
    """Return the arguments of the edge case with this label."""
    return next(case.args for _, case in EXERCISES[name].questions(seed) if case.label == label)


def test_rows_of_weights_are_rows_of_weights():
    """What the Jacobian and the entropy are asked about is positive and sums to one, with zeros at the edges only."""
    for name in ("softmax_jacobian", "entropy"):
        for criterion, case in EXERCISES[name].questions(3):
            (weights,) = case.args
            np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)
            assert (weights >= 0).all()
            assert criterion != "unseen" or weights.min() > 0.001


@pytest.mark.parametrize(("epsilon", "score"), [(1e-12, 1.0), (1e-9, 1.0), (1e-6, 0.0)])
def test_a_small_number_inside_the_logarithm_may_be_tiny(epsilon, score):
    """A billionth added to each weight stays below the tolerance, even for a row of entropy 0; a millionth does not."""

    def with_epsilon(weights):
        return -np.sum(weights * np.log(weights + epsilon), axis=-1)

    questions = EXERCISES["entropy"].questions(3)
    assert judge(EXERCISES["entropy"], 3, [reply_of(with_epsilon, case) for _, case in questions]).score == score


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("scaled_scores", lambda query, key: np.einsum("...id,...jd->...ij", query, key) * key.shape[-1] ** -0.5),
        ("softmax_jacobian", lambda p: np.apply_along_axis(lambda row: np.diag(row) - np.outer(row, row), -1, p)),
        ("entropy", lambda weights: scipy.stats.entropy(weights, axis=-1)),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that scales the product, stacks row by row or calls SciPy is as right as the reference."""
    for seed in range(5):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."
