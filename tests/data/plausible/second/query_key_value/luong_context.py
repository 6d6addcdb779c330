"""Plausible wrong answers to luong_context."""

import numpy as np

from attention.chapters.query_key_value import attention


def additive_score_with_a_tanh(state, encoder_states):
    """The scores come from a tanh of sums, as in Bahdanau's attention, and not from dot products."""
    e = np.tanh(state + encoder_states).sum(axis=-1)
    alpha = np.exp(e - e.max())
    alpha = alpha / alpha.sum()
    return np.einsum("j,jd->d", alpha, encoder_states), alpha


def maximum_of_the_states_seen_so_far(state, encoder_states):
    """The maximum is the largest score so far, so each power is shifted by another number."""
    powers = []
    top = -np.inf
    for h in encoder_states:
        e = float(np.dot(state, h))
        top = max(top, e)
        powers.append(np.exp(e - top))
    alpha = np.array(powers) / sum(powers)
    return alpha @ encoder_states, alpha


def context_is_overwritten(state, encoder_states):
    """The loop overwrites the context at every step, so only the last encoder state is in it."""
    e = encoder_states @ state
    alpha = np.exp(e - e.max())
    alpha = alpha / alpha.sum()
    context = np.zeros(len(state))
    for j in range(len(encoder_states)):
        context = alpha[j] * encoder_states[j]
    return context, alpha


def mean_over_the_encoder_states(state, encoder_states):
    """The weighted encoder states are averaged, so the context is divided by their number once more."""
    e = np.einsum("d,jd->j", state, encoder_states)
    alpha = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
    return np.mean(alpha[:, None] * encoder_states, axis=0), alpha


def whole_number_context_cannot_grow(state, encoder_states):
    """The context takes the number type of the state, so for whole numbers `+=` with a fraction raises an error."""
    scores = np.array([np.dot(state, h) for h in encoder_states])
    powers = np.exp(scores - np.max(scores))
    alpha = powers / np.sum(powers)
    context = np.zeros_like(state)
    for weight, h in zip(alpha, encoder_states, strict=True):
        context += weight * h
    return context, alpha


def one_row_too_many(state, encoder_states):
    """The state was made a sentence of one token, and the extra axis is never taken off again."""
    return attention(state[None, :], encoder_states, encoder_states)


def divided_by_the_largest_score(state, encoder_states):
    """The scores are divided by the largest one, and only a difference leaves the weights as they are."""
    e = encoder_states @ state
    powers = np.exp(e / e.max())
    alpha = powers / powers.sum()
    return alpha @ encoder_states, alpha


def weighted_copies_of_the_state(state, encoder_states):
    """The weights multiply the decoder's state and not the encoder's states."""
    e = np.einsum("d,jd->j", state, encoder_states)
    powers = np.exp(e - e.max())
    alpha = powers / powers.sum()
    return np.outer(alpha, state).sum(axis=0), alpha


def end_of_sentence_dropped(state, encoder_states):
    """The last encoder state is dropped as if it were only the end of the sentence."""
    words = encoder_states[:-1]
    e = words @ state
    powers = np.exp(e - e.max())
    alpha = powers / powers.sum()
    return np.einsum("j,jd->d", alpha, words), alpha


def scores_returned_as_alpha(state, encoder_states):
    """The second result is the scores, as they were before softmax."""
    scores = encoder_states @ state
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights @ encoder_states, scores
