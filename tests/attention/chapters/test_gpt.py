"""Subwords, GPT-2's block, its cache, top-p and perplexity: against counts by hand and against each other."""

import numpy as np
import pytest
from scipy.stats import norm

from attention.chapters.gpt import encode_bpe, gelu, gpt_block, nucleus, perplexity, step_with_cache, train_bpe

D_MODEL, D_FF, H, N = 6, 11, 2, 5


@pytest.fixture
def block():
    """Give the parameters of a block, drawn at random."""
    rng = np.random.default_rng(0)
    matrices = {name: rng.normal(0, 0.5, (D_MODEL, D_MODEL)) for name in ("w_q", "w_k", "w_v", "w_o")}
    rows = ("b_q", "b_k", "b_v", "b_o", "beta1", "beta2", "b2")
    vectors = {name: rng.normal(0, 0.3, D_MODEL) for name in rows}
    scales = {name: rng.uniform(0.5, 1.5, D_MODEL) for name in ("gamma1", "gamma2")}
    neurons = {
        "w1": rng.normal(0, 0.5, (D_MODEL, D_FF)),
        "b1": rng.normal(0, 0.3, D_FF),
        "w2": rng.normal(0, 0.5, (D_FF, D_MODEL)),
    }
    return {**matrices, **vectors, **scales, **neurons}


def test_merges_are_those_counted_by_hand():
    """Count 'low lower lowest': l o three times, then lo w, then a space before low; e r and e s only once each."""
    assert train_bpe("low lower lowest", 3) == [("l", "o"), ("lo", "w"), (" ", "low")]


def test_no_pair_crosses_a_space():
    """Find nothing to merge where every word is one letter, but for the space before it."""
    assert train_bpe("a b a b", 9) == [(" ", "b"), (" ", "a")]


def test_a_text_is_cut_in_the_order_of_learning():
    """Merge what was learned first, although another pair stands before it."""
    assert encode_bpe("slower low", [("l", "o"), ("lo", "w"), ("e", "r")]) == ["s", "low", "er", " ", "low"]
    assert encode_bpe("abc", [("b", "c"), ("a", "b")]) == ["a", "bc"]
    assert encode_bpe("aaa", [("a", "a")]) == ["aa", "a"]


def test_nothing_is_lost():
    """Put the symbols of a text together: it is the text again, spaces at its ends and in rows included."""
    text = "  low lower  lowest "
    assert "".join(encode_bpe(text, train_bpe("low lower lowest newest", 8))) == text


def test_gelu_is_nearly_x_times_the_normal_distribution():
    """Stay within 0.0005 of x Φ(x), the exact one."""
    x = np.linspace(-6, 6, 241)
    np.testing.assert_allclose(gelu(x), x * norm.cdf(x), atol=5e-4)


def test_a_block_is_the_sum_of_what_it_adds(block):
    """Compute one head's weights, and the neurons, by hand for the last token."""
    x = np.random.default_rng(1).normal(size=(N, D_MODEL))

    def normalised(row, gamma, beta):
        return (row - row.mean()) / np.sqrt(row.var() + 1e-5) * gamma + beta

    seen = np.array([normalised(row, block["gamma1"], block["beta1"]) for row in x])
    found, width = [], D_MODEL // H
    for part in (slice(0, width), slice(width, None)):
        q = seen[-1] @ block["w_q"][:, part] + block["b_q"][part]
        k = seen @ block["w_k"][:, part] + block["b_k"][part]
        v = seen @ block["w_v"][:, part] + block["b_v"][part]
        weights = np.exp(k @ q / np.sqrt(width))
        found += list(weights / weights.sum() @ v)
    middle = x[-1] + np.array(found) @ block["w_o"] + block["b_o"]
    hidden = gelu(normalised(middle, block["gamma2"], block["beta2"]) @ block["w1"] + block["b1"])
    np.testing.assert_allclose(gpt_block(x, block, H)[-1], middle + hidden @ block["w2"] + block["b2"])


def test_no_token_sees_a_later_one(block):
    """Change the last token: the rows before it stay."""
    x = np.random.default_rng(2).normal(size=(3, N, D_MODEL))
    other = x.copy()
    other[:, -1] += 1
    np.testing.assert_array_equal(gpt_block(x, block, H)[:, :-1], gpt_block(other, block, H)[:, :-1])


def test_steps_with_a_cache_give_the_rows_of_the_whole(block):
    """Feed the tokens one by one: each row is that of the block on all of them."""
    x = np.random.default_rng(3).normal(size=(N, D_MODEL))
    keys = values = np.zeros((H, 0, D_MODEL // H))
    rows = []
    for token in x:
        row, keys, values = step_with_cache(token, block, H, keys, values)
        rows.append(row)
    np.testing.assert_allclose(rows, gpt_block(x, block, H))
    assert keys.shape == values.shape == (H, N, D_MODEL // H)


def test_the_nucleus_is_the_smallest_set_that_reaches_p():
    """Keep 0.5 and 0.3 for 0.6, 0.5 alone for 0.5, everything for 1, the first of a tie."""
    shares = np.array([0.1, 0.5, 0.3, 0.1])
    np.testing.assert_allclose(nucleus(shares, 0.6), [0, 0.625, 0.375, 0])
    np.testing.assert_allclose(nucleus(shares, 0.5), [0, 1, 0, 0])
    np.testing.assert_allclose(nucleus(shares, 0.85), [1 / 9, 5 / 9, 3 / 9, 0])
    np.testing.assert_allclose(nucleus(shares, 1), shares)


def test_a_share_of_nothing_is_refused():
    """Refuse a p of 0, and one above 1."""
    for p in (0, 1.1):
        with pytest.raises(ValueError, match="p"):
            nucleus(np.array([0.5, 0.5]), p)


def test_perplexity_counts_equally_likely_words():
    """Give 7 for seven equal logits, and the inverse of the geometric mean of the right words' probabilities."""
    targets = np.array([1, 3])
    assert perplexity(np.zeros((2, 7)), targets) == pytest.approx(7)
    assert perplexity(np.log([[0.2, 0.5, 0.2, 0.1], [0.3, 0.3, 0.2, 0.2]]), targets) == pytest.approx(
        (0.5 * 0.2) ** -0.5
    )
