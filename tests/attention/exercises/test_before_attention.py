"""The checks of chapter 1: the inputs bring every mistake out."""

import numpy as np
import pytest
import scipy  # its parts are loaded when one is used

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("before_attention")
SEEDS = range(20)


def cases(name, criterion, seed):
    """Return the cases of one criterion, by their labels."""
    return {case.label: case for asked, case in EXERCISES[name].questions(seed) if asked == criterion}


@pytest.mark.parametrize("seed", SEEDS)
def test_tanh_stays_alive(seed):
    """In unseen sentences, the slope of tanh is above 0.2 at most states, so a slip there shows."""
    for case in cases("rnn", "unseen", seed).values():
        h, _ = EXERCISES["rnn"].reference(*case.args, **case.kwargs)
        assert np.mean(1 - h**2 > 0.2) > 0.6


@pytest.mark.parametrize("seed", SEEDS)
def test_gradients_do_not_vanish_unseen(seed):
    """The largest slope of every unseen product is far from what rounding would hide."""
    for case in cases("gradient_through_time", "unseen", seed).values():
        assert np.abs(EXERCISES["gradient_through_time"].reference(*case.args)).max() > 1e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_fifty_states_of_zero_explode(seed):
    """At that edge the gradient is the radius to the power of 50, between 11 and 1100."""
    w_hh, h = cases("gradient_through_time", "edges", seed)["fifty states of 0"].args
    gradient = EXERCISES["gradient_through_time"].reference(w_hh, h).item()
    assert gradient == pytest.approx(w_hh.item() ** 50)
    assert 11 < gradient < 1100


def correlated(x, kernel, padding="valid"):
    """SciPy's correlation, row by row, cut to the windows that are asked for."""
    n, k = x.shape[-1], len(kernel)
    if padding not in ("valid", "same") or (padding == "valid" and k > n):
        raise ValueError
    full = np.apply_along_axis(lambda row: scipy.signal.correlate(row, kernel, "full"), -1, x)
    return full[..., k // 2 : k // 2 + n] if padding == "same" else full[..., k - 1 : n]


def sigmoid_or_softmax(logits):
    """SciPy's two functions."""
    if logits.shape[-1] > 1:
        return scipy.special.softmax(logits, axis=-1)
    return np.concatenate([scipy.special.expit(-logits), scipy.special.expit(logits)], axis=-1)


def power_by_multi_dot(w_hh, h):
    """The product of the steps, from the last to the first, by einsum."""
    steps = (1 - h**2)[..., :, None] * w_hh.T
    product = steps[..., -1, :, :]
    for t in range(h.shape[-2] - 2, -1, -1):
        product = np.einsum("...ij,...jk->...ik", product, steps[..., t, :, :])
    return product


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("conv1d", correlated),
        ("receptive_field", lambda k, layers, dilation=1: layers * (k - 1) * dilation + 1),
        ("gradient_through_time", power_by_multi_dot),
        ("class_probabilities", sigmoid_or_softmax),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that calls SciPy or multiplies from the other end is as right as the reference."""
    for seed in range(5):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."
