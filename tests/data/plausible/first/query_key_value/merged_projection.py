"""Wrong answers to merged_projection(w_q, w_k)."""

import numpy as np


def made_symmetric(w_q, w_k):
    """The product is averaged with its mirror image, but what i asks of j is not what j asks of i."""
    product = w_q @ w_k.T
    return (product + product.T) / 2


def undoes_the_keys(w_q, w_k):
    """The key matrix is inverted, and not transposed."""
    return w_q @ np.linalg.pinv(w_k)


def matrices_side_by_side(w_q, w_k):
    """The two matrices are put side by side and not multiplied, so the result has twice the width of a key."""
    return np.hstack((w_q, w_k))


def ten_by_ten(w_q, w_k):
    """The size of the lion's matrix is written into the function, so it fits no other width."""
    merged = np.zeros((10, 10))
    for i in range(10):
        for j in range(10):
            merged[i, j] = np.dot(w_q[i], w_k[j])
    return merged


def no_letter_in_common(w_q, w_k):
    """The widths of query and key have different letters in the einsum, so each row is summed up before the product."""
    return np.einsum("ik,jl->ij", w_q, w_k)


def key_meets_query(w_q, w_k):
    """Query and key change places, so the scores come out transposed."""
    return np.array([[k @ q for q in w_q] for k in w_k])


def last_column_missing(w_q, w_k):
    """The sum of outer products stops one column before the end, so the last entry of queries and keys is lost."""
    d_model, d_k = w_q.shape
    total = np.zeros((d_model, d_model))
    column = 0
    while column < d_k - 1:
        total += np.outer(w_q[:, column], w_k[:, column])
        column += 1
    return total


def outer_product_stored_not_added(w_q, w_k):
    """Each outer product replaces the one before, so only the last entry of queries and keys counts."""
    for c in range(w_q.shape[1]):
        merged = np.outer(w_q[:, c], w_k[:, c])
    return merged


def identity_of_the_wrong_size(w_q, w_k):
    """The identity that stands for x has the width of a key, where it needs the width of a token."""
    x = np.eye(w_q.shape[1])
    return (x @ w_q) @ (x @ w_k).T


def scaled_by_the_width_of_a_key(w_q, w_k):
    """The product is divided by the root of d_k, which belongs to the scores of the next chapter."""
    return np.inner(w_q, w_k) / w_k.shape[-1] ** 0.5
