"""Chapter 7 against ONNX's RotaryEmbedding, plain loops, and the identities that make positions useful."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters import lion
from attention.chapters.context import self_attention
from attention.chapters.position import add_position, positional_encoding, rotary, shift_matrix

widths = st.sampled_from([2, 6, 10, 14])


def test_position_one_by_hand():
    """PE(1) at width 4 is sin 1, cos 1, sin 0.01, cos 0.01; an exponent of i in place of 2i would give 0.0998."""
    np.testing.assert_allclose(positional_encoding(2, 4)[1], [0.8415, 0.5403, 0.0100, 1], atol=5e-5)
    np.testing.assert_array_equal(positional_encoding(2, 4)[0], [0, 1, 0, 1])


@pytest.mark.parametrize("base", [10000, 7.5])
def test_positional_encoding_agrees_with_plain_loops(base):
    """The paper's two formulas, one number at a time."""
    ours = positional_encoding(11, 6, base)
    for p in range(11):
        for i in range(3):
            angle = p / base ** (2 * i / 6)
            assert ours[p, 2 * i] == pytest.approx(math.sin(angle), abs=1e-14)
            assert ours[p, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-14)


def test_similarity_depends_on_distance_alone():
    """At width 4, PE(p) · PE(p + 1) is 1.5403 at position 5 and at position 20."""
    pe = positional_encoding(22, 4)
    assert pe[5] @ pe[6] == pytest.approx(1.5403, abs=5e-5)
    assert pe[20] @ pe[21] == pytest.approx(pe[5] @ pe[6], abs=1e-12)


@given(width=widths, p=st.integers(0, 100), k=st.integers(0, 100))
def test_shift_matrix_moves_any_position_by_k(width, p, k):
    """R_k turns row p into row p + k, its transpose turns it back, and shifts add up."""
    pe, r = positional_encoding(p + k + 1, width), shift_matrix(k, width)
    np.testing.assert_allclose(pe[p] @ r.T, pe[p + k], atol=1e-10)
    np.testing.assert_allclose(pe[p + k] @ r, pe[p], atol=1e-10)
    np.testing.assert_allclose(shift_matrix(1, width) @ r, shift_matrix(k + 1, width), atol=1e-10)


def test_shifting_the_other_way_fails():
    """R_k with its sine's sign swapped would give position p - k."""
    pe = positional_encoding(8, 6)
    np.testing.assert_allclose(pe[5] @ shift_matrix(2, 6), pe[3], atol=1e-12)
    assert np.abs(pe[5] @ shift_matrix(2, 6) - pe[7]).max() > 0.1


def test_add_position_for_any_leading_axes(frozen):
    """Every sentence of every batch gets the same rows added, and x stays as it was."""
    x = frozen(2, 3, 5, 6)
    np.testing.assert_allclose(add_position(x) - x, np.broadcast_to(positional_encoding(5, 6), x.shape), atol=1e-14)


def test_slow_and_hungry_part_ways():
    """Their embeddings are equal, so attention cannot tell them apart until positions are added."""
    plain, placed = self_attention(lion.x), self_attention(add_position(lion.x))
    np.testing.assert_array_equal(plain[1], plain[5])
    assert np.abs(placed[1] - placed[5]).max() > 1e-4


def test_rotary_agrees_with_onnx(oracle, rng):
    """ONNX's RotaryEmbedding, interleaved, turns the same pairs by the same angles."""
    x, positions = rng.normal(size=(2, 3, 5, 14)), np.array([0, 1, 4, 9, 100])
    angles = positions[:, None] * 10000.0 ** (-np.arange(0, 14, 2) / 14)
    caches = [np.stack([f(angles)] * 2) for f in (np.cos, np.sin)]
    (expected,) = oracle("RotaryEmbedding", x, *caches, interleaved=1)
    np.testing.assert_allclose(rotary(x, positions), expected, rtol=0, atol=1e-12)


@given(
    seed=st.integers(0, 2**32 - 1), width=widths, p=st.integers(0, 50), k=st.integers(0, 50), shift=st.integers(0, 50)
)
def test_rotated_scores_depend_on_distance_alone(seed, width, p, k, shift):
    """A query at p and a key at p + k score the same for every p, and no vector changes length."""
    query, key = np.random.default_rng(seed).normal(size=(2, 1, width))
    here = rotary(query, np.array([p])) @ rotary(key, np.array([p + k])).T
    there = rotary(query, np.array([p + shift])) @ rotary(key, np.array([p + k + shift])).T
    np.testing.assert_allclose(here, there, atol=1e-10)
    assert np.linalg.norm(rotary(query, np.array([p]))) == pytest.approx(np.linalg.norm(query))


def test_rotary_turns_an_encoding_as_the_shift_matrix_does():
    """In pairs (cos, sin) the encoding of position 0, turned to p, is the encoding of p."""
    swapped = np.tile([1.0, 0.0], (7, 3))  # (cos 0, sin 0) three times
    pairs = rotary(swapped, np.arange(7)).reshape(7, 3, 2)
    np.testing.assert_allclose(pairs[..., ::-1].reshape(7, 6), positional_encoding(7, 6), atol=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: positional_encoding(5, 7), r"expected an even width, got 7"),
        (lambda: positional_encoding(0, 6), r"expected n as a whole number of at least 1, got 0"),
        (lambda: add_position(np.zeros(6)), r"expected x as \(\.\.\., n, d_model\)"),
        (lambda: add_position(np.zeros((5, 7))), r"expected an even width, got 7"),
        (lambda: shift_matrix(1, 5), r"expected an even width, got 5"),
        (lambda: rotary(np.zeros((5, 6)), np.arange(3)), r"one position for each of 5 tokens, got shape \(3,\)"),
        (lambda: rotary(np.zeros((5, 7)), np.arange(5)), r"expected an even width, got 7"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
