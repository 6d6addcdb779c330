"""Every token thinks for itself."""

import numpy as np

from attention.chapters import layer_norm as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

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
        Case("a batch, with leading axes", drawn(rng, (2, 3, 5, 7), 11)),
    ]


@mistake(
    "The ReLU between the two products is missing. "
    "Two products in a row are one product, by `w1 @ w2`, so the second layer adds nothing. "
    "Put `np.maximum(0, …)` around `x @ w1 + b1`.",
)
def relu_forgotten(x, w1, b1, w2, b2):
    return (x @ w1 + b1) @ w2 + b2


@mistake(
    "Negative numbers were set to 0 at the end instead of in the middle. "
    "The output must be able to be negative; and two products with nothing between them are one product. "
    "Put `np.maximum(0, …)` around `x @ w1 + b1`, and nothing around the rest.",
)
def relu_at_the_end(x, w1, b1, w2, b2):
    return np.maximum(0, (x @ w1 + b1) @ w2 + b2)


@mistake(
    "Negative numbers were set to 0 twice, in the middle and at the end. "
    "The output must be able to be negative. "
    "Leave out the second `np.maximum`.",
)
def relu_twice(x, w1, b1, w2, b2):
    return np.maximum(0, np.maximum(0, x @ w1 + b1) @ w2 + b2)


@mistake(
    "Neither bias is used. "
    "Without b1, every neuron switches on at 0, and a token of zeros gives zeros. "
    "Add b1 before the ReLU, and b2 at the end.",
)
def biases_forgotten(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1) @ w2


@mistake(
    "b1 is missing. "
    "It sets the point at which a neuron switches on; without it, that point is 0 for all of them. "
    "Add b1 to `x @ w1`, before the ReLU.",
)
def first_bias_forgotten(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1) @ w2 + b2


@mistake(
    "b2 is missing. It is the output when all neurons are 0. Add b2 at the end.",
)
def second_bias_forgotten(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1 + b1) @ w2


@mistake(
    "b1 was added after the ReLU. "
    "Then it shifts the result instead of the point at which a neuron switches on. "
    "Put it inside: `np.maximum(0, x @ w1 + b1)`.",
)
def bias_behind_the_relu(x, w1, b1, w2, b2):
    return (np.maximum(0, x @ w1) + b1) @ w2 + b2


@mistake(
    "The tokens themselves went through the ReLU, and the hidden layer did not. "
    "That discards all negative numbers of a token before they are used, and leaves two products in a row. "
    "Apply `np.maximum` to `x @ w1 + b1`.",
)
def relu_on_the_tokens(x, w1, b1, w2, b2):
    return (np.maximum(0, x) @ w1 + b1) @ w2 + b2


@mistake(
    "Negative numbers became positive: that is abs, not the ReLU. "
    "Where its sum is negative, a neuron should be 0, not as large as one whose sum is positive. "
    "Use `np.maximum(0, …)`.",
)
def absolute_values(x, w1, b1, w2, b2):
    return np.abs(x @ w1 + b1) @ w2 + b2


@mistake(
    "The negative numbers were kept and the positive ones set to 0: that is `np.minimum`. "
    "A neuron is active where its sum is above 0. "
    "Use `np.maximum(0, …)`.",
)
def minimum_taken(x, w1, b1, w2, b2):
    return np.minimum(0, x @ w1 + b1) @ w2 + b2


@mistake(
    "`np.max` was used, which looks for the largest number along an axis. "
    "It gave one row for all tokens, or one number. "
    "`np.maximum` compares two arrays number by number: `np.maximum(0, …)`.",
)
def largest_of_an_axis(x, w1, b1, w2, b2):
    return np.max(x @ w1 + b1, 0) @ w2 + b2


@mistake(
    "tanh was used instead of the ReLU. "
    "It bends, too, but flattens out at 1, so a neuron can't become large. "
    "Use `np.maximum(0, …)`.",
)
def tanh_instead(x, w1, b1, w2, b2):
    return np.tanh(x @ w1 + b1) @ w2 + b2


