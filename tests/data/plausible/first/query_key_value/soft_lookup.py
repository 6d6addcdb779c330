"""Wrong answers to soft_lookup(query, keys, values, base=np.e)."""

import numpy as np


def divides_by_the_logarithm_of_the_base(query, keys, values, base=np.e):
    """To change the base, the score must be multiplied by ln(base), and here it is divided by it."""
    scores = keys @ query
    exponents = scores / np.log(base)
    powers = np.exp(exponents - exponents.max())
    weights = powers / powers.sum()
    return weights @ values, weights


def whole_numbers_to_negative_powers(query, keys, values, base=np.e):
    """A whole base is raised to whole negative exponents as they are, which NumPy refuses to do."""
    scores = keys @ query
    powers = base ** (scores - scores.max())
    weights = powers / powers.sum()
    return weights @ values, weights


def loop_over_the_width(query, keys, values, base=np.e):
    """The loop counts the entries of the query and not the keys, so keys are left out or not found."""
    scores = np.zeros(len(keys))
    for i in range(len(query)):
        scores[i] = np.dot(query, keys[i])
    powers = np.power(float(base), scores - scores.max())
    weights = powers / powers.sum()
    return np.sum(weights[:, None] * values, axis=0), weights


def one_power_of_all_scores(query, keys, values, base=np.e):
    """The denominator is the power of the summed scores, and not the sum of the powers."""
    scores = np.array([sum(q * k for q, k in zip(query, key, strict=True)) for key in keys], dtype=float)
    weights = base**scores / base ** np.sum(scores)
    return weights @ values, weights


def best_match_set_to_one(query, keys, values, base=np.e):
    """The powers are divided by the largest of them and not by their sum, so the weights sum to more than one."""
    scores = (keys @ query).astype(float)
    weights = base ** (scores - np.max(scores))
    weights = weights / np.max(weights)
    return weights @ values, weights


def numpy_average_by_scores(query, keys, values, base=np.e):
    """The values are averaged with the scores as weights, without any power of the base."""
    scores = keys @ query
    output = np.average(values, axis=0, weights=scores)
    return output, scores / scores.sum()


def maximum_taken_after_the_power(query, keys, values, base=np.e):
    """The powers are divided by the largest power only after they were raised, when large scores are infinite."""
    powers = np.float64(base) ** (keys @ query)
    powers = powers / powers.max()
    weights = powers / powers.sum()
    return np.einsum("n,nd->d", weights, values), weights


def values_on_the_left(query, keys, values, base=np.e):
    """The values stand to the left of the weights, so their entries and not their rows meet the weights."""
    scores = keys @ query
    powers = np.exp((scores - scores.max()) * np.log(base))
    weights = powers / powers.sum()
    return values @ weights, weights


def distances_to_the_keys(query, keys, values, base=np.e):
    """The scores are negative squared distances and no dot products, so the length of a key counts against it."""
    scores = -((keys - query) ** 2).sum(axis=1).astype(float)
    powers = base ** (scores - scores.max())
    weights = powers / powers.sum()
    return weights @ values, weights
