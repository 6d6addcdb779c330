"""Wrong answers to scaled_scores(query, key)."""

import numpy as np

from attention.chapters.scaling import scaling_factor


def standardised_by_their_own_spread(query, key):
    """The scores are divided by the spread that they happen to have, and not by the root of d_k."""
    scores = query @ np.swapaxes(key, -1, -2)
    return (scores - scores.mean()) / scores.std()


def reshaped_where_it_should_be_turned(query, key):
    """np.reshape gives the right shape but reads the keys on in rows, so numbers of different keys are mixed up."""
    n_k, d_k = key.shape[-2:]
    turned = np.reshape(key, (*key.shape[:-2], d_k, n_k))
    return query @ turned * scaling_factor(d_k)


def written_back_into_the_query(query, key):
    """The query is divided in place, which changes the caller's array."""
    query /= np.sqrt(query.shape[-1])
    return np.einsum("...id,...jd->...ij", query, key)


def scaled_on_both_sides(query, key):
    """Both query and key get the whole factor, so the scores are divided by d_k and not by its root."""
    c = scaling_factor(key.shape[-1])
    return (c * query) @ np.swapaxes(c * key, -1, -2)


def second_axis_taken_for_the_width(query, key):
    """The width is read from axis 1, which in a batch is the number of keys or of heads."""
    width = key.shape[1]
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(width)


def rounds_down_to_whole_scores(query, key):
    """The dot products are divided with a double slash, which rounds every score down to a whole number."""
    dots = query @ key.swapaxes(-1, -2)
    return dots // np.sqrt(key.shape[-1])


def table_of_the_type_of_the_queries(query, key):
    """The scores are written into an array of the query's type, where whole numbers cut off the fractions."""
    n_q, n_k, d_k = query.shape[-2], key.shape[-2], key.shape[-1]
    scores = np.zeros((*query.shape[:-2], n_q, n_k), dtype=query.dtype)
    for i in range(n_q):
        for j in range(n_k):
            scores[..., i, j] = (query[..., i, :] * key[..., j, :]).sum(axis=-1) / np.sqrt(d_k)
    return scores


def largest_score_already_subtracted(query, key):
    """Each row loses its largest score, which is a step of softmax and not of the scores."""
    scores = query @ np.swapaxes(key, -1, -2) / key.shape[-1] ** 0.5
    return scores - scores.max(axis=-1, keepdims=True)


def number_of_entries_of_the_key(query, key):
    """The root is taken of the number of all entries of the keys, and not of the width of one."""
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(key.size)


def heads_and_sentences_crossed(query, key):
    """np.dot pairs every sentence of the queries with every sentence of the keys, so a batch gets axes too many."""
    return np.dot(query, np.swapaxes(key, -1, -2)) * scaling_factor(query.shape[-1])


def turned_and_scaled_by_keys(query, key):
    """The rows belong to the keys, and the scale is the root of the number of queries."""
    scores = [[np.dot(k, q) for q in query] for k in key]
    return np.array(scores) / np.sqrt(len(query))
