"""Plausible wrong answers to causal_mask."""

import numpy as np


def range_shifted_by_one(n):
    """arange(1, n + 1) against arange(n): query i sees the keys up to i + 1."""
    return np.arange(n)[None, :] <= np.arange(1, n + 1)[:, None]


def whole_numbers_one_and_zero(n):
    """A list of lists of whole numbers 1 and 0 becomes an array of integers."""
    return np.array([[1 if j <= i else 0 for j in range(n)] for i in range(n)])


def only_itself_and_the_one_before(n):
    """Sees itself and the token just before it, and not all that came before it."""
    i, j = np.indices((n, n))
    return (j == i) | (j == i - 1)


def loop_stops_before_the_diagonal(n):
    """range(i) ends before i, so a row does not see its own token."""
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(i):
            mask[i, j] = True
    return mask


def first_token_alone_is_blind(n):
    """The loop begins with row 1, so the first token sees nothing."""
    mask = np.zeros((n, n), dtype=bool)
    for i in range(1, n):
        mask[i, : i + 1] = True
    return mask


def three_tokens_always(n):
    """The mask of the example is written down, whatever n is."""
    return np.array([[True, False, False], [True, True, False], [True, True, True]])
