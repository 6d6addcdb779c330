"""Plausible wrong answers to softmax_jacobian."""

import numpy as np


def row_times_row_is_a_single_number(p):
    """A row times a row is a single number, the sum of squares, and not the table of all products."""
    return np.diag(p) - p @ p.T


def multinomial_covariance_of_a_mean(p):
    """The covariance is divided by n as for an average of draws, but slopes need no such division."""
    n = p.shape[-1]
    covariance = np.einsum("...i,ij->...ij", p, np.eye(n)) - np.einsum("...i,...j->...ij", p, p)
    return covariance / n


def square_missing_on_the_diagonal(p):
    """The products are subtracted off the diagonal only, so the diagonal is p_i and lacks the − p_i²."""
    n = p.shape[-1]
    jacobian = np.zeros((*p.shape, n))
    for i in range(n):
        for j in range(n):
            jacobian[..., i, j] = p[..., i] if i == j else -p[..., i] * p[..., j]
    return jacobian


def same_index_twice(p):
    """The p inside the bracket is that of the row too, so row i has p_i² where p_i p_j belongs."""
    column = p[..., :, None]
    return column * (np.eye(p.shape[-1]) - column)


def fill_diagonal_of_a_batch(p):
    """np.fill_diagonal fills one table only, and for a batch it raises an error or hits other places."""
    table = -np.einsum("...i,...j->...ij", p, p)
    np.fill_diagonal(table, p * (1 - p))
    return table


def eye_as_large_as_the_batch(p):
    """len(p) is the number of weights in a single row, but in a batch it is the number of rows."""
    delta = np.eye(len(p))
    return p[..., :, None] * (delta - p[..., None, :])


def logistic_slopes_only(p):
    """Only p_i (1 − p_i) is returned, as in logistic regression, and how weight i follows score j is left out."""
    return np.einsum("...i,ij->...ij", p * (1 - p), np.eye(p.shape[-1]))


def softmax_of_the_weights_first(p):
    """Softmax is done to weights that are softmaxed already."""
    powers = np.exp(p)
    s = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...i,ij->...ij", s, np.eye(s.shape[-1])) - np.einsum("...i,...j->...ij", s, s)


def table_minus_the_diagonal(p):
    """The sign is turned round: the diagonal is taken from the products and not the products from the diagonal."""
    jacobian = np.einsum("...i,...j->...ij", p, p)
    for i in range(p.shape[-1]):
        jacobian[..., i, i] -= p[..., i]
    return jacobian


def binomial_slopes_with_sign(p):
    """The 1 − p_j of the diagonal is used everywhere, so off the diagonal stands p_i (1 − p_j)."""
    return np.einsum("...i,...j->...ij", p, 1 - p)


def one_outer_product_for_the_whole_batch(p):
    """np.outer flattens the batch, so weights of different rows are multiplied with each other."""
    return np.diag(np.ravel(p)) - np.outer(p, p)
