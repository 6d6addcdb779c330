"""The checks of chapter 7: wrong answers give the numbers that the course names, and what the cases promise."""

import numpy as np
import pytest

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge, reply_of
from attention.chapters.position import positional_encoding, shift_matrix

EXERCISES = exercises_of("position")


def score(name, function, seed):
    """Return what a function gets for one seed."""
    questions = EXERCISES[name].questions(seed)
    return judge(EXERCISES[name], seed, [reply_of(function, case) for _, case in questions]).score


@pytest.mark.parametrize(
    ("mistake", "row"),
    [
        ("exponent_half_as_large", [0.8415, 0.5403, 0.0998, 0.9950]),
        ("sines_then_cosines", [0.8415, 0.0100, 0.5403, 1.0]),
        ("cosine_first", [0.5403, 0.8415, 1.0, 0.0100]),
        ("counted_from_one", [0.9093, -0.4161, 0.0200, 0.9998]),
        ("one_speed_for_all", [0.8415, 0.5403, 0.8415, 0.5403]),
    ],
)
def test_each_wrong_encoding_has_its_row(wrong_answer, mistake, row):
    """Position 1 of four numbers is 0.8415, 0.5403, 0.0100, 1; these are what people get instead."""
    np.testing.assert_allclose(wrong_answer("positional_encoding", mistake)[1], row, atol=5e-5)


def test_the_turn_with_the_other_sign_leads_back(wrong_answer):
    """The matrix of most books takes position 5 to position 4."""
    pe = positional_encoding(7, 4)
    np.testing.assert_allclose(pe[5] @ wrong_answer("shift_matrix", "turned_back").T, pe[4], atol=1e-12)
    np.testing.assert_allclose(pe[5] @ shift_matrix(1, 4).T, pe[6], atol=1e-12)


def test_a_turn_keeps_lengths_and_two_listed_mistakes_do_not(wrong_answer):
    """Both plus, or k outside of the sine: rows change their length."""
    for name in ("minus_missing", "stretched_by_k"):
        matrix = wrong_answer("shift_matrix", name, example=1)
        assert not np.allclose(matrix @ matrix.T, np.eye(4))


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


def test_turning_queries_and_keys_the_other_way_keeps_scores_and_no_points(wrong_answer):
    """The scores of the wrong turn are right, as its message says; its vectors are not."""
    case = EXERCISES["rotary"].examples[0]
    here, back = EXERCISES["rotary"].reference(*case.args), wrong_answer("rotary", "turned_the_other_way")
    x = case.args[0]
    lengths = np.linalg.norm(x, axis=-1)
    np.testing.assert_allclose(np.linalg.norm(here, axis=-1), lengths)
    np.testing.assert_allclose(np.linalg.norm(back, axis=-1), lengths)
    assert not np.allclose(here, back)
