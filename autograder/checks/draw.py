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
    """Draw queries and keys whose scores lie between -1500 and 1500: exp of the largest overflows in every row.

    Divided by √d, a score overflows exp up to d = 3 only.
    """
    query = directions(rng, n_q, d)
    return 1500 * query, np.concatenate([directions(rng, n_k - n_q, d), query])


def one_loud_query(rng, n_q, n_k, d):
    """Draw queries and keys; the first query scores so high that exp of another row less its maximum is 0."""
    query, key = within(rng, 1.2, n_q, d), directions(rng, n_k, d)
    query[0] = 5000 * key[0]
    return query, key


def far_out(rng, n, d):
    """Draw tokens whose scores are all near 1600, and differ as ordinary ones do; the longest token comes last."""
    x = within(rng, 1.2, n, d)
    x[:, 0] = 40.0
    return x[np.argsort(np.linalg.norm(x, axis=-1))]
