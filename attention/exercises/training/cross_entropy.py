"""How surprised a model is by the right next words."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention.chapters import training as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import on_grid, uniform

SAME = np.array([[2.0, 1, 0]] * 3)  # the same logits three times: only the targets differ
PADDED = np.array([0, 1, 2])  # two words, and the third token is PAD
WIDE = np.array([[0.0, 3, 1, 0, 2], [1, 0, 0, 4, 0]])
BATCH = np.array([[[2.0, 1, 0, 0], [0, 0, 3, 0], [1, 1, 1, 1]], [[0, 2, 0, 0]] * 3])  # (2, 3, 4)
UNEVEN = np.array([[0, 2, 1], [1, 3, 3]])  # three words and, with PAD = 3, one


def unseen(rng: np.random.Generator) -> list[Case]:
    """What ``guesses`` draws."""
    return guesses(rng)


def guesses(rng: np.random.Generator) -> list[Case]:
    """Draw logits and targets, padded and not; PAD is a number among the words, another one each time."""
    return [
        Case("one sentence, padded", (uniform(rng, 3, 5, 7), tokens(rng, 5, 7, 4, 3), 4)),
        Case("nothing padded", (uniform(rng, 3, 3, 11), tokens(rng, 3, 11, 6, 3), 6)),
        Case("many words, PAD = 1", (uniform(rng, 3, 7, 13), tokens(rng, 7, 13, 1, 2), 1)),
    ]


def tokens(rng: np.random.Generator, n: int, words: int, pad: int, length: int) -> np.ndarray:
    """Draw ``length`` word numbers other than pad, and pad after them up to n."""
    drawn = rng.integers(words - 1, size=length)
    return np.concatenate([drawn + (drawn >= pad), np.full(n - length, pad)])


def edges(rng: np.random.Generator) -> list[Case]:
    """What ``odd_guesses`` draws."""
    return odd_guesses(rng)


def odd_guesses(rng: np.random.Generator) -> list[Case]:
    """Draw logits of a thousand, one token, two sentences of unequal length, more axes, and a PAD that is no word."""
    far = on_grid(uniform(rng, 2, 3, 5))
    far[0, 2] += 1500  # far ahead
    far[1] -= 1500  # far down, as one
    two = np.stack([tokens(rng, 5, 7, 0, length) for length in (2, 5)])
    more = np.stack([tokens(rng, 5, 11, 0, length) for length in (1, 3, 5, 3, 1, 2)]).reshape(3, 2, 5)
    return [
        Case("logits of a thousand", (far, np.array([1, 3, 2]), 0)),
        Case("one token", (uniform(rng, 3, 1, 5), tokens(rng, 1, 5, 0, 1), 0)),
        Case("a batch of two, with leading axes", (uniform(rng, 3, 2, 5, 7), two, 0)),
        Case("more leading axes", (uniform(rng, 3, 3, 2, 5, 11), more, 0)),
        Case("PAD is no word, but -1", (uniform(rng, 3, 5, 7), np.where(np.arange(5) < 2, two[0, 0], -1), -1)),
    ]


@mistake(
    "The sum over the real tokens was divided by the padded length. "
    "Then a sentence with more padding would seem to be predicted better, although padding is not predicted. "
    "Divide by the number of targets that are not pad.",
)
def over_padded_length(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    picked = np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    return -np.sum(np.where(targets != pad, picked, 0.0)) / targets.size


@mistake(
    "PAD was counted like a word. "
    "Padding only makes sentences equally long; a model that learns to predict it learns nothing about Italian. "
    "Leave out every place where the target is pad, in the sum and in the count.",
)
def padding_counted(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -np.mean(np.take_along_axis(log_p, targets[..., None], axis=-1))


@mistake(
    "All words of a row were counted instead of the right one alone. "
    "The right word's ln p already depends on all others, because the probabilities sum to 1. "
    "Pick one entry of each real row: `log_p[real, targets[real]]`.",
)
def every_word_counted(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -log_p[targets != pad].mean()


@mistake(
    "This is the sum over the real tokens instead of their mean. "
    "Then long batches would count more than short ones, and the size of a step would depend on that. "
    "Divide by the number of real tokens.",
)
def sum_of_surprises(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -np.sum(np.take_along_axis(log_p, targets[..., None], axis=-1)[targets != pad])


@mistake(
    "The logarithm has base 2, which gives bits. "
    "The course uses nats, with the natural logarithm, whose gradient is simpler. "
    "Use `np.log`.",
)
def surprise_in_bits(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -np.mean(np.take_along_axis(log_p, targets[..., None], axis=-1)[targets != pad]) / np.log(2)


@mistake(
    "Softmax was applied twice. "
    "The second one flattens the probabilities, so the loss can't get near 0 however good the model is. "
    "Apply softmax once, then take the logarithm.",
)
def softmax_of_softmax(logits, targets, pad):
    p = softmax(logits)
    log_p = p - np.log(np.exp(p).sum(axis=-1, keepdims=True))
    return -np.mean(np.take_along_axis(log_p, targets[..., None], axis=-1)[targets != pad])


@mistake(
    "The logits were averaged as they are, with a minus. "
    "A logit is not a probability: adding 5 to all of them would change this loss, but no prediction. "
    "Use ln softmax(logits) at the target.",
)
def softmax_left_out(logits, targets, pad):
    return -np.mean(np.take_along_axis(logits, targets[..., None], axis=-1)[targets != pad])


@mistake(
    "The minus is missing. "
    "A probability is below 1 and its logarithm below 0, but a loss must grow as the prediction gets worse. "
    "Put a minus in front.",
)
def minus_left_out(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return np.mean(np.take_along_axis(log_p, targets[..., None], axis=-1)[targets != pad])


@mistake(
    "The logarithm is missing: this is minus the mean probability of the right words. "
    "It hardly distinguishes a word at 0.01 from one at 0.0001, which is a hundred times less likely. "
    "Take `np.log` of the probabilities first.",
)
def logarithm_left_out(logits, targets, pad):
    return -np.mean(np.take_along_axis(softmax(logits), targets[..., None], axis=-1)[targets != pad])


@mistake(
    "The logarithm came after the mean: −ln of the mean probability. "
    "Then one word that is predicted well hides another that is predicted badly. "
    "Take the logarithm of each probability, then the mean.",
)
def logarithm_of_the_mean(logits, targets, pad):
    return -np.log(np.mean(np.take_along_axis(softmax(logits), targets[..., None], axis=-1)[targets != pad]))


@mistake(
    "The mean was also taken over all words of the vocabulary. "
    "Each place has one right word, and the others are zeros that only make the loss small. "
    "Divide only by the number of real tokens.",
)
def mean_over_words_too(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -np.mean(np.take_along_axis(log_p, targets[..., None], axis=-1)[targets != pad]) / logits.shape[-1]


@mistake(
    "Softmax went down the columns, over the places of a sentence. "
    "At each place, the words compete with one another, not the places. "
    "The words are along the last axis: `softmax(logits, axis=-1)`.",
)
def softmax_over_places(logits, targets, pad):
    z = logits - logits.max(axis=-2, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-2, keepdims=True))
    return -np.mean(np.take_along_axis(log_p, targets[..., None], axis=-1)[targets != pad])


@mistake(
    "The wrong words were scored, too, by ln(1 − p). "
    "That is the loss for many yes-or-no questions; with softmax the probabilities sum to 1, so the right word is "
    "enough. "
    "Add up ln p of the right words only.",
)
def yes_or_no_each(logits, targets, pad):
    real = targets != pad
    p, right = softmax(logits)[real], np.eye(logits.shape[-1])[targets][real]
    return -np.sum(right * np.log(p) + (1 - right) * np.log(1 - p)) / real.sum()


@mistake(
    "Right for one sentence, but in a batch the mean of each sentence was taken, and then the mean of these. "
    "Then the words of a short sentence count more than those of a long one. "
    "Take one sum over all real tokens of the batch, and divide it by their number.",
)
def mean_of_means(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    picked, real = np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0], targets != pad
    return np.mean(-np.sum(np.where(real, picked, 0.0), axis=-1) / real.sum(axis=-1))


@mistake(
    "Right for ordinary logits, but the logarithm of a probability that is rounded to 0 is −inf. "
    "Softmax gives 0 for a word whose logit is a thousand below the largest. "
    "Don't take the logarithm of softmax: ln p = z − max z − ln Σ exp(z − max z).",
)
def logarithm_of_zero(logits, targets, pad):
    p = np.take_along_axis(softmax(logits), targets[..., None], axis=-1)[targets != pad]
    return -np.mean(np.log(p))


@mistake(
    "A small number was added inside the logarithm, so that it never sees a 0. "
    "Then no surprise can exceed −ln of that number, such as −ln 1e-12 = 27.6, however wrong the prediction is. "
    "Don't take the logarithm of softmax: ln p = z − max z − ln Σ exp(z − max z).",
)
def small_number_added(logits, targets, pad):
    p = np.take_along_axis(softmax(logits), targets[..., None], axis=-1)[targets != pad]
    return -np.mean(np.log(p + 1e-12))


@mistake(
    "The largest logit of all rows was subtracted instead of each row's own. "
    "In a row that is a thousand lower, all powers are then 0, and ln 0 is −inf. "
    "Use `logits.max(axis=-1, keepdims=True)`.",
)
def maximum_of_all_rows(logits, targets, pad):
    z = logits - logits.max()
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -np.mean(np.take_along_axis(log_p, targets[..., None], axis=-1)[targets != pad])


@mistake(
    "Right for one sentence, but a batch gives one number for each sentence. "
    "There is a single loss for the batch, and training uses its gradient. "
    "Take the mean over the real tokens of all sentences together, and return one number.",
)
def one_mean_a_sentence(logits, targets, pad):
    z = logits - logits.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    picked, real = np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0], targets != pad
    return -np.sum(np.where(real, picked, 0.0), axis=-1) / real.sum(axis=-1)


def mean_of(surprise: Callable) -> Callable:
    """Return a loss that is the mean of ``surprise(p, right)`` over the real tokens; ``right`` is one-hot."""

    def loss(logits, targets, pad):
        real = targets != pad
        return np.mean(surprise(softmax(logits)[real], np.arange(logits.shape[-1]) == targets[real][:, None]))

    return loss


def columns_of_all(logits: np.ndarray, targets: np.ndarray, pad: int) -> Any:
    """Pick every target's column in every real row."""
    real = targets != pad
    z = logits - logits.max(axis=-1, keepdims=True)
    return -np.mean((z - np.log(np.exp(z).sum(axis=-1, keepdims=True)))[real][:, targets[real]])


