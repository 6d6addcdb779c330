"""GPT-2's neurons: a ReLU without a corner."""

import numpy as np

from attention.chapters import gpt as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform


def unseen(rng: np.random.Generator) -> list[Case]:
    """Numbers on both sides of 0, where the curve bends."""
    return [
        Case("a row", (uniform(rng, 3, 7),)),
        Case("a table", (uniform(rng, 2, 3, 5),)),
        Case("a table of larger numbers", (uniform(rng, 5, 5, 2),)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Numbers in the hundreds on both sides, leading axes, whole numbers, one number in a row, numbers near 0."""
    return [
        Case("large numbers", (np.array([-1.0, 1.0, -1.0]) * rng.uniform(600, 900, (5, 3)),)),
        Case("leading axes", (uniform(rng, 3, 2, 3, 5, 7),)),
        Case("whole numbers", (rng.permutation(np.arange(-3, 4)),)),
        Case("one number in a row", (uniform(rng, 3, 1),)),
        Case("all negative", (-rng.uniform(0.1, 3, 11),)),
    ]


def bent(x, inside):
    """Return x/2 (1 + tanh(inside))."""
    return 0.5 * x * (1 + np.tanh(inside))


@mistake(
    "This is a ReLU. "
    "It is 0 for every negative number, and so is its slope; GELU lets a little through: −0.1588 at −1. "
    "Use the formula with tanh.",
)
def relu_instead(x):
    return np.maximum(x, 0.0)


@mistake(
    "This is x times the exact probability, with the error function. "
    "It differs by up to 0.0005, and GPT-2 was trained with the formula with tanh: its numbers fit that one. "
    "Use tanh.",
)
def exact_probability(x):
    import math

    return x * 0.5 * (1 + np.vectorize(math.erf)(np.asarray(x) / np.sqrt(2)))


@mistake(
    "This is x σ(1.702 x), another approximation. "
    "It differs by up to 0.02, and GPT-2 was trained with the formula with tanh. "
    "Use tanh.",
)
def sigmoid_approximation(x):
    return x / (1 + np.exp(np.minimum(-1.702 * x, 500)))


@mistake(
    "This is x σ(x), called SiLU or Swish, which Llama uses. "
    "GPT-2 was trained with GELU, whose dip is nearer to 0. "
    "Use the formula with tanh.",
)
def silu_instead(x):
    return x / (1 + np.exp(np.minimum(-x, 500)))


@mistake(
    "The cube is missing: its term is 0.044715 x instead of 0.044715 x³. "
    "The cube bends the curve far from 0 and leaves it alone near 0. "
    "Raise x to the third power.",
)
def cube_missing(x):
    return bent(x, np.sqrt(2 / np.pi) * (x + 0.044715 * x))


@mistake(
    "The term with 0.044715 x³ is missing. "
    "Without it the curve is up to 0.02 beside the one that GPT-2 was trained with. "
    "Add it to x, inside the bracket.",
)
def cubic_term_missing(x):
    return bent(x, np.sqrt(2 / np.pi) * x)


@mistake(
    "x was squared, not raised to the third power. "
    "A square is positive on both sides of 0, so negative numbers bend in the wrong direction. "
    "Write `x**3`.",
)
def squared(x):
    return bent(x, np.sqrt(2 / np.pi) * (x + 0.044715 * x**2))


@mistake(
    "0.044715 was raised to the third power, too. "
    "In 0.044715 x³ the power belongs to x alone; `**` binds more tightly than `*`, unless brackets say otherwise. "
    "Write `0.044715 * x**3`.",
)
def constant_cubed(x):
    return bent(x, np.sqrt(2 / np.pi) * (x + (0.044715 * x) ** 3))


@mistake(
    "√(2/π) multiplies x alone. "
    "The bracket holds both terms, and √(2/π) stands in front of it. "
    "Put brackets around x + 0.044715 x³.",
)
def factor_of_x_alone(x):
    return bent(x, np.sqrt(2 / np.pi) * x + 0.044715 * x**3)


@mistake(
    "√(2/π) is missing. "
    "It gives the curve at 0 the slope of the normal distribution. "
    "Multiply the bracket by it, inside tanh.",
)
def factor_missing(x):
    return bent(x, x + 0.044715 * x**3)


@mistake(
    "The factor is 2/π = 0.6366 instead of its square root, 0.7979. "
    "The square root covers the whole fraction. "
    "Use `np.sqrt(2 / np.pi)`.",
)
def factor_without_root(x):
    return bent(x, 2 / np.pi * (x + 0.044715 * x**3))


@mistake(
    "The factor is √2/π = 0.4502 instead of √(2/π) = 0.7979. "
    "The square root covers the whole fraction. "
    "Use `np.sqrt(2 / np.pi)`.",
)
def root_of_two_alone(x):
    return bent(x, np.sqrt(2) / np.pi * (x + 0.044715 * x**3))


@mistake(
    "The fraction under the root is upside down: √(π/2) = 1.2533 instead of √(2/π) = 0.7979. "
    "Then the curve would bend too fast. "
    "Use `np.sqrt(2 / np.pi)`.",
)
def root_upside_down(x):
    return bent(x, np.sqrt(np.pi / 2) * (x + 0.044715 * x**3))


@mistake(
    "The factor is √(2π) = 2.5066 instead of √(2/π) = 0.7979. "
    "√(2π) stands in the density of the normal distribution; here 2 is divided by π. "
    "Use `np.sqrt(2 / np.pi)`.",
)
def root_of_the_product(x):
    return bent(x, np.sqrt(2 * np.pi) * (x + 0.044715 * x**3))


@mistake(
    "√(2/π) multiplies tanh instead of the bracket inside it. "
    "tanh goes from −1 to 1, and only then 1 + tanh goes from 0 to 2. "
    "Move the factor inside tanh.",
)
def factor_outside(x):
    return 0.5 * x * (1 + np.sqrt(2 / np.pi) * np.tanh(x + 0.044715 * x**3))


@mistake(
    "The 1 is missing: this is x/2 tanh(…), which is never negative. "
    "1 + tanh goes from 0 to 2; half of it is the share of x that passes. "
    "Add 1 to tanh.",
)
def one_missing(x):
    return 0.5 * x * np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))


@mistake(
    "The factor x is missing: this is the share that passes, from 0 to 1. "
    "A large number must come out as it went in, so the share is multiplied by x. "
    "Multiply by x.",
)
def share_alone(x):
    return 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


@mistake(
    "The half is missing, so everything is twice as large. "
    "1 + tanh goes from 0 to 2, and a large number must come out as it went in. "
    "Multiply by 0.5.",
)
def half_missing(x):
    return x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


@mistake(
    "0.5 x stands inside the bracket beside 1, not in front of it: this is 0.5 x + tanh(…). "
    "The whole sum 1 + tanh is multiplied by x/2. "
    "Put brackets around 1 + tanh(…).",
)
def sum_without_brackets(x):
    return 0.5 * x * 1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))


@mistake(
    "The sigmoid took the place of tanh. "
    "A sigmoid goes from 0 to 1, tanh from −1 to 1: with 1 added and halved, only tanh is a share between 0 and 1. "
    "Use `np.tanh`.",
)
def sigmoid_for_tanh(x):
    inside = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + 1 / (1 + np.exp(np.minimum(-inside, 500))))


@mistake(
    "Negative numbers were set to 0, and the formula was used for the others alone. "
    "The small dip on the left belongs to GELU: a neuron there still has a slope and can learn. "
    "Use the formula for all numbers.",
)
def zero_below_zero(x):
    return np.where(x > 0, bent(x, np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)), 0.0)


@mistake(
    "Right, until a number is large: e to a power of some hundreds is infinite, and infinity divided by infinity NaN. "
    "NumPy's tanh ends at −1 and 1 wherever it is asked. "
    "Use `np.tanh`.",
    sees="right, until a number is in the hundreds",
    edge=True,
)
def own_tanh(x):
    inside = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    up, down = np.exp(inside), np.exp(-inside)
    return 0.5 * x * (1 + (up - down) / (up + down))


@mistake(
    "Right, until x holds whole numbers: an array made with `zeros_like` or `empty_like` of them holds whole numbers, "
    "too, and cuts off what is behind the point. "
    "x may have any type of numbers. "
    "Compute with the whole array at once.",
    sees="right, until x holds whole numbers",
    edge=True,
)
def fractions_cut_off(x):
    found = np.zeros_like(x)
    found[...] = bent(x, np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))
    return found


EXERCISE = Exercise(
    name="gelu",
    reference=reference.gelu,
    returns=("output",),
    examples=(
        Case("five numbers", (np.array([-2.0, -1.0, 0.0, 1.0, 2.0]),)),
        Case("a table", (np.array([[-3.0, 0.5, 4.0], [-0.5, 0.1, -0.1]]),)),
        Case("leading axes", (np.array([[[0.25, -0.75, 1.5, -1.5, 3.5]], [[-4, 0, 2.5, -0.25, 0.75]]]),), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
