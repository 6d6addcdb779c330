"""GPT-2's neurons: a ReLU without a corner."""

import math
from collections.abc import Callable

import numpy as np

from attention.chapters import gpt as reference
from autograder.diagnosis import Case, Exercise, Slips, in_part, mistake

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
        Case("a row of large numbers", (rng.permutation([-1, 1, 1, -1, 1]) * rng.uniform(500, 800, 5),)),
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
    "√(2/π) multiplies x alone. √(2/π) multiplies the whole sum. Put brackets around x + 0.044715 x³.",
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
    "√(2π) belongs to the density of the normal distribution; here 2 is divided by π. "
    "Use `np.sqrt(2 / np.pi)`.",
)
def root_of_the_product(x):
    return bent(x, np.sqrt(2 * np.pi) * (x + 0.044715 * x**3))


@mistake(
    "The constant is 0.44715 instead of 0.044715: a zero is missing. "
    "The cube then counts ten times as much, and the curve bends too early. "
    "Compare the digits with those of the formula.",
)
def a_zero_is_missing(x):
    return bent(x, np.sqrt(2 / np.pi) * (x + 0.44715 * x**3))


@mistake(
    "x was divided by 2 (1 + tanh(…)): the bracket stands under the line. "
    "Only 2 is below x; the bracket multiplies the fraction, since it is the share that passes. "
    "Write `x / 2 * (1 + …)`.",
)
def bracket_under_the_line(x):
    return x / (2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))


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
    "0.5 x multiplies only the 1: this is 0.5 x + tanh(…). "
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


ROOT = np.sqrt(2 / np.pi)


def in_parts(
    x: np.ndarray,
    constant: float = 0.044715,
    root: float = ROOT,
    inner: Callable = lambda x, root, constant: root * (x + constant * x**3),
    bend: Callable = np.tanh,
    outer: Callable = lambda x, t: 0.5 * x * (1 + t),
    instead: Callable | None = None,
) -> np.ndarray:
    """Bend numbers, with any of the steps done in another way."""
    return instead(x) if instead else outer(x, bend(inner(x, root, constant)))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(x, -500, 500)))


def erf(x: np.ndarray) -> np.ndarray:
    return np.vectorize(math.erf, otypes=[float])(x)


