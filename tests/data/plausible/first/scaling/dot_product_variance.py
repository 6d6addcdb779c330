"""Wrong answers to dot_product_variance(d, variance=1.0)."""

import numpy as np


def variance_taken_for_the_spread(d, variance=1.0):
    """The variance is squared once for each factor, as if a standard deviation had been given."""
    return d * (variance**2) * (variance**2)


def caret_for_power(d, variance=1.0):
    """The caret is no power in Python, and is not defined for decimal numbers at all."""
    return d * variance ^ 2


def one_term_less(d, variance=1.0):
    """One is taken off the number of terms, as when a variance is estimated from a sample."""
    return (d - 1) * variance**2


def vector_with_itself(d, variance=1.0):
    """This is the variance of q · q for normal entries, whose two factors are not independent."""
    return np.sum(np.full(d, 2 * variance**2))


def whole_part_of_the_variance(d, variance=1.0):
    """The variance is cut to a whole number before it is squared."""
    total = 0
    for _ in range(d):
        total += int(variance) ** 2
    return total


def average_of_many_draws(d, variance=1.0):
    """Random vectors are drawn and only come near the answer that a formula gives exactly."""
    rng = np.random.default_rng(64)
    q = rng.normal(0, np.sqrt(variance), size=(20_000, d))
    k = rng.normal(0, np.sqrt(variance), size=(20_000, d))
    return np.var(np.einsum("nd,nd->n", q, k))


def terms_multiplied(d, variance=1.0):
    """The variances of the d terms are multiplied with one another, where they should be added up."""
    return float(np.prod([variance * variance for _ in range(d)]))
