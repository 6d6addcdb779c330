"""Plausible wrong answers to dot_product_variance."""

import numpy as np


def sum_of_squares_of_one_vector(d, variance=1.0):
    """This is the variance of q · q, a chi-square, but q and k are different and independent."""
    return 2 * d * variance**2


def variance_of_the_mean(d, variance=1.0):
    """This is the variance of the mean of d products, but a score is their sum."""
    return variance**2 / d


def one_degree_of_freedom_lost(d, variance=1.0):
    """The loop begins at 1 and adds d − 1 products only."""
    total = 0.0
    for _ in range(1, d):
        total += variance * variance
    return total


def hat_for_a_power(d, variance=1.0):
    """In Python ^ is no power but a bitwise operation, and raises an error for fractional numbers."""
    return d * variance ^ 2


def variances_multiplied_along_the_vector(d, variance=1.0):
    """The variances of the d products are multiplied with one another, but for a sum they are added."""
    return np.prod(np.full(d, variance**2))


def fourth_moment_of_a_normal(d, variance=1.0):
    """The mean of a normal entry's fourth power is put in, but two independent squares are multiplied."""
    return sum(3 * variance**2 for _ in range(d))
