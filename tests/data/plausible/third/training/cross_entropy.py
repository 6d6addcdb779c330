"""Plausible wrong answers to cross_entropy."""

import numpy as np

from attention.chapters.context import softmax


def _log_p(logits):
    moved = logits - logits.max(axis=-1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=-1, keepdims=True))


def padding_in_the_mean(logits, targets, pad):
    """Padding is surprised, too: the mean runs over all places."""
    return -np.take_along_axis(_log_p(logits), targets[..., None], axis=-1).mean()


def padding_in_the_count_only(logits, targets, pad):
    """The sum leaves padding out, but is divided by the number of all places."""
    real = targets != pad
    return -_log_p(logits)[real, targets[real]].sum() / targets.size


def sum_and_no_mean(logits, targets, pad):
    """The surprises are added up and not divided by the number of real tokens."""
    real = targets != pad
    return -_log_p(logits)[real, targets[real]].sum()


def minus_forgotten(logits, targets, pad):
    """The minus is missing, so the loss is negative."""
    real = targets != pad
    return _log_p(logits)[real, targets[real]].mean()


def logarithm_of_softmax(logits, targets, pad):
    """The logarithm of softmax is infinite where a probability is rounded to 0."""
    real = targets != pad
    return -np.log(softmax(logits))[real, targets[real]].mean()


def logarithm_to_base_two(logits, targets, pad):
    """The surprise is in bits, with log2, and nats are asked for."""
    real = targets != pad
    return -(_log_p(logits) / np.log(2))[real, targets[real]].mean()


def mean_of_the_sentences_means(logits, targets, pad):
    """Each sentence gets its own mean, and then the mean of those is taken, so short sentences count too much."""
    real = targets != pad
    surprise = -np.take_along_axis(_log_p(logits), targets[..., None], axis=-1)[..., 0] * real
    return (surprise.sum(axis=-1) / np.maximum(real.sum(axis=-1), 1)).mean()


def one_loss_for_each_sentence(logits, targets, pad):
    """One mean for each sentence is returned, where a batch has one number."""
    real = targets != pad
    surprise = -np.take_along_axis(_log_p(logits), targets[..., None], axis=-1)[..., 0] * real
    return surprise.sum(axis=-1) / real.sum(axis=-1)


def one_minus_the_probability(logits, targets, pad):
    """1 - p is averaged and not -ln p."""
    real = targets != pad
    return (1 - softmax(logits)[real, targets[real]]).mean()


def mean_probability_then_logarithm(logits, targets, pad):
    """The logarithm is taken of the mean probability, and not the mean of the logarithms."""
    real = targets != pad
    return -np.log(softmax(logits)[real, targets[real]].mean())


def logits_without_softmax(logits, targets, pad):
    """The right words' logits are averaged as they are, without softmax."""
    real = targets != pad
    return -logits[real, targets[real]].mean()


def all_words_weighed(logits, targets, pad):
    """The mean runs over all words of a place, too, and not only the right one."""
    return -_log_p(logits)[targets != pad].mean()


def rows_and_words_crossed(logits, targets, pad):
    """log_p[real][:, targets] takes every right word's column in every row, where each row has its own."""
    real = targets != pad
    return -_log_p(logits)[real][:, targets[real]].mean()


def zero_taken_for_padding(logits, targets, pad):
    """Padding is taken to have the number 0, whatever pad says."""
    real = targets != 0
    return -_log_p(logits)[real, targets[real]].mean()


def softmax_over_the_places(logits, targets, pad):
    """Softmax runs along the places (axis -2) and not along the words."""
    real = targets != pad
    moved = logits - logits.max(axis=-2, keepdims=True)
    log_p = moved - np.log(np.exp(moved).sum(axis=-2, keepdims=True))
    return -log_p[real, targets[real]].mean()


def largest_subtracted_once_only(logits, targets, pad):
    """The largest logit is subtracted inside the exponential and not in front of the sum."""
    real = targets != pad
    largest = logits.max(axis=-1, keepdims=True)
    log_p = logits - np.log(np.exp(logits - largest).sum(axis=-1, keepdims=True))
    return -log_p[real, targets[real]].mean()


def largest_not_subtracted(logits, targets, pad):
    """ln p is written without the largest logit, so a thousand becomes infinite."""
    real = targets != pad
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return -log_p[real, targets[real]].mean()


def small_number_inside_the_logarithm(logits, targets, pad):
    """1e-12 is added to the probability, so a surprise of 1000 becomes 27.6."""
    real = targets != pad
    return -np.log(softmax(logits)[real, targets[real]] + 1e-12).mean()


def stops_at_the_first_padding(logits, targets, pad):
    """Only the first axis is gone through, so a batch counts as one sentence."""
    total, count = 0.0, 0
    log_p = _log_p(logits)
    for t in range(len(targets)):
        if targets[t] != pad:
            total -= log_p[t, targets[t]]
            count += 1
    return total / count


def squared_difference(logits, targets, pad):
    """The squared distance between softmax and the one-hot row, in place of the surprise."""
    real = targets != pad
    right = np.arange(logits.shape[-1]) == targets[..., None]
    return ((softmax(logits) - right) ** 2)[real].sum(axis=-1).mean()
