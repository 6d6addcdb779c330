"""The checks of chapter 11: masks always show."""

import numpy as np
import pytest
import scipy.special

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("gradients")


def asked(name, criterion, seed):
    """Return the arguments of each case of one criterion."""
    return {case.label: case.args for what, case in EXERCISES[name].questions(seed) if what == criterion}


def test_every_query_sees_two_keys_and_some_hidden_one():
    """Unseen scores are within ±4, no two of the sizes are equal, and the mask changes the weights of each row."""
    for seed in range(20):
        for query, key, value, mask, _ in asked("attention_gradient", "unseen", seed).values():
            sizes = [*query.shape, len(key), value.shape[1]]
            assert len(set(sizes)) == 4
            assert np.abs(query @ key.T / np.sqrt(query.shape[1])).max() <= 4
            assert (mask.sum(axis=-1) == mask.shape[-1] - 1).all()


def test_a_query_that_sees_nothing_passes_nothing_on():
    """Its row of d_query is 0, and so is what it would have told keys and values."""
    args = asked("attention_gradient", "edges", 3)["a query that may look at nothing"]
    d_query, _, _ = EXERCISES["attention_gradient"].reference(*args)
    np.testing.assert_array_equal(d_query[1], 0)
    assert np.abs(d_query[[0, 2]]).max() > 0.01


def test_who_writes_over_the_arguments_loses_a_share_and_is_told():
    """Right numbers, but the arrays that came in are others afterwards."""
    exercise = EXERCISES["adam_step"]
    verdict = judge(exercise, 3, [reply_of(stepped, case) for _, case in exercise.questions(3)])
    assert 0 < verdict.score < exercise.points
    assert "change" in verdict.message


def stepped(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """Take a step in place."""
    m *= beta1
    m += (1 - beta1) * gradient
    v *= beta2
    v += (1 - beta2) * gradient**2
    parameter -= rate * m / (1 - beta1**step) / (np.sqrt(v / (1 - beta2**step)) + eps)
    return parameter, m, v


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("cross_entropy_gradient", lambda *args: by_onehot(*args)),
        ("attention_gradient", lambda *args: by_jacobian(*args)),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that builds one-hot rows or multiplies by whole Jacobians is as right as the reference."""
    for seed in range(3):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."


def by_onehot(logits, targets, pad):
    """Subtract rows of the identity."""
    real = targets != pad
    slopes = scipy.special.softmax(logits, axis=-1) - np.eye(logits.shape[-1])[targets]
    slopes[~real] = 0
    return slopes / np.count_nonzero(real)


def by_jacobian(query, key, value, mask, gradient):
    """Multiply each row by diag(p) - p pᵀ."""
    scores = np.einsum("...id,...jd->...ij", query, key) / np.sqrt(key.shape[-1])
    powers = np.where(True if mask is None else mask, np.exp(scores), 0)
    total = powers.sum(axis=-1, keepdims=True)
    p = powers / np.where(total == 0, 1, total)
    jacobian = p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])
    d_weights = np.einsum("...id,...jd->...ij", gradient, value)
    d_scores = np.einsum("...ijk,...ij->...ik", jacobian, d_weights) / np.sqrt(key.shape[-1])
    by = {"d_query": ("...ij,...jd->...id", key), "d_key": ("...ij,...id->...jd", query)}
    d_query, d_key = (np.einsum(how, d_scores, other) for how, other in by.values())
    return d_query, d_key, np.einsum("...ij,...id->...jd", p, gradient)
