"""Wrong answers to project(x, w_q, w_k, w_v)."""

import numpy as np


def three_equal_parts(x, w_q, w_k, w_v):
    """The three products are done as one and cut into three equal parts, although values may have another width."""
    together = x @ np.concatenate([w_q, w_k, w_v], axis=1)
    third = together.shape[-1] // 3
    return together[..., :third], together[..., third : 2 * third], together[..., 2 * third :]


def stacked_into_one_array(x, w_q, w_k, w_v):
    """The three results are stacked into one array, which fails as soon as values have another width than keys."""
    return np.stack([x @ w for w in (w_q, w_k, w_v)])


def container_of_whole_numbers(x, w_q, w_k, w_v):
    """The results are stored in arrays of whole numbers, because the lion's are, and lose their fractions."""

    def product(w):
        out = np.zeros((*x.shape[:-1], w.shape[1]), dtype=int)
        for j in range(w.shape[1]):
            out[..., j] = (x * w[:, j]).sum(axis=-1)
        return out

    return product(w_q), product(w_k), product(w_v)


def value_made_from_the_key_matrix(x, w_q, w_k, w_v):
    """The key's matrix is copied into the line of the value, so w_v is never used."""
    query = np.einsum("...nm,mk->...nk", x, w_q)
    key = np.einsum("...nm,mk->...nk", x, w_k)
    value = np.einsum("...nm,mk->...nk", x, w_k)
    return query, key, value


def all_axes_turned_round(x, w_q, w_k, w_v):
    """The products are done with everything turned round by .T, which reverses all axes of a batch."""
    return (w_q.T @ x.T).T, (w_k.T @ x.T).T, (w_v.T @ x.T).T


def query_scaled_in_advance(x, w_q, w_k, w_v):
    """The query is divided by the root of its width, which belongs to the scores of a later chapter."""
    query = x @ w_q / np.sqrt(w_q.shape[-1])
    return query, x @ w_k, x @ w_v


def value_before_key(x, w_q, w_k, w_v):
    """Key and value are returned in the wrong order."""
    q, k, v = (np.matmul(x, w) for w in (w_q, w_k, w_v))
    return q, v, k


def tokens_normalised_first(x, w_q, w_k, w_v):
    """Each token is normalised before the products, as a transformer block does and this exercise does not."""
    centred = x - x.mean(axis=-1, keepdims=True)
    x = centred / (centred.std(axis=-1, keepdims=True) + 1e-5)
    return x @ w_q, x @ w_k, x @ w_v


def last_token_left_out(x, w_q, w_k, w_v):
    """The loop stops one token before the end, whose vectors stay zeros."""
    results = []
    for w in [w_q, w_k, w_v]:
        out = np.zeros((*x.shape[:-1], w.shape[-1]))
        for t in range(x.shape[-2] - 1):
            out[..., t, :] = x[..., t, :] @ w
        results.append(out)
    return tuple(results)


def sum_over_two_axes(x, w_q, w_k, w_v):
    """np.tensordot sums over two axes unless it is told otherwise, so tokens are paired with rows of the matrix."""
    return np.tensordot(x, w_q), np.tensordot(x, w_k), np.tensordot(x, w_v)