def maximum_inside_alone(logits: np.ndarray, targets: np.ndarray, pad: int) -> Any:
    """Subtract the largest logit inside exp, and not from the logit in front."""
    real = targets != pad
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return -np.mean((logits - np.log(powers.sum(axis=-1, keepdims=True)))[real, targets[real]])


def with_sum(of_sum: Callable) -> Callable:
    """Return a loss whose ln p is z − max z less ``of_sum(powers)``."""

    def loss(logits, targets, pad):
        z = logits - logits.max(axis=-1, keepdims=True)
        return -np.mean(np.take_along_axis(z - of_sum(np.exp(z)), targets[..., None], axis=-1)[targets != pad])

    return loss


WRONG_FORMULAS = (
    ("the logarithm of the sum is missing", with_sum(lambda powers: powers.sum(axis=-1, keepdims=True))),
    ("the logarithm of the sum is added instead of subtracted",
     with_sum(lambda powers: -np.log(powers.sum(axis=-1, keepdims=True)))),
    ("one sum is taken over all rows", with_sum(lambda powers: np.log(powers.sum()))),
    ("max z is subtracted only inside exp, and not from z_i", maximum_inside_alone),
    ("the surprise is 1 − p instead of −ln p", mean_of(lambda p, right: 1 - p[right])),
    ("the loss is the share of places whose likeliest word is wrong",
     mean_of(lambda p, right: p.argmax(axis=-1) != right.argmax(axis=-1))),
    ("the loss is the entropy of softmax, whatever the targets are",
     mean_of(lambda p, right: -np.sum(p * np.log(np.where(p > 0, p, 1)), axis=-1))),
    ("the surprise is the squared distance between softmax and the one-hot row",
     mean_of(lambda p, right: ((p - right) ** 2).sum(axis=-1))),
    ("the surprise is the mean square of softmax minus the one-hot row",
     mean_of(lambda p, right: (p - right) ** 2)),
    ("0 is taken for padding, whatever `pad` is",
     lambda logits, targets, pad: reference.cross_entropy(logits, targets, 0)),
    ("every row gives its entries for all targets instead of only its own", columns_of_all),
)  # fmt: skip

EXERCISE = Exercise(
    name="cross_entropy",
    reference=reference.cross_entropy,
    returns=("loss",),
    examples=(
        Case("two words and PAD", (SAME, PADDED, 2)),
        Case("five words", (WIDE, np.array([1, 0]), 4)),
        Case("a batch of two, with leading axes", (BATCH, UNEVEN, 3), edge=True),
        Case("logits of a thousand", (np.array([[1000.0, 0, 0], [-1000, 0, -2]]), np.array([1, 2]), 0), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=WRONG_FORMULAS,
)
