"""Plausible wrong answers to sees_the_future."""

import numpy as np


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


def answer_for_each_row(mask):
    """One answer for each query, where one True or False is asked for."""
    return np.triu(mask, 1).any(axis=-1)


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
