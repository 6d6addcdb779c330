"""Plausible wrong answers to scaling_factor."""

import numpy as np

from attention.chapters.scaling import dot_product_variance


def whole_number_half_is_zero(d_k):
    """The exponent 1 // 2 is 0, so the factor is always 1."""
    return float(d_k) ** -(1 // 2)


def width_given_as_the_variance_too(d_k):
    """The width is passed as the variance of the entries too, though that is 1."""
    return 1 / np.sqrt(dot_product_variance(d_k, d_k))


def root_cut_to_a_whole_number(d_k):
    """The root is cut to a whole number, so the factor is right only where d_k is a square."""
    return 1 / int(np.sqrt(d_k))


def width_of_the_model_among_eight_heads(d_k):
    """The width is divided by the eight heads of the example, but d_k is the width of one head already."""
    return 1 / np.sqrt(d_k / 8)


def variance_brought_to_one_by_the_variance(d_k):
    """The factor divides by the variance and not by its root, though it enters the variance squared."""
    return 1 / dot_product_variance(d_k)


def rounded_as_it_is_printed(d_k):
    """The factor is rounded to two digits."""
    return round(1 / np.sqrt(d_k), 2)


def factor_that_multiplies_the_spread(d_k):
    """This is the standard deviation of the scores, and the factor has to be one divided by it."""
    return np.sqrt(dot_product_variance(d_k))
