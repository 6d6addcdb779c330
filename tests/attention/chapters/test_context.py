"""Chapter 3 against SciPy's softmax, the notes' tables, and what must hold for any tokens."""

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.context import mix, self_attention, similarity_scores, softmax, strongest_neighbour

MONEY_BANK_GROWS = np.array([[0.7, 0.2, 0.1], [0.25, 0.7, 0.05], [0.1, 0.2, 0.7]])  # Note 2
TOKENS = np.array([[2.0, 0], [1, 1], [0, 2]])
seeds = st.integers(0, 2**32 - 1)


def test_softmax_agrees_with_scipy_along_every_axis(rng):
    """SciPy's softmax is an independent oracle for any axis."""
    scores = rng.normal(size=(2, 3, 5), scale=4)
    for axis in (0, 1, 2, -1):
        np.testing.assert_allclose(softmax(scores, axis), scipy.special.softmax(scores, axis), rtol=0, atol=1e-15)


def test_softmax_of_note_4_is_done_by_hand():
    """With scores 0, 0, 1, 0 the weights are 1, 1, e, 1 over 3 + e."""
    expected = np.array([1, 1, np.e, 1]) / (3 + np.e)
    np.testing.assert_allclose(softmax(np.array([0.0, 0, 1, 0])), expected, rtol=1e-15)


@pytest.mark.parametrize("shift", [-1e4, -700.0, 700.0, 1e4])
def test_softmax_does_not_notice_a_shift(rng, shift):
    """Adding one number to all scores changes no weight, even where exp alone would overflow."""
    scores = rng.normal(size=(5, 7))
    np.testing.assert_allclose(softmax(scores + shift), softmax(scores), atol=1e-11)


def test_naive_softmax_fails_where_ours_holds():
    """The plain formula gives NaN at a score of 1000; ours gives 1."""
    scores = np.array([1000.0, 0.0])
    with np.errstate(over="ignore", invalid="ignore"):
        naive = np.exp(scores) / np.exp(scores).sum()
    assert np.isnan(naive).any()
    np.testing.assert_array_equal(softmax(scores), [1.0, 0.0])


def test_a_row_that_may_see_nothing_gets_zeros():
    """Scores of -inf get weight 0; a row of nothing else is zeros and not NaN."""
    scores = np.array([[-np.inf, -np.inf, -np.inf], [0.0, -np.inf, 0.0]])
    np.testing.assert_array_equal(softmax(scores), [[0, 0, 0], [0.5, 0, 0.5]])


def test_nan_stays_in_its_row(rng):
    """A NaN spoils the row that holds it and no other."""
    scores = rng.normal(size=(3, 5))
    scores[1, 2] = np.nan
    bad = np.isnan(softmax(scores)).all(axis=-1)
    np.testing.assert_array_equal(bad, [False, True, False])


@pytest.mark.parametrize("scores", [np.zeros((3, 0)), np.float64(1.0)])
def test_nothing_to_share_among_is_an_error(unchecked, scores):
    """An empty axis, or no axis, is a ValueError that says what was expected."""
    with pytest.raises(ValueError, match=r"expected at least one score along axis -1, got shape"):
        softmax(scores)


@given(seed=seeds, shift=st.floats(-1e4, 1e4), size=st.sampled_from([1.0, 1e2, 1e4]))
def test_rows_of_softmax_sum_to_one(seed, shift, size):
    """Weights are finite, between 0 and 1, and share out exactly one, for scores up to ±2e4."""
    weights = softmax(size * np.random.default_rng(seed).uniform(-1, 1, (3, 7)) + shift)
    assert ((weights >= 0) & (weights <= 1)).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_has_the_slope_that_autograd_finds_for_its_formula(rng, axis):
    """The derivative that softmax brings along equals that of exp over sum."""
    scores, pull = rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 5, 3))

    def by_formula(s):
        return anp.sum(pull * anp.exp(s) / anp.sum(anp.exp(s), axis=axis, keepdims=True))

    ours = autograd.grad(lambda s: anp.sum(pull * softmax(s, axis)))(scores)
    np.testing.assert_allclose(ours, autograd.grad(by_formula)(scores), rtol=0, atol=1e-12)


