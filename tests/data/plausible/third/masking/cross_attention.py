"""Plausible wrong answers to cross_attention."""

import numpy as np

from attention.chapters.masking import causal_mask
from attention.exercises.given_functions import multi_head_attention


def output_without_weights(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """Only the output is returned and the weights are dropped."""
    output, _ = multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, memory_mask)
    return output


def mask_negated(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """The mask is turned round, so that only padding is seen."""
    mask = None if memory_mask is None else ~memory_mask
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, mask)


def written_out_without_heads(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """Plain attention without heads, whose weights have no axis of heads."""
    q, k, v = x @ w_q, memory @ w_k, memory @ w_v
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if memory_mask is not None:
        scores = np.where(memory_mask, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ v @ w_o, weights


def x_added_to_the_output(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """x is added to the output, which is the business of add & norm afterwards."""
    output, weights = multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, memory_mask)
    return x + output, weights


def asks_source_and_translation(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """Keys and values are those of memory and x together, so the weights have S + T columns."""
    both = np.concatenate([memory, x], axis=-2)
    return multi_head_attention(x, both, both, w_q, w_k, w_v, w_o, h)


def mask_passed_where_it_is_given_by_truth(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """`if memory_mask:` asks an array for one truth value, which fails as soon as it has several numbers."""
    if memory_mask:
        return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, memory_mask)
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h)


def causal_square_of_the_translation(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """Without a mask a causal one of T by T is made, which does not fit S keys."""
    mask = causal_mask(x.shape[-2]) if memory_mask is None else memory_mask
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, mask)


def average_over_the_heads(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """The weights are averaged over the heads, where those of every head are asked for."""
    output, weights = multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, memory_mask)
    return output, weights.mean(axis=-3)
