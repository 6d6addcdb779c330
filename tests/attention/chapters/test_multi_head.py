"""Chapter 6 against ONNX's Attention and a list of heads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.multi_head import merge_heads, multi_head_attention, multi_head_parameters, split_heads
from attention.chapters.scaling import scaled_dot_product_attention

seeds, heads = st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 3, 5])


def weights_of(rng, d_model, d_memory, h, d_k, d_v, d_out):
    """Draw w_q, w_k, w_v and w_o."""
    shapes = ((d_model, h * d_k), (d_memory, h * d_k), (d_memory, h * d_v), (h * d_v, d_out))
    return [rng.normal(size=shape) for shape in shapes]


def attention_head_by_head(query, key, value, w_q, w_k, w_v, w_o, h):
    """Multi-head attention as the paper writes it: h separate projections, in a list."""
    pieces = zip(*(np.split(w, h, axis=-1) for w in (w_q, w_k, w_v)), strict=True)
    each = [scaled_dot_product_attention(query @ q, key @ k, value @ v) for q, k, v in pieces]
    return np.concatenate([output for output, _ in each], axis=-1) @ w_o, np.stack([w for _, w in each], axis=-3)


def test_split_heads_by_hand():
    """Head 0 of arange(12) gets the left half of every token, not the first tokens."""
    x = np.arange(12).reshape(3, 4)
    np.testing.assert_array_equal(split_heads(x, 2)[0], [[0, 1], [4, 5], [8, 9]])
    np.testing.assert_array_equal(x.reshape(2, 3, 2)[0], [[0, 1], [2, 3], [4, 5]])


@given(seed=seeds, h=heads, d_k=heads)
def test_merging_undoes_splitting(seed, h, d_k):
    """Nothing is lost or moved on the way there and back."""
    x = np.random.default_rng(seed).normal(size=(2, 7, h * d_k))
    assert split_heads(x, h).shape == (2, h, 7, d_k)
    np.testing.assert_array_equal(merge_heads(split_heads(x, h)), x)


@given(seed=seeds, h=heads)
def test_one_reshaped_product_equals_a_list_of_heads(seed, h):
    """Looping over heads with their own matrices gives the same output and weights, at unequal sizes throughout."""
    rng = np.random.default_rng(seed)
    w = weights_of(rng, 7, 11, h, 3, 2, 13)
    query, memory = rng.normal(size=(2, 5, 7)), rng.normal(size=(2, 3, 11))
    ours, theirs = (
        multi_head_attention(query, memory, memory, *w, h),
        attention_head_by_head(query, memory, memory, *w, h),
    )
    for mine, listed in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, listed, rtol=0, atol=1e-10)


def test_multi_head_attention_agrees_with_onnx(oracle, rng):
    """ONNX's Attention splits and merges heads itself; only the projections are ours."""
    w_q, w_k, w_v, w_o = weights_of(rng, 7, 11, 3, 5, 2, 13)
    query, memory, mask = rng.normal(size=(2, 5, 7)), rng.normal(size=(2, 7, 11)), rng.random((2, 5, 7)) < 0.6
    (expected,) = oracle(
        "Attention", query @ w_q, memory @ w_k, memory @ w_v, mask[:, None], q_num_heads=3, kv_num_heads=3
    )
    output, weights = multi_head_attention(query, memory, memory, w_q, w_k, w_v, w_o, 3, mask)
    np.testing.assert_allclose(output, expected @ w_o, rtol=0, atol=1e-10)
    assert weights.shape == (2, 3, 5, 7)
    assert not weights[np.broadcast_to(~mask[:, None], weights.shape)].any()


@given(seed=seeds, h=heads)
def test_multi_head_attention_is_equivariant(seed, h):
    """Tokens in another order give the same outputs in that order."""
    rng = np.random.default_rng(seed)
    x, w, order = rng.normal(size=(5, 7)), weights_of(rng, 7, 7, h, 3, 2, 7), rng.permutation(5)
    output, weights = multi_head_attention(x, x, x, *w, h)
    moved, moved_weights = multi_head_attention(x[order], x[order], x[order], *w, h)
    np.testing.assert_allclose(moved, output[order], atol=1e-10)
    np.testing.assert_allclose(moved_weights, weights[:, order][:, :, order], atol=1e-10)


def test_leading_axes_are_passed_through(rng):
    """Two leading axes, or none, make no difference to a sentence."""
    x, w = rng.normal(size=(2, 3, 5, 7)), weights_of(rng, 7, 7, 2, 3, 5, 7)
    together, _ = multi_head_attention(x, x, x, *w, 2)
    alone, _ = multi_head_attention(x[1, 2], x[1, 2], x[1, 2], *w, 2)
    np.testing.assert_allclose(together[1, 2], alone, atol=1e-12)


def test_a_mask_of_one_row_counts_for_all_queries(rng):
    """A mask over keys alone hides them from every query in every head."""
    x, w = rng.normal(size=(2, 5, 7)), weights_of(rng, 7, 7, 2, 3, 5, 7)
    mask = np.array([True, True, False, True, False])
    _, weights = multi_head_attention(x, x, x, *w, 2, mask)
    np.testing.assert_array_equal((weights == 0).all(axis=(0, 1, 2)), ~mask)


def test_multi_head_parameters():
    """512 numbers a token make 1,048,576 parameters however many heads share them, and 1,050,624 with biases."""
    assert multi_head_parameters(512, 8) == multi_head_parameters(512, 1) == 1_048_576
    assert multi_head_parameters(512, 8, bias=True) == 1_050_624


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: split_heads(np.zeros((5, 7)), 2), r"h to divide .* got h = 2 and width 7: choose d_model = h · d_k"),
        (lambda: split_heads(np.zeros((5, 7)), 0), r"expected h as a whole number of at least 1, got 0"),
        (lambda: split_heads(np.zeros((0, 6)), 2), r"expected x as \(\.\.\., n, d_model\)"),
        (lambda: merge_heads(np.zeros((5, 7))), r"expected x as \(\.\.\., h, n, d_v\)"),
        (lambda: multi_head_parameters(512, 7), r"h to divide d_model, got h = 7"),
        (
            lambda: multi_head_attention(*[np.zeros((5, 6))] * 3, *[np.zeros((6, 6))] * 4, 2, np.ones((5, 5))),
            r"expected a boolean mask, True = may attend, got dtype float64: compare first",
        ),
        (
            lambda: multi_head_attention(*[np.zeros((5, 6))] * 3, *[np.zeros((6, 6))] * 4, 2, np.ones((3, 5), bool)),
            r"broadcasts to the scores' shape \(2, 5, 5\), got \(1, 3, 5\): its last axis counts keys",
        ),
        (
            lambda: multi_head_attention(*[np.zeros((5, 7))] * 3, *[np.zeros((7, 6))] * 2, np.zeros((5, 6)), None, 2),
            r"w_v takes one row for each number in a token",
        ),
        (
            lambda: multi_head_attention(*[np.zeros((5, 7))] * 3, *[np.zeros((7, 6))] * 3, np.zeros((7, 7)), 2),
            r"w_o takes one row for each number that the heads hand over",
        ),
        (
            lambda: multi_head_attention(*[np.zeros((n, 6)) for n in (5, 3, 2)], *[np.zeros((6, 6))] * 4, 2),
            r"each key needs one value",
        ),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
