"""From the numbers of a network's last layer to probabilities."""

import numpy as np

from autograder.reference import before_attention as reference
from autograder.reference.context import softmax

from ..draw import on_grid, uniform
from ..exercise import Case, Exercise, mistake

THREE = np.array([[2, 1, 0], [0, 0, 0]])  # whole numbers, as anyone types them
ONE = np.array([[0], [2]])
BATCH = np.array([[[2.0], [0], [-1]], [[1], [3], [-3]]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """Several neurons, one neuron, and two, which are two classes with a neuron each."""
    return [
        Case("five classes", (uniform(rng, 4, 3, 5),)),
        Case("one neuron", (uniform(rng, 4, 7, 1),)),
        Case("two neurons", (uniform(rng, 4, 5, 2),)),
        Case("a single row", (uniform(rng, 4, 7),)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Logits of ten thousand, a single row of one neuron, and leading axes."""
    far = on_grid(uniform(rng, 2, 3, 5))  # which float32 holds without rounding
    far[1] += 1e4
    return [
        Case("logits of ten thousand", (far,)),
        Case("one neuron far out", (np.array([[1e4], [-1e4], [0.0]]),)),
        Case("one row, one neuron", (uniform(rng, 4, 1),)),
        Case("a batch, with axes in front", (uniform(rng, 4, 2, 3, 7, 5),)),
        Case("a batch of one neuron", (uniform(rng, 4, 2, 3, 5, 1),)),
    ]


@mistake(
    "Softmax was taken over a single neuron, which always gives 1. "
    "A share of one is the whole, whatever the logit; a single neuron needs the sigmoid. "
    "Where logits.shape[-1] is 1 (len counts rows), give P(class 0) and P(class 1) in two columns, "
    "P(class 1) = 1 / (1 + e^−z).",
)
def softmax_over_one(logits):
    return softmax(logits)


@mistake(
    "Each of the N neurons got a sigmoid of its own. "
    "The classes exclude one another and share out one whole; sigmoids know nothing of each other. "
    "Use softmax along the last axis where there are several neurons.",
)
def sigmoid_on_each(logits):
    p = softmax(np.stack([np.zeros_like(logits), logits], axis=-1))[..., 1]
    return np.concatenate([1 - p, p], axis=-1) if logits.shape[-1] == 1 else p


@mistake(
    "Every logit went through a sigmoid, however many neurons there are. "
    "Several classes share out one whole, and sigmoids know nothing of each other; with one neuron there are still two "
    "classes, and two columns. "
    "Use softmax where there are several neurons, and put 1 − P(class 1) before a single one.",
)
def sigmoid_and_nothing_else(logits):
    return softmax(np.stack([np.zeros_like(logits), logits], axis=-1))[..., 1]


@mistake(
    "One neuron gave one column, P(class 1) alone. "
    "Whoever reads the result wants a column for each class, however many neurons there were. "
    "Put 1 − P(class 1) before it.",
)
def one_column_only(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([np.zeros_like(logits), logits], axis=-1))[..., 1:]
    return softmax(logits)


@mistake(
    "The two columns changed places: P(class 1) stands first. "
    "Column c belongs to class c, and the neuron speaks for class 1. "
    "Put P(class 0) = 1 − P(class 1) on the left.",
)
def columns_exchanged(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([logits, np.zeros_like(logits)], axis=-1))
    return softmax(logits)


@mistake(
    "For one neuron z counts twice: z and −z in a softmax do that, and so does (1 + tanh z) / 2. "
    "The sigmoid is the softmax of 0 and z, e^z / (e^0 + e^z), which is (1 + tanh(z / 2)) / 2. "
    "Put a 0 beside z, or halve it.",
)
def both_signs(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([-logits, logits], axis=-1))
    return softmax(logits)


@mistake(
    "The largest logit was subtracted before the 0 was put in front, so that a single logit is always 0. "
    "What is subtracted from one of the two must be subtracted from the other. "
    "Put the 0 in front first.",
)
def largest_subtracted_before_the_zero(logits):
    logits = logits - logits.max(axis=-1, keepdims=True)
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    return softmax(logits)


@mistake(
    "The two columns were joined along the first axis: np.concatenate does so unless it is told otherwise. "
    "The rows of class 0 then stand on top of those of class 1. "
    "Write axis=-1.",
)
def columns_joined_below_each_other(logits):
    if logits.shape[-1] > 1:
        return softmax(logits)
    p = softmax(np.concatenate([np.zeros_like(logits), logits], axis=-1))[..., 1:]
    return np.concatenate([1 - p, p])


@mistake(
    "The 0 stands in front of every row, and N neurons became N + 1 classes. "
    "Several neurons are the classes already; only a single one lacks its counterpart. "
    "Put the 0 there only where logits.shape[-1] is 1.",
)
def zero_before_every_row(logits):
    return softmax(np.concatenate([np.zeros_like(logits[..., :1]), logits], axis=-1))


@mistake(
    "Two neurons were treated as one: the first of them plays no part. "
    "Two neurons are two classes with a logit each, and only their difference counts. "
    "Put a 0 in front only where logits.shape[-1] is 1.",
    sees="right on the worked examples; wrong for two neurons",
    edge=True,
)
def two_neurons_treated_as_one(logits):
    if logits.shape[-1] > 2:
        return softmax(logits)
    return softmax(np.concatenate([np.zeros_like(logits[..., -1:]), logits[..., -1:]], axis=-1))


@mistake(
    "A sum or a maximum lacks keepdims=True: one number a row has the shape (2,), and NumPy lines it up with the "
    "columns. "
    "With as many rows as columns nothing breaks, and a row is divided by another row's sum. "
    "Write .sum(axis=-1, keepdims=True), and the same at the maximum.",
)
def without_keepdims(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([np.zeros_like(logits), logits], axis=-1))
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


@mistake(
    "The sum lacks keepdims=True, for one neuron, too: one sum a row has the shape (2,), and NumPy lines it up with "
    "the columns. "
    "With as many rows as columns nothing breaks, and each row is divided by another row's sum. "
    "Write .sum(axis=-1, keepdims=True).",
)
def sum_without_keepdims(logits):
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


@mistake(
    "The powers were put into room that holds whole numbers, so all but the largest became 0. "
    "np.zeros_like(logits), logits.copy() and dtype=logits.dtype make room for numbers of the logits' kind. "
    "Give the powers an array of their own.",
)
def powers_of_whole_numbers(logits):
    kind = logits.dtype
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True)).astype(kind)
    return powers / powers.sum(axis=-1, keepdims=True)


@mistake(
    "The powers were not divided by their sum. "
    "Probabilities sum to one; powers of e do not. "
    "Divide by the sum of each row.",
)
def powers_only(logits):
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    return np.exp(logits)


@mistake(
    "The logits were divided by their sum, without the power of e. "
    "A logit may be negative or 0, and a probability may not be negative. "
    "Raise e to each logit first.",
)
def plain_shares(logits):
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    return logits / logits.sum(axis=-1, keepdims=True)


@mistake(
    "All rows shared one sum. "
    "Each row is one answer of the network, with one whole to share out. "
    "Sum along the last axis with keepdims=True.",
)
def one_sum_for_all(logits):
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    return softmax(logits.reshape(-1)).reshape(logits.shape)


EXERCISE = Exercise(
    name="class_probabilities",
    reference=reference.class_probabilities,
    returns=("probabilities",),
    examples=(
        Case("three neurons", (THREE,)),
        Case("one neuron", (ONE,)),
        Case("a batch of one neuron", (BATCH,), edge=True),
        Case("large logits", (np.array([[1e4, 9999.0, -1e4], [0, 0, 0]]),), edge=True),
        Case("one neuron, large logits", (np.array([[1e4], [-1e4], [0]]),), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
