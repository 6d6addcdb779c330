"""How far apart the scores of random vectors lie."""

import numpy as np

from attention.chapters import scaling as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Widths of one to three digits; variances below 1 and above 2, where a forgotten square shows; one close to 0."""
    return [
        Case("a narrow key", (int(rng.integers(5, 13)), float(rng.uniform(0.3, 0.8)))),
        Case("a wide key", (int(rng.integers(101, 997)), float(rng.uniform(2.2, 3.5)))),
        Case("variance by name", (int(rng.integers(17, 61)),), {"variance": float(rng.uniform(1.2, 1.8))}),
        Case("a small variance", (int(rng.integers(17, 61)), float(rng.uniform(0.0005, 0.0008)))),
        Case("variance left out", (int(rng.integers(17, 61)),)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """A single product, and entries that are always 0."""
    return [
        Case("width one", (1, float(rng.uniform(2.2, 3.5)))),
        Case("no spread at all", (7, 0.0)),
    ]


@mistake(
    "The variance of an entry was counted once: d · variance. "
    "Each product q_c k_c has the variance of q_c times the variance of k_c, because both have mean 0. "
    "Work out Var(q_c k_c) first, then add up d of them.",
)
def variance_not_squared(d, variance=1.0):
    return d * variance


@mistake(
    "This is d² · variance²: the sum was treated as d times the same product. "
    "Var(d X) is d² Var(X), but here d different products are added, and independent variances simply add up. "
    "Write out Var(q_1 k_1 + q_2 k_2) for d = 2.",
)
def width_squared(d, variance=1.0):
    return d**2 * variance**2


@mistake(
    "This is d² · variance: the width was squared, but not the variance. "
    "It is the other way round: d terms are added, so d counts once, and each is a product of two, so variance "
    "counts twice. "
    "Find the variance of one product first.",
)
def wrong_one_squared(d, variance=1.0):
    return d**2 * variance


@mistake(
    "The square root was taken: √d · variance is the standard deviation, the typical size of a score. "
    "Its square is the variance, which is what you need here. "
    "Leave out the root; you need it in `scaling_factor`.",
)
def standard_deviation(d, variance=1.0):
    return np.sqrt(d) * variance


@mistake(
    "The answer is d, whatever `variance` is. "
    "That is right only for entries of variance 1, the default. "
    "Use the argument: the variance of each of the d products is that of q_c times that of k_c.",
)
def variance_ignored(d, variance=1.0):
    return float(d)


@mistake(
    "The variances of q_c and k_c were added: 2 · d · variance. "
    "Variances add up in a sum; q_c k_c is a product, and with mean 0 its variance is the product of the two. "
    "Start with the mean of q_c² k_c².",
)
def variances_added(d, variance=1.0):
    return 2 * d * variance


@mistake(
    "This is the variance of one product q_c k_c, without d. "
    "A dot product is the sum of d such products, not their mean, and the variances of independent terms add up. "
    "Count the terms.",
)
def width_forgotten(d, variance=1.0):
    return variance**2


@mistake(
    "The variances of the d products were multiplied by one another: (variance²)^d. "
    "Independent variances add up in a sum, and a dot product is a sum of d products. "
    "Variances multiply only within one product, that of q_c and k_c.",
)
def products_multiplied(d, variance=1.0):
    return (variance**2) ** d


EXERCISE = Exercise(
    name="dot_product_variance",
    reference=reference.dot_product_variance,
    returns=("variance",),
    examples=(Case("width 64, variance 1", (64,)), Case("width 5, variance 3", (5,), {"variance": 3.0})),
    unseen=unseen,
    edges=edges,
)
