# A student's functions of seven chapters, as the notebooks' last cells keep them.
import re

import numpy as np


def softmax(scores, axis=-1):
    """Return weights that are never negative and sum to one along axis."""
    largest = scores.max(axis=axis, keepdims=True)
    largest = np.where(largest == -np.inf, 0.0, largest)  # -inf - -inf would be NaN
    exponentials = np.exp(scores - largest)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0.0, 1.0, total)


def split_heads(x, h):
    """Return h slices of every token, (..., h, n, d / h)."""
    *batch, n, d = x.shape
    slices = x.reshape(*batch, n, h, d // h)  # (..., n, h, d_k): a ValueError where h does not divide d
    return np.swapaxes(slices, -3, -2)  # (..., h, n, d_k)


def merge_heads(x):
    """Return the heads' slices side by side, (..., n, h * d_v)."""
    *batch, h, n, d = x.shape
    return np.swapaxes(x, -3, -2).reshape(*batch, n, h * d)  # by way of (..., n, h, d_v)


def layer_norm(x, gamma, beta, eps=1e-5):
    """Return every token at mean 0 and variance 1, then scaled by γ and shifted by β."""
    mean = x.mean(axis=-1, keepdims=True)  # (..., n, 1)
    variance = x.var(axis=-1, keepdims=True)  # (..., n, 1)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta  # (..., n, d_model)


def causal_mask(n):
    """Return the mask in which no token sees a later one."""
    return np.tril(np.ones((n, n), dtype=bool))


def masked_softmax(scores, mask):
    """Return weights for the keys that the mask permits, and 0 for the others."""
    return softmax(np.where(mask, scores, -np.inf))  # (..., n_q, n_k)


def masked_attention(query, key, value, mask):
    """Return the output and the weights of attention to the permitted keys only."""
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])  # (..., n_q, n_k)
    weights = masked_softmax(scores, mask)
    return weights @ value, weights  # (..., n_q, d_v), (..., n_q, n_k)


def sample(logits, temperature, u):
    """Return a word for each number of u, drawn with the probabilities softmax(logits / temperature)."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    powers = np.exp((logits - np.max(logits)) / temperature)
    ends = np.cumsum(powers / powers.sum())
    return np.searchsorted(ends[:-1], u, side="right")


def words_of(text):
    return re.findall(" ?[^ ]+| ", text)


def merge_pair(symbols, pair):
    merged = []
    for symbol in symbols:
        if merged and (merged[-1], symbol) == tuple(pair):
            merged[-1] += symbol
        else:
            merged.append(symbol)
    return merged


def encode_bpe(text, merges):
    symbols = []
    for word in words_of(text):
        cut = list(word)
        for pair in merges:
            cut = merge_pair(cut, pair)
        symbols += cut
    return symbols


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def gpt_block(x, parameters, h):
    p = parameters
    seen = layer_norm(x, p["gamma1"], p["beta1"])
    query, key, value = (split_heads(seen @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    found, _ = masked_attention(query, key, value, causal_mask(x.shape[-2]))
    x = x + merge_heads(found) @ p["w_o"] + p["b_o"]
    return x + gelu(layer_norm(x, p["gamma2"], p["beta2"]) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def step_with_cache(x, parameters, h, keys, values):
    p, row = parameters, x[None, :]
    seen = layer_norm(row, p["gamma1"], p["beta1"])
    query, key, value = (split_heads(seen @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    keys, values = np.concatenate([keys, key], axis=1), np.concatenate([values, value], axis=1)
    found, _ = masked_attention(query, keys, values, np.full((1, keys.shape[1]), True))
    row = row + merge_heads(found) @ p["w_o"] + p["b_o"]
    row = row + gelu(layer_norm(row, p["gamma2"], p["beta2"]) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]
    return row[0], keys, values


def nucleus(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    before = np.cumsum(probabilities[order]) - probabilities[order]
    kept = np.zeros(len(probabilities))
    kept[order] = np.where(before < p, probabilities[order], 0.0)
    return kept / kept.sum()


def perplexity(logits, targets):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return np.exp(-np.mean(log_p[np.arange(len(targets)), targets]))
