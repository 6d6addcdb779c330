"""Plausible wrong answers to causal_mask."""

import numpy as np


def upper_triangle_kept(n):
    """np.triu keeps the other triangle, so each token sees itself and what comes after it."""
    return np.triu(np.ones((n, n), dtype=bool))


def own_place_hidden(n):
    """k=-1 leaves the diagonal out, so no token sees itself and the first sees nothing."""
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


def future_marked_true(n):
    """True marks what is hidden, as some libraries have it, and not what may be attended."""
    return np.triu(np.ones((n, n), dtype=bool), k=1)


def next_token_seen_too(n):
    """One diagonal too many: k=1 lets each token see the one after it."""
    return np.tril(np.ones((n, n), dtype=bool), k=1)


def range_shifted_by_one(n):
    """arange(1, n + 1) against arange(n): query i sees the keys up to i + 1."""
    return np.arange(n)[None, :] <= np.arange(1, n + 1)[:, None]


def scores_in_place_of_a_mask(n):
    """Returns 0 and -inf, to be added to scores, in place of True and False."""
    return np.where(np.tril(np.ones((n, n))) == 1, 0.0, -np.inf)


def ones_and_zeros(n):
    """The dtype is left out, so the mask is of floats 1 and 0 and not of True and False."""
    return np.tril(np.ones((n, n)))


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


def only_the_diagonal(n):
    """np.eye: each token sees itself and nothing before it."""
    return np.eye(n, dtype=bool)
