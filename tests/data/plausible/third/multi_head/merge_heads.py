"""Plausible wrong answers to merge_heads."""

import numpy as np


def three_axes_only(x):
    """transpose(1, 0, 2) knows three axes and fails in a batch."""
    h, n, d_v = x.shape[-3:]
    return x.transpose(1, 0, 2).reshape(n, h * d_v)


def sum_of_the_heads(x):
    """The heads are added up and not laid side by side."""
    total = 0
    for i in range(x.shape[-3]):
        total = total + x[..., i, :, :]
    return total


def two_heads_always(x):
    """Two heads are taken for granted, and a third one is dropped."""
    return np.concatenate([x[..., 0, :, :], x[..., 1, :, :]], axis=-1)


def batch_and_heads_in_one_row(x):
    """The sentences of a batch are merged into one row as if they were heads."""
    n = x.shape[-2]
    return np.swapaxes(x, -3, -2).reshape(n, -1)
