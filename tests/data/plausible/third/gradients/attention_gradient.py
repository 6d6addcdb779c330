"""Plausible wrong answers to attention_gradient."""

import numpy as np

from attention.chapters.masking import masked_softmax


def _turned(x):
    return np.swapaxes(x, -1, -2)


def root_left_out_behind(query, key, value, mask, output_gradient):
    """The last two products are not divided by the root of d_k."""
    weights = masked_softmax(query @ _turned(key) / np.sqrt(key.shape[-1]), mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def root_left_out_in_the_scores(query, key, value, mask, output_gradient):
    """The scores are not divided by the root of d_k before softmax, only the gradients are."""
    weights = masked_softmax(query @ _turned(key), mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / np.sqrt(key.shape[-1])
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def root_left_out_everywhere(query, key, value, mask, output_gradient):
    """The root of d_k stands nowhere, neither before softmax nor on the way back."""
    weights = masked_softmax(query @ _turned(key), mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def root_of_the_value_width(query, key, value, mask, output_gradient):
    """The root is that of d_v and not of d_k, before softmax and behind."""
    root = np.sqrt(value.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def row_sum_forgotten(query, key, value, mask, output_gradient):
    """s is not subtracted, so d_scores is weights times d_weights."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_scores = weights * (output_gradient @ _turned(value)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def sum_along_the_queries(query, key, value, mask, output_gradient):
    """s is the sum along the queries (axis=-2) and not over the row."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-2, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def plain_mean_of_the_row(query, key, value, mask, output_gradient):
    """s is the plain mean of d_weights over the row and not weighed."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - d_weights.mean(axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def sum_of_d_weights_not_weighed(query, key, value, mask, output_gradient):
    """s is the sum of d_weights alone, and the weights are left out of it."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - d_weights.sum(axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def mask_not_used(query, key, value, mask, output_gradient):
    """The weights are made without the mask."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, np.array(True))
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def mask_read_the_other_way(query, key, value, mask, output_gradient):
    """The mask is negated."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, ~mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def returned_in_another_order(query, key, value, mask, output_gradient):
    """d_value is returned first, as it is computed first, and d_query and d_key after it."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return _turned(weights) @ output_gradient, d_scores @ key, _turned(d_scores) @ query


def query_and_key_exchanged(query, key, value, mask, output_gradient):
    """d_key stands where d_query belongs and the other way round."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return _turned(d_scores) @ query, d_scores @ key, _turned(weights) @ output_gradient


def two_dimensional_only(query, key, value, mask, output_gradient):
    """.T turns all axes round, which is right only without a batch."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ key.T / root, mask)
    d_weights = output_gradient @ value.T
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, d_scores.T @ query, weights.T @ output_gradient


def output_gradient_left_out_of_d_value(query, key, value, mask, output_gradient):
    """d_value is weightsᵀ times the values, and not times G."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ (weights @ value)


def first_softmax_skipped_on_the_way_back(query, key, value, mask, output_gradient):
    """d_scores is d_weights itself: softmax is not gone through on the way back."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_scores = output_gradient @ _turned(value) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def weights_left_out_of_d_scores(query, key, value, mask, output_gradient):
    """d_scores is d_weights - s, without the factor of the weights."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def slope_of_a_sigmoid(query, key, value, mask, output_gradient):
    """weights * (1 - weights) * d_weights: only the diagonal of the Jacobian is used."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_scores = weights * (1 - weights) * (output_gradient @ _turned(value)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def divided_by_d_k(query, key, value, mask, output_gradient):
    """The root is taken twice over: the gradients are divided by d_k and not by its root."""
    d_k = key.shape[-1]
    weights = masked_softmax(query @ _turned(key) / np.sqrt(d_k), mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / d_k
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def root_in_d_query_only(query, key, value, mask, output_gradient):
    """d_query is divided by the root of d_k and d_key is not."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    return d_scores @ key / root, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def masked_after_softmax(query, key, value, mask, output_gradient):
    """The mask multiplies the weights after softmax, and the rest is not shared out again."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, np.array(True)) * mask
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def value_gradient_not_returned(query, key, value, mask, output_gradient):
    """Only d_query and d_key are returned."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query


def axis_of_the_sum_lost(query, key, value, mask, output_gradient):
    """keepdims is forgotten, so s lies along the keys, or does not fit."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def row_sum_over_the_whole_table(query, key, value, mask, output_gradient):
    """s is one sum over all rows and the whole batch."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def plus_in_place_of_minus(query, key, value, mask, output_gradient):
    """s is added and not subtracted."""
    root = np.sqrt(key.shape[-1])
    weights = masked_softmax(query @ _turned(key) / root, mask)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights + np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient


def blind_query_not_thought_of(query, key, value, mask, output_gradient):
    """Softmax written out divides 0 by 0 where a query may look at nothing."""
    root = np.sqrt(key.shape[-1])
    scores = np.where(mask, query @ _turned(key) / root, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    d_weights = output_gradient @ _turned(value)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
    return d_scores @ key, _turned(d_scores) @ query, _turned(weights) @ output_gradient
