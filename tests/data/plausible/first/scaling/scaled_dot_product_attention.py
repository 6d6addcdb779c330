"""Wrong answers to scaled_dot_product_attention(query, key, value)."""

import numpy as np

from attention.chapters.scaling import scaled_scores, scaling_factor


def weights_in_order_of_size(query, key, value):
    """The scores are sorted to find the largest, so the weights no longer stand with their own keys."""
    scores = np.sort(scaled_scores(query, key), axis=-1)
    powers = np.exp(scores - scores[..., -1:])
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def scaled_after_softmax(query, key, value):
    """The weights are scaled and not the scores, so the rows do not sum to one."""
    scores = query @ np.swapaxes(key, -1, -2)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    weights = weights * scaling_factor(key.shape[-1])
    return weights @ value, weights


def width_of_the_values(query, key, value):
    """The root is taken of the width of a value, and not of a key."""
    d = value.shape[-1]
    scores = np.einsum("...qd,...kd->...qk", query, key) / np.sqrt(d)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


def scaled_twice(query, key, value):
    """The scores come scaled from scaled_scores, and are scaled a second time."""
    scores = scaled_scores(query, key) / np.sqrt(query.shape[-1])
    powers = np.exp(scores - np.amax(scores, axis=-1, keepdims=True))
    weights = powers / np.sum(powers, axis=-1, keepdims=True)
    return weights @ value, weights


def one_more_below_the_line(query, key, value):
    """A 1 is added below the fraction line against division by 0, so the weights sum to less than one."""
    scores = scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / (1 + powers.sum(axis=-1, keepdims=True))
    return weights @ value, weights


def winner_takes_all_when_scores_are_large(query, key, value):
    """Scores too large for np.exp are replaced by a choice of the largest, for all rows and without regard to ties."""
    scores = scaled_scores(query, key)
    if scores.max() > 700:
        weights = np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
    else:
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def maximum_of_the_whole_sentence(query, key, value):
    """The maximum is taken over all rows of a sentence, so a row far below another divides 0 by 0."""
    scores = scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def output_as_wide_as_a_query(query, key, value):
    """The container for the output has the shape of the queries, although a value may have another width."""
    scores = scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    output = np.zeros(query.shape)
    for j in range(value.shape[-2]):
        output += weights[..., j, None] * value[..., j, None, :]
    return output, weights


def half_precision(query, key, value):
    """The scores are kept in half precision, which rounds them to three or four digits."""
    scores = scaled_scores(query, key).astype(np.float16)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def last_key_left_out(query, key, value):
    """The sum below the fraction line stops before the last key."""
    scores = scaled_scores(query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    total = sum(powers[..., j] for j in range(powers.shape[-1] - 1))
    weights = powers / np.expand_dims(total, -1)
    return weights @ value, weights


def query_added_to_the_output(query, key, value):
    """The query is added to the mixture, as the skip connection around attention does with its input."""
    s = scaled_scores(query, key)
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    w /= w.sum(axis=-1, keepdims=True)
    return query + w @ value, w
