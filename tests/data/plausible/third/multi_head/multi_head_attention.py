"""Plausible wrong answers to multi_head_attention."""

import numpy as np


def _split_heads(x, h):
    return np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), -3, -2)


def _merge_heads(x):
    *batch, h, n, d = x.shape
    return np.swapaxes(x, -3, -2).reshape(*batch, n, h * d)


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def root_of_the_whole_width(query, key, value, w_q, w_k, w_v, w_o, h):
    """The scores are divided by the root of the width of all heads together and not of one head."""
    d = w_q.shape[1]
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    weights = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(d))
    return _merge_heads(weights @ v) @ w_o, weights


def never_scaled(query, key, value, w_q, w_k, w_v, w_o, h):
    """The division by the root of d_k is forgotten."""
    q = _split_heads(query @ w_q, h)
    k = _split_heads(key @ w_k, h)
    v = _split_heads(value @ w_v, h)
    weights = _softmax(np.matmul(q, np.swapaxes(k, -2, -1)))
    return np.matmul(_merge_heads(np.matmul(weights, v)), w_o), weights


def divided_by_the_width(query, key, value, w_q, w_k, w_v, w_o, h):
    """The scores are divided by d_k and not by its root."""
    q, k, v = (_split_heads(x @ w, h) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
    weights = _softmax(q @ k.swapaxes(-1, -2) / q.shape[-1])
    return _merge_heads(weights @ v) @ w_o, weights


def softmax_down_the_queries(query, key, value, w_q, w_k, w_v, w_o, h):
    """The softmax runs over the queries and not over the keys."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(axis=-2, keepdims=True))
    weights = e / e.sum(axis=-2, keepdims=True)
    return _merge_heads(weights @ v) @ w_o, weights


def heads_cut_by_a_reshape(query, key, value, w_q, w_k, w_v, w_o, h):
    """The heads are cut by a reshape alone, so each sees pieces of other tokens."""

    def cut(x):
        return x.reshape(*x.shape[:-2], h, x.shape[-2], x.shape[-1] // h)

    q, k, v = cut(query @ w_q), cut(key @ w_k), cut(value @ w_v)
    weights = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return _merge_heads(weights @ v) @ w_o, weights


def merged_by_a_reshape(query, key, value, w_q, w_k, w_v, w_o, h):
    """What the heads found is merged by a reshape alone, without heads and tokens changing places."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    weights = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    found = weights @ v
    return found.reshape(*query.shape[:-1], -1) @ w_o, weights


def last_matrix_forgotten(query, key, value, w_q, w_k, w_v, w_o, h):
    """The merged heads are returned without being multiplied by w_o."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    weights = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    output = _merge_heads(weights @ v)
    return output, weights


def output_only(query, key, value, w_q, w_k, w_v, w_o, h):
    """Only the output is returned, without the weights."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    weights = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return _merge_heads(weights @ v) @ w_o


def weights_of_the_average_head(query, key, value, w_q, w_k, w_v, w_o, h):
    """The weights are averaged over the heads, where each head's are asked for."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    weights = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return _merge_heads(weights @ v) @ w_o, weights.mean(axis=-3)


def powers_too_large(query, key, value, w_q, w_k, w_v, w_o, h):
    """The largest score is not subtracted before exp, so scores of a thousand overflow."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    e = np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    weights = e / e.sum(axis=-1, keepdims=True)
    return _merge_heads(weights @ v) @ w_o, weights


def largest_score_of_all(query, key, value, w_q, w_k, w_v, w_o, h):
    """The largest of all scores is subtracted and not each row's own, so a row far below it becomes 0 / 0."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - np.max(scores))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    return _merge_heads(weights @ v) @ w_o, weights


def values_made_of_the_keys_tokens(query, key, value, w_q, w_k, w_v, w_o, h):
    """The values are made of key and not of value."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(key @ w_v, h)
    weights = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return _merge_heads(weights @ v) @ w_o, weights


def all_axes_reversed(query, key, value, w_q, w_k, w_v, w_o, h):
    """k.T reverses all axes, so the heads come last and the products do not fit."""
    q, k, v = _split_heads(query @ w_q, h), _split_heads(key @ w_k, h), _split_heads(value @ w_v, h)
    weights = _softmax(q @ k.T / np.sqrt(q.shape[-1]))
    return _merge_heads(weights @ v) @ w_o, weights


def values_cut_as_wide_as_keys(query, key, value, w_q, w_k, w_v, w_o, h):
    """The values are cut into slices of d_k columns, where each head has d_v of them."""
    q, k, v = query @ w_q, key @ w_k, value @ w_v
    d_k = q.shape[-1] // h
    found, weights = [], []
    for i in range(h):
        part = slice(i * d_k, (i + 1) * d_k)
        a = _softmax(q[..., part] @ np.swapaxes(k[..., part], -1, -2) / np.sqrt(d_k))
        weights.append(a)
        found.append(a @ v[..., part])
    return np.concatenate(found, axis=-1) @ w_o, np.stack(weights, axis=-3)


def tables_stacked_in_front(query, key, value, w_q, w_k, w_v, w_o, h):
    """The tables of weights are stacked in front of the batch, where the sentences should come before the heads."""
    q, k, v = (np.split(x @ w, h, axis=-1) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
    found, weights = [], []
    for i in range(h):
        scores = q[i] @ np.swapaxes(k[i], -1, -2) / np.sqrt(q[i].shape[-1])
        weights.append(_softmax(scores))
        found.append(weights[-1] @ v[i])
    return np.concatenate(found, axis=-1) @ w_o, np.array(weights)


def tokens_split_before_the_projection(query, key, value, w_q, w_k, w_v, w_o, h):
    """The tokens are split before they are projected, so their slices do not fit the matrices."""
    q = _split_heads(query, h) @ w_q
    k = _split_heads(key, h) @ w_k
    v = _split_heads(value, h) @ w_v
    weights = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return _merge_heads(weights @ v) @ w_o, weights
