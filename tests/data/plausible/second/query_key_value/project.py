"""Plausible wrong answers to project."""

import numpy as np


def value_copied_from_the_key_line(x, w_q, w_k, w_v):
    """The line of the key was copied for the value, and still multiplies with w_k."""
    query = np.einsum("...nm,mk->...nk", x, w_q)
    key = np.einsum("...nm,mk->...nk", x, w_k)
    value = np.einsum("...nm,mk->...nk", x, w_k)
    return query, key, value


def each_matrix_acts_on_the_last_result(x, w_q, w_k, w_v):
    """The loop overwrites x, so the key is made from the query and the value from the key."""
    results = []
    for w in (w_q, w_k, w_v):
        x = x @ w
        results.append(x)
    return tuple(results)


def einsum_turns_the_matrices_round(x, w_q, w_k, w_v):
    """The letters of the matrices are swapped, so the tokens are multiplied with their transposes."""
    return tuple(np.einsum("...nm,km->...nk", x, w) for w in (w_q, w_k, w_v))


def one_array_for_all_three(x, w_q, w_k, w_v):
    """One array cannot hold the three results where values are wider or narrower than keys, and np.stack raises."""
    return np.stack([x @ w_q, x @ w_k, x @ w_v])


def einsum_for_a_single_sentence(x, w_q, w_k, w_v):
    """The einsum names two axes of x and no leading ones, so a batch raises an error."""
    query = np.einsum("nm,mk->nk", x, w_q)
    key = np.einsum("nm,mk->nk", x, w_k)
    value = np.einsum("nm,mv->nv", x, w_v)
    return query, key, value


def results_cut_to_the_type_of_x(x, w_q, w_k, w_v):
    """The results are stored in the number type of x, so whole-number tokens lose what stands behind the point."""
    results = []
    for w in [w_q, w_k, w_v]:
        projected = np.zeros((*x.shape[:-1], w.shape[1]), dtype=x.dtype)
        for index in np.ndindex(*x.shape[:-1]):
            projected[index] = x[index] @ w
        results.append(projected)
    return results[0], results[1], results[2]


def tokens_standardised_before(x, w_q, w_k, w_v):
    """Each token is standardised before it is multiplied, which nobody asked for."""
    spread = x.std(axis=-1, keepdims=True)
    z = (x - x.mean(axis=-1, keepdims=True)) / np.where(spread > 0, spread, 1)
    return z @ w_q, z @ w_k, z @ w_v


def products_summed_along_the_other_axis(x, w_q, w_k, w_v):
    """The products are added up over the new numbers and not over the old ones."""

    def times(w):
        return np.sum(x[..., :, None] * w, axis=-1)

    return times(w_q), times(w_k), times(w_v)


def batch_not_folded_back(x, w_q, w_k, w_v):
    """The batch is folded into one long sentence and never unfolded, so its leading axes are gone."""
    rows = x.reshape(-1, x.shape[-1])
    return rows @ w_q, rows @ w_k, rows @ w_v


def key_before_query(x, w_q, w_k, w_v):
    """The key comes first and the query second, because the names were taken in the order of the alphabet."""
    projected = {"query": x @ w_q, "key": x @ w_k, "value": x @ w_v}
    return tuple(projected[name] for name in sorted(projected))
