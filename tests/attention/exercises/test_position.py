"""The checks of chapter 7: the cases are what they promise."""

import numpy as np
import pytest

from attention.chapters.position import positional_encoding
from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("position")


def score(name, function, seed):
    """Return what a function gets for one seed."""
    questions = EXERCISES[name].questions(seed)
    return judge(EXERCISES[name], seed, [reply_of(function, case) for _, case in questions]).score


@pytest.mark.parametrize("name", EXERCISES)
def test_sizes_are_unequal_and_widths_even(name):
    """Tokens are as many as a prime, widths are even and no token count equals one: an exchanged axis shows."""
    for seed in range(5):
        for criterion, case in EXERCISES[name].questions(seed):
            if criterion == "unseen" and name != "shift_matrix":
                n, width = case.args[0].shape[-2:] if hasattr(case.args[0], "shape") else case.args[:2]
                assert (n != width, n % 2, width % 2) == (True, 1, 0)


def test_positions_are_small_enough_for_single_precision():
    """No angle exceeds 30 radians, which float32 holds to 0.000002: honest single precision passes."""
    for seed in range(20):
        for name in EXERCISES:
            for _, case in EXERCISES[name].questions(seed):
                largest = {"rotary": lambda args: args[1].max(), "add_position": lambda args: args[0].shape[-2]}
                assert abs(largest.get(name, lambda args: args[0])(case.args)) <= 30


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("positional_encoding", lambda n, d_model, base=10000: encoding_by_complex_numbers(n, d_model, base)),
        ("shift_matrix", lambda k, d_model, base=10000: shift_by_least_squares(k, d_model, base)),
        ("rotary", lambda x, positions, base=10000: rotary_by_complex_numbers(x, positions, base)),
        ("add_position", lambda x: x + positional_encoding(40, x.shape[-1])[: x.shape[-2]]),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that uses complex numbers, fits the matrix to the table or cuts a long one is as right as the reference."""
    for seed in range(5):
        assert score(name, other_way, seed) == EXERCISES[name].points


def encoding_by_complex_numbers(n, d_model, base):
    """Return the parts of e^(ipω): the imaginary one is the sine."""
    hands = np.exp(1j * np.outer(np.arange(n), base ** (-np.arange(0, d_model, 2) / d_model)))
    return np.stack([hands.imag, hands.real], axis=-1).reshape(n, d_model)


def shift_by_least_squares(k, d_model, base):
    """Return the matrix that fits pairs of rows k apart; one clock at a time, so that the fit is well determined."""
    r = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        speed = base ** (-i / d_model)
        here, there = (np.stack([np.sin(a), np.cos(a)], axis=-1) for a in ([0, 1.5], [k * speed, 1.5 + k * speed]))
        r[i : i + 2, i : i + 2] = np.linalg.solve(here, there).T
    return r


def rotary_by_complex_numbers(x, positions, base):
    """Multiply a + ib by e^(ipω)."""
    hands = np.exp(1j * np.outer(positions, base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])))
    turned = (x[..., 0::2] + 1j * x[..., 1::2]) * hands
    return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape)
