"""What notebooks hand out ready-made: functions of earlier chapters, short, with NumPy alone.

A notebook that needs them has them, to the letter, in locked cells called ``given_…``; wrong versions may call them.
"""

import numpy as np


def softmax(scores, axis=-1):
    """Chapter 3's: scores become weights; a row of nothing but -inf becomes zeros."""
    largest = scores.max(axis=axis, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isneginf(largest), 0.0, largest))
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0.0, 1.0, total)


def multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
    """Chapter 6's: the output (..., n_q, d_model) and the weights (..., h, n_q, n_k)."""

    def heads(x):  # (..., n, h · d) -> (..., h, n, d)
        return np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), -3, -2)

    q, k, v = heads(query @ w_q), heads(key @ w_k), heads(value @ w_v)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., h, n_q, n_k)
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)[..., None, :, :]
    weights = softmax(scores)
    merged = np.swapaxes(weights @ v, -3, -2)  # (..., n_q, h, d)
    return merged.reshape(*merged.shape[:-2], -1) @ w_o, weights


def add_and_norm(x, sublayer, gamma, beta):
    """Chapter 8's: each row of x + sublayer with mean 0 and variance 1, times gamma, plus beta."""
    centred = x + sublayer - (x + sublayer).mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + 1e-5) + beta


def feed_forward(x, w1, b1, w2, b2):
    """Chapter 8's: widen, drop what is negative, narrow; each row for itself."""
    return np.maximum(0.0, x @ w1 + b1) @ w2 + b2


GIVEN = {function.__name__: function for function in (softmax, multi_head_attention, add_and_norm, feed_forward)}
