"""Wrong answers to attention(query, key, value)."""

import numpy as np

from attention.chapters.query_key_value import soft_lookup


def weights_of_the_last_query(query, key, value):
    """The weights are overwritten in every turn of the loop, so only those of the last query are returned."""
    output = []
    for i in range(query.shape[-2]):
        scores = (query[..., i : i + 1, :] * key).sum(axis=-1)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = powers / powers.sum(axis=-1, keepdims=True)
        output.append((weights[..., None] * value).sum(axis=-2))
    return np.stack(output, axis=-2), weights


def lookup_with_keys_and_values_exchanged(query, key, value):
    """Keys and values change places in the call, so queries are compared with values and keys are mixed."""
    rows = [soft_lookup(q, value, key) for q in query]
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows])


def first_sentence_only(query, key, value):
    """The return stands inside the loop over the batch, so only the first sentence gets an answer."""
    if query.ndim == 2:
        scores = query @ key.T
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        w = e / e.sum(axis=1, keepdims=True)
        return w @ value, w
    for b in range(query.shape[0]):
        return first_sentence_only(query[b], key[b], value[b])


def largest_entry_of_the_query_subtracted(query, key, value):
    """The maximum is subtracted from the entries of the query and not from the scores, which changes the scores."""
    safe = query - query.max(axis=-1, keepdims=True)
    powers = np.exp(np.einsum("...qd,...kd->...qk", safe, key))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def scores_divided_by_their_largest(query, key, value):
    """The scores are divided by the largest of their row, where it should be subtracted."""
    scores = query @ np.swapaxes(key, -1, -2)
    largest = np.abs(scores).max(axis=-1, keepdims=True)
    scores = scores / np.where(largest == 0, 1, largest)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights @ value, weights


def maximum_of_each_key(query, key, value):
    """The maximum is taken down each column, so every key loses another number and the weights change."""
    scores = np.matmul(query, np.swapaxes(key, -2, -1))
    scores = scores - np.max(scores, axis=-2, keepdims=True)
    powers = np.exp(scores)
    weights = powers / np.sum(powers, axis=-1, keepdims=True)
    return np.matmul(weights, value), weights


def shifted_above_but_not_below_the_line(query, key, value):
    """The maximum is subtracted above the fraction line only, so the weights do not sum to one."""
    scores = query @ np.swapaxes(key, -1, -2)
    top = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - top) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights @ value, weights


def keys_look_at_queries(query, key, value):
    """Each key shares its weight among the queries, so it is the columns of the returned weights that sum to one."""
    scores = key @ np.swapaxes(query, -1, -2)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    weights = np.swapaxes(weights, -1, -2)
    return weights @ value, weights


def one_axis_put_back_by_hand(query, key, value):
    """The sum's lost axis is put back as [:, None], which is the right place without a batch only."""
    scores = query @ key.swapaxes(-1, -2)
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    total = powers.sum(axis=-1)
    weights = powers / total[:, None]
    return weights @ value, weights


def two_slips_of_scale_and_order(query, key, value):
    """The scores are divided by the root of the number of keys, and the weights are returned before the output."""
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-2])
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights, weights @ value
