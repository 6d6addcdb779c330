"""Plausible wrong answers to cross_entropy_gradient."""

import numpy as np

from attention.chapters.context import softmax


def _right(logits, targets):
    return np.arange(logits.shape[-1]) == targets[..., None]


def padding_not_cleared(logits, targets, pad):
    """The rows of padding have slopes, too, and should be 0."""
    return (softmax(logits) - _right(logits, targets)) / (targets != pad).sum()


def not_divided_by_n(logits, targets, pad):
    """The slopes are not divided by the number of real tokens."""
    return (softmax(logits) - _right(logits, targets)) * (targets != pad)[..., None]


def divided_by_all_places(logits, targets, pad):
    """The slopes are divided by the number of all places, padding included."""
    return (softmax(logits) - _right(logits, targets)) * (targets != pad)[..., None] / targets.size


def each_sentence_its_own_n(logits, targets, pad):
    """Each sentence is divided by its own number of real tokens and not by that of the batch."""
    real = targets != pad
    count = np.maximum(real.sum(axis=-1), 1)
    return (softmax(logits) - _right(logits, targets)) * real[..., None] / count[..., None, None]


def sign_turned_round(logits, targets, pad):
    """One-hot less softmax: the slopes have the wrong sign."""
    real = targets != pad
    return (_right(logits, targets) - softmax(logits)) * real[..., None] / real.sum()


def softmax_alone(logits, targets, pad):
    """The 1 at the right word is not subtracted."""
    real = targets != pad
    return softmax(logits) * real[..., None] / real.sum()


def one_subtracted_everywhere(logits, targets, pad):
    """1 is subtracted from every word's probability and not only from the right one's."""
    real = targets != pad
    return (softmax(logits) - 1) * real[..., None] / real.sum()


def logits_without_softmax(logits, targets, pad):
    """The one-hot row is subtracted from the logits themselves."""
    real = targets != pad
    return (logits - _right(logits, targets)) * real[..., None] / real.sum()


def wrong_words_set_to_zero(logits, targets, pad):
    """Only the right word has a slope, and the other words' logits have 0."""
    real = targets != pad
    return (softmax(logits) - 1) * _right(logits, targets) * real[..., None] / real.sum()


def divided_before_the_one_is_subtracted(logits, targets, pad):
    """softmax / N less 1: only the softmax is divided by N."""
    real = targets != pad
    return (softmax(logits) / real.sum() - _right(logits, targets)) * real[..., None]


def softmax_of_all_scores(logits, targets, pad):
    """The largest is not subtracted, so logits of 1000 give nan."""
    real = targets != pad
    powers = np.exp(logits)
    p = powers / powers.sum(axis=-1, keepdims=True)
    return np.where(real[..., None], (p - _right(logits, targets)) / real.sum(), 0.0)


def column_of_padding_cleared(logits, targets, pad):
    """The column of the word PAD is cleared, and not the rows whose target is PAD."""
    real = targets != pad
    gradient = (softmax(logits) - _right(logits, targets)) / real.sum()
    gradient[..., pad] = 0
    return gradient


def all_right_words_columns(logits, targets, pad):
    """p[..., targets] -= 1 subtracts 1 in the columns of all targets in every row."""
    real = targets != pad
    p = softmax(logits)
    p[..., targets[real]] -= 1
    return p * real[..., None] / real.sum()


def real_rows_only(logits, targets, pad):
    """Only the rows of real tokens are returned, in one list, so the shape is another."""
    real = targets != pad
    return (softmax(logits) - _right(logits, targets))[real] / real.sum()


def jacobian_of_the_right_word(logits, targets, pad):
    """The slope of the probability and not of its logarithm: p_i is still multiplied."""
    real = targets != pad
    p = softmax(logits)
    of_right = np.take_along_axis(p, targets[..., None], axis=-1)
    return of_right * (p - _right(logits, targets)) * real[..., None] / real.sum()


def softmax_written_into_the_logits(logits, targets, pad):
    """logits -= ... changes the array that was given."""
    real = targets != pad
    logits -= logits.max(axis=-1, keepdims=True)
    return (softmax(logits) - _right(logits, targets)) * real[..., None] / real.sum()


def divided_by_the_words(logits, targets, pad):
    """The number of words stands in the place of N."""
    real = targets != pad
    return (softmax(logits) - _right(logits, targets)) * real[..., None] / logits.shape[-1]
