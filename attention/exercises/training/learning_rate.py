"""How long each step may be: rising first, then falling."""

import numpy as np

from attention.chapters import training as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Before the peak, after it, and at it, for three models."""
    drawn = [(int(rng.integers(5, 60)), int(rng.integers(7, 30))) for _ in range(3)]
    (d_a, w_a), (d_b, w_b), (d_c, w_c) = drawn
    return [
        Case("before the peak", (int(rng.integers(2, w_a - 2)), d_a, w_a)),
        Case("after the peak", (w_b + int(rng.integers(3, 40)), d_b, w_b)),
        Case("at the peak", (w_c, d_c, w_c)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """The first step, a warm-up of one step, and step 0, which is refused."""
    return [
        Case("the first step", (1, int(rng.integers(5, 60)), int(rng.integers(7, 30)))),
        Case("a warm-up of one step", (int(rng.integers(2, 9)), int(rng.integers(5, 60)), 1)),
        Case("step 0", (0, int(rng.integers(5, 60)), int(rng.integers(7, 30)))),
    ]


@mistake(
    "max was used instead of min: the larger of the two was taken. "
    "Then the rate begins at its highest and later grows without limit. "
    "Take the smaller: min.",
)
def larger_of_the_two(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * max(step**-0.5, step * warmup**-1.5)


@mistake(
    "The rate falls from the first step on: the warm-up is missing, or its part never is the smaller one. "
    "At the beginning Adam's averages are still poor, and large steps then lead anywhere. "
    "Take the smaller of step^(−1/2) and step · warmup^(−3/2), and check the minus of both exponents.",
)
def no_warm_up(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * step**-0.5


@mistake(
    "The rate never falls: it goes on rising after the warm-up. "
    "Then the steps get larger and larger, and the model loses what it has learned. "
    "Take the smaller of step^(−1/2) and step · warmup^(−3/2).",
)
def rises_for_ever(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * step * warmup**-1.5


@mistake(
    "The factor for the width of the model is missing, d_model^(−1/2). "
    "Wide models need smaller steps, because more numbers change at once. "
    "Multiply by `d_model ** -0.5`.",
)
def width_left_out(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return min(step**-0.5, step * warmup**-1.5)


@mistake(
    "The rate was multiplied by √d_model instead of divided by it. "
    "Then wide models would take larger steps, but they need smaller ones. "
    "The exponent of `d_model` is −1/2.",
)
def width_multiplied(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**0.5 * min(step**-0.5, step * warmup**-1.5)


@mistake(
    "The exponent of warmup is −1/2 instead of −3/2. "
    "Then the two parts cross at the wrong step, and the rate peaks long before the warm-up is over. "
    "At step = warmup both must be equal: warmup · warmup^(−3/2) = warmup^(−1/2).",
)
def exponent_of_one_half(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-0.5)


@mistake(
    "The rate falls like 1/step instead of 1/√step. "
    "That is too fast: four times as many steps should halve the rate, not quarter it. "
    "The exponent of step is −1/2.",
)
def falls_too_fast(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-1.0, step * warmup**-1.5)


@mistake(
    "The rise is step / warmup instead of step / (warmup · √warmup). step / warmup grows to 1, where the other part "
    "is 1/√warmup, so the rate peaks too early. "
    "Write `step * warmup ** -1.5`.",
)
def share_of_the_warm_up(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step / warmup)


@mistake(
    "In Python, `x ** -1/2` is half of 1/x, not one over the square root: a power comes before a division. "
    "So all three factors are wrong. "
    "Write the exponents as -0.5 and -1.5, or in brackets.",
)
def power_before_division(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-1 / 2 * min(step**-1 / 2, step * warmup**-3 / 2)


@mistake(
    "In Python, `warmup ** -3/2` is half of `warmup ** -3`: a power comes before a division. "
    "The rise is then much too flat. "
    "Write `warmup ** -1.5`, or put the exponent in brackets.",
)
def power_before_division_in_warmup(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-3 / 2)


@mistake(
    "The rate was divided by `d_model` itself instead of its square root. "
    "A model four times as wide should have half the rate, not a quarter. "
    "The exponent of `d_model` is −1/2.",
)
def width_without_root(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-1.0 * min(step**-0.5, step * warmup**-1.5)


@mistake(
    "One was added to the step, as if steps counted from 0. "
    "Here steps count from 1, as Adam's corrections need it. "
    "Use step as it is.",
)
def counted_from_zero(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min((step + 1) ** -0.5, (step + 1) * warmup**-1.5)


@mistake(
    "Right for every step, but step 0 raises no ValueError. "
    "There is no step 0: 0^(−1/2) is infinite, and a rate of 0 would hide a mistake in counting. "
    "Begin with: `if step < 1: raise ValueError(…)`.",
)
def step_zero_accepted(step, d_model, warmup):
    return d_model**-0.5 * min(np.inf if step == 0 else step**-0.5, step * warmup**-1.5)


@mistake(
    "Right for every step, but step 0 ends in Python's own error about a division by zero. "
    "If someone counts from 0, a ValueError can say what is wrong. "
    "Begin with: `if step < 1: raise ValueError(…)`.",
)
def step_zero_divides(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


@mistake(
    "In Python, `step ** -1/2` is half of 1/step: a power comes before a division. "
    "The rate then falls too fast. "
    "Write `step ** -0.5`, or put the exponent in brackets.",
)
def power_of_the_step_before_division(step, d_model, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-1 / 2, step * warmup**-1.5)


EXERCISE = Exercise(
    name="learning_rate",
    reference=reference.learning_rate,
    returns=("rate",),
    examples=(
        Case("step 1", (1, 64, 4)),
        Case("step 4, the peak", (4, 64, 4)),
        Case("step 16", (16, 64, 4)),
        Case("step 0", (0, 64, 4), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        (
            "the exponent −1.5 applies to step · warmup instead of warmup alone",
            lambda step, d_model, warmup: d_model**-0.5 * min(step**-0.5, (step * warmup) ** -1.5),
        ),
        (
            "the rate falls as 1/step instead of 1/√step",
            lambda step, d_model, warmup: d_model**-0.5 * min(1 / step, step * warmup**-2),
        ),
        (
            "the two parts are multiplied instead of compared",
            lambda step, d_model, warmup: d_model**-0.5 * step**-0.5 * step * warmup**-1.5,
        ),
    ),
)
