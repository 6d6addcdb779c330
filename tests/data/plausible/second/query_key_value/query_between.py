"""Plausible wrong answers to query_between."""

import numpy as np

from attention.chapters.query_key_value import booster


def slice_from_a_to_b(keys, a, b):
    """The slice takes all keys between a and b too, and nothing at all if b is the smaller number."""
    return 10 * keys[a : b + 1].sum(axis=0)


def log_of_the_wanted_weight_as_the_score(keys, a, b):
    """Keys a and b get the score ln .49, but the others keep the score 0, which is larger."""
    return np.log(0.49) * (keys[a] + keys[b])


def booster_for_a_single_match(keys, a, b):
    """The booster is the one for a single match among four, but here two keys share the weight."""
    beta = booster(4, 0.49)
    return beta * keys[a] + beta * keys[b]


def second_key_overwrites_the_first(keys, a, b):
    """The loop assigns the query anew, so only key b is left in it."""
    query = np.zeros(keys.shape[1])
    for i in (a, b):
        query = 10.0 * keys[i]
    return query


def key_a_is_changed_on_the_way(keys, a, b):
    """The row keys[a] is a view, so the query is right but the given keys are changed."""
    query = keys[a]
    query *= 8
    query += 8 * keys[b]
    return query


def columns_of_the_keys(keys, a, b):
    """Columns a and b of the table are taken, but a key is a row."""
    return 10 * (keys[:, a] + keys[:, b])


def entry_by_entry_product(keys, a, b):
    """The two keys are multiplied entry by entry, as if that meant 'both', but their sum scores with both."""
    return 50.0 * keys[a] * keys[b]


def linear_system_with_a_square_matrix(keys, a, b):
    """np.linalg.solve wants as many numbers in a key as there are keys, and raises for any other width."""
    scores = np.zeros(4)
    scores[[a, b]] = 10
    return np.linalg.solve(keys, scores)


def difference_of_the_two_keys(keys, a, b):
    """The query is a difference, so key b gets a negative score and the least weight of all."""
    return 10 * (keys[a] - keys[b])


def beta_cut_to_a_whole_number(keys, a, b):
    """The β of ln 49 = 3.89 is cut to 3, and that is too short."""
    beta = int(np.log(0.98 / 0.02))
    return beta * np.einsum("ij->j", keys[[a, b]])


def mean_of_all_four_keys(keys, a, b):
    """The query is ten times the mean of all keys, so each of the four gets a quarter."""
    return 10 * np.mean(keys, axis=0)
