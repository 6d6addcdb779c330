"""Plausible wrong answers to padding_mask."""

import numpy as np


def middle_axis_forgotten(lengths, n):
    """The axis of queries is missing, so the shape is (batch, n) and not (batch, 1, n)."""
    return np.arange(n) < lengths[:, None]


def one_key_too_many(lengths, n):
    """<= in place of <, so the first place of padding counts as a word."""
    return np.arange(n) <= lengths[:, None, None]


def padding_marked_true(lengths, n):
    """True stands where the padding is, and should stand where the words are."""
    return np.arange(n) >= lengths[:, None, None]


def axis_of_length_one_in_front(lengths, n):
    """The new axis stands in front, so the shape is (1, batch, n)."""
    return (np.arange(n) < lengths[:, None])[None]


def axis_of_length_one_behind(lengths, n):
    """The new axis stands behind, so keys stand where queries belong: (batch, n, 1)."""
    return np.arange(n)[:, None] < lengths[:, None, None]


def rows_of_padding_hidden_too(lengths, n):
    """Makes a square (batch, n, n) that hides the rows of padding as well as the columns."""
    word = np.arange(n) < lengths[:, None]
    return word[:, :, None] & word[:, None, :]


def repeated_for_every_query(lengths, n):
    """The row is repeated for all n queries, where one row should serve them all."""
    row = np.arange(n) < lengths[:, None, None]
    return np.repeat(row, n, axis=1)


def words_at_the_end(lengths, n):
    """The words are put at the end of each row and the padding in front."""
    return np.arange(n) >= n - lengths[:, None, None]


def numbers_one_and_zero(lengths, n):
    """The mask is filled with floats 1 and 0 and not with True and False."""
    mask = np.zeros((len(lengths), 1, n))
    for b, length in enumerate(lengths):
        mask[b, 0, :length] = 1
    return mask


def only_the_last_word(lengths, n):
    """== length - 1 marks the last word alone, and not all words up to it."""
    return np.arange(n) == lengths[:, None, None] - 1


def width_of_the_longest(lengths, n):
    """As wide as the longest sentence and not n wide, which is the same only where one sentence fills the row."""
    return np.arange(lengths.max()) < lengths[:, None, None]


def empty_sentence_keeps_a_word(lengths, n):
    """An empty sentence is given one word, so that softmax has something to share out."""
    return np.arange(n) < np.maximum(lengths, 1)[:, None, None]


def counted_from_one(lengths, n):
    """The keys are counted from 1 with <, so the last word of each sentence is hidden."""
    return np.arange(1, n + 1) < lengths[:, None, None]


def lengths_across_the_row(lengths, n):
    """lengths lies along the keys and not along the batch, which does not fit where batch and n differ."""
    return (np.arange(n) < lengths)[:, None, :]


def negative_slice_hides_the_padding(lengths, n):
    """mask[-(n - length):] = False hides everything where there is no padding, as -0 is 0."""
    mask = np.ones((len(lengths), 1, n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, 0, -(n - length) :] = False
    return mask