TYPED = (
    *("0.44715", "0.0044715", "0.00044715", "0.04715", "0.047715", "0.044175", "0.04475", "0.0447", "0.045", "0.04"),
    *("0.0444715", "0.041715", "0.044", "0.047", "0.0477", "0.4715", "0.4", "0.045715"),
    *("0.044517", "0.04417", "0.054715", "0.034715", "0.05", "0.4471", "0.44"),
)
BENDING = Slips(
    in_parts,
    (
        *(
            (f"the constant is {typed} instead of 0.044715", {"constant": float(typed)})
            for typed in TYPED
            if float(typed) != 0.044715
        ),
        *(
            (f"the factor is {words} instead of √(2/π)", {"root": root})
            for words, root in (
                ("√2/π", np.sqrt(2) / np.pi),
                ("√(π/2)", np.sqrt(np.pi / 2)),
                ("2/π", 2 / np.pi),
                ("π/2", np.pi / 2),
                ("√(2π)", np.sqrt(2 * np.pi)),
                ("√2", np.sqrt(2)),
                ("1/√(2π)", 1 / np.sqrt(2 * np.pi)),
                ("1", 1.0),
                ("√2 · π", np.sqrt(2) * np.pi),
                ("2/√π", 2 / np.sqrt(np.pi)),
                ("1/√2", np.sqrt(0.5)),
                ("√(1/π)", np.sqrt(1 / np.pi)),
                ("0.8", 0.8),
                ("0.79", 0.79),
                ("0.797", 0.797),
                ("0.798", 0.798),
                ("√π/2", np.sqrt(np.pi) / 2),
                ("(2/π)²", (2 / np.pi) ** 2),
                ("√(2/3.14)", np.sqrt(2 / 3.14)),
                ("√(2/3)", np.sqrt(2 / 3)),
                ("√π", np.sqrt(np.pi)),
                ("2", 2.0),
                ("√(2/e)", np.sqrt(2 / np.e)),
                ("1.702", 1.702),
            )
        ),
        *in_part(
            "inner",
            ("√(2/π) multiplies x alone, not the whole bracket", lambda x, r, c: r * x + c * x**3),
            ("√(2/π) multiplies the cube alone, not the whole bracket", lambda x, r, c: x + r * c * x**3),
            ("the term with the cube is missing", lambda x, r, c: r * x),
            ("x is missing before the cube", lambda x, r, c: r * c * x**3),
            ("the cube is missing: the term is 0.044715 x", lambda x, r, c: r * (x + c * x)),
            ("x is squared instead of cubed", lambda x, r, c: r * (x + c * x**2)),
            ("x is multiplied by 3 instead of cubed", lambda x, r, c: r * (x + c * 3 * x)),
            ("x is raised to the fourth power", lambda x, r, c: r * (x + c * x**4)),
            ("3 is raised to the power x, the wrong way round", lambda x, r, c: r * (x + c * 3.0**x)),
            ("the constant is cubed, too", lambda x, r, c: r * (x + (c * x) ** 3)),
            ("the whole bracket is cubed", lambda x, r, c: r * (x + c * x) ** 3),
            ("the sum of x and 0.044715 is cubed", lambda x, r, c: r * (x + c) ** 3),
            ("0.044715 is added to x³ instead of multiplied", lambda x, r, c: r * (x + c + x**3)),
            ("0.044715 is left out before x³", lambda x, r, c: r * (x + x**3)),
            ("0.044715 multiplies both terms", lambda x, r, c: r * c * (x + x**3)),
            ("the term with the cube is subtracted", lambda x, r, c: r * (x - c * x**3)),
            ("the term with the cube is multiplied by x instead of added", lambda x, r, c: r * x * c * x**3),
            ("the bracket has 1 in place of x", lambda x, r, c: r * (1 + c * x**3)),
            ("the minus signs inside are lost", lambda x, r, c: r * np.abs(x + c * x**3)),
            (
                "the square root is taken of 2/π times the bracket",
                lambda x, r, c: np.sqrt(np.abs(2 / np.pi * (x + c * x**3))),
            ),
        ),
        *in_part(
            "bend",
            ("a sigmoid takes the place of tanh", sigmoid),
            ("the error function takes the place of tanh", erf),
            ("the arc tangent takes the place of tanh", np.arctan),
            ("the tangent takes the place of tanh", np.tan),
            ("the sine takes the place of tanh", np.sin),
            ("tanh is missing", lambda z: z),
            (
                "tanh is written as (e^2z − 1)/(e^2z + 1), which is infinity divided by infinity for large numbers",
                lambda z: (np.exp(2 * z) - 1) / (np.exp(2 * z) + 1),
            ),
            (
                "tanh is written as (1 − e^−2z)/(1 + e^−2z), which is infinity divided by infinity far below 0",
                lambda z: (1 - np.exp(-2 * z)) / (1 + np.exp(-2 * z)),
            ),
            ("tanh is applied twice", lambda z: np.tanh(np.tanh(z))),
            ("tanh is squared", lambda z: np.tanh(z) ** 2),
            ("the hyperbolic sine takes the place of tanh", np.sinh),
            ("tanh is subtracted from 1, or has the opposite sign", lambda z: -np.tanh(z)),
            ("tanh is taken of twice the bracket", lambda z: np.tanh(2 * z)),
            ("ReLU takes the place of tanh", lambda z: np.maximum(z, 0)),
        ),
        *in_part(
            "outer",
            ("x is divided by 2 (1 + tanh), with the bracket under the line", lambda x, t: x / (2 * (1 + t))),
            ("`//` cuts fractions off where x is halved", lambda x, t: x // 2 * (1 + t)),
            ("tanh stands in front of everything", lambda x, t: np.tanh(0.5 * x * (1 + t))),
            ("0.5 x multiplies the 1 alone", lambda x, t: 0.5 * x + t),
            ("0.5 multiplies the 1 alone, and x both", lambda x, t: x * (0.5 + t)),
            ("the half belongs to tanh alone", lambda x, t: x * (1 + t / 2)),
            ("the factor x is missing", lambda x, t: 0.5 * (1 + t)),
            ("the half is missing", lambda x, t: x * (1 + t)),
            ("1 is missing before tanh", lambda x, t: 0.5 * x * t),
            ("1 is subtracted from tanh", lambda x, t: 0.5 * x * (t - 1)),
            ("x/2 is added to 1 + tanh", lambda x, t: 0.5 * x + 1 + t),
            ("x is added to tanh in place of 1", lambda x, t: 0.5 * (x + t)),
            ("x is added to tanh in place of 1, and multiplied as well", lambda x, t: 0.5 * x * (x + t)),
            ("x multiplies tanh alone, not the 1", lambda x, t: 0.5 * (1 + x * t)),
            ("√(2/π) stands before tanh, too", lambda x, t: 0.5 * x * (1 + ROOT * t)),
            ("x is squared in front", lambda x, t: 0.5 * x**2 * (1 + t)),
            ("2 multiplies x instead of dividing it", lambda x, t: 2 * x * (1 + t)),
            ("tanh alone is returned", lambda x, t: t),
            ("1 + tanh is returned", lambda x, t: 1 + t),
            ("negative numbers are set to 0", lambda x, t: np.where(x > 0, 0.5 * x * (1 + t), 0.0)),
            (
                "positive numbers are left as they are, and the formula is used for negative ones alone",
                lambda x, t: np.where(x > 0, x, 0.5 * x * (1 + t)),
            ),
        ),
        *(
            (f"{words} is computed instead", {"instead": form})
            for words, form in (
                ("the exact GELU, with the error function,", lambda x: 0.5 * x * (1 + erf(x / np.sqrt(2)))),
                ("twice the exact GELU, without its half,", lambda x: x * (1 + erf(x / np.sqrt(2)))),
                *(
                    (
                        f"x above {edge}, 0 below −{edge}, and the formula between them",
                        lambda x, edge=edge: np.where(x > edge, x, np.where(x < -edge, 0.0, in_parts(x))),
                    )
                    for edge in (3, 2, 1)
                ),
                ("the formula for x that was kept within ±3", lambda x: in_parts(np.clip(x, -3, 3))),
                ("a ReLU6", lambda x: np.clip(x, 0, 6)),
                ("the share that passes, the normal probability,", lambda x: 0.5 * (1 + erf(x / np.sqrt(2)))),
                ("the exact GELU, with x in place of x/√2,", lambda x: 0.5 * x * (1 + erf(x))),
                ("a ReLU", lambda x: np.maximum(x, 0)),
                ("x σ(1.702 x)", lambda x: x * sigmoid(1.702 * x)),
                ("x σ(1.7 x)", lambda x: x * sigmoid(1.7 * x)),
                ("x σ(x)", lambda x: x * sigmoid(x)),
                ("a leaky ReLU, with 0.01,", lambda x: np.where(x > 0, x, 0.01 * x)),
                ("tanh", np.tanh),
                ("a sigmoid", sigmoid),
                ("ln(1 + e^x), the softplus,", lambda x: np.logaddexp(0, x)),
                ("ELU", lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0)))),
                ("x tanh(ln(1 + e^x)), called Mish,", lambda x: x * np.tanh(np.logaddexp(0, x))),
            )
        ),
    ),
)

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
    slips=BENDING,
)
