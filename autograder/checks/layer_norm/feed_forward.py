"""Every token thinks for itself."""

import numpy as np

from autograder.reference import layer_norm as reference

from ..draw import uniform
from ..exercise import Case, Exercise, mistake

X = np.array([[1.0, 2.0], [2.0, 0.0], [0.0, -1.0]])
W1, B1 = np.array([[1.0, 0.0, -1.0], [0.0, 1.0, 0.0]]), np.array([0.0, -1.0, 0.0])
W2, B2 = np.array([[1.0, 0.0], [-3.0, 1.0], [5.0, 5.0]]), np.array([0.0, 0.5])
BATCH = np.arange(30.0).reshape(1, 5, 3, 2) % 7 - 3


def drawn(rng: np.random.Generator, shape: tuple[int, ...], d_ff: int) -> tuple[np.ndarray, ...]:
    """Draw tokens of this shape, and two matrices and biases that fit them."""
    d = shape[-1]
    return uniform(rng, 2, *shape), *(uniform(rng, 1, *size) for size in ((d, d_ff), (d_ff,), (d_ff, d), (d,)))


def telling(rng: np.random.Generator, shape: tuple[int, int], d_ff: int) -> tuple[np.ndarray, ...]:
    """Draw as ``drawn`` does, until some neurons are clearly awake and some clearly silent."""
    while True:
        x, w1, b1, *rest = drawn(rng, shape, d_ff)
        if (x @ w1 + b1).min() < -0.1 and (x @ w1 + b1).max() > 0.1:
            return x, w1, b1, *rest


