"""How much the last state would move if the first one moved."""

import numpy as np

from attention.chapters import before_attention as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

HALF = np.array([[0.5]])
FADING = np.array([[0.7616], [0.3634], [0.1797]])  # the states of rnn's first example
W_HH = np.array([[0.0, 0.5], [1, 2]])
STATES = np.array([[0.5, 0.0], [0.0, 0.8], [0.6, 0.5]])
BATCH = np.array([[[0.5, 0.0], [0.0, 0.8], [0.6, 0.5]], [[0, 0], [0, 0], [0, 0]]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """States wider than the sentence is long, and narrower, far from -1 and 1 so that slopes count and none is 0."""
    return [
        Case("seven states of three", (uniform(rng, 1.2, 3, 3), uniform(rng, 0.8, 7, 3))),
        Case("three states of five", (uniform(rng, 1, 5, 5), uniform(rng, 0.8, 3, 5))),
        Case("five states of two", (uniform(rng, 1.5, 2, 2), uniform(rng, 0.8, 5, 2))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One state, fifty that vanish or explode, a state at the end of tanh, and leading axes."""
    asleep = uniform(rng, 0.8, 5, 3)
    asleep[2, 1] = 1.0
    return [
        Case("one state", (uniform(rng, 1, 3, 3), uniform(rng, 0.8, 1, 3))),
        Case("fifty states of 0", (np.array([[float(rng.uniform(1.05, 1.15))]]), np.zeros((50, 1)))),
        Case("a number of the state at 1", (uniform(rng, 1, 3, 3), asleep)),
        Case("a batch, with leading axes", (uniform(rng, 1, 5, 5), uniform(rng, 0.8, 2, 3, 7, 5))),
    ]


def chained(h, jacobian):
    """Multiply the Jacobians of all steps, the last one leftmost."""
    gradient = np.eye(h.shape[-1])
    for t in range(h.shape[-2]):
        gradient = jacobian(h[..., t, :]) @ gradient
    return gradient


@mistake(
    "The slope of tanh is missing: this is only the power of `w_hh`. "
    "A state near 1 or −1 hardly changes whatever its input, which is what 1 − h² expresses. "
    "Multiply each step by 1 − h_t².",
)
def slope_forgotten(w_hh, h):
    gradient = np.eye(h.shape[-1])
    for _ in range(h.shape[-2]):
        gradient = w_hh.T @ gradient
    return gradient + 0 * h[..., :1, :1]


@mistake(
    "This is the plain power of `w_hh`, without the slopes of tanh and without the transpose. "
    "A state near 1 or −1 hardly changes whatever its input, which is what 1 − h² expresses; and a row of the "
    "Jacobian belongs to a column of `w_hh`. "
    "Multiply the steps `(1 − h_t²)[:, None] * w_hh.T`.",
)
def power_of_the_matrix(w_hh, h):
    return np.linalg.matrix_power(w_hh, h.shape[-2]) + 0 * h[..., :1, :1]


@mistake(
    "The result is transposed: entry [i, j] holds ∂h_T,j/∂h_0,i. "
    "In this course, rows are outputs and columns are inputs. "
    "In one step ∂h_t,i/∂h_t−1,j is (1 − h_t,i²) w_hh[j, i].",
)
def turned_round(w_hh, h):
    gradient = chained(h, lambda state: (1 - state[..., :, None] ** 2) * w_hh.T)
    return np.swapaxes(gradient, -1, -2)


@mistake(
    "The steps were multiplied in the wrong order, with the first one on the left. "
    "By the chain rule, the last step is on the left: J_T ⋯ J_2 J_1. "
    "Put each new step to the left of the product so far.",
)
def steps_in_the_wrong_order(w_hh, h):
    gradient = np.eye(h.shape[-1])
    for t in range(h.shape[-2]):
        gradient = gradient @ ((1 - h[..., t, :, None] ** 2) * w_hh.T)
    return gradient


@mistake(
    "Each step uses `w_hh` instead of its transpose. "
    "Row i of the Jacobian belongs to output i; since a state is a row, h_t,i is computed with column i of `w_hh`. "
    "Use `w_hh.T`.",
)
def matrix_not_turned(w_hh, h):
    return chained(h, lambda state: (1 - state[..., :, None] ** 2) * w_hh)


@mistake(
    "The slopes are on the wrong side of the matrix and multiply its columns. "
    "A slope belongs to an output of tanh, which is a row of the Jacobian. "
    "Write `(1 − h_t²)[:, None] * w_hh.T`.",
)
def slopes_on_columns(w_hh, h):
    return chained(h, lambda state: (1 - state[..., None, :] ** 2) * w_hh.T)


@mistake(
    "One step is missing: this is ∂h_T/∂h_1. "
    "There are T steps from h_0 to h_T, and the first of them gives h_1. "
    "Go through all rows of h.",
)
def first_step_missing(w_hh, h):
    gradient = np.eye(h.shape[-1]) + 0 * h[..., :1, :1]
    for t in range(1, h.shape[-2]):
        gradient = ((1 - h[..., t, :, None] ** 2) * w_hh.T) @ gradient
    return gradient


@mistake(
    "The last step is missing: this is ∂h_{T−1}/∂h_0. "
    "The step to the last state shrinks or stretches like every other. "
    "Go through all rows of h.",
)
def last_step_missing(w_hh, h):
    gradient = np.eye(h.shape[-1]) + 0 * h[..., :1, :1]
    for t in range(h.shape[-2] - 1):
        gradient = ((1 - h[..., t, :, None] ** 2) * w_hh.T) @ gradient
    return gradient


@mistake(
    "The Jacobians of the steps were added instead of multiplied. "
    "A change goes through one step after the other, and each multiplies the result of the one before. "
    "Start with the identity and multiply.",
)
def steps_added(w_hh, h):
    return sum((1 - h[..., t, :, None] ** 2) * w_hh.T for t in range(h.shape[-2]))


@mistake(
    "The Jacobians were multiplied entry by entry. "
    "Every number of a state influences every number of the next, and all these paths add up: rows times columns. "
    "Use @.",
)
def entry_by_entry(w_hh, h):
    gradient = np.ones_like(w_hh)
    for t in range(h.shape[-2]):
        gradient = ((1 - h[..., t, :, None] ** 2) * w_hh.T) * gradient
    return gradient


@mistake(
    "The Jacobians were multiplied entry by entry, starting from the identity, whose zeros remain. "
    "Every number of a state influences every number of the next, and all these paths add up: rows times columns. "
    "Use @.",
)
def entry_by_entry_from_the_identity(w_hh, h):
    gradient = np.eye(h.shape[-1])
    for t in range(h.shape[-2]):
        gradient = ((1 - h[..., t, :, None] ** 2) * w_hh.T) * gradient
    return gradient


@mistake(
    "All slopes were multiplied together, and all powers of `w_hh` separately. "
    "Matrices can't swap places: the slopes of each step are between two of them. "
    "Multiply one complete step after the other.",
)
def slopes_and_powers_apart(w_hh, h):
    slopes = np.prod(1 - h**2, axis=-2)
    return slopes[..., :, None] * np.linalg.matrix_power(w_hh.T, h.shape[-2])


@mistake(
    "The gradients to all the steps were added up. "
    "That sum belongs to a weight that every step shares; here only ∂h_T/∂h_0 is asked for. "
    "Return the product of all steps.",
)
def sum_over_all_steps(w_hh, h):
    gradient, total = np.eye(h.shape[-1]), 0
    for t in reversed(range(h.shape[-2])):
        gradient = gradient @ ((1 - h[..., t, :, None] ** 2) * w_hh.T)
        total = total + gradient
    return total


@mistake(
    "The gradient was clipped to the range from −1 to 1. "
    "Training does that to keep a single step from ruining everything; here you need its true size. "
    "Return it as it is.",
)
def gradient_cut(w_hh, h):
    gradient = chained(h, lambda state: (1 - state[..., :, None] ** 2) * w_hh.T)
    return np.clip(gradient, -1, 1)


@mistake(
    "The whole bracket was squared: (1 − h)² instead of 1 − h². "
    "The derivative of tanh z is 1 − tanh² z. "
    "Square only h.",
)
def bracket_squared(w_hh, h):
    return chained(h, lambda state: (1 - state[..., :, None]) ** 2 * w_hh.T)


@mistake(
    "Only the last step was returned, ∂h_T/∂h_{T−1}. "
    "The question goes back to the state before the first word, through every step. "
    "Multiply the Jacobians of all steps.",
)
def last_step_only(w_hh, h):
    return (1 - h[..., -1, :, None] ** 2) * w_hh.T


@mistake(
    "tanh was applied twice: the slope was computed as 1 − tanh(h)². h has already been through tanh, so the slope "
    "is 1 − h². "
    "Square h as it is.",
)
def tanh_again(w_hh, h):
    return chained(h, lambda state: (1 - np.tanh(state[..., :, None]) ** 2) * w_hh.T)


@mistake(
    "The slope was computed as 1 − h, without the square. The derivative of tanh z is 1 − tanh² z. Square h.",
)
def square_forgotten(w_hh, h):
    return chained(h, lambda state: (1 - state[..., :, None]) * w_hh.T)


@mistake(
    "h (1 − h) is the slope of a sigmoid, but these states come from tanh. "
    "At a state of 0, tanh is steepest, with the slope 1, and this formula gives 0. "
    "Use 1 − h².",
)
def slope_of_the_sigmoid(w_hh, h):
    return chained(h, lambda state: (state[..., :, None] * (1 - state[..., :, None])) * w_hh.T)


@mistake(
    "A single number was returned, the size of the gradient, instead of the matrix. "
    "The demo draws the size; the function must return every slope. "
    "Return the `(d_h, d_h)` matrix.",
)
def size_only(w_hh, h):
    gradient = chained(h, lambda state: (1 - state[..., :, None] ** 2) * w_hh.T)
    return np.sqrt((gradient**2).sum(axis=(-1, -2)))


@mistake(
    "Right for one sentence, but in a batch `h[t]` is the t-th sentence, and `np.diag` takes no batch. "
    "Every sentence has its own product. "
    "Take `h[..., t, :]`, and multiply the rows of `w_hh.T` by `slopes[..., :, None]`.",
)
def one_sentence_at_a_time(w_hh, h):
    gradient = np.eye(h.shape[-1])
    for state in h:
        gradient = np.diag(1 - state**2) @ w_hh.T @ gradient
    return gradient


def slope_with_plus(w_hh, h):
    """Take 1 + h² for the slope."""
    gradient = np.eye(h.shape[-1])
    for t in range(h.shape[-2]):
        gradient = (1 + h[..., t, :, None] ** 2) * w_hh.T @ gradient
    return gradient


EXERCISE = Exercise(
    name="gradient_through_time",
    reference=reference.gradient_through_time,
    returns=("gradient",),
    examples=(
        Case("one number in the state", (HALF, FADING)),
        Case("two numbers in the state", (W_HH, STATES)),
        Case("a batch of two, with leading axes", (W_HH, BATCH), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(("the slope is 1 + h² instead of 1 − h²", slope_with_plus),),
)
