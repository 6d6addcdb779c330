"""Plausible wrong answers to softmax."""

import numpy as np


def scores_centred_at_their_mean(scores, axis=-1):
    """The mean of the scores is subtracted and not the largest score, so the powers can still overflow."""
    powers = np.exp(scores - scores.mean(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def scores_turned_into_z_scores(scores, axis=-1):
    """The scores are divided by their standard deviation as well, which changes how far apart the weights are."""
    centre = scores.mean(axis=axis, keepdims=True)
    spread = scores.std(axis=axis, keepdims=True)
    z = (scores - centre) / np.where(spread > 0, spread, 1)
    powers = np.exp(z)
    return powers / powers.sum(axis=axis, keepdims=True)


def first_score_is_the_reference_category(scores, axis=-1):
    """The first score is subtracted and not the largest, so a score far above the first one still overflows."""
    reference = np.take(scores, [0], axis=axis)
    odds = np.exp(scores - np.where(np.isfinite(reference), reference, 0))
    total = odds.sum(axis=axis, keepdims=True)
    return odds / np.where(total > 0, total, 1)


def logarithms_of_the_weights(scores, axis=-1):
    """What comes back is the logarithm of the weights, because the last exponential is missing."""
    top = scores.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    log_total = np.log(np.sum(np.exp(scores - top), axis=axis, keepdims=True)) + top
    return scores - log_total


def zero_axis_counts_as_no_axis(scores, axis=-1):
    """In `axis or -1` the axis 0 counts as false, so the rows are made to sum to one where the columns should."""
    axis = axis or -1
    top = scores.max(axis=axis, keepdims=True)
    powers = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def axis_is_not_moved_back(scores, axis=-1):
    """The axis is moved to the end for the sum and never moved back, so the weights lie in other places."""
    rows = np.moveaxis(scores, axis, -1)
    top = rows.max(axis=-1, keepdims=True)
    powers = np.exp(rows - np.where(np.isneginf(top), 0, top))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def only_the_first_axis_and_the_last_are_known(scores, axis=-1):
    """Every axis but 0 is treated as the last one, so axis=-2, or axis 1 of three, is summed along the wrong way."""
    s = scores.T if axis == 0 else scores
    top = s.max(axis=-1, keepdims=True)
    powers = np.exp(s - np.where(np.isneginf(top), 0, top))
    total = powers.sum(axis=-1, keepdims=True)
    p = powers / np.where(total == 0, 1, total)
    return p.T if axis == 0 else p


def nothing_to_see_becomes_a_uniform_row(scores, axis=-1):
    """Where all scores are −inf every weight becomes 1/n, though this token may look at nothing and needs zeros."""
    top = scores.max(axis=axis, keepdims=True)
    nothing = np.isneginf(top)
    powers = np.exp(scores - np.where(nothing, 0, top))
    powers = np.where(nothing, 1.0, powers)
    return powers / powers.sum(axis=axis, keepdims=True)


def powers_kept_in_the_type_of_the_scores(scores, axis=-1):
    """The powers are stored in the number type of the scores, so whole-number scores cut them to 0 or 1."""
    powers = np.zeros_like(scores)
    top = scores.max(axis=axis, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    shifted = scores - top
    for index in np.ndindex(*scores.shape):
        powers[index] = np.exp(shifted[index])
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def largest_absolute_score_subtracted(scores, axis=-1):
    """The largest absolute value is subtracted and not the largest score, so very negative scores all become 0."""
    size = np.abs(np.where(np.isfinite(scores), scores, 0)).max(axis=axis, keepdims=True)
    powers = np.exp(scores - size)
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)
