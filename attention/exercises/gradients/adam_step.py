"""One step of Adam."""

from collections.abc import Callable

import numpy as np

from attention.chapters import gradients as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

START = np.array([1.0, 2.0]), np.array([0.5, -3.0]), np.zeros(2), np.zeros(2)
LATER = np.array([1.0]), np.array([0.5]), np.array([0.2]), np.array([0.04])
TABLE = np.array([[1.0], [2]]), np.array([[0.5], [0]]), np.array([[0.1], [0]]), np.array([[0.01], [0]])


def state(rng: np.random.Generator, *shape) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw parameter, gradient, m and v of one shape, v not near 0."""
    return uniform(rng, 2, *shape), uniform(rng, 3, *shape), uniform(rng, 1, *shape), rng.uniform(0.5, 2, shape)


def unseen(rng: np.random.Generator) -> list[Case]:
    """A vector, a matrix, and other settings than the usual ones, among them an ε that shows."""
    rate = float(rng.uniform(0.05, 0.5))
    others = {"beta1": float(rng.uniform(0.5, 0.8)), "beta2": float(rng.uniform(0.55, 0.9))}
    return [
        Case("step 2", (*state(rng, 7), 2, rate)),
        Case("a matrix, step 5", (*state(rng, 3, 5), 5, rate)),
        Case("other settings", (*state(rng, 5), 3, rate), {**others, "eps": float(rng.uniform(0.2, 0.6))}),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """The first step, with averages of 0, a gradient of 0 in it, a late step, and more axes."""
    parameter, gradient, zeros = uniform(rng, 2, 5), uniform(rng, 3, 5), np.zeros(5)
    resting = np.where(np.arange(5) == 3, 0.0, gradient)
    rate = float(rng.uniform(0.05, 0.5))
    return [
        Case("the first step", (parameter, gradient, zeros, zeros, 1, rate)),
        Case("a gradient of 0", (parameter, resting, zeros, zeros, 1, rate)),
        Case("step 1000", (*state(rng, 3), 1000, rate)),
        Case("more axes", (*state(rng, 2, 3, 5), 7, rate)),
    ]


@mistake(
    "Neither average was corrected: m and v were used as they are. "
    "They begin as zeros and are too small at first, by different factors, so the first steps have the wrong size. "
    "Divide m by `1 - beta1**step` and v by `1 - beta2**step`.",
)
def no_correction(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * m / (np.sqrt(v) + eps), m, v


@mistake(
    "Only m was corrected; v was used as it is. "
    "After the first step, v is 0.02 g², whose root is 0.14 |g|, so the step is seven times too large. "
    "Divide v by `1 - beta2**step` as well.",
)
def only_m_corrected(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * m / (1 - beta1**step) / (np.sqrt(v) + eps), m, v


@mistake(
    "Only v was corrected; m was used as it is. "
    "After the first step, m is 0.1 g, so the step is ten times too small. "
    "Divide m by `1 - beta1**step` as well.",
)
def only_v_corrected(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * m / (np.sqrt(v / (1 - beta2**step)) + eps), m, v


@mistake(
    "The corrected averages were returned instead of m and v. "
    "The next step would correct them a second time. "
    "Return m and v as they are before the division; only the step uses the corrected ones.",
)
def corrected_averages_returned(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m_hat, v_hat


@mistake(
    "ε was added inside the square root. "
    "Its root is much larger than ε itself, so the steps for small gradients are too small. "
    "Take the root of v̂ first, then add ε.",
)
def eps_inside_the_root(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / np.sqrt(v_hat + eps), m, v


@mistake(
    "ε is missing. If all gradients so far were 0, v̂ is 0, and 0/0 is NaN. Add eps to the root.",
)
def eps_left_out(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / np.sqrt(v_hat), m, v


@mistake(
    "The step was added. "
    "The gradient points in the direction in which the loss grows, so this goes uphill. "
    "Subtract it from the parameter.",
)
def step_upwards(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter + rate * m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "The step uses the gradient itself instead of its average. "
    "Gradients of single batches vary a lot, and the average evens them out. "
    "Use m̂ in the step.",
)
def no_first_average(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    v_hat = v / (1 - beta2**step)
    return parameter - rate * gradient / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "v is the average of the gradients instead of their squares. "
    "Its root does not measure their size, and where gradients are negative it is NaN. "
    "Square the gradient in the line for v.",
)
def square_left_out(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "The square root is missing: the step was divided by v̂ itself. "
    "Then a gradient ten times as large would make a step ten times as small. "
    "Divide by √v̂ + ε.",
)
def root_left_out(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / (v_hat + eps), m, v


@mistake(
    "The factors are swapped: the new gradient has β, and the average 1 − β. "
    "Then the average would forget nearly everything at each step. "
    "Multiply the old average by β, and the new gradient by 1 − β.",
)
def betas_the_other_way(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = (1 - beta1) * m + beta1 * gradient
    v = (1 - beta2) * v + beta2 * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "β₁ and β₂ are swapped. "
    "The average of the gradient has the short memory (0.9), that of its square the long one (0.98). "
    "Use beta1 for m, and beta2 for v.",
)
def betas_exchanged(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta2 * m + (1 - beta2) * gradient
    v = beta1 * v + (1 - beta1) * gradient**2
    m_hat, v_hat = m / (1 - beta2**step), v / (1 - beta1**step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "The new gradient was added in full: β m + g. "
    "Then the averages would grow to ten times a gradient and to fifty times its square. "
    "Multiply the new gradient by 1 − β₁, and its square by 1 − β₂.",
)
def new_gradient_whole(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + gradient
    v = beta2 * v + gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "β was multiplied by the step instead of raised to its power. "
    "1 − β · step is negative from the second step on. "
    "Write `beta1**step` and `beta2**step`.",
)
def power_for_product(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1 * step), v / (1 - beta2 * step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "The power is step + 1, but steps already count from 1. "
    "The corrections are then those of the next step. "
    "Write `beta1**step` and `beta2**step`.",
)
def one_step_too_many(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1 ** (step + 1)), v / (1 - beta2 ** (step + 1))
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "The averages were divided by 1 − β, without the power. "
    "That is right only at step 1; at later steps, the averages hold more gradients and need less correction. "
    "Write `beta1**step` and `beta2**step`.",
)
def power_forgotten(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1), v / (1 - beta2)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "ε was added to the whole step instead of the root. "
    "A division comes before a sum, so m̂ / √v̂ + ε needs a bracket. "
    "Write m̂ / (√v̂ + ε).",
)
def eps_outside_the_bracket(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * (m_hat / np.sqrt(v_hat) + eps), m, v


@mistake(
    "The learning rate is missing. "
    "Then every step has a size of about 1, whatever the schedule says. "
    "Multiply m̂ / (√v̂ + ε) by rate.",
)
def rate_left_out(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - m_hat / (np.sqrt(v_hat) + eps), m, v


@mistake(
    "The step uses the old averages, without the new gradient. "
    "At the first step they are 0, so nothing changes. "
    "Compute the new m and v first, then the step from them.",
)
def old_averages_used(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    moved = parameter - rate * m_hat / (np.sqrt(v_hat) + eps)
    return moved, beta1 * m + (1 - beta1) * gradient, beta2 * v + (1 - beta2) * gradient**2


@mistake(
    "This is plain gradient descent, rate times gradient, without the averages. "
    "Then numbers with large gradients change a lot and those with small ones hardly at all. "
    "Divide m̂ by √v̂ + ε.",
)
def gradient_descent(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * gradient, m, v


def with_second_average(squares: Callable) -> Callable:
    """Return a step whose v is the average of ``squares(gradient, new m)``."""

    def step_of_adam(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
        m = beta1 * m + (1 - beta1) * gradient
        v = beta2 * v + (1 - beta2) * squares(gradient, m)
        m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
        return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v

    return step_of_adam


def corrected_the_wrong_way(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """Multiply both averages by what they should be divided by."""
    m, v = beta1 * m + (1 - beta1) * gradient, beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m * (1 - beta1**step), v * (1 - beta2**step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


def added_up(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """Add the whole gradient to the first average, as momentum does."""
    m, v = beta1 * m + gradient, beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


WRONG_FORMULAS = (
    ("the gradient enters m without its factor 1 − β₁", added_up),
    ("both averages are multiplied by 1 − β^t instead of divided", corrected_the_wrong_way),
    ("v averages the absolute values of the gradients instead of their squares",
     with_second_average(lambda g, m: np.abs(g))),
    ("v averages the squares of m instead of the gradient's", with_second_average(lambda g, m: m**2)),
    ("v averages one number for the whole gradient, the sum of its squares",
     with_second_average(lambda g, m: np.sum(g**2))),
    ("v averages one number for the whole gradient, the mean of its squares",
     with_second_average(lambda g, m: np.mean(g**2))),
)  # fmt: skip

EXERCISE = Exercise(
    name="adam_step",
    reference=reference.adam_step,
    returns=("parameter", "m", "v"),
    examples=(
        Case("the first step", (*START, 1, 0.1)),
        Case("the third step", (*LATER, 3, 0.1)),
        Case("other settings", (*LATER, 2, 0.1), {"beta1": 0.5, "beta2": 0.75, "eps": 0.5}),
        Case("a column, with a gradient of 0", (*TABLE, 5, 0.1), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=WRONG_FORMULAS,
)
