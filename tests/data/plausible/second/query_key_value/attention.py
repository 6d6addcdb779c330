"""Plausible wrong answers to attention."""

import numpy as np


def log_sum_exp_without_the_maximum(query, key, value):
    """The logarithm of the sum comes too late, because the powers inside it overflow for large scores."""
    scores = np.einsum("...qd,...kd->...qk", query, key)
    log_total = np.log(np.exp(scores).sum(axis=-1, keepdims=True))
    weights = np.exp(scores - log_total)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


def weights_sum_to_one_over_the_queries(query, key, value):
    """The weights of a key sum to one over the queries, and they come back with one row for each key."""
    scores = np.einsum("...qd,...kd->...kq", query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...kq,...kv->...qv", weights, value), weights


def maximum_of_each_key_subtracted(query, key, value):
    """The largest score of each key is subtracted and not of each query, and this does not cancel in a row."""
    scores = np.einsum("...qd,...kd->...qk", query, key)
    powers = np.exp(scores - scores.max(axis=-2, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


def one_letter_for_queries_and_keys(query, key, value):
    """One letter stands for queries and keys, so query i meets key i only, and the rest is never compared."""
    scores = np.einsum("...nd,...nd->...n", query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...n,...nv->...v", weights, value), weights


def one_leading_axis_only(query, key, value):
    """The loop goes over one leading axis, and with two of them `.T` turns all axes of a sentence round."""

    def single(q, k, v):
        scores = q @ k.T
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = powers / powers.sum(axis=-1, keepdims=True)
        return weights @ v, weights

    if query.ndim == 2:
        return single(query, key, value)
    pairs = [single(query[b], key[b], value[b]) for b in range(len(query))]
    return np.array([output for output, _ in pairs]), np.array([weights for _, weights in pairs])


def queries_brought_to_length_one(query, key, value):
    """The queries are divided by their lengths, though the scores are plain dot products."""
    length = np.linalg.norm(query, axis=-1, keepdims=True)
    q = query / np.where(length > 0, length, 1)
    scores = np.einsum("...qd,...kd->...qk", q, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


def as_many_queries_as_the_shorter_list(query, key, value):
    """The loop goes only as far as there are both queries and keys, so surplus queries get zeros."""
    n_q, n_k = query.shape[-2], key.shape[-2]
    output = np.zeros((*query.shape[:-1], value.shape[-1]))
    weights = np.zeros((*query.shape[:-1], n_k))
    for i in range(min(n_q, n_k)):
        scores = np.einsum("...d,...kd->...k", query[..., i, :], key)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights[..., i, :] = powers / powers.sum(axis=-1, keepdims=True)
        output[..., i, :] = np.einsum("...k,...kv->...v", weights[..., i, :], value)
    return output, weights


def weights_rounded_to_two_digits(query, key, value):
    """The weights are rounded to two digits before they mix, so they no longer sum to one."""
    scores = query @ np.swapaxes(key, -1, -2)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = np.round(powers / powers.sum(axis=-1, keepdims=True), 2)
    return weights @ value, weights
