"""Wrong answers to scaling_factor(d_k)."""

import numpy as np

from attention.chapters.scaling import dot_product_variance


def power_before_the_division(d_k):
    """The power binds more tightly than the division, so this is half of 1 / d_k."""
    return float(d_k) ** -1 / 2


def fourth_root(d_k):
    """This is the factor for query and key each, but the score that it multiplies needs both at once."""
    return d_k**-0.25


def root_cut_to_a_whole_number(d_k):
    """The root is cut to a whole number, so the factor is right for square numbers only."""
    return 1 / int(np.sqrt(d_k))


def divided_among_eight_heads(d_k):
    """The width is divided among eight heads once more, although d_k is already the width of one head."""
    heads = 8
    return 1 / np.sqrt(d_k / heads)


def width_of_the_token(d_k):
    """The root is taken of the token's width, eight times d_k, and not of the key's width."""
    d_model = 8 * d_k
    return 1.0 / np.sqrt(d_model)


def four_decimals(d_k):
    """The factor is rounded to the four decimals of the example."""
    return np.round(1 / np.sqrt(d_k), 4)


def one_less_under_the_root(d_k):
    """One is subtracted under the root, so a width of 1 divides by 0."""
    with np.errstate(divide="ignore"):
        return 1 / np.sqrt(np.float64(d_k - 1))


def inverse_of_the_variance(d_k):
    """The variance itself is inverted and not its root, as if the factor multiplied the variance and not the scores."""
    return 1 / dot_product_variance(d_k)


def lowered_step_by_step(d_k):
    """The factor is lowered in steps of a thousandth until the variance is 1 or less, so it is only near the answer."""
    c = 1.0
    while dot_product_variance(d_k) * c**2 > 1:
        c -= 0.001
    return c


def length_of_the_counting_vector(d_k):
    """The norm is taken of the whole numbers below d_k and not of d_k ones, whose length is the root of d_k."""
    return 1 / max(np.linalg.norm(np.arange(d_k)), 1.0)
