"""Functions of earlier chapters that notebooks provide ready-made: short, NumPy only.

They are defined here alone. Chapters 8 to 11 and 13 contain some of them, verbatim, in locked cells called ``given…``. Wrong
versions and tests call them here.
"""

import numpy as np


def vocabulary(sentences):
    """Chapter 2's: a number for each different word, in order of first appearance."""
    words = dict.fromkeys(word for sentence in sentences for word in sentence.lower().split())
    return {word: number for number, word in enumerate(words)}


def positional_encoding(n, d_model, base=10000):
    """Chapter 7's: (n, d_model), sine and cosine of each clock side by side."""
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)  # (n, d_model / 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def add_position(x):
    """Chapter 7's: each token with the encoding of its place added."""
    return x + positional_encoding(*x.shape[-2:])


def softmax(scores, axis=-1):
    """Chapter 3's softmax: turn scores into weights; a row of -inf becomes a row of zeros."""
    largest = scores.max(axis=axis, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isneginf(largest), 0.0, largest))
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0.0, 1.0, total)


def split_heads(x, h):
    """Chapter 6's: (..., n, h · d) -> (..., h, n, d)."""
    return np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), -3, -2)


def merge_heads(x):
    """Chapter 6's: (..., h, n, d) -> (..., n, h · d)."""
    side_by_side = np.swapaxes(x, -3, -2)  # (..., n, h, d)
    return side_by_side.reshape(*side_by_side.shape[:-2], -1)


def multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
    """Chapter 6's attention: return the output (..., n_q, d_model) and the weights (..., h, n_q, n_k)."""

    def heads(x):  # (..., n, h · d) -> (..., h, n, d)
        return np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), -3, -2)

    q, k, v = heads(query @ w_q), heads(key @ w_k), heads(value @ w_v)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., h, n_q, n_k)
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)[..., None, :, :]
    weights = softmax(scores)
    merged = np.swapaxes(weights @ v, -3, -2)  # (..., n_q, h, d)
    return merged.reshape(*merged.shape[:-2], -1) @ w_o, weights


def layer_norm(x, gamma, beta, eps=1e-5):
    """Chapter 8's layer norm: each row at mean 0 and variance 1, times gamma, plus beta."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


def add_and_norm(x, sublayer, gamma, beta, eps=1e-5):
    """Chapter 8's add & norm: the normalised sum of the two."""
    return layer_norm(x + sublayer, gamma, beta, eps)


def feed_forward(x, w1, b1, w2, b2):
    """Chapter 8's feed-forward layer: widen, set negative numbers to 0, narrow; each row separately."""
    return np.maximum(0.0, x @ w1 + b1) @ w2 + b2


def encoder_layer(x, parameters, h, mask=None):
    """Chapter 8's: words look at one another, then each thinks for itself."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    return add_and_norm(x, feed_forward(x, p["w1"], p["b1"], p["w2"], p["b2"]), p["gamma2"], p["beta2"])


def causal_mask(n):
    """Chapter 9's: (n, n), True if a row may look, at itself and what came before."""
    return np.tri(n, dtype=bool)


def masked_softmax(scores, mask):
    """Chapter 9's softmax: weights for the keys that the mask permits; zeros if it permits none. None permits all."""
    return softmax(scores if mask is None else np.where(mask, scores, -np.inf))


def masked_attention(query, key, value, mask):
    """Chapter 9's: the output and the weights where only permitted keys are seen. None permits all."""
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), mask)
    return weights @ value, weights


def cross_attention(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    """Chapter 9's: what each word of x finds in memory, and the weights of every head."""
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, memory_mask)


def decoder_layer(x, memory, parameters, h, mask, memory_mask=None):
    """Chapter 9's: words look back, then across at the source, then each thinks for itself."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    matrices = p["cross_w_q"], p["cross_w_k"], p["cross_w_v"], p["cross_w_o"]
    found, _ = cross_attention(x, memory, *matrices, h, memory_mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, p["w1"], p["b1"], p["w2"], p["b2"]), p["gamma3"], p["beta3"])


def cross_entropy(logits, targets, pad):
    """Chapter 10's loss: the mean surprise at the right next words, over all real tokens."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))  # (..., n, words)
    real = targets != pad  # (..., n)
    return -log_p[real, targets[real]].mean()


GIVEN = {
    function.__name__: function
    for function in (
        *(vocabulary, positional_encoding, add_position, softmax, split_heads, merge_heads, multi_head_attention),
        *(layer_norm, add_and_norm, feed_forward, encoder_layer),
        *(causal_mask, masked_softmax, masked_attention, cross_attention, decoder_layer, cross_entropy),
    )
}
