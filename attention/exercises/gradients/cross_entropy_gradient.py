"""Which way each logit makes the loss grow."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention.chapters import gradients as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..training.cross_entropy import BATCH, PADDED, SAME, UNEVEN, WIDE, guesses, odd_guesses


def unseen(rng: np.random.Generator) -> list[Case]:
    """The logits and targets that ``cross_entropy`` is asked about, drawn anew."""
    return guesses(rng)


def edges(rng: np.random.Generator) -> list[Case]:
    """Its edges, too."""
    return odd_guesses(rng)


@mistake(
    "The division is missing: this is the gradient of the sum instead of the mean. "
    "The loss is a mean over the real tokens, so each of them has the factor 1/N. "
    "Divide by the number of targets that are not pad.",
)
def slopes_of_the_sum(logits, targets, pad):
    real = (targets != pad)[..., None]
    return np.where(real, softmax(logits) - np.eye(logits.shape[-1])[targets], 0.0)


@mistake(
    "The slopes were divided by the padded length. "
    "The loss divides by the number of real tokens, so its gradient must do the same. "
    "Divide by the number of targets that are not pad.",
)
def slopes_over_padded_length(logits, targets, pad):
    real = (targets != pad)[..., None]
    return np.where(real, softmax(logits) - np.eye(logits.shape[-1])[targets], 0.0) / targets.size


@mistake(
    "The rows of padding are not 0. "
    "They don't count in the loss, so their logits can't change it; with these slopes, the model is trained to "
    "predict PAD. "
    "Put zeros where the target is pad.",
)
def padding_has_slopes(logits, targets, pad):
    return (softmax(logits) - np.eye(logits.shape[-1])[targets]) / (targets != pad).sum()


@mistake(
    "The rows of padding hold softmax: only the one-hot part was left out. "
    "They don't count in the loss, so all their slopes are 0. "
    "Put zeros where the target is pad, after the subtraction.",
)
def softmax_behind_padding(logits, targets, pad):
    real = (targets != pad)[..., None]
    return (softmax(logits) - real * np.eye(logits.shape[-1])[targets]) / real.sum()


@mistake(
    "The rows of padding have slopes, and were counted as if they were real. "
    "PAD does not count in the loss, neither in the sum nor in the number of tokens. "
    "Put zeros where the target is pad, and divide by the number of the others.",
)
def padding_counted_in_slopes(logits, targets, pad):
    return (softmax(logits) - np.eye(logits.shape[-1])[targets]) / targets.size


@mistake(
    "The sign is flipped: one-hot − softmax. "
    "That direction goes downhill; the gradient points uphill, where the loss grows, and the step subtracts it. "
    "Take softmax first and subtract the one-hot row.",
)
def one_hot_less_softmax(logits, targets, pad):
    real = (targets != pad)[..., None]
    return np.where(real, np.eye(logits.shape[-1])[targets] - softmax(logits), 0.0) / real.sum()


@mistake(
    "The one-hot part is missing: this is softmax alone. "
    "Then every logit would have to fall, including that of the right word; the row must sum to 0. "
    "Subtract 1 at the target.",
)
def one_hot_left_out(logits, targets, pad):
    real = (targets != pad)[..., None]
    return np.where(real, softmax(logits), 0.0) / real.sum()


@mistake(
    "Softmax is missing: the one-hot rows were subtracted from the logits themselves. "
    "A logit may be any number; the loss depends on the probabilities. "
    "Take softmax of each row first.",
)
def logits_less_one_hot(logits, targets, pad):
    real = (targets != pad)[..., None]
    return np.where(real, logits - np.eye(logits.shape[-1])[targets], 0.0) / real.sum()


@mistake(
    "This is −1/p at the right word and 0 elsewhere: the slope with respect to the probability. "
    "A logit changes all probabilities of its row, as chapter 5's Jacobian says; the two together give p − one-hot. "
    "Return (softmax − one-hot) / N.",
)
def slope_of_the_probability(logits, targets, pad):
    real, right = (targets != pad)[..., None], np.eye(logits.shape[-1])[targets]
    return np.where(real & (right > 0), -1 / np.maximum(softmax(logits), 1e-300), 0.0) / real.sum()


@mistake(
    "Softmax went down the columns, over the places of a sentence. "
    "At each place, the words compete with one another; each row of slopes must sum to 0. "
    "Use softmax along the last axis.",
)
def softmax_down_the_places(logits, targets, pad):
    real = (targets != pad)[..., None]
    return np.where(real, softmax(logits, axis=-2) - np.eye(logits.shape[-1])[targets], 0.0) / real.sum()


@mistake(
    "Right for one sentence, but in a batch each sentence was divided by its own number of words. "
    "The loss is one mean over all real tokens of the batch. "
    "Divide everything by that one number.",
)
def each_sentence_over_its_own(logits, targets, pad):
    real = (targets != pad)[..., None]
    slopes = np.where(real, softmax(logits) - np.eye(logits.shape[-1])[targets], 0.0)
    return slopes / real.sum(axis=-2, keepdims=True)


@mistake(
    "Right for one sentence, but in a batch `np.arange(len(targets))` counts sentences instead of words. "
    "You must subtract 1 once in each row of logits, with any leading axes. "
    "`np.eye(words)[targets]` makes a one-hot row for every target; or use `np.arange(words) == targets[..., None]`.",
)
def counts_sentences(logits, targets, pad):
    slopes = softmax(logits)
    slopes[np.arange(len(targets)), targets] -= 1
    slopes[targets == pad] = 0
    return slopes / (targets != pad).sum()


def slopes_from(form: Callable) -> Callable:
    """Return slopes ``form(p, right, n)`` in real rows: p is softmax, right one-hot, n counts real tokens."""

    def slopes(logits, targets, pad):
        real = targets != pad
        right = np.arange(logits.shape[-1]) == targets[..., None]
        return np.where(real[..., None], form(softmax(logits), right, real.sum()), 0.0)

    return slopes


def every_target_everywhere(logits: np.ndarray, targets: np.ndarray, pad: int) -> Any:
    """Subtract 1 in the columns of all real targets, in every row."""
    real = targets != pad
    asked = np.isin(np.arange(logits.shape[-1]), targets[real])
    return np.where(real[..., None], softmax(logits) - asked, 0.0) / real.sum()


def column_cleared(logits: np.ndarray, targets: np.ndarray, pad: int) -> Any:
    """Clear the column of the word PAD, and not the rows whose target it is."""
    slopes = (softmax(logits) - (np.arange(logits.shape[-1]) == targets[..., None])) / (targets != pad).sum()
    slopes[..., pad] = 0
    return slopes


WRONG_FORMULAS = (
    ("1 is subtracted everywhere instead of only at the right word", slopes_from(lambda p, right, n: (p - 1) / n)),
    ("1 is subtracted in the columns of all targets, in every row", every_target_everywhere),
    ("the column of the word PAD is 0 instead of the rows whose target is PAD", column_cleared),
    ("only softmax is divided by N, and the 1 is not", slopes_from(lambda p, right, n: p / n - right)),
    ("only the 1 is divided by N, and softmax is not", slopes_from(lambda p, right, n: p - right / n)),
    ("the slope is that of −p instead of −ln p: the division by p is missing",
     slopes_from(lambda p, right, n: (p * right).sum(axis=-1, keepdims=True) * (p - right) / n)),
    ("ln p is used in place of p",
     slopes_from(lambda p, right, n: (np.log(np.where(p > 0, p, 1)) - right) / n)),
    ("1 is added at the right word instead of subtracted", slopes_from(lambda p, right, n: (p + right) / n)),
    ("the slopes are multiplied by p (1 − p) once more",
     slopes_from(lambda p, right, n: p * (1 - p) * (p - right) / n)),
    ("the slopes are divided by the number of words instead of real tokens",
     slopes_from(lambda p, right, n: (p - right) / p.shape[-1])),
)  # fmt: skip

EXERCISE = Exercise(
    name="cross_entropy_gradient",
    reference=reference.cross_entropy_gradient,
    returns=("gradient",),
    examples=(
        Case("two words and PAD", (SAME, PADDED, 2)),
        Case("five words", (WIDE, np.array([1, 0]), 4)),
        Case("a batch of two, with leading axes", (BATCH, UNEVEN, 3), edge=True),
        Case("logits of a thousand", (np.array([[1000.0, 0, 0], [0, 1000, 1000]]), np.array([1, 2]), 0), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=WRONG_FORMULAS,
)
