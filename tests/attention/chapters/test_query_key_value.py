"""Chapter 4 against the notes' numbers, plain loops, and what must hold for any input."""

import math

import numpy as np
import pytest
import scipy.special

from attention.chapters import lion
from attention.chapters.query_key_value import (
    attention,
    booster,
    luong_context,
    merged_projection,
    project,
    query_between,
    soft_lookup,
)
from attention.chapters.scaling import scaled_dot_product_attention

A, B = [1.0, 0.0], [0.0, 1.0]
SEQUENCE = np.array([A, A, B, A])


def attention_by_loops(query, key, value):
    """Attention for one sentence, one number at a time, with SciPy's softmax."""
    n_q, n_k, d_v = len(query), len(key), value.shape[-1]
    output, weights = np.zeros((n_q, d_v)), np.zeros((n_q, n_k))
    for i in range(n_q):
        scores = [sum(query[i, c] * key[j, c] for c in range(query.shape[-1])) for j in range(n_k)]
        weights[i] = scipy.special.softmax(scores)
        for j in range(n_k):
            for c in range(d_v):
                output[i, c] += weights[i, j] * value[j, c]
    return output, weights


def test_soft_lookup_gives_note_4s_numbers():
    """With base 3 the weights are 1/6, 1/6, 1/2, 1/6 and the output is one half each."""
    output, weights = soft_lookup(np.array(B), SEQUENCE, SEQUENCE, base=3)
    np.testing.assert_allclose(weights, [1 / 6, 1 / 6, 1 / 2, 1 / 6])
    np.testing.assert_allclose(output, [1 / 2, 1 / 2])


def test_soft_lookup_with_the_true_e_and_the_booster():
    """With e the B weighs 0.4754; ten times the score makes it 0.9999."""
    _, weights = soft_lookup(np.array(B), SEQUENCE, SEQUENCE)
    assert weights[2] == pytest.approx(0.4754, abs=5e-5)
    _, boosted = soft_lookup(10 * np.array(B), SEQUENCE, SEQUENCE)
    assert boosted[2] == pytest.approx(0.9999, abs=5e-5)


def test_soft_lookup_survives_large_scores():
    """A score of 5000 takes all the weight; nothing overflows."""
    output, weights = soft_lookup(np.array([0.0, 5000.0]), SEQUENCE, SEQUENCE, base=7)
    np.testing.assert_array_equal(weights, [0, 0, 1, 0])
    np.testing.assert_array_equal(output, B)


@pytest.mark.parametrize("n", [2, 5, 101])
@pytest.mark.parametrize("target", [0.02, 0.5, 0.9999])
def test_booster_reaches_its_target(n, target):
    """Put back into softmax, the booster gives the match the weight that was asked for."""
    beta = booster(n, target)
    assert math.exp(beta) / (math.exp(beta) + n - 1) == pytest.approx(target, rel=1e-12)


def test_project_gives_the_lions_rows():
    """Rows by hand: lion is [0, 1, 3, 0, …], so its query is W_Q's second row plus three times its third."""
    query, key, value = project(lion.x, lion.w_q, lion.w_k, lion.w_v)
    assert (query.shape, key.shape, value.shape) == ((11, 3), (11, 3), (11, 2))
    np.testing.assert_array_equal(query[2], [1, 6, 0])
    np.testing.assert_array_equal(key[2], [8, 0, 0])
    np.testing.assert_array_equal(value[2], [4, 0])


def test_hungry_looks_at_the_lion():
    """The note divides by √3 and hungry gives lion 0.883; slow has the same embedding and so the same row."""
    query, key, value = project(lion.x, lion.w_q, lion.w_k, lion.w_v)
    _, weights = scaled_dot_product_attention(query, key, value)
    assert weights[1, 2] == pytest.approx(0.883, abs=5e-4)
    np.testing.assert_array_equal(weights[1], weights[5])


def test_attention_agrees_with_plain_loops(rng):
    """Loops over every number, with SciPy's softmax, give the same output and weights."""
    query, key, value = rng.normal(size=(5, 7)), rng.normal(size=(3, 7)), rng.normal(size=(3, 2))
    for ours, loops in zip(attention(query, key, value), attention_by_loops(query, key, value), strict=True):
        np.testing.assert_allclose(ours, loops, atol=1e-12)