def unseen(rng: np.random.Generator) -> list[Case]:
    """Hidden layers wider than a token, as they are in models, and one that is narrower."""
    return [
        Case("five tokens of three, seven neurons", telling(rng, (5, 3), 7)),
        Case("two tokens of seven, eleven neurons", telling(rng, (2, 7), 11)),
        Case("fewer neurons than numbers", telling(rng, (3, 5), 2)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, one neuron, a token at which every neuron is silent, leading axes."""
    x, w1, b1, w2, b2 = drawn(rng, (3, 5), 7)
    x[1] = 0.0
    return [
        Case("one token", drawn(rng, (1, 5), 7)),
        Case("one neuron", drawn(rng, (5, 3), 1)),
        Case("a token without an answer", (x, w1, -np.abs(b1), w2, b2)),
        Case("a batch, with axes in front", drawn(rng, (2, 3, 5, 7), 11)),
    ]


@mistake(
    "Nothing is dropped between the two products: the ReLU is missing. "
    "Two products in a row are one product, by w1 @ w2, and the second layer adds nothing. "
    "Put np.maximum(0, …) around x @ w1 + b1.",
)
def relu_forgotten(x, w1, b1, w2, b2):
    return (x @ w1 + b1) @ w2 + b2


@mistake(
    "Negative numbers were dropped at the end, and not in the middle. "
    "What a token gets added must be able to be negative; and two products without a bend between them are one. "
    "Put np.maximum(0, …) around x @ w1 + b1, and nothing around the rest.",
)
def relu_at_the_end(x, w1, b1, w2, b2):
    return np.maximum(0, (x @ w1 + b1) @ w2 + b2)


@mistake(
    "Negative numbers were dropped twice, in the middle and at the end. "
    "What a token gets added must be able to be negative. "
    "Leave the second np.maximum out.",
)
def relu_twice(x, w1, b1, w2, b2):
    return np.maximum(0, np.maximum(0, x @ w1 + b1) @ w2 + b2)


@mistake(
    "Neither bias is used. "
    "Without b1 every neuron must switch on at 0, and a token of zeros gets no answer at all. "
    "Add b1 before the ReLU, and b2 at the end.",
)
def biases_forgotten(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1) @ w2


@mistake(
    "b1 is missing. "
    "It says from where on a neuron is awake; without it all of them begin at 0. "
    "Add b1 to x @ w1, before the ReLU.",
)
def first_bias_forgotten(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1) @ w2 + b2


@mistake(
    "b2 is missing. It is what a token gets if no neuron is awake. Add b2 at the end.",
)
def second_bias_forgotten(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1 + b1) @ w2


@mistake(
    "b1 was added behind the ReLU. "
    "Then it moves the result, and not the point where a neuron wakes up. "
    "Put it inside: np.maximum(0, x @ w1 + b1).",
)
def bias_behind_the_relu(x, w1, b1, w2, b2):
    return (np.maximum(0, x @ w1) + b1) @ w2 + b2


@mistake(
    "The tokens themselves went through the ReLU, and the hidden layer did not. "
    "That throws half of each token away before anything was made of it, and leaves two products in a row. "
    "Apply np.maximum to x @ w1 + b1.",
)
def relu_on_the_tokens(x, w1, b1, w2, b2):
    return (np.maximum(0, x) @ w1 + b1) @ w2 + b2


@mistake(
    "Negative numbers became positive: that is abs, and not the ReLU. "
    "A neuron that is not asked should be silent, and not as loud as one that is. "
    "Use np.maximum(0, …).",
)
def absolute_values(x, w1, b1, w2, b2):
    return np.abs(x @ w1 + b1) @ w2 + b2


@mistake(
    "The negative numbers were kept and the positive ones dropped: that is np.minimum. "
    "A neuron speaks where its sum is above 0. "
    "Use np.maximum(0, …).",
)
def minimum_taken(x, w1, b1, w2, b2):
    return np.minimum(0, x @ w1 + b1) @ w2 + b2


@mistake(
    "np.max was used, which looks for the largest number along an axis. "
    "It gave one row for all tokens, or one number. "
    "np.maximum compares two things place by place: np.maximum(0, …).",
)
def largest_of_an_axis(x, w1, b1, w2, b2):
    return np.max(x @ w1 + b1, 0) @ w2 + b2


@mistake(
    "tanh stands where the ReLU belongs. "
    "It bends, too, but flattens out at 1, so that a neuron can't say how sure it is. "
    "Use np.maximum(0, …).",
)
def tanh_instead(x, w1, b1, w2, b2):
    return np.tanh(x @ w1 + b1) @ w2 + b2


@mistake(
    "The sigmoid stands where the ReLU belongs. It is never 0, so no neuron is ever silent. Use np.maximum(0, …).",
)
def sigmoid_instead(x, w1, b1, w2, b2):
    return 1 / (1 + np.exp(-(x @ w1 + b1))) @ w2 + b2


@mistake(
    "x was added to the result. "
    "That is add & norm's step, which would then take it twice. "
    "Return what the two layers made, and nothing else.",
)
def residual_already_added(x, w1, b1, w2, b2):
    return x + np.maximum(0, x @ w1 + b1) @ w2 + b2


@mistake(
    "Whether a neuron is awake was passed on, 1 or 0, and not how much: `> 0` compares. "
    "What a neuron has computed would be lost but for its sign. "
    "Use np.maximum(0, …), which keeps the number.",
)
def awake_or_not(x, w1, b1, w2, b2):
    return (x @ w1 + b1 > 0) @ w2 + b2


@mistake(
    "np.max was called with 0 and an array, and takes the array for the number of an axis. "
    "It looks for the largest number of one array. "
    "np.maximum compares two things place by place: np.maximum(0, …).",
)
def largest_of_zero(x, w1, b1, w2, b2):
    return np.max(0, x @ w1 + b1) @ w2 + b2


@mistake(
    "w1 was transposed, so that a token's numbers meet the neurons and not the rows of w1. "
    "w1 has a row for each number of a token, (d_model, d_ff), as x @ w1 takes it; other libraries keep it turned. "
    "Leave .T out, and w2 as it is, too.",
)
def first_matrix_transposed(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1.T + b1) @ w2 + b2


@mistake(
    "w2 was transposed, so that the neurons meet a token's numbers and not the rows of w2. "
    "w2 has a row for each neuron, (d_ff, d_model), as hidden @ w2 takes it. "
    "Leave .T out.",
)
def second_matrix_transposed(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1 + b1) @ w2.T + b2


@mistake(
    "b1 and b2 have changed places, or the bias of one was used for both. "
    "b1 has a number for each neuron and belongs to x @ w1; b2 has one for each number of a token. "
    "Add b1 before the ReLU and b2 at the end.",
)
def biases_exchanged(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1 + b2) @ w2 + b1


@mistake(
    "Negative numbers were made a hundredth of themselves: that is leaky ReLU. "
    "A neuron below 0 is silent here, and 0 goes on. "
    "Use np.maximum(0, …).",
)
def leaky(x, w1, b1, w2, b2):
    hidden = x @ w1 + b1
    return np.where(hidden > 0, hidden, 0.01 * hidden) @ w2 + b2


EXERCISE = Exercise(
    name="feed_forward",
    reference=reference.feed_forward,
    returns=("output",),
    examples=(
        Case("three tokens of two, three neurons", (X, W1, B1, W2, B2)),
        Case("a batch, with axes in front", (BATCH, W1, B1, W2, B2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
