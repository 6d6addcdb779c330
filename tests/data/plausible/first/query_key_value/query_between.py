"""Wrong answers to query_between(keys, a, b)."""

import numpy as np

from attention.chapters.query_key_value import booster


def rounded_down_factor(keys, a, b):
    """The factor ln 49 is rounded down to 3.89, so the two weights stay just below .49."""
    return 3.89 * (keys[a] + keys[b])


def half_of_a_good_factor(keys, a, b):
    """The mean of the two keys halves the factor, so each of them scores 2 only."""
    beta = 4
    return beta * np.mean([keys[a], keys[b]], axis=0)


def booster_for_one_match(keys, a, b):
    """The factor is that of a single match with weight .49, but here two matches share the weight."""
    beta = booster(len(keys), 0.49)
    return beta * keys[a] + beta * keys[b]


def entries_a_and_b(keys, a, b):
    """a and b are taken for entries of the query, which is right for unit vectors in their order only."""
    query = np.zeros(keys.shape[-1])
    query[[a, b]] = 20.0
    return query


def columns_of_the_keys(keys, a, b):
    """Columns are taken for keys, although each row is one."""
    return 10 * (keys[:, a] + keys[:, b])


def everything_between_them(keys, a, b):
    """The slice takes all keys from a to b, also those in between, and none if a comes after b."""
    return 50 * keys[a : b + 1].sum(axis=0)


def slice_that_needs_a_before_b(keys, a, b):
    """The slice finds both keys only if a is smaller than b, and otherwise one of them."""
    return 10 * keys[a : b + 1 : b - a].sum(axis=0)


def adds_into_the_keys(keys, a, b):
    """The query is the row of the keys itself and not a copy, so the caller's key a is changed."""
    query = keys[a]
    query += keys[b]
    query *= 8
    return query


def infinitely_long(keys, a, b):
    """An infinite factor times an entry of 0 is NaN, so an infinitely long query has no scores."""
    return np.inf * (keys[a] + keys[b])


def factor_beyond_precision(keys, a, b):
    """The factor is so large that the rounding errors of the two scores decide, and one key takes it all."""
    return 1e20 * (keys[a] + keys[b])


def solved_as_a_square_system(keys, a, b):
    """The equations are solved as if the keys were a square matrix, which they are only if d_k is 4."""
    wanted = np.zeros(4)
    wanted[a] = wanted[b] = 9.0
    return np.linalg.solve(keys, wanted)


def brought_to_length_one(keys, a, b):
    """The query is brought to length one, so the direction is right and the scores are too small."""
    query = 12 * (keys[a] + keys[b])
    return query / np.linalg.norm(query)


def weights_for_scores(keys, a, b):
    """The wanted weights are used as scores, before softmax flattens them."""
    wanted = np.full(len(keys), 0.01)
    wanted[a] = 0.49
    wanted[b] = 0.49
    return wanted @ keys