def test_softmax_leaves_its_argument_alone(frozen):
    """It works in a new array, so read-only scores are fine."""
    assert softmax(frozen(3, 5)).shape == (3, 5)


def test_bank_becomes_a_mixture():
    """Note 2's rows: with one-hot words, the new bank is its own row of weights."""
    np.testing.assert_array_equal(mix(MONEY_BANK_GROWS, np.eye(3)), MONEY_BANK_GROWS)
    bank = mix(MONEY_BANK_GROWS, np.array([[1.0, 0], [2, 2], [0, 4]]))[1]
    np.testing.assert_allclose(bank, [0.25 * 1 + 0.7 * 2, 0.7 * 2 + 0.05 * 4])


def test_mix_agrees_with_numpys_weighted_average(rng):
    """Each row that sums to one is np.average with that row as weights."""
    weights, x = softmax(rng.normal(size=(5, 3))), rng.normal(size=(3, 7))
    expected = [np.average(x, axis=0, weights=row) for row in weights]
    np.testing.assert_allclose(mix(weights, x), expected, atol=1e-12)


def test_a_weight_of_zero_takes_nothing_not_even_nan():
    """NaN and inf reach the rows that give their token weight, in their own column, and no other."""
    x = np.array([[1.0, 2], [np.nan, 3], [4, np.inf]])
    out = mix(np.array([[1.0, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]), x)
    np.testing.assert_array_equal(out, [[1, 2], [np.nan, 2.5], [4, np.inf]])


def test_self_attention_by_hand():
    """[2,0] scores 4, 2, 0 and becomes [1.8509, 0.1491]; without softmax it would be [10, 2]."""
    np.testing.assert_array_equal(similarity_scores(TOKENS), [[4, 2, 0], [2, 2, 2], [0, 2, 4]])
    np.testing.assert_allclose(self_attention(TOKENS)[0], [1.8509, 0.1491], atol=5e-5)
    np.testing.assert_array_equal((similarity_scores(TOKENS) @ TOKENS)[0], [10, 2])


def test_self_attention_agrees_with_onnx(oracle, rng):
    """ONNX's Attention, its scale set to 1, with every token as query, key and value."""
    x = rng.normal(size=(2, 3, 5, 7))
    (expected,) = oracle("Attention", x, x, x, scale=1.0)
    np.testing.assert_allclose(self_attention(x), expected, rtol=0, atol=1e-10)


@given(seeds)
def test_self_attention_is_equivariant(seed):
    """Tokens in another order give the same outputs in that order: equivariant, not invariant."""
    rng = np.random.default_rng(seed)
    x, order = rng.normal(size=(5, 3)), rng.permutation(5)
    np.testing.assert_allclose(self_attention(x[order]), self_attention(x)[order], atol=1e-12)


def test_a_token_need_not_attend_most_to_itself():
    """[1,0] gives 0.8808 to [3,0] and 0.1192 to itself."""
    x = np.array([[1.0, 0], [3, 0]])
    np.testing.assert_array_equal(strongest_neighbour(x), [1, 1])
    np.testing.assert_allclose(softmax(similarity_scores(x))[0], [0.1192, 0.8808], atol=5e-5)


@given(seeds)
def test_tokens_of_one_length_attend_most_to_themselves(seed):
    """Among vectors of length one, nothing is more similar to a token than itself."""
    x = np.random.default_rng(seed).normal(size=(2, 5, 3))
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    np.testing.assert_array_equal(strongest_neighbour(x), np.tile(np.arange(5), (2, 1)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mix(np.eye(3), np.zeros((5, 2))), r"each token needs one weight in every row"),
        (lambda: similarity_scores(np.zeros(3)), r"expected x as \(\.\.\., n, d\)"),
        (lambda: self_attention(np.zeros((0, 2))), r"each at least 1, got shape \(0, 2\)"),
        (lambda: strongest_neighbour(np.zeros((2, 0))), r"got shape \(2, 0\)"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
