"""Plausible wrong answers to cosine_similarity."""

import numpy as np


def length_of_the_whole_table(a, b):
    """np.linalg.norm without an axis gives one length for the whole table and not one for each vector."""
    product = np.linalg.norm(a) * np.linalg.norm(b)
    dots = np.einsum("...nd,...md->...nm", a, b)
    return dots / product if product > 0 else dots


def lengths_not_below_a_bound(a, b):
    """The lengths are kept above 1e-8, as PyTorch does, so the similarities of shorter vectors shrink."""
    a_unit = a / np.maximum(np.linalg.norm(a, axis=-1, keepdims=True), 1e-8)
    b_unit = b / np.maximum(np.linalg.norm(b, axis=-1, keepdims=True), 1e-8)
    return a_unit @ np.swapaxes(b_unit, -1, -2)


def short_vectors_not_stretched(a, b):
    """np.maximum(length, 1) also changes the lengths between 0 and 1, so short vectors are not stretched."""
    a = a / np.maximum(np.linalg.norm(a, axis=-1, keepdims=True), 1)
    b = b / np.maximum(np.linalg.norm(b, axis=-1, keepdims=True), 1)
    return a @ np.swapaxes(b, -1, -2)


def almost_zero_taken_for_zero(a, b):
    """np.isclose takes every vector shorter than 1e-8 for a vector of zeros."""
    la = np.linalg.norm(a, axis=-1, keepdims=True)
    lb = np.linalg.norm(b, axis=-1, keepdims=True)
    ua = np.where(np.isclose(la, 0), 0, a / np.where(la == 0, 1, la))
    ub = np.where(np.isclose(lb, 0), 0, b / np.where(lb == 0, 1, lb))
    return ua @ np.swapaxes(ub, -1, -2)


def one_zero_vector_spoils_the_table(a, b):
    """A single vector of zeros sets the whole table to 0, where only its own row or column should be 0."""
    la = np.linalg.norm(a, axis=-1, keepdims=True)
    lb = np.linalg.norm(b, axis=-1, keepdims=True)
    dots = a @ np.swapaxes(b, -1, -2)
    if (la == 0).any() or (lb == 0).any():
        return np.zeros(dots.shape)
    return dots / (la * np.swapaxes(lb, -1, -2))


def batch_turned_round(a, b):
    """b.T turns all axes round, the batch included."""
    length_a = np.linalg.norm(a, axis=-1, keepdims=True)
    length_b = np.linalg.norm(b, axis=-1, keepdims=True)
    return (a / np.where(length_a == 0, 1, length_a)) @ (b / np.where(length_b == 0, 1, length_b)).T


def dot_in_a_batch(a, b):
    """np.dot pairs every table of the one batch with every table of the other, where @ pairs them one by one."""

    def unit(x):
        length = np.sqrt((x * x).sum(axis=-1, keepdims=True))
        return x / np.where(length == 0, 1, length)

    return np.dot(unit(a), np.swapaxes(unit(b), -1, -2))


def only_vectors_in_the_same_row(a, b):
    """Only vectors in the same row are compared, where every vector of a should meet every vector of b."""
    dots = np.sum(a * b, axis=-1, keepdims=True)
    lengths = np.linalg.norm(a, axis=-1, keepdims=True) * np.linalg.norm(b, axis=-1, keepdims=True)
    return dots / np.where(lengths == 0, 1, lengths)


def both_lengths_along_the_columns(a, b):
    """Both lengths lie along the columns, so vector i is divided by the length of another vector of a."""
    la = np.linalg.norm(a, axis=-1)[..., None, :]
    lb = np.linalg.norm(b, axis=-1)[..., None, :]
    below = la * lb
    return a @ np.swapaxes(b, -1, -2) / np.where(below == 0, 1, below)


def columns_brought_to_length_one(a, b):
    """The lengths are those of the columns, the features, and not those of the rows, the vectors."""
    la = np.linalg.norm(a, axis=-2, keepdims=True)
    lb = np.linalg.norm(b, axis=-2, keepdims=True)
    return (a / np.where(la == 0, 1, la)) @ np.swapaxes(b / np.where(lb == 0, 1, lb), -1, -2)


def root_forgotten(a, b):
    """The root is forgotten, so the dot product is divided by the squares of the lengths."""
    squares_a = np.einsum("...nd,...nd->...n", a, a)[..., :, None]
    squares_b = np.einsum("...md,...md->...m", b, b)[..., None, :]
    below = squares_a * squares_b
    return np.einsum("...nd,...md->...nm", a, b) / np.where(below == 0, 1, below)


def mean_taken_off_first(a, b):
    """The mean of each vector is taken off first, which gives the correlation and not the cosine."""
    a = a - a.mean(axis=-1, keepdims=True)
    b = b - b.mean(axis=-1, keepdims=True)
    la = np.linalg.norm(a, axis=-1, keepdims=True)
    lb = np.linalg.norm(b, axis=-1, keepdims=True)
    return (a / np.where(la == 0, 1, la)) @ np.swapaxes(b / np.where(lb == 0, 1, lb), -1, -2)


def lengths_as_sums_of_amounts(a, b):
    """ord=1 makes the length a sum of amounts in place of the root of a sum of squares."""
    la = np.linalg.norm(a, 1, axis=-1, keepdims=True)
    lb = np.linalg.norm(b, 1, axis=-1, keepdims=True)
    return (a / np.where(la == 0, 1, la)) @ np.swapaxes(b / np.where(lb == 0, 1, lb), -1, -2)


def opposite_cut_to_zero(a, b):
    """Negative similarities are cut to 0, though opposite vectors have -1."""
    la = np.linalg.norm(a, axis=-1, keepdims=True)
    lb = np.linalg.norm(b, axis=-1, keepdims=True)
    cosine = (a / np.where(la == 0, 1, la)) @ np.swapaxes(b / np.where(lb == 0, 1, lb), -1, -2)
    return np.clip(cosine, 0, 1)


def whole_number_results(a, b):
    """The table has the type of a, so whole-number vectors leave only -1, 0 and 1 in it."""
    table = np.zeros_like(a @ np.swapaxes(b, -1, -2))
    for i in range(a.shape[-2]):
        for j in range(b.shape[-2]):
            u, v = a[..., i, :], b[..., j, :]
            below = np.linalg.norm(u, axis=-1) * np.linalg.norm(v, axis=-1)
            table[..., i, j] = (u * v).sum(axis=-1) / np.where(below == 0, 1, below)
    return table


def length_one_written_into_the_input(a, b):
    """The vectors are divided in place, so the caller's tables are changed."""
    for table in (a, b):
        length = np.linalg.norm(table, axis=-1, keepdims=True)
        table /= np.where(length == 0, 1, length)
    return a @ np.swapaxes(b, -1, -2)


def nan_replaced_by_one(a, b):
    """NaN is replaced by 1, so a vector of zeros is taken to be like everything."""
    with np.errstate(all="ignore"):
        ua = a / np.linalg.norm(a, axis=-1, keepdims=True)
        ub = b / np.linalg.norm(b, axis=-1, keepdims=True)
    return np.nan_to_num(ua @ np.swapaxes(ub, -1, -2), nan=1.0)


def loops_over_tables(a, b):
    """The two loops run over the first axes, so in a batch they compare tables in place of vectors."""
    result = np.zeros((len(a), len(b)))
    for i, u in enumerate(a):
        for j, v in enumerate(b):
            below = np.linalg.norm(u) * np.linalg.norm(v)
            if below > 0:
                result[i, j] = np.sum(u * v) / below
    return result
