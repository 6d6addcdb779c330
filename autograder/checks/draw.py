"""Inputs to try answers on: drawn anew for every run, so that nobody knows them before."""

import numpy as np


def within(rng, bound, *shape):
    """Draw numbers evenly between -bound and bound, so that scores stay within ±4 and softmax never saturates."""
    return rng.uniform(-bound, bound, shape)


def directions(rng, n, d):
    """Draw n vectors of length one in d dimensions."""
    drawn = rng.normal(size=(n, d))
    return drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)


def far_apart(rng, n_q, n_k, d):
    """Draw queries and keys whose scores lie between -1500 and 1500.

    exp of the largest overflows in every row but, where there are several, the first: its scores are small, and who
    subtracts one maximum for all rows leaves it nothing but zeros.
    """
    query = directions(rng, n_q, d)
    lengths = np.full((n_q, 1), 1500.0)
    lengths[: n_q > 1] = 1.0
    return lengths * query, np.concatenate([directions(rng, n_k - n_q, d), query])
