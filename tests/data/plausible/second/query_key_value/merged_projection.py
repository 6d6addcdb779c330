"""Plausible wrong answers to merged_projection."""

import numpy as np


def symmetric_matrix_of_a_quadratic_form(w_q, w_k):
    """The matrix is made symmetric as for a quadratic form, but query i with key j is not query j with key i."""
    w = np.einsum("ik,jk->ij", w_q, w_k)
    return (w + w.T) / 2


def assigned_and_not_added(w_q, w_k):
    """The innermost loop assigns and does not add, so only the last of the d_k products is left."""
    d_model, d_k = w_q.shape
    w = np.zeros((d_model, d_model))
    for i in range(d_model):
        for j in range(d_model):
            for m in range(d_k):
                w[i, j] = w_q[i, m] * w_k[j, m]
    return w


def product_of_the_sums(w_q, w_k):
    """Each row is summed before it is multiplied, but a sum of products is not the product of the sums."""
    return np.outer(w_q.sum(axis=1), w_k.sum(axis=1))


def summed_over_the_tokens_numbers(w_q, w_k):
    """The sum runs over d_model and not over d_k, so the matrix is d_k by d_k."""
    return np.einsum("ij,ik->jk", w_q, w_k)


def whole_number_sums(w_q, w_k):
    """The sums are kept in an array of whole numbers, so everything behind the point is cut off."""
    d_model = w_q.shape[0]
    w = np.zeros((d_model, d_model), dtype=int)
    for i in range(d_model):
        for j in range(d_model):
            w[i, j] = sum(w_q[i] * w_k[j])
    return w


def inverse_in_place_of_the_transpose(w_q, w_k):
    """The key matrix is inverted, though (x w_k)ᵀ asks for its transpose."""
    return w_q @ np.linalg.pinv(w_k)


def keys_ask_the_queries(w_q, w_k):
    """The letters of the result are swapped, so the matrix is the transpose, and keys look at queries."""
    return np.einsum("ik,jk->ji", w_q, w_k)


def transpose_forgotten(w_q, w_k):
    """Without the transpose of w_k the two matrices do not fit together, and the product raises an error."""
    return np.dot(w_q, w_k)


def root_of_the_width_below(w_q, w_k):
    """The matrix is divided by √d_k, though the scores of this chapter are not scaled."""
    return np.einsum("ik,jk->ij", w_q, w_k) / np.sqrt(w_q.shape[1])
