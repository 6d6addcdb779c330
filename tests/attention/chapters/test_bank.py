"""The carried sentences, against numbers worked by hand."""

import math

import numpy as np
import pytest

from attention.chapters import bank
from attention.chapters.context import self_attention
from attention.chapters.multi_head import multi_head_attention


def test_each_word_has_a_number_for_each_feature():
    assert {len(row) for row in bank.VECTORS.values()} == {len(bank.FEATURES)}


def test_without_matrices_money_and_bank_share_equally():
    row = self_attention(bank.vectors_of("money bank grows"))[1]
    most, least = 1 / (2 + math.exp(-1)), math.exp(-1) / (2 + math.exp(-1))  # scores 2, 2 and 1
    np.testing.assert_allclose(row, [3 * most + least, most, most, least])


def test_two_heads_keep_the_kind_and_the_verb_apart():
    x = bank.vectors_of("river bank grows")
    change, weights = multi_head_attention(x, x, x, bank.w_q, bank.w_k, bank.w_v, bank.w_o, 2)
    most = 1 / (1 + 2 * math.exp(-4 / math.sqrt(2)))  # one score of 4, two of 0, divided by the root of 2
    rest = (1 - most) / 2
    np.testing.assert_allclose(weights[:, 1], [[most, rest, rest], [rest, rest, most]])
    kind = ((rest * 1 + rest * 1) - (most * 2 + rest * 1)) / 2
    verb = (rest * 1 + most * 1) - (rest * 2 + rest * 1)
    np.testing.assert_allclose(change[1], [kind, -kind, 0, verb])


def test_a_score_has_a_direction():
    """Bank asks river with 4, and river asks bank with 2: a question may matter more to one of the two."""
    x = bank.vectors_of("river bank flows")
    scores = (x @ bank.w_q[:, :2]) @ (x @ bank.w_k[:, :2]).T
    np.testing.assert_array_equal(scores, [[0, 2, 0], [4, 0, 0], [0, 0, 0]])


def test_an_unknown_word_is_named():
    with pytest.raises(KeyError, match="boat"):
        bank.vectors_of("river boat flows")
