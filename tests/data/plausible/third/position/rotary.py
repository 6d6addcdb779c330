"""Plausible wrong answers to rotary."""

import numpy as np

from attention.chapters.position import positional_encoding, shift_matrix


def turned_the_other_way(x, positions, base=10000):
    """The pairs are turned the other way, because the minus stands at b's formula, as in shift_matrix."""
    d_k = x.shape[-1]
    turned = np.zeros(x.shape)
    for t, p in enumerate(positions):
        turned[..., t, :] = x[..., t, :] @ shift_matrix(p, d_k, base).T
    return turned


def new_a_used_for_b(x, positions, base=10000):
    """b is made of the new a, because a has been overwritten already."""
    angles = positions[:, None] * base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    turned = x.astype(float)
    a, b = turned[..., 0::2], turned[..., 1::2]
    a[...] = a * np.cos(angles) - b * np.sin(angles)
    b[...] = a * np.sin(angles) + b * np.cos(angles)
    return turned


def places_counted_anew(x, positions, base=10000):
    """The given positions are ignored and the tokens counted from 0."""
    n, d_k = x.shape[-2:]
    angles = np.arange(n)[:, None] * base ** (-np.arange(0, d_k, 2) / d_k)
    turned = np.zeros(x.shape)
    a, b = x[..., 0::2], x[..., 1::2]
    turned[..., 0::2] = a * np.cos(angles) - b * np.sin(angles)
    turned[..., 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return turned


def halves_paired(x, positions, base=10000):
    """Column i is paired with column i + d_k / 2 and not with its neighbour, as some models do."""
    d_k = x.shape[-1]
    angles = positions[:, None] * base ** (-np.arange(0, d_k, 2) / d_k)
    a, b = x[..., : d_k // 2], x[..., d_k // 2 :]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def base_left_at_ten_thousand(x, positions, base=10000):
    """The given base is not used, 10000 is."""
    d_k = x.shape[-1]
    angles = np.outer(positions, 10000 ** (-np.arange(0, d_k, 2) / d_k))
    turned = np.zeros(x.shape)
    a, b = x[..., 0::2], x[..., 1::2]
    turned[..., 0::2] = a * np.cos(angles) - b * np.sin(angles)
    turned[..., 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return turned


def encoding_added(x, positions, base=10000):
    """The positional encoding is added to the tokens, where nothing should be added and the pairs be turned."""
    pe = positional_encoding(int(np.max(positions)) + 1, x.shape[-1], base)
    return x + pe[positions]


def first_axis_walked_along(x, positions, base=10000):
    """The loop over the positions walks along the first axis, which in a batch holds the sentences."""
    d_k = x.shape[-1]
    speeds = base ** (-np.arange(0, d_k, 2) / d_k)
    turned = np.zeros(x.shape)
    for t, p in enumerate(positions):
        a, b = x[t, ..., 0::2], x[t, ..., 1::2]
        turned[t, ..., 0::2] = a * np.cos(p * speeds) - b * np.sin(p * speeds)
        turned[t, ..., 1::2] = a * np.sin(p * speeds) + b * np.cos(p * speeds)
    return turned


def pairs_taken_apart(x, positions, base=10000):
    """All new a stand in the left half and all new b in the right one, and the pairs are not put together again."""
    d_k = x.shape[-1]
    angles = positions[:, None] * base ** (-np.arange(0, d_k, 2) / d_k)
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def two_of_the_exponent_forgotten(x, positions, base=10000):
    """The exponent is −i / d_k, without the 2, so the later pairs turn too fast."""
    d_k = x.shape[-1]
    i = np.arange(d_k // 2)
    angles = positions[:, None] / base ** (i / d_k)
    turned = np.empty(x.shape)
    a, b = x[..., ::2], x[..., 1::2]
    turned[..., ::2] = a * np.cos(angles) - b * np.sin(angles)
    turned[..., 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return turned


def all_pairs_equally_fast(x, positions, base=10000):
    """Every pair is turned by the position itself, as if all clocks had the speed 1."""
    c, s = np.cos(positions)[:, None], np.sin(positions)[:, None]
    turned = np.zeros(x.shape)
    turned[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    turned[..., 1::2] = x[..., 0::2] * s + x[..., 1::2] * c
    return turned
