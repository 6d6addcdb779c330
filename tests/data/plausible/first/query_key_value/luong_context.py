"""Wrong answers to luong_context(state, encoder_states)."""

import numpy as np

from attention.chapters.query_key_value import attention, soft_lookup


def sum_started_in_the_first_state(state, encoder_states):
    """The sum is kept in the first encoder state itself, which is counted once too often and changed for the caller."""
    scores = encoder_states @ state
    alpha = np.exp(scores - scores.max())
    alpha /= alpha.sum()
    context = encoder_states[0]
    for a, h in zip(alpha, encoder_states.copy(), strict=True):
        context += a * h
    return context, alpha


def additive_scores(state, encoder_states):
    """The scores are Bahdanau's, a tanh of the sum, and not dot products."""
    scores = np.tanh(state + encoder_states).sum(axis=1)
    weights = np.exp(scores) / np.exp(scores).sum()
    return weights @ encoder_states, weights


def context_joined_with_the_state(state, encoder_states):
    """The decoder's state is appended to the context, which is the next step in Luong's model."""
    context, alpha = soft_lookup(state, encoder_states, encoder_states)
    return np.concatenate([context, state]), alpha


def a_row_of_one_query(state, encoder_states):
    """The state is made a matrix of one query and the axis is never taken away again, so both results have it too."""
    context, alpha = attention(state[np.newaxis], encoder_states, encoder_states)
    return context, alpha


def base_three_of_the_lookup(state, encoder_states):
    """The base 3 is left over from the example of soft_lookup, where softmax has base e."""
    return soft_lookup(state, encoder_states.astype(float), encoder_states, base=3.0)


def largest_size_subtracted(state, encoder_states):
    """The largest size is subtracted and not the largest score, so large negative scores give 0 / 0."""
    e = encoder_states @ state
    e = e - np.max(np.abs(e))
    alpha = np.exp(e) / np.sum(np.exp(e))
    return alpha @ encoder_states, alpha


def one_score_for_each_entry(state, encoder_states):
    """The einsum sums over the encoder states, so there is a score for each entry and none for each state."""
    e = np.einsum("d,nd->d", state, encoder_states)
    alpha = np.exp(e - e.max())
    alpha = alpha / alpha.sum()
    context = (alpha * encoder_states).sum(axis=0)
    return context, alpha


def context_is_the_mean(state, encoder_states):
    """The weighted states are averaged, where they should be added up."""
    _, alpha = soft_lookup(state, encoder_states, encoder_states)
    return np.mean(alpha.reshape(-1, 1) * encoder_states, axis=0), alpha


def mixes_the_decoder_state(state, encoder_states):
    """The weights multiply the decoder's state and not the encoder's, so the context is the state again."""
    scores = [np.dot(state, h) for h in encoder_states]
    powers = np.exp(np.array(scores) - max(scores))
    alpha = powers / np.sum(powers)
    return np.outer(alpha, state).sum(axis=0), alpha


def shares_of_the_plain_scores(state, encoder_states):
    """The scores are divided by their sum without being raised, so negative scores become negative weights."""
    e = encoder_states @ state
    alpha = e / e.sum()
    return alpha @ encoder_states, alpha
