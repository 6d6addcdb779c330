"""Chapter 9 against ONNX's Attention with masks, worked rows, and the leak test."""

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.layer_norm import add_and_norm, feed_forward
from attention.chapters.masking import (
    DECODER_LAYER,
    causal_mask,
    cross_attention,
    decoder_layer,
    decoder_sublayers,
    masked_attention,
    masked_softmax,
    padding_mask,
    sees_the_future,
)
from attention.chapters.multi_head import multi_head_attention
from attention.chapters.scaling import scaled_dot_product_attention

ROWS = np.array([[1.0, 2, 3]] * 3)
SIZES = {"d_model": 6, "d_ff": 11}
seeds = st.integers(0, 2**32 - 1)


def parameters_of(rng):
    """Draw every parameter of a decoder layer."""
    return {name: rng.normal(size=[SIZES[axis] for axis in axes]) for name, axes in DECODER_LAYER.items()}


def qkv(rng, n_q=5, n_k=11):
    """Draw query, key and value of two sentences with three heads, all sizes different."""
    return [rng.normal(size=(2, 3, *shape)) for shape in ((n_q, 7), (n_k, 7), (n_k, 13))]


def test_causal_rows_by_hand():
    """The rows of 1, 2, 3 see one, two and three keys; a score of 0 in place of -inf would give row 0 0.5761."""
    weights = masked_softmax(ROWS, causal_mask(3))
    np.testing.assert_allclose(weights, [[1, 0, 0], [0.2689, 0.7311, 0], [0.0900, 0.2447, 0.6652]], atol=5e-5)
    assert scipy.special.softmax([1.0, 0, 0])[0] == pytest.approx(0.5761, abs=5e-5)


@given(seed=seeds, size=st.sampled_from([1.0, 1e4]))
def test_hiding_equals_zeroing_and_sharing_anew(seed, size):
    """-inf before softmax is softmax over the permitted keys alone; a row that may see nothing is zeros."""
    rng = np.random.default_rng(seed)
    scores, mask = size * rng.uniform(-1, 1, (5, 7)), rng.random((5, 7)) < 0.4
    expected = np.zeros((5, 7))
    for i in range(5):
        if mask[i].any():
            expected[i, mask[i]] = scipy.special.softmax(scores[i, mask[i]])
    np.testing.assert_allclose(masked_softmax(scores, mask), expected, rtol=0, atol=1e-12)


def test_masked_softmax_leaves_its_arguments_alone(frozen):
    """Scores that may not be written are welcome."""
    assert masked_softmax(frozen(3, 3), causal_mask(3))[0, 0] == 1


