"""Plausible wrong answers to entropy."""

import numpy as np


def loop_ends_at_the_first_zero(weights):
    """The loop breaks off at the first zero, though the weights behind it count as well."""
    result = np.zeros(weights.shape[:-1])
    for row in np.ndindex(*weights.shape[:-1]):
        for p in weights[row]:
            if p == 0:
                break
            result[row] -= p * np.log(p)
    return result


def zeros_filtered_out_of_the_batch(weights):
    """Picking the positive weights flattens a batch, so one number comes out for all rows together."""
    positive = weights[weights > 0]
    return -np.sum(positive * np.log(positive))


def evenness_between_zero_and_one(weights):
    """The entropy is divided by its largest value, ln n, as for an index of evenness."""
    n = weights.shape[-1]
    safe = np.where(weights > 0, weights, 1.0)
    return -np.sum(weights * np.log(safe), axis=-1) / np.log(n)


def distance_from_the_uniform_row(weights):
    """This is the divergence from equal weights, ln n − H, which is 0 where the entropy is largest."""
    n = weights.shape[-1]
    safe = np.where(weights > 0, weights, 1.0)
    return np.sum(weights * np.log(safe * n), axis=-1)


def every_weight_as_a_coin(weights):
    """The term of 1 − p is added for each weight, as if every weight were a coin of its own."""
    p = np.where(weights > 0, weights, 1.0)
    q = np.where(weights < 1, 1 - weights, 1.0)
    return -np.sum(weights * np.log(p) + (1 - weights) * np.log(q), axis=-1)


def nan_of_the_sum_made_zero(weights):
    """The NaN is mended after the sum, so a row with a single zero loses its whole entropy."""
    with np.errstate(divide="ignore", invalid="ignore"):
        total = -np.einsum("...n,...n->...", weights, np.log(weights))
    return np.nan_to_num(total)


def gini_impurity(weights):
    """This is the Gini index 1 − Σ p², another measure of evenness."""
    return 1 - np.einsum("...n,...n->...", weights, weights)


def small_weights_lifted(weights):
    """Weights below .001 are lifted to .001 in both places, so zeros and tiny weights add too much."""
    p = np.clip(weights, 1e-3, 1)
    return -np.sum(p * np.log(p), axis=-1)


def sum_along_the_first_axis(weights):
    """The sum runs along axis 0, so a batch gets one number for each key and not for each row."""
    safe = np.where(weights > 0, weights, 1.0)
    return -np.sum(weights * np.log(safe), axis=0)


def bits_and_not_nats(weights):
    """The logarithm has base 2, so the entropy is in bits."""
    result = np.zeros(weights.shape[:-1])
    for row in np.ndindex(*weights.shape[:-1]):
        result[row] = -sum(p * np.log2(p) for p in weights[row] if p > 0)
    return result


def effective_number_of_keys(weights):
    """This is e to the entropy, the number of keys that a query looks at in effect."""
    safe = np.where(weights > 0, weights, 1.0)
    return np.exp(-(weights * np.log(safe)).sum(axis=-1))


def axis_of_the_sum_kept(weights):
    """The axis that was summed stays as one of length one, though a row should give a plain number."""
    safe = np.where(weights > 0, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=-1, keepdims=True)
