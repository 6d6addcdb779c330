"""Chapter 8 against ONNX's LayerNormalization and Attention, and what a norm must not notice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.layer_norm import ENCODER_LAYER, add_and_norm, encoder_layer, feed_forward, layer_norm

ROW, ONES, ZEROS = np.array([[1.0, 2, 3, 4]]), np.ones(4), np.zeros(4)
SIZES = {"d_model": 6, "d_ff": 11}
seeds = st.integers(0, 2**32 - 1)


def parameters_of(rng):
    """Draw every parameter of an encoder layer, the γ and β too."""
    return {name: rng.normal(size=[SIZES[axis] for axis in axes]) for name, axes in ENCODER_LAYER.items()}


def test_layer_norm_by_hand():
    """1, 2, 3, 4 become ∓1.3416 and ∓0.4472; ddof=1 would give -1.1619 and dividing by the variance -1.2."""
    np.testing.assert_allclose(layer_norm(ROW, ONES, ZEROS)[0], [-1.3416, -0.4472, 0.4472, 1.3416], atol=5e-5)


def test_epsilon_stands_inside_the_root():
    """With ε = 0.1 the first number is -1.2910; outside of the root it would be -1.2315."""
    assert layer_norm(ROW, ONES, ZEROS, eps=0.1)[0, 0] == pytest.approx(-1.2910, abs=5e-5)


def test_layer_norm_agrees_with_onnx(oracle, rng):
    """ONNX's LayerNormalization over the last axis is an independent oracle."""
    x, gamma, beta = rng.normal(size=(2, 5, 7)), rng.normal(size=7), rng.normal(size=7)
    (expected,) = oracle("LayerNormalization", x, gamma, beta, axis=-1, epsilon=0.125)
    np.testing.assert_allclose(layer_norm(x, gamma, beta, eps=0.125), expected, rtol=0, atol=1e-12)


@given(seed=seeds, stretch=st.floats(0.1, 100), shift=st.floats(-100, 100))
def test_layer_norm_does_not_notice_shift_or_stretch(seed, stretch, shift):
    """Moving a token along (1, …, 1), or stretching it, changes nothing when ε is 0."""
    x = np.random.default_rng(seed).normal(size=(3, 7))
    out = layer_norm(x, np.ones(7), np.zeros(7), eps=0)
    np.testing.assert_allclose(layer_norm(stretch * x + shift, np.ones(7), np.zeros(7), eps=0), out, atol=1e-9)
    np.testing.assert_allclose(out.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(out.var(axis=-1), 1, atol=1e-12)


def test_tokens_are_normalised_one_by_one(rng):
    """NaN in one token, or a token of equal numbers, leaves all others as they were."""
    x = rng.normal(size=(5, 4))
    spoilt = x.copy()
    spoilt[1, 2], spoilt[3] = np.nan, 7.0
    out = layer_norm(spoilt, ONES, ZEROS)
    np.testing.assert_array_equal(out[[0, 2, 4]], layer_norm(x, ONES, ZEROS)[[0, 2, 4]])
    assert np.isnan(out[1]).all()
    np.testing.assert_array_equal(out[3], 0)


def test_add_and_norm_by_hand():
    """[1,2,3,4] + [3,0,0,1] is [4,2,3,5]; adding after the norm would begin with 1.6584."""
    out = add_and_norm(ROW, np.array([[3.0, 0, 0, 1]]), ONES, ZEROS)
    np.testing.assert_allclose(out[0], [0.4472, -1.3416, -0.4472, 1.3416], atol=5e-5)


def test_feed_forward_by_hand():
    """The negative neuron is silenced between the layers, and the result may still be negative."""
    w1, w2 = np.array([[1.0, -1.0]]), np.array([[-2.0], [5.0]])
    np.testing.assert_array_equal(feed_forward(np.array([[3.0]]), w1, np.ones(2), w2, np.array([0.5])), [[-7.5]])


def test_encoder_layer_agrees_with_one_made_of_onnx_operators(oracle, rng):
    """Attention with heads, then LayerNormalization twice, all by ONNX; the products and the ReLU are NumPy's."""
    p, x, mask = parameters_of(rng), rng.normal(size=(2, 5, 6)), rng.random((2, 5, 5)) < 0.7

    def norm(x, which):
        return oracle("LayerNormalization", x, p[f"gamma{which}"], p[f"beta{which}"], epsilon=float(np.float32(1e-5)))[
            0
        ]

    q, k, v = (x @ p[name] for name in ("w_q", "w_k", "w_v"))
    (attended,) = oracle("Attention", q, k, v, mask[:, None], q_num_heads=3, kv_num_heads=3)
    middle = norm(x + attended @ p["w_o"], 1)
    expected = norm(middle + np.maximum(middle @ p["w1"] + p["b1"], 0) @ p["w2"] + p["b2"], 2)
    # ONNX's ε is 1e-5 rounded to float32, 2.5e-13 off
    np.testing.assert_allclose(encoder_layer(x, p, 3, mask), expected, rtol=0, atol=1e-10)


@given(seeds)
def test_encoder_layer_is_equivariant(seed):
    """Without positions, tokens in another order give the same outputs in that order."""
    rng = np.random.default_rng(seed)
    p, x, order = parameters_of(rng), rng.normal(size=(5, 6)), rng.permutation(5)
    np.testing.assert_allclose(encoder_layer(x[order], p, 2), encoder_layer(x, p, 2)[order], atol=1e-10)


def test_a_missing_parameter_is_named(rng):
    """The KeyError lists what an encoder layer needs and what is not there."""
    p = parameters_of(rng)
    del p["gamma2"]
    with pytest.raises(KeyError, match=r"parameters of an encoder layer, w_q.* none named gamma2: start from"):
        encoder_layer(np.zeros((5, 6)), p, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: layer_norm(ROW, np.ones(3), ZEROS), r"γ holds one factor for each number"),
        (lambda: layer_norm(ROW, ONES, np.zeros(5)), r"β holds one number for each number"),
        (lambda: layer_norm(ROW, ONES, ZEROS, eps=-1), r"expected eps of at least 0, got -1"),
        (lambda: layer_norm(ROW[:, :0], ONES[:0], ZEROS[:0]), r"got shape \(1, 0\)"),
        (lambda: add_and_norm(ROW, np.zeros((2, 4)), ONES, ZEROS), r"in the shape of x, \(1, 4\), got \(2, 4\)"),
        (lambda: feed_forward(ROW, np.zeros((3, 5)), None, None, None), r"w1 takes one row"),
        (lambda: feed_forward(ROW, np.zeros((4, 5)), np.zeros(3), None, None), r"b1 holds one number for each column"),
        (lambda: feed_forward(ROW, np.zeros((4, 5)), np.zeros(5), np.zeros((3, 2)), None), r"w2 takes one row"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
