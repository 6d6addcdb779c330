"""Plausible wrong answers to feed_forward."""

import numpy as np


def relu_at_the_end_as_well(x, w1, b1, w2, b2):
    """ReLU comes once more at the end, so nothing in the result is negative."""
    hidden = np.maximum(0, x @ w1 + b1)
    return np.maximum(0, hidden @ w2 + b2)


def relu_at_the_end_only(x, w1, b1, w2, b2):
    """ReLU comes behind the second product and not between the two."""
    hidden = x @ w1 + b1
    return np.maximum(hidden @ w2 + b2, 0)


def both_matrices_transposed(x, w1, b1, w2, b2):
    """Both matrices are transposed, as where a layer keeps its weights as (out, in)."""
    hidden = np.maximum(0, np.dot(x, w1.T) + b1)
    return np.dot(hidden, w2.T) + b2


def first_bias_forgotten(x, w1, b1, w2, b2):
    """b1 is never added."""
    hidden = np.maximum(0, np.matmul(x, w1))
    return np.matmul(hidden, w2) + b2


def second_bias_forgotten(x, w1, b1, w2, b2):
    """b2 is never added."""
    h = x @ w1 + b1
    h[h < 0] = 0
    return h @ w2


def largest_neuron_kept(x, w1, b1, w2, b2):
    """np.max takes the largest neuron along an axis and does not compare each one with 0."""
    hidden = np.max(x @ w1 + b1, axis=-1, keepdims=True)
    return np.maximum(hidden, 0) * w2.sum(axis=0) + b2


def max_of_python(x, w1, b1, w2, b2):
    """Python's max compares whole arrays, which NumPy refuses."""
    hidden = max(0, x @ w1 + b1)
    return hidden @ w2 + b2


def tokens_added_to_the_result(x, w1, b1, w2, b2):
    """The tokens are added to the result, which is add & norm's business."""
    hidden = np.maximum(0, x @ w1 + b1)
    return x + hidden @ w2 + b2


def neurons_only_on_or_off(x, w1, b1, w2, b2):
    """A neuron above 0 counts 1 and not its own number."""
    hidden = (x @ w1 + b1 > 0).astype(float)
    return hidden @ w2 + b2