def test_attention_treats_leading_axes_one_by_one(rng):
    """A batch with heads gives each sentence what it would get alone."""
    query, key, value = rng.normal(size=(2, 3, 5, 11)), rng.normal(size=(2, 3, 7, 11)), rng.normal(size=(2, 3, 7, 13))
    output, weights = attention(query, key, value)
    assert (output.shape, weights.shape) == ((2, 3, 5, 13), (2, 3, 5, 7))
    for index in np.ndindex(2, 3):
        expected, _ = attention_by_loops(query[index], key[index], value[index])
        np.testing.assert_allclose(output[index], expected, atol=1e-12)


def test_attention_rows_sum_to_one_and_outputs_stay_among_the_values(rng):
    """Each output is between the smallest and the largest value of its column."""
    query, key, value = rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), rng.normal(size=(7, 2))
    output, weights = attention(query, key, value)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)
    assert (output <= value.max(axis=0) + 1e-12).all()
    assert (output >= value.min(axis=0) - 1e-12).all()


def test_attention_does_not_notice_the_order_of_keys(rng):
    """Reordering keys with their values changes no output."""
    query, key, value = rng.normal(size=(3, 5)), rng.normal(size=(7, 5)), rng.normal(size=(7, 2))
    order = rng.permutation(7)
    np.testing.assert_allclose(
        attention(query, key[order], value[order])[0], attention(query, key, value)[0], atol=1e-12
    )


def test_merged_projection_gives_the_same_scores(rng):
    """x W xᵀ equals (x w_q)(x w_k)ᵀ for any x."""
    x, w_q, w_k = rng.normal(size=(5, 7)), rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
    np.testing.assert_allclose(x @ merged_projection(w_q, w_k) @ x.T, (x @ w_q) @ (x @ w_k).T, atol=1e-12)


def test_luong_context_by_hand():
    """Scores 1, 2 and -1 give the weights e, e², e⁻¹ over their sum."""
    states = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]])
    context, alpha = luong_context(np.array([1.0, 2.0]), states)
    powers = np.array([math.e, math.e**2, 1 / math.e])
    np.testing.assert_allclose(alpha, powers / powers.sum(), rtol=1e-14)
    np.testing.assert_allclose(context, [(alpha[0] + alpha[2]), (alpha[1] - alpha[2])], rtol=1e-14)


def test_query_between_looks_at_both(rng):
    """Two of four orthonormal keys get 0.49 or more each; half the sum of the keys gives only 0.3112."""
    keys = np.linalg.qr(rng.normal(size=(7, 7)))[0][:4]
    weights = scipy.special.softmax(keys @ query_between(keys, 3, 1))
    assert weights[[1, 3]].min() >= 0.49
    short = scipy.special.softmax(keys @ (keys[1] + keys[3]) / 2)
    assert short[1] == pytest.approx(0.3112, abs=5e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: soft_lookup(np.zeros(2), np.zeros((3, 2)), np.zeros((5, 2))),
            r"axis -2 of keys .* got shapes \(3, 2\) and \(5, 2\)",
        ),
        (lambda: soft_lookup(np.zeros(2), np.zeros((3, 5)), np.zeros((3, 2))), r"axis -1 of keys .* number by number"),
        (lambda: soft_lookup(np.zeros((1, 2)), np.zeros((3, 2)), np.zeros((3, 2))), r"expected query as \(d_k,\)"),
        (
            lambda: soft_lookup(np.zeros(2), np.zeros((0, 2)), np.zeros((0, 2))),
            r"expected keys as \(n, d_k\), each at least 1",
        ),
        (
            lambda: soft_lookup(np.zeros(2), np.zeros((3, 2)), np.zeros((3, 2)), base=0),
            r"expected a base above 0, got 0",
        ),
        (lambda: booster(1, 0.5), r"at least 2 tokens, got n = 1"),
        (lambda: booster(5, 1.0), r"target between 0 and 1, got 1\.0"),
        (lambda: project(np.zeros((5, 7)), np.zeros((7, 3)), np.zeros((5, 3)), np.zeros((7, 2))), r"axis -2 of w_k"),
        (
            lambda: attention(np.zeros((3, 5)), np.zeros((7, 2)), np.zeros((7, 2))),
            r"project both with matrices of the same width",
        ),
        (lambda: attention(np.zeros((3, 5)), np.zeros((7, 5)), np.zeros((2, 2))), r"each key needs one value"),
        (lambda: attention(np.zeros((3, 5)), np.zeros((0, 5)), np.zeros((0, 2))), r"expected at least one score"),
        (lambda: merged_projection(np.zeros((7, 3)), np.zeros((7, 2))), r"a query is compared with a key"),
        (lambda: luong_context(np.zeros(3), np.zeros((5, 2))), r"networks of one width"),
        (lambda: query_between(np.eye(4), 2, 2), r"two different keys, got a = b = 2"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
