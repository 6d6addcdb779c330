"""The factor that keeps the spread of scores the same at any width."""

import numpy as np

from attention.chapters import scaling as reference
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Three widths, none of them 512 or 64, which are mistakes to recognise."""
    spans = ((3, 23), (101, 401), (1021, 8191))
    return [Case("another width", (int(rng.integers(*span)),)) for span in spans]


def edges(rng: np.random.Generator) -> list[Case]:
    """A key of one number, and a key as wide as the widest models' tokens."""
    return [Case("width one", (1,)), Case("a very wide key", (int(rng.integers(10_007, 20_011)),))]


@mistake(
    "The factor is 1/d_k, which leaves scores with variance 1/d_k instead of 1. "
    "A factor c multiplies the variance by c², not by c. "
    "Solve c² · d_k = 1 for c.",
)
def one_over_width(d_k):
    return 1 / d_k


@mistake(
    "This is √d_k, the number to divide by; the function must return the number to multiply by. "
    "Multiplying by √d_k spreads the scores even further, to a variance of d_k². "
    "Return one over it.",
)
def root_not_inverted(d_k):
    return np.sqrt(d_k)


@mistake(
    "This is 1/√512 for every `d_k`: the width of a whole token in the original Transformer. "
    "A dot product adds up as many products as one key has numbers, and a key there has 64. "
    "Use the argument `d_k`, the width of one key.",
)
def width_of_a_token(d_k):
    return 1 / np.sqrt(512)


@mistake(
    "The factor is 0.125 for every `d_k`, from the example's 64. "
    "Other keys have other widths, and their scores another spread. "
    "Compute the factor from the argument `d_k`.",
)
def width_of_the_example(d_k):
    return 1 / np.sqrt(64)


@mistake(
    "This is 1/(2 d_k): Python reads `d_k ** -1 / 2` as `(d_k ** -1) / 2`, because a power comes before a division. "
    "You meant the exponent −½. "
    "Put it in brackets, or use `np.sqrt`.",
)
def exponent_without_brackets(d_k):
    return d_k**-1 / 2


@mistake(
    "This is 1/d_k²: the square is on the wrong side. c² must be 1/d_k, so c is the square root of 1/d_k, not its "
    "square. "
    "Solve c² · d_k = 1 once more.",
)
def one_over_width_squared(d_k):
    return 1 / d_k**2


@mistake(
    "The square root is that of d_k − 1, as when a variance is estimated from a sample. "
    "Nothing is estimated here: the dot product has `d_k` terms, each with variance 1. "
    "Use `d_k` as it is.",
)
def one_less_under_the_root(d_k):
    return 1 / np.sqrt(d_k - 1)


EXERCISE = Exercise(
    name="scaling_factor",
    reference=reference.scaling_factor,
    returns=("factor",),
    examples=(Case("one head of the original Transformer, width 64", (64,)), Case("Note 2, width 2", (2,))),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "root",
        lambda d_k: np.sqrt(d_k),
        lambda root, d_k: 1 / float(root),
    ),
    wrong_formulas=(("the root is truncated to a whole number", lambda d_k: 1 / int(np.sqrt(d_k))),),
)
