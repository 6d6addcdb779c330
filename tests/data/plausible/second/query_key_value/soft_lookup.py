"""Plausible wrong answers to soft_lookup."""

import numpy as np


def scores_divided_by_the_log_of_the_base(query, keys, values, base=np.e):
    """The scores are divided by ln base, though base^s is e^(s · ln base)."""
    scores = np.einsum("nd,d->n", keys, query) / np.log(base)
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum()
    return np.einsum("n,nv->v", weights, values), weights


def power_the_wrong_way_round(query, keys, values, base=np.e):
    """The score is raised to the base and not the base to the score."""
    scores = np.einsum("nd,d->n", keys, query)
    powers = np.power(scores, base)
    weights = powers / powers.sum()
    return weights @ values, weights


def np_average_without_an_axis(query, keys, values, base=np.e):
    """np.average is not told along which axis the weights lie, and raises an error."""
    scores = keys @ query
    powers = np.power(float(base), scores - scores.max())
    weights = powers / powers.sum()
    return np.average(values, weights=weights), weights


def maximum_subtracted_only_above_the_line(query, keys, values, base=np.e):
    """The largest score is subtracted above the fraction line and not below it, so the weights don't sum to one."""
    scores = keys @ query
    total = sum(float(base) ** score for score in scores)
    weights = np.array([float(base) ** (score - scores.max()) / total for score in scores])
    return weights @ values, weights


def whole_number_base_with_negative_exponents(query, keys, values, base=np.e):
    """A whole-number base cannot be raised to whole-number negative scores in NumPy, which raises an error."""
    scores = keys @ query
    powers = base ** (scores - scores.max())
    weights = powers / powers.sum()
    return np.einsum("n,nv->v", weights, values), weights


def same_keys_fall_together_in_a_dict(query, keys, values, base=np.e):
    """A Python dictionary keeps one entry for equal keys, so repeated tokens are lost."""
    table = {tuple(key): value for key, value in zip(keys, values, strict=True)}
    scores = np.array([np.dot(key, query) for key in table])
    powers = float(base) ** (scores - scores.max())
    weights = powers / powers.sum()
    output = sum(weight * value for weight, value in zip(weights, table.values(), strict=True))
    return output, weights


def sum_over_the_numbers_of_a_value(query, keys, values, base=np.e):
    """The sum runs over the numbers of each value and not over the keys, so there is one output for each key."""
    scores = np.einsum("nd,d->n", keys, query)
    powers = np.exp((scores - scores.max()) * np.log(base))
    weights = powers / powers.sum()
    return np.einsum("n,nv->n", weights, values), weights


def first_value_is_never_added(query, keys, values, base=np.e):
    """The loop over the values begins at 1 and the sum at zero, so the first value is left out."""
    scores = np.array([key @ query for key in keys], dtype=float)
    powers = float(base) ** (scores - scores.max())
    weights = powers / powers.sum()
    output = np.zeros(values.shape[1])
    for i in range(1, len(values)):
        output = output + weights[i] * values[i]
    return output, weights


def largest_key_entry_subtracted(query, keys, values, base=np.e):
    """The largest entry of the keys is subtracted and not the largest score, so large scores still overflow."""
    scores = keys @ query - np.max(keys)
    powers = np.power(float(base), scores)
    weights = powers / powers.sum()
    return weights @ values, weights


def keys_mixed_in_place_of_values(query, keys, values, base=np.e):
    """The output mixes the keys and not the values."""
    scores = np.einsum("nd,d->n", keys, query)
    powers = np.power(float(base), scores - scores.max())
    weights = powers / powers.sum()
    output = 0
    for i in range(len(values)):
        output = output + weights[i] * keys[i]
    return output, weights
