"""Plausible wrong answers to padding_mask."""

import numpy as np


def axis_of_length_one_in_front(lengths, n):
    """The new axis stands in front, so the shape is (1, batch, n)."""
    return (np.arange(n) < lengths[:, None])[None]


def repeated_for_every_query(lengths, n):
    """The row is repeated for all n queries, where one row should serve them all."""
    row = np.arange(n) < lengths[:, None, None]
    return np.repeat(row, n, axis=1)


def numbers_one_and_zero(lengths, n):
    """The mask is filled with floats 1 and 0 and not with True and False."""
    mask = np.zeros((len(lengths), 1, n))
    for b, length in enumerate(lengths):
        mask[b, 0, :length] = 1
    return mask


def only_the_last_word(lengths, n):
    """== length - 1 marks the last word alone, and not all words up to it."""
    return np.arange(n) == lengths[:, None, None] - 1


def empty_sentence_keeps_a_word(lengths, n):
    """An empty sentence is given one word, so that softmax has something to share out."""
    return np.arange(n) < np.maximum(lengths, 1)[:, None, None]


def negative_slice_hides_the_padding(lengths, n):
    """mask[-(n - length):] = False hides everything where there is no padding, as -0 is 0."""
    mask = np.ones((len(lengths), 1, n), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, 0, -(n - length) :] = False
    return mask
