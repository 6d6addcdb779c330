"""Plausible wrong answers to scaled_dot_product_attention."""

import numpy as np

from attention.chapters.scaling import scaled_scores, scaling_factor


def maximum_of_the_scores_before_scaling(query, key, value):
    """The maximum is that of the unscaled scores, so with large scores every power becomes 0 and the sum too."""
    dots = np.einsum("...qd,...kd->...qk", query, key)
    powers = np.exp(dots * scaling_factor(key.shape[-1]) - dots.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


def einsum_letters_that_do_not_meet(query, key, value):
    """The keys have two different letters in einsum, so weights and values are summed apart from each other."""
    scores = scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...jv->...qv", weights, value), weights


def powers_returned_as_weights(query, key, value):
    """The output is divided by the sum of the powers, but the weights that come back are not."""
    scores = scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    output = np.einsum("...qk,...kv->...qv", powers, value) / powers.sum(axis=-1, keepdims=True)
    return output, powers


def scaled_after_softmax(query, key, value):
    """The weights are scaled and not the scores, so they sum to 1/√d_k."""
    scores = query @ np.swapaxes(key, -1, -2)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True) * scaling_factor(key.shape[-1])
    return weights @ value, weights


def axis_one_for_the_sums(query, key, value):
    """Axis 1 is the keys in a single sentence, but in a batch it is the queries."""
    scores = scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights @ value, weights


def later_keys_multiplied_by_zero(query, key, value):
    """A triangle of zeros is multiplied into the scores as for a decoder, but here every query sees every key."""
    scores = np.tril(np.ones((query.shape[-2], key.shape[-2]))) * scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def output_stored_like_the_values(query, key, value):
    """The output is stored in the number type of the values, so whole-number values lose their fractions."""
    scores = scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    output = np.zeros((*query.shape[:-1], value.shape[-1]), dtype=value.dtype)
    for i in range(query.shape[-2]):
        output[..., i, :] = np.einsum("...k,...kv->...v", weights[..., i, :], value)
    return output, weights


def keys_and_queries_change_places(query, key, value):
    """The key is given where the query belongs, so every key looks at the queries."""
    scores = scaled_scores(key, query)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def scaled_once_more(query, key, value):
    """scaled_scores has scaled already, and here the scores are scaled a second time."""
    scores = scaled_scores(query, key) * scaling_factor(key.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


def last_query_decides_for_all(query, key, value):
    """The weights are overwritten in the loop over the queries, so all rows mix with those of the last query."""
    scores = scaled_scores(query, key)
    weights = np.zeros(scores.shape)
    for i in range(scores.shape[-2]):
        powers = np.exp(scores[..., i, :] - scores[..., i, :].max(axis=-1, keepdims=True))
        weights[...] = (powers / powers.sum(axis=-1, keepdims=True))[..., None, :]
    return weights @ value, weights
