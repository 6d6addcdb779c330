"""Plausible wrong answers to masked_attention."""

import numpy as np

from attention.chapters.masking import masked_softmax


def not_divided_by_the_root(query, key, value, mask):
    """The scores are not divided by the root of d_k."""
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2), mask)
    return weights @ value, weights


def root_of_the_value_width(query, key, value, mask):
    """The root is that of d_v, the width of the values, and not of d_k."""
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(value.shape[-1]), mask)
    return weights @ value, weights


def two_dimensional_only(query, key, value, mask):
    """key.T turns all axes round, which fails as soon as there is a batch."""
    weights = masked_softmax(query @ key.T / np.sqrt(key.shape[-1]), mask)
    return weights @ value, weights


def output_alone(query, key, value, mask):
    """Only the output is returned, and the weights are not."""
    return masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), mask) @ value


def weights_first(query, key, value, mask):
    """The weights stand in front of the output."""
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), mask)
    return weights, weights @ value


def values_masked_too(query, key, value, mask):
    """The scores are multiplied by the mask and then shared out over all keys, the hidden ones with a score of 0."""
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]) * mask
    weights = masked_softmax(scores, np.array(True))
    return weights @ value, weights


def keys_mixed(query, key, value, mask):
    """The weights mix the keys and not the values."""
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), mask)
    return weights @ key, weights


def divided_after_softmax(query, key, value, mask):
    """The weights are divided by the root of d_k after softmax, in place of the scores before it."""
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2), mask) / np.sqrt(key.shape[-1])
    return weights @ value, weights
