"""Plausible wrong answers to split_heads."""

import numpy as np


def heads_left_behind_the_tokens(x, h):
    """The tokens are cut, but heads and tokens never change places: (..., n, h, d_k)."""
    return x.reshape(*x.shape[:-1], h, x.shape[-1] // h)


def every_hth_column(x, h):
    """Head i gets the columns i, i + h, i + 2h and so on, and not d_k neighbouring ones."""
    if x.shape[-1] % h:
        raise ValueError(f"{h} heads cannot share {x.shape[-1]} columns")
    return np.stack([x[..., i::h] for i in range(h)], axis=-3)


def number_and_width_exchanged(x, h):
    """h is taken for the width of a head, so d / h heads of width h come out."""
    parts = x.reshape(*x.shape[:-1], x.shape[-1] // h, h)
    return parts.swapaxes(-3, -2)


def first_two_axes_exchanged(x, h):
    """Axes 0 and 1 are exchanged, which in a batch moves the sentences and not the heads."""
    cut = x.reshape(*x.shape[:-1], h, x.shape[-1] // h)
    return cut.swapaxes(0, 1)


def error_returned(x, h):
    """The ValueError is returned and not raised."""
    *batch, n, d = x.shape
    if d % h != 0:
        return ValueError("h does not divide d")
    return np.swapaxes(x.reshape(*batch, n, h, d // h), -3, -2)


def overlapping_windows(x, h):
    """Head i begins at column i and not at column i · d_k, so the slices overlap."""
    d = x.shape[-1]
    if d % h:
        raise ValueError("the heads would not be equally wide")
    return np.stack([x[..., i : i + d // h] for i in range(h)], axis=-3)


def division_of_the_tokens_checked(x, h):
    """h is compared with the number of tokens and not with their width before the ValueError is raised."""
    n, d = x.shape[-2:]
    if n % h:
        raise ValueError("the heads would not be equally wide")
    return np.swapaxes(x.reshape(*x.shape[:-1], h, d // h), -3, -2)


def wrong_pair_of_axes(x, h):
    """Heads and their columns change places, where heads and tokens should: (..., n, d_k, h)."""
    cut = x.reshape(*x.shape[:-1], h, x.shape[-1] // h)
    return np.swapaxes(cut, -1, -2)


def assertion_in_place_of_the_error(x, h):
    """assert raises an AssertionError, where a ValueError is asked for."""
    assert x.shape[-1] % h == 0, "h must divide d"
    parts = np.split(x, h, axis=-1)
    return np.stack(parts, axis=-3)
