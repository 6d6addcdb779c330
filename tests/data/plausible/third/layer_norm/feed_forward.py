"""Plausible wrong answers to feed_forward."""

import numpy as np


def without_relu(x, w1, b1, w2, b2):
    """There is no ReLU between the two products."""
    return (x @ w1 + b1) @ w2 + b2


def relu_at_the_end_as_well(x, w1, b1, w2, b2):
    """ReLU comes once more at the end, so nothing in the result is negative."""
    hidden = np.maximum(0, x @ w1 + b1)
    return np.maximum(0, hidden @ w2 + b2)


def relu_at_the_end_only(x, w1, b1, w2, b2):
    """ReLU comes behind the second product and not between the two."""
    hidden = x @ w1 + b1
    return np.maximum(hidden @ w2 + b2, 0)


def biases_exchanged(x, w1, b1, w2, b2):
    """b2 is added in the middle and b1 at the end, where they do not fit."""
    hidden = np.maximum(0, x @ w1 + b2)
    return hidden @ w2 + b1


def first_matrix_transposed(x, w1, b1, w2, b2):
    """w1 is transposed, so the product does not fit."""
    return np.maximum(0, x @ w1.T + b1) @ w2 + b2


def both_matrices_transposed(x, w1, b1, w2, b2):
    """Both matrices are transposed, as where a layer keeps its weights as (out, in)."""
    hidden = np.maximum(0, np.dot(x, w1.T) + b1)
    return np.dot(hidden, w2.T) + b2


def bias_behind_relu(x, w1, b1, w2, b2):
    """b1 is added behind ReLU and not in front of it."""
    hidden = np.maximum(0, x @ w1) + b1
    return hidden @ w2 + b2


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


def zero_given_as_the_axis(x, w1, b1, w2, b2):
    """np.max(…, 0) takes 0 for the axis, and the largest over the tokens is left of each neuron."""
    hidden = np.max(x @ w1 + b1, 0)
    return hidden @ w2 + b2


def sign_dropped(x, w1, b1, w2, b2):
    """Negative numbers are made positive and not 0."""
    return np.abs(x @ w1 + b1) @ w2 + b2


def leak_of_a_hundredth(x, w1, b1, w2, b2):
    """Negative numbers are made a hundredth of themselves and not 0, as in leaky ReLU."""
    z = x @ w1 + b1
    return np.where(z > 0, z, 0.01 * z) @ w2 + b2


def tokens_added_to_the_result(x, w1, b1, w2, b2):
    """The tokens are added to the result, which is add & norm's business."""
    hidden = np.maximum(0, x @ w1 + b1)
    return x + hidden @ w2 + b2


def neurons_only_on_or_off(x, w1, b1, w2, b2):
    """A neuron above 0 counts 1 and not its own number."""
    hidden = (x @ w1 + b1 > 0).astype(float)
    return hidden @ w2 + b2


def relu_on_the_tokens(x, w1, b1, w2, b2):
    """ReLU is used on the tokens before the first product, and not between the two."""
    return (np.maximum(0, x) @ w1 + b1) @ w2 + b2


def smaller_of_both_taken(x, w1, b1, w2, b2):
    """np.minimum keeps what is negative and puts 0 in the place of the rest."""
    return np.minimum(0, x @ w1 + b1) @ w2 + b2
