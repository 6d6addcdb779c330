"""Plausible wrong answers to sees_the_future."""

import numpy as np


def own_place_counts_as_future(mask):
    """The diagonal is counted as the future, so a token that sees itself is called a leak."""
    return bool(np.triu(mask).any())


def past_in_place_of_the_future(mask):
    """np.tril looks below the diagonal, at the past and not at the future."""
    return bool(np.tril(mask, -1).any())


def compared_with_the_causal_mask(mask):
    """Every mask that is not the causal one is called a leak, also one that hides some of the past."""
    n = mask.shape[-1]
    return not np.array_equal(np.broadcast_to(np.tril(np.ones((n, n), dtype=bool)), mask.shape), mask)


def next_token_only(mask):
    """Only the diagonal just above the main one is examined, so a leak further ahead is missed."""
    return bool(np.diagonal(mask, 1, -2, -1).any())


def all_of_the_future(mask):
    """all in place of any: only a mask that shows the whole future is called a leak."""
    n = mask.shape[-1]
    above = np.triu(np.ones((n, n), dtype=bool), 1)
    return bool(np.all(mask | ~above))


def first_mask_of_the_batch(mask):
    """Only the first mask of a batch is examined."""
    while mask.ndim > 2:
        mask = mask[0]
    return bool(np.triu(mask, 1).any())


def answer_for_each_mask(mask):
    """One answer for each mask of the batch, where one for the whole batch is asked for."""
    return np.triu(mask, 1).any(axis=(-2, -1))


def answer_for_each_row(mask):
    """One answer for each query, where one True or False is asked for."""
    return np.triu(mask, 1).any(axis=-1)


def said_the_other_way_round(mask):
    """Returns True where all is well and False where there is a leak."""
    return not np.triu(mask, 1).any()


def corner_looked_at(mask):
    """Only the upper right corner is looked at: whether the first query sees the last key."""
    return bool(mask[..., 0, -1].any())


def loop_over_a_single_matrix(mask):
    """mask[i, j] with two indices is a single cell only without a batch; with one it is an array."""
    n = mask.shape[-1]
    for i in range(n):
        for j in range(i + 1, n):
            if mask[i, j]:
                return True
    return False


def returns_in_the_first_turn(mask):
    """The loop returns after the first cell in any case, so only the first query and second key are examined."""
    n = mask.shape[-1]
    for i in range(n):
        for j in range(i + 1, n):
            return bool(mask[..., i, j].any())
    return False


def how_many_leaks(mask):
    """The number of leaks is returned, and not True or False."""
    return int(np.triu(mask, 1).sum())


def more_than_half_seen(mask):
    """Counts the True and compares with the number that a causal mask has, which also lets leaks pass."""
    n = mask.shape[-1]
    return bool((mask.sum(axis=(-2, -1)) > n * (n + 1) // 2).any())
