"""From the numbers of a network's last layer to probabilities."""

import numpy as np

from attention.chapters import before_attention as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import on_grid, uniform

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
        Case("a batch, with leading axes", (uniform(rng, 4, 2, 3, 7, 5),)),
        Case("a batch of one neuron", (uniform(rng, 4, 2, 3, 5, 1),)),
    ]


@mistake(
    "Softmax was taken over a single neuron, which always gives 1. "
    "One neuron's share is the whole, whatever its logit; a single neuron needs the sigmoid. "
    "If `logits.shape[-1]` is 1 (len counts rows), return P(class 0) and P(class 1) in two columns, with P(class 1) "
    "= 1 / (1 + e^−z).",
)
def softmax_over_one(logits):
    return softmax(logits)


@mistake(
    "Each of the N neurons went through its own sigmoid. "
    "Only one of the classes can be right, so their probabilities must sum to 1, and sigmoids don't take the other "
    "neurons into account. "
    "If there are several neurons, use softmax along the last axis.",
)
def sigmoid_on_each(logits):
    p = softmax(np.stack([np.zeros_like(logits), logits], axis=-1))[..., 1]
    return np.concatenate([1 - p, p], axis=-1) if logits.shape[-1] == 1 else p


@mistake(
    "Every logit went through a sigmoid, whatever the number of neurons. "
    "The probabilities of several classes must sum to 1, which sigmoids don't ensure; and one neuron still means "
    "two classes, and two columns. "
    "Use softmax for several neurons, and put 1 − P(class 1) before a single one.",
)
def sigmoid_and_nothing_else(logits):
    return softmax(np.stack([np.zeros_like(logits), logits], axis=-1))[..., 1]


@mistake(
    "One neuron gave one column, P(class 1) alone. "
    "The result needs a column for each class, whatever the number of neurons. "
    "Put 1 − P(class 1) before it.",
)
def one_column_only(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([np.zeros_like(logits), logits], axis=-1))[..., 1:]
    return softmax(logits)


@mistake(
    "The two columns are swapped: P(class 1) comes first. "
    "Column c belongs to class c, and the neuron gives the logit of class 1. "
    "Put P(class 0) = 1 − P(class 1) on the left.",
)
def columns_exchanged(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([logits, np.zeros_like(logits)], axis=-1))
    return softmax(logits)


@mistake(
    "For one neuron, z counts twice: a softmax of z and −z does that, and so does (1 + tanh z) / 2. "
    "The sigmoid is the softmax of 0 and z, e^z / (e^0 + e^z), which is (1 + tanh(z / 2)) / 2. "
    "Put a 0 next to z, or halve z.",
)
def both_signs(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([-logits, logits], axis=-1))
    return softmax(logits)


@mistake(
    "The largest logit was subtracted before the 0 was put in front, so a single logit is always 0. "
    "You must subtract the same number from both. "
    "Put the 0 in front first.",
)
def largest_subtracted_before_the_zero(logits):
    logits = logits - logits.max(axis=-1, keepdims=True)
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    return softmax(logits)


@mistake(
    "The two columns were joined along the first axis, which is the default of `np.concatenate`. "
    "So the rows of class 0 are above those of class 1. "
    "Write `axis=-1`.",
)
def columns_joined_below_each_other(logits):
    if logits.shape[-1] > 1:
        return softmax(logits)
    p = softmax(np.concatenate([np.zeros_like(logits), logits], axis=-1))[..., 1:]
    return np.concatenate([1 - p, p])


@mistake(
    "A 0 was put in front of every row, so N neurons became N + 1 classes. "
    "Several neurons already are the classes; only a single neuron needs a second logit. "
    "Add the 0 only if `logits.shape[-1]` is 1.",
)
def zero_before_every_row(logits):
    return softmax(np.concatenate([np.zeros_like(logits[..., :1]), logits], axis=-1))


@mistake(
    "Two neurons were treated as one: the first has no effect. "
    "Two neurons are two classes, each with its own logit, and only their difference counts. "
    "Put a 0 in front only if `logits.shape[-1]` is 1.",
    sees="right on the worked examples; wrong for two neurons",
    edge=True,
)
def two_neurons_treated_as_one(logits):
    if logits.shape[-1] > 2:
        return softmax(logits)
    return softmax(np.concatenate([np.zeros_like(logits[..., -1:]), logits[..., -1:]], axis=-1))


@mistake(
    "A sum or a maximum has no `keepdims=True`: with one number per row its shape is `(2,)`, and NumPy lines it up "
    "with the columns. "
    "If there are as many rows as columns, you get no error, and each row is divided by the sum of another. "
    "Write `.sum(axis=-1, keepdims=True)`, and the same for the maximum.",
)
def without_keepdims(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([np.zeros_like(logits), logits], axis=-1))
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


@mistake(
    "The sum has no `keepdims=True`, for one neuron as well: with one sum per row its shape is `(2,)`, and NumPy "
    "lines it up with the columns. "
    "If there are as many rows as columns, you get no error, and each row is divided by the sum of another. "
    "Write `.sum(axis=-1, keepdims=True)`.",
)
def sum_without_keepdims(logits):
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


@mistake(
    "The powers were stored in an array of dtype int, so all but the largest became 0. "
    "`np.zeros_like(logits)`, `logits.copy()` and `dtype=logits.dtype` take the dtype of the logits. "
    "Use a new array of floats for the powers.",
)
def powers_of_whole_numbers(logits):
    kind = logits.dtype
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True)).astype(kind)
    return powers / powers.sum(axis=-1, keepdims=True)


@mistake(
    "The powers were not divided by their sum. Probabilities sum to 1; powers of e don't. Divide each row by its sum.",
)
def powers_only(logits):
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    return np.exp(logits)


@mistake(
    "The logits were divided by their sum, without raising e to them. "
    "A logit may be negative or 0; a probability may not be negative. "
    "Raise e to each logit first.",
)
def plain_shares(logits):
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    return logits / logits.sum(axis=-1, keepdims=True)


@mistake(
    "All rows were divided by one common sum. "
    "Each row is one answer of the network, and its probabilities sum to 1. "
    "Sum along the last axis with `keepdims=True`.",
)
def one_sum_for_all(logits):
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    return softmax(logits.reshape(-1)).reshape(logits.shape)


@mistake(
    "Softmax went down the rows of the batch. "
    "Each row is one answer of the network, and its probabilities sum to 1. "
    "Take maximum and sum along the last axis: `axis=-1`, `keepdims=True`.",
)
def softmax_down_the_rows(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([np.zeros_like(logits), logits], axis=-1))
    return softmax(logits, axis=0)


@mistake(
    "The logits themselves were divided by their sum, without e. "
    "Logits may be negative or sum to 0, and probabilities may not. "
    "Raise e to each logit first.",
)
def no_powers(logits):
    if logits.shape[-1] == 1:
        return softmax(np.concatenate([np.zeros_like(logits), logits], axis=-1))
    with np.errstate(all="ignore"):
        return logits / logits.sum(axis=-1, keepdims=True)


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
