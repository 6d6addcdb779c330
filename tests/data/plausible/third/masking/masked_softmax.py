"""Plausible wrong answers to masked_softmax."""

import numpy as np

from attention.chapters.context import softmax


def masked_after_and_divided(scores, mask):
    """The weights are masked after softmax and divided by what is left, which is 0 / 0 beside a large hidden score."""
    weights = np.where(mask, softmax(scores), 0.0)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def minus_a_thousand_added(scores, mask):
    """-1000 is added to hidden scores, which a hidden score of 1000 survives."""
    return softmax(scores - 1000.0 * (1 - mask))


def largest_score_not_subtracted(scores, mask):
    """The powers are taken of the scores as they are, so 800 becomes infinite."""
    powers = np.where(mask, np.exp(scores), 0.0)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)


def scores_overwritten(scores, mask):
    """scores[~mask] = -inf changes the caller's array, and fails where the mask has another shape."""
    scores[~mask] = -np.inf
    return softmax(scores)


def causal_mask_always(scores, mask):
    """The mask of the first example is made anew, and the one that is given is not looked at."""
    n_q, n_k = scores.shape[-2:]
    return softmax(np.where(np.tril(np.ones((n_q, n_k), dtype=bool)), scores, -np.inf))


def blind_query_shares_evenly(scores, mask):
    """A query that may look at nothing is given equal weights, where zeros are asked for."""
    weights = softmax(np.where(mask, scores, -np.inf))
    blind = ~np.broadcast_to(mask, scores.shape).any(axis=-1, keepdims=True)
    return np.where(blind, 1 / scores.shape[-1], weights)


def smallest_positive_number_added(scores, mask):
    """A small number is added to the sum against 0 / 0, and rows sum to a little less than one."""
    scores = np.where(mask, scores, -np.inf)
    largest = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isneginf(largest), 0.0, largest))
    return powers / (powers.sum(axis=-1, keepdims=True) + 1e-3)