@mistake(
    "A sigmoid was used instead of the ReLU. It is never 0, so no neuron is ever off. Use `np.maximum(0, …)`.",
)
def sigmoid_instead(x, w1, b1, w2, b2):
    return 1 / (1 + np.exp(-(x @ w1 + b1))) @ w2 + b2


@mistake(
    "x was added to the result. "
    "That is the task of add & norm, which would then add it twice. "
    "Return only the output of the two layers.",
)
def residual_already_added(x, w1, b1, w2, b2):
    return x + np.maximum(0, x @ w1 + b1) @ w2 + b2


@mistake(
    "Only whether a neuron is active was passed on, 1 or 0: `> 0` compares. "
    "The size of what it has computed would be lost. "
    "Use `np.maximum(0, …)`, which keeps the number.",
)
def awake_or_not(x, w1, b1, w2, b2):
    return (x @ w1 + b1 > 0) @ w2 + b2


@mistake(
    "`np.max` was called with 0 and an array, and takes the array for an axis. "
    "It looks for the largest number of one array. "
    "`np.maximum` compares two arrays number by number: `np.maximum(0, …)`.",
)
def largest_of_zero(x, w1, b1, w2, b2):
    return np.max(0, x @ w1 + b1) @ w2 + b2


@mistake(
    "w1 was transposed, so a token's numbers meet the axis of the neurons. w1 has a row for each number of a token, "
    "`(d_model, d_ff)`, as `x @ w1` needs it; other libraries store it transposed. "
    "Leave out `.T`, and use w2 as it is, too.",
)
def first_matrix_transposed(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1.T + b1) @ w2 + b2


@mistake(
    "w2 was transposed, so the neurons meet the axis of a token's numbers. w2 has a row for each neuron, "
    "`(d_ff, d_model)`, as `hidden @ w2` needs it. "
    "Leave out `.T`.",
)
def second_matrix_transposed(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1 + b1) @ w2.T + b2


@mistake(
    "Numbers of a token met numbers of neurons: b1 and b2 are swapped, or one was used for both, or `*` multiplies "
    "where `@` is needed. b1 has a number for each neuron and belongs to `x @ w1`; b2 has one for each number of a "
    "token. "
    "Write both products with `@`, and add b1 before the ReLU and b2 at the end.",
)
def biases_exchanged(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1 + b2) @ w2 + b1


@mistake(
    "Negative numbers were multiplied by 0.01: that is leaky ReLU. "
    "Here a neuron with a negative sum is 0. "
    "Use `np.maximum(0, …)`.",
)
def leaky(x, w1, b1, w2, b2):
    hidden = x @ w1 + b1
    return np.where(hidden > 0, hidden, 0.01 * hidden) @ w2 + b2


@mistake(
    "GELU was used instead of the ReLU. "
    "Newer models have it; here, as in the original Transformer, a neuron with a negative sum is 0. "
    "Use `np.maximum(0, …)`.",
)
def gelu(x, w1, b1, w2, b2):
    hidden = x @ w1 + b1
    bend = np.tanh(np.sqrt(2 / np.pi) * (hidden + 0.044715 * hidden**3))
    return 0.5 * hidden * (1 + bend) @ w2 + b2


def bent_by(bend):
    """Return the two layers with another function between them."""
    return lambda x, w1, b1, w2, b2: bend(x @ w1 + b1) @ w2 + b2


EXERCISE = Exercise(
    name="feed_forward",
    reference=reference.feed_forward,
    returns=("output",),
    examples=(
        Case("three tokens of two, three neurons", (X, W1, B1, W2, B2)),
        Case("a batch, with leading axes", (BATCH, W1, B1, W2, B2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("softplus is used instead of the ReLU", bent_by(lambda z: np.logaddexp(0, z))),
        ("softmax is used instead of the ReLU", bent_by(softmax)),
        ("the ReLU keeps what is above 1 instead of above 0", bent_by(lambda z: np.maximum(1, z))),
        ("b1 is added twice", lambda x, w1, b1, w2, b2: np.maximum(0, x @ w1 + 2 * b1) @ w2 + b2),
    ),
)
