"""Wrong answers to softmax_jacobian(p)."""

import numpy as np


def dot_product_for_the_table(p):
    """A row times a row is their dot product, so one number is subtracted where the table of products should be."""
    return np.diag(p) - p @ p.T


def diagonal_filled_with_the_weights(p):
    """The diagonal is overwritten with p, so the square of each weight is not subtracted there."""
    jacobian = -p[..., :, None] * p[..., None, :]
    n = p.shape[-1]
    jacobian[..., range(n), range(n)] = p
    return jacobian


def same_row_twice(p):
    """Both factors are the row for the score, so entry (i, j) has p_j where it needs p_i."""
    row = p[..., None, :]
    return row * (np.eye(p.shape[-1]) - row)


def coarse_differences(p):
    """The slopes are measured with a step of a hundredth, which is too coarse for exact slopes."""
    step = 0.01
    n = p.shape[-1]
    columns = []
    for j in range(n):
        moved = p * np.exp(step * (np.arange(n) == j))
        moved = moved / moved.sum(axis=-1, keepdims=True)
        columns.append((moved - p) / step)
    return np.stack(columns, axis=-1)


def lower_triangle_only(p):
    """The inner loop stops at the diagonal, so the slopes above it stay 0."""
    n = p.shape[-1]
    jacobian = np.zeros((*p.shape, n))
    for i in range(n):
        for j in range(i + 1):
            delta = 1 if i == j else 0
            jacobian[..., i, j] = p[..., i] * (delta - p[..., j])
    return jacobian


def slope_of_each_weight_by_its_own_score(p):
    """Only the slopes by a weight's own score are given, as for a sigmoid, so all others are 0."""
    own = p * (1 - p)
    return own[..., None] * np.eye(p.shape[-1])


def delta_is_always_one(p):
    """δ is 1 everywhere and not on the diagonal only."""
    return np.einsum("...i,...j->...ij", p, 1 - p)


def softmax_done_once_more(p):
    """The weights are sent through softmax again, although they are weights already."""
    e = np.exp(p - p.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    return p[..., None] * np.eye(p.shape[-1]) - p[..., None] @ p[..., None, :]


def identity_of_the_first_axis(p):
    """The identity takes its size from the first axis, which in a batch counts rows and not weights."""
    return p[..., :, None] * np.eye(p.shape[0]) - p[..., :, None] * p[..., None, :]
