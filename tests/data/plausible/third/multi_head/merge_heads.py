"""Plausible wrong answers to merge_heads."""

import numpy as np


def joined_by_a_reshape_only(x):
    """The axes of heads and tokens are not exchanged first, so a row holds pieces of several tokens of one head."""
    *batch, h, n, d = x.shape
    return x.reshape(*batch, n, h * d)


def first_two_axes_exchanged(x):
    """Axes 0 and 1 are exchanged, which is right for one sentence and wrong in a batch."""
    swapped = np.swapaxes(x, 0, 1)
    return swapped.reshape(*swapped.shape[:-2], -1)


def three_axes_only(x):
    """transpose(1, 0, 2) knows three axes and fails in a batch."""
    h, n, d_v = x.shape[-3:]
    return x.transpose(1, 0, 2).reshape(n, h * d_v)


def heads_last(x):
    """The heads become the last axis, so the first numbers of all heads stand side by side, then the second ones."""
    *batch, h, n, d = x.shape
    return np.moveaxis(x, -3, -1).reshape(*batch, n, d * h)


def heads_averaged(x):
    """The heads are averaged and not laid side by side."""
    return x.mean(axis=-3)


def sum_of_the_heads(x):
    """The heads are added up and not laid side by side."""
    total = 0
    for i in range(x.shape[-3]):
        total = total + x[..., i, :, :]
    return total


def first_axis_concatenated(x):
    """np.concatenate walks along the first axis, which in a batch holds the sentences and not the heads."""
    return np.concatenate(x, axis=-1)


def heads_one_below_another(x):
    """The heads are put one below another and not side by side: (..., h · n, d_v)."""
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-2)


def slices_as_wide_as_the_heads_are_many(x):
    """Each head's columns are counted by the number of heads and not by d_v, which works only where both are equal."""
    *batch, h, n, d_v = x.shape
    merged = np.zeros((*batch, n, h * d_v))
    for i in range(h):
        merged[..., i * h : (i + 1) * h] = x[..., i, :, :]
    return merged


def two_heads_always(x):
    """Two heads are taken for granted, and a third one is dropped."""
    return np.concatenate([x[..., 0, :, :], x[..., 1, :, :]], axis=-1)


def batch_and_heads_in_one_row(x):
    """The sentences of a batch are merged into one row as if they were heads."""
    n = x.shape[-2]
    return np.swapaxes(x, -3, -2).reshape(n, -1)


def sizes_read_in_the_wrong_order(x):
    """The number of heads is taken for the number of tokens and the other way round."""
    *batch, n, h, d = x.shape
    return np.swapaxes(x, -3, -2).reshape(*batch, n, h * d)


def swapped_and_not_joined(x):
    """The slices of a token are brought together but never joined to one row: (..., n, h, d_v)."""
    return np.swapaxes(x, -3, -2)
