"""Chapter 5 against worked numbers, ONNX's Attention, SciPy's entropy and autograd's Jacobian."""

import autograd
import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.context import softmax
from attention.chapters.query_key_value import attention
from attention.chapters.scaling import (
    dot_product_variance,
    entropy,
    scaled_dot_product_attention,
    scaled_scores,
    scaling_factor,
    softmax_jacobian,
)


def test_worked_example_of_chapter_5():
    """Query [2,0,0,0] sees keys 0 and 2 alike, so its output is 20; the second row is 25.3716."""
    query = np.array([[2.0, 0, 0, 0], [1, 1, 1, 1]])
    key = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]])
    value = np.array([[10.0], [20.0], [30.0]])
    output, _ = scaled_dot_product_attention(query, key, value)
    np.testing.assert_allclose(output, [[20.0], [25.3716]], atol=5e-5)
    assert attention(query, key, value)[0][1, 0] == pytest.approx(28.6416, abs=5e-5)  # not scaled
    assert attention(query / 4, key, value)[0][1, 0] == pytest.approx(22.7131, abs=5e-5)  # divided by d_k


def test_scores_are_divided_by_the_width_of_a_key(rng):
    """SciPy's softmax of the scores over √7 gives the weights; n_q, n_k and d_v play no part."""
    query, key, value = rng.normal(size=(2, 5, 7)), rng.normal(size=(2, 3, 7)), rng.normal(size=(2, 3, 11))
    _, weights = scaled_dot_product_attention(query, key, value)
    scores = np.einsum("bic,bjc->bij", query, key)
    np.testing.assert_allclose(weights, scipy.special.softmax(scores / np.sqrt(7), axis=-1), atol=1e-14)


def test_width_one_needs_no_scaling(rng):
    """For d_k = 1 the divisor is 1, so both attentions agree."""
    query, key, value = rng.normal(size=(5, 1)), rng.normal(size=(3, 1)), rng.normal(size=(3, 2))
    np.testing.assert_array_equal(scaled_dot_product_attention(query, key, value)[0], attention(query, key, value)[0])


def test_scaled_attention_agrees_with_onnx(oracle, rng):
    """ONNX's Attention divides by √d_k unless told otherwise."""
    query, key, value = rng.normal(size=(2, 3, 5, 7)), rng.normal(size=(2, 3, 11, 7)), rng.normal(size=(2, 3, 11, 13))
    (expected,) = oracle("Attention", query, key, value)
    np.testing.assert_allclose(scaled_dot_product_attention(query, key, value)[0], expected, rtol=0, atol=1e-10)


def test_scaled_scores_by_hand():
    """Scores 4 and 0 at d_k = 4 become 2 and 0, so softmax gives 0.8808, where unscaled 0.9820."""
    query, key = np.array([[2.0, 0, 0, 0]]), np.array([[2.0, 0, 0, 0], [0, 5, 0, 0]])
    np.testing.assert_allclose(scaled_scores(query, key), [[2, 0]])
    assert softmax(scaled_scores(query, key))[0, 0] == pytest.approx(0.8808, abs=5e-5)
    assert softmax(query @ key.T)[0, 0] == pytest.approx(0.9820, abs=5e-5)


def test_the_notes_geometry():
    """10 and 32 over √2 are 7.07 and 22.63, which softmax turns into 1.7e-7 and 1."""
    scores = scaling_factor(2) * np.array([10.0, 32.0])
    np.testing.assert_allclose(scores, [7.07, 22.63], atol=5e-3)
    np.testing.assert_allclose(softmax(scores), [1.7e-7, 1], rtol=0.05)


@pytest.mark.parametrize(("d", "variance"), [(3, 1.0), (101, 1.0), (7, 2.5)])
def test_dot_product_variance_is_what_sampling_finds(rng, d, variance):
    """The spread of 100,000 dot products is the theory's within 3%; scaling by 1/√d takes d out of it."""
    query, key = rng.normal(scale=np.sqrt(variance), size=(2, 100_000, d))
    products = np.sum(query * key, axis=-1)
    assert dot_product_variance(d, variance) == d * variance * variance
    assert products.var() == pytest.approx(dot_product_variance(d, variance), rel=0.03)
    assert (scaling_factor(d) * products).var() == pytest.approx(variance**2, rel=0.03)


@pytest.mark.parametrize(("scores", "slope"), [([8.0, 0.0], 0.000335), ([1.0, 0.0], 0.1966)])
def test_saturated_softmax_has_no_slope(scores, slope):
    """At scores 8 and 0 the slope p(1 - p) is 586 times smaller than at 1 and 0."""
    jacobian = softmax_jacobian(softmax(np.array(scores)))
    np.testing.assert_allclose(jacobian, [[slope, -slope], [-slope, slope]], rtol=2e-3)


def test_softmax_jacobian_agrees_with_autograd_and_finite_differences(rng):
    """Row by row, the Jacobian is autograd's of softmax, and what moving one score by 1e-6 does."""
    scores = rng.normal(size=(3, 5))
    ours = softmax_jacobian(softmax(scores))
    np.testing.assert_allclose(ours, [autograd.jacobian(softmax)(row) for row in scores], rtol=0, atol=1e-12)
    moved = [softmax(scores + 1e-6 * unit) - softmax(scores - 1e-6 * unit) for unit in np.eye(5)]
    np.testing.assert_allclose(ours, np.stack(moved, axis=-1) / 2e-6, atol=1e-9)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 11))
def test_softmax_jacobian_moves_no_weight_in_total(seed, n):
    """Rows and columns sum to zero: what one weight gains the others lose."""
    jacobian = softmax_jacobian(softmax(np.random.default_rng(seed).normal(size=(2, n))))
    np.testing.assert_allclose(jacobian.sum(axis=-1), 0, atol=1e-12)
    np.testing.assert_array_equal(jacobian, np.swapaxes(jacobian, -1, -2))


def test_entropy_agrees_with_scipy(rng):
    """SciPy's entropy, in nats, is an independent oracle."""
    weights = softmax(rng.normal(size=(2, 5, 7), scale=3))
    np.testing.assert_allclose(entropy(weights), scipy.stats.entropy(weights, axis=-1), rtol=0, atol=1e-12)


def test_entropy_lies_between_zero_and_the_logarithm_of_n():
    """One token alone gives exactly 0, where 0 · ln 0 would be NaN; all alike give ln n."""
    np.testing.assert_allclose(entropy(np.array([[0.0, 1, 0], [1 / 3, 1 / 3, 1 / 3]])), [0, np.log(3)])
    assert not np.signbit(entropy(np.array([0.0, 1.0])))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dot_product_variance(0), r"expected d as a whole number of at least 1, got 0"),
        (lambda: dot_product_variance(3, -1.0), r"expected a variance of at least 0, got -1\.0"),
        (lambda: scaling_factor(0), r"expected d_k as a whole number of at least 1, got 0: pass the width of one key"),
        (lambda: scaled_scores(np.zeros((3, 5)), np.zeros((3, 7))), r"project both with matrices of the same width"),
        (lambda: softmax_jacobian(np.zeros((2, 0))), r"expected p as \(\.\.\., n\)"),
        (lambda: entropy(np.array([-0.5, 1.5])), r"weights of at least 0, got -0\.5: apply softmax"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
