"""Wrong answers to entropy(weights)."""

import numpy as np


def stops_at_the_first_zero(weights):
    """The loop ends at the first weight of 0, so the weights behind it are not counted."""

    def one_row(row):
        h = 0.0
        for p in row:
            if p == 0:
                break
            h -= p * np.log(p)
        return h

    return np.apply_along_axis(one_row, -1, weights)


def ones_written_over_the_zeros(weights):
    """The zeros are replaced in the caller's own array, which is changed by that."""
    weights[weights == 0] = 1
    return -(weights * np.log(weights)).sum(axis=-1)


def positive_weights_in_one_heap(weights):
    """Choosing the positive weights flattens the array, so all rows give one number together."""
    positive = weights[weights > 0]
    return -np.sum(positive * np.log(positive))


def small_weights_dropped(weights):
    """Weights below a thousandth are taken for zeros, although only a weight of 0 adds nothing."""
    safe = np.where(weights > 1e-3, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=-1)


def single_row_in_brackets(weights):
    """A single row is made a matrix of one row, so its entropy comes back in an array and not as a number."""
    rows = np.atleast_2d(weights)
    safe = np.where(rows > 0, rows, 1.0)
    return -np.einsum("...n,...n->...", rows, np.log(safe))


def share_of_the_largest_possible(weights):
    """The entropy is divided by its largest possible value ln n, which for a single key is 0."""
    safe = np.where(weights > 0, weights, 1.0)
    h = -(weights * np.log(safe)).sum(axis=-1)
    return h / np.log(weights.shape[-1])


def weight_in_front_forgotten(weights):
    """The logarithms are added up without their weights in front."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return -logs.sum(axis=-1)


def collision_entropy(weights):
    """This is the logarithm of the sum of squares, another measure that has the same extremes."""
    return -np.log(np.sum(weights**2, axis=-1))


def logarithm_of_one_plus_p(weights):
    """np.log1p takes the logarithm of 1 + p, which avoids ln 0 but changes every term."""
    return -(weights * np.log1p(weights)).sum(axis=-1)


def axis_kept(weights):
    """keepdims leaves an axis of length one, where each row should give a plain number."""
    safe = np.where(weights > 0, weights, 1.0)
    return -np.sum(weights * np.log(safe), axis=-1, keepdims=True)


def every_weight_lifted_by_a_bit(weights):
    """A small number is added inside the logarithm, and makes every entropy a little wrong."""
    return -(weights * np.log(weights + 1e-4)).sum(axis=-1)


def mean_of_the_surprise(weights):
    """The terms are averaged over the keys, although the weights in front already make the average."""
    terms = [-p * np.log(p) if p > 0 else 0.0 for p in np.ravel(weights)]
    return np.reshape(terms, weights.shape).mean(axis=-1)
