"""Plausible wrong answers to mix."""

import numpy as np


def np_average_divides_by_the_row_sum(weights, x):
    """np.average divides by the sum of each row of weights, though the rows must be taken as they are."""
    new = np.zeros((*weights.shape[:-1], x.shape[-1]))
    for index in np.ndindex(*weights.shape[:-1]):
        new[index] = np.average(x[index[:-1]], axis=0, weights=weights[index])
    return new


def einsum_letters_read_the_weights_by_column(weights, x):
    """The letters of the weights are swapped in einsum, so that columns of weights do the mixing and not rows."""
    return np.einsum("...ji,...jd->...id", weights, x)


def total_is_not_reset_for_the_next_row(weights, x):
    """The running total is set to zero only once, so every row also contains all the rows before it."""
    n_q, n_k = weights.shape[-2:]
    new = np.zeros((*weights.shape[:-1], x.shape[-1]))
    total = np.zeros((*weights.shape[:-2], x.shape[-1]))
    for i in range(n_q):
        for j in range(n_k):
            total = total + weights[..., i, j, None] * x[..., j, :]
        new[..., i, :] = total
    return new


def later_rows_see_tokens_already_mixed(weights, x):
    """Each new token is written over its old one, so the rows below mix tokens that are new already."""
    tokens = np.array(x, dtype=float)
    for i in range(weights.shape[-2]):
        tokens[..., i, :] = np.einsum("...j,...jd->...d", weights[..., i, :], tokens)
    return tokens


def mean_of_the_weighted_tokens(weights, x):
    """The weighted tokens are averaged and not added up, which divides the result by the number of tokens."""
    weighted = weights[..., :, :, None] * x[..., None, :, :]
    return weighted.mean(axis=-2)


def one_row_for_every_token_of_x(weights, x):
    """The result gets as many rows as there are tokens in x, though it needs one for each row of weights."""
    n = x.shape[-2]
    new = np.zeros((*x.shape[:-2], n, x.shape[-1]))
    for i in range(n):
        for j in range(n):
            new[..., i, :] += weights[..., i, j, None] * x[..., j, :]
    return new


def tensordot_pairs_all_sentences_of_a_batch(weights, x):
    """In a batch np.tensordot mixes every sentence with the weights of every other sentence."""
    return np.tensordot(weights, x, axes=(-1, -2))


def result_has_the_whole_numbers_of_x(weights, x):
    """The result is stored in the number type of x, so the mixtures of whole-number tokens are cut to whole numbers."""
    new = np.zeros((*weights.shape[:-1], x.shape[-1]), dtype=x.dtype)
    for i in range(weights.shape[-2]):
        new[..., i, :] = np.einsum("...j,...jd->...d", weights[..., i, :], x)
    return new


def sum_begins_with_the_token_itself(weights, x):
    """The sum begins with the old token in place of zero, so every token is added once too often."""
    new = np.array(x, dtype=float)
    for i in range(weights.shape[-2]):
        for j in range(x.shape[-2]):
            new[..., i, :] += weights[..., i, j, None] * x[..., j, :]
    return new