def test_padding_mask_hides_keys():
    """A sentence of two words among three has its last key hidden from every query."""
    mask = padding_mask(np.array([2, 3, 0]), 3)
    np.testing.assert_array_equal(mask, [[[True, True, False]], [[True, True, True]], [[False, False, False]]])
    assert (causal_mask(3) & mask).shape == (3, 3, 3)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_masked_attention_agrees_with_onnx(oracle, rng, share):
    """ONNX's Attention takes the same boolean masks, and gives zeros to a query that may see nothing."""
    query, key, value = qkv(rng)
    mask = rng.random((2, 1, 5, 11)) < share
    mask[:, :, 3] = False
    (expected,) = oracle("Attention", query, key, value, mask)
    output, weights = masked_attention(query, key, value, mask)
    np.testing.assert_allclose(output, expected, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(output[:, :, 3], 0)
    np.testing.assert_allclose(weights.sum(axis=-1), np.broadcast_to(mask.any(axis=-1), (2, 3, 5)), atol=1e-12)


def test_causal_attention_agrees_with_onnx(oracle, rng):
    """ONNX's own causal switch is our triangular mask."""
    x = rng.normal(size=(2, 3, 5, 7))
    (expected,) = oracle("Attention", x, x, x, is_causal=1)
    np.testing.assert_allclose(masked_attention(x, x, x, causal_mask(5))[0], expected, rtol=0, atol=1e-10)


def test_a_mask_that_permits_all_changes_nothing(rng):
    """Masked attention with nothing hidden, or without a mask, is chapter 5's."""
    query, key, value = qkv(rng)
    plain = scaled_dot_product_attention(query, key, value)
    for mask in (np.array(True), None):
        for mine, theirs in zip(masked_attention(query, key, value, mask), plain, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-14)
    np.testing.assert_allclose(masked_softmax(ROWS, None), masked_softmax(ROWS, np.array(True)), rtol=0, atol=1e-14)


@given(seed=seeds, t=st.integers(0, 6), spoiled=st.sampled_from([0.0, 1e4, -1e4, np.nan, np.inf]))
def test_a_future_token_never_moves_the_past(seed, t, spoiled):
    """Whatever a later token becomes, even NaN, the outputs before it stay bit for bit."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(7, 3))
    changed = x.copy()
    changed[t] = spoiled
    before, _ = masked_attention(x, x, x, causal_mask(7))
    with np.errstate(invalid="ignore"):
        after, _ = masked_attention(changed, changed, changed, causal_mask(7))
    np.testing.assert_array_equal(after[:t], before[:t])


def test_nan_in_a_query_stays_in_its_row(rng):
    """One query's NaN is that query's output's."""
    query, key, value = qkv(rng)
    query[0, 1, 2, 3] = np.nan
    bad = np.isnan(masked_attention(query, key, value, rng.random((5, 11)) < 0.9)[0])
    assert bad[0, 1, 2].all()
    assert bad.sum() == 13


def test_padding_changes_nothing(rng):
    """A sentence padded with anything, NaN too, comes out as it does alone."""
    query, key, value = qkv(rng)
    alone, _ = masked_attention(query, key[:, :, :7], value[:, :, :7], np.array(True))
    key[:, :, 7:], value[:, :, 7:] = np.nan, np.nan
    padded, _ = masked_attention(query, key, value, padding_mask(np.array([7]), 11))
    np.testing.assert_allclose(padded, alone, rtol=0, atol=1e-12)


def test_sees_the_future():
    """The diagonal is the present; one cell above it is a leak; a padding mask alone leaks too."""
    assert not sees_the_future(causal_mask(5))
    leak = causal_mask(5)
    leak[1, 2] = True
    assert sees_the_future(leak)
    assert sees_the_future(padding_mask(np.array([3]), 5))
    assert sees_the_future(np.stack([causal_mask(5), leak]))


def test_cross_attention_asks_the_source(rng):
    """Two target tokens look at three source tokens: weights 2×3, with nothing hidden unless the source is padded."""
    x, memory, w = rng.normal(size=(2, 6)), rng.normal(size=(3, 10)), [rng.normal(size=s) for s in ((6, 4), (10, 4))]
    w_o = rng.normal(size=(4, 6))
    output, weights = cross_attention(x, memory, *w, w[1], w_o, 2)
    assert (output.shape, weights.shape) == ((2, 6), (2, 2, 3))
    assert (weights > 0).all()
    np.testing.assert_array_equal(output, multi_head_attention(x, memory, memory, *w, w[1], w_o, 2)[0])
    _, hidden = cross_attention(x, memory, *w, w[1], w_o, 2, np.array([[True, False, True]]))
    assert not hidden[..., 1].any()


def test_decoder_layer_is_its_three_sublayers_in_order(oracle, rng):
    """Masked self-attention, cross-attention, feed-forward, each with add & norm; the attentions are ONNX's."""
    p, x, memory, seen = parameters_of(rng), rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 7, 6)), np.ones((2, 1, 7))
    seen[0, 0, 4:] = 0

    def attend(queries, tokens, prefix, **options):
        q, k, v = queries @ p[prefix + "w_q"], tokens @ p[prefix + "w_k"], tokens @ p[prefix + "w_v"]
        mask = options.pop("mask", None)
        return oracle("Attention", q, k, v, mask, q_num_heads=2, kv_num_heads=2, **options)[0] @ p[prefix + "w_o"]

    a = add_and_norm(x, attend(x, x, "", is_causal=1), p["gamma1"], p["beta1"])
    mask = np.broadcast_to(seen[:, None] > 0, (2, 1, 5, 7))
    b = add_and_norm(a, attend(a, memory, "cross_", mask=mask), p["gamma2"], p["beta2"])
    c = add_and_norm(b, feed_forward(b, p["w1"], p["b1"], p["w2"], p["b2"]), p["gamma3"], p["beta3"])
    ours, weights, cross_weights = decoder_sublayers(x, memory, p, 2, causal_mask(5), seen > 0)
    np.testing.assert_allclose(ours, c, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(ours, decoder_layer(x, memory, p, 2, causal_mask(5), seen > 0))
    assert (weights.shape, cross_weights.shape) == ((2, 2, 5, 5), (2, 2, 5, 7))
    np.testing.assert_allclose(cross_weights.sum(axis=-1), 1, atol=1e-12)


@given(seed=seeds, t=st.integers(0, 4))
def test_decoder_layer_does_not_look_ahead(seed, t):
    """Changing token t moves no output before t."""
    rng = np.random.default_rng(seed)
    p, x, memory = parameters_of(rng), rng.normal(size=(5, 6)), rng.normal(size=(3, 6))
    changed = x.copy()
    changed[t:] = rng.normal(size=(5 - t, 6))
    before, after = (decoder_layer(tokens, memory, p, 3, causal_mask(5)) for tokens in (x, changed))
    np.testing.assert_array_equal(after[:t], before[:t])
    assert np.abs(after[t:] - before[t:]).max() > 1e-9


def test_a_missing_parameter_is_named(rng):
    """The KeyError lists what a decoder layer needs and what is not there."""
    p = parameters_of(rng)
    del p["cross_w_o"]
    with pytest.raises(KeyError, match=r"parameters of a decoder layer.* got none named cross_w_o"):
        decoder_layer(np.zeros((5, 6)), np.zeros((3, 6)), p, 2, None)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: causal_mask(0), r"expected n as a whole number of at least 1, got 0"),
        (lambda: padding_mask(np.array([2, 7]), 5), r"lengths from 0 to n = 5, got \[2 7\]: n is the length after"),
        (lambda: padding_mask(np.array([-1]), 5), r"lengths from 0 to n = 5, got \[-1\]"),
        (lambda: padding_mask(np.array([], int), 5), r"expected lengths as \(batch,\)"),
        (lambda: masked_softmax(ROWS, np.tril(np.ones((3, 3)))), r"expected a boolean mask, True = may attend"),
        (lambda: masked_softmax(ROWS, np.ones((2, 3), bool)), r"scores' shape \(3, 3\), got \(2, 3\)"),
        (lambda: masked_softmax(np.zeros((3, 0)), np.ones((3, 0), bool)), r"at least one score along axis -1"),
        (
            lambda: masked_attention(np.zeros((3, 5)), np.zeros((7, 5)), np.zeros((2, 2)), np.array(True)),
            r"each key needs one value",
        ),
        (lambda: sees_the_future(np.zeros((3, 3))), r"expected a boolean mask"),
        (lambda: sees_the_future(np.array([True])), r"expected mask as \(\.\.\., n_q, n_k\)"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
