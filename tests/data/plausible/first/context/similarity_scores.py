"""Wrong answers to similarity_scores(x)."""

import numpy as np


def diagonal_counted_twice(x):
    """The upper triangle is added to its own mirror image, which doubles the diagonal."""
    upper = np.triu(x @ np.swapaxes(x, -1, -2))
    return upper + np.swapaxes(upper, -1, -2)


def columns_are_offsets(x):
    """Column j holds the product with the token j places away, and not with token j."""
    n = x.shape[-2]
    columns = []
    for shift in range(n):
        columns.append((x * np.roll(x, shift, axis=-2)).sum(axis=-1))
    return np.stack(columns, axis=-1)


def two_letters_for_one_axis(x):
    """The entries have two different letters in the einsum, so it is the sums of the two tokens that are multiplied."""
    return np.einsum("...id,...je->...ij", x, x)


def covariance_of_the_tokens(x):
    """np.cov subtracts each token's mean before it takes the products, and divides them by d - 1."""
    return np.cov(x)


def inner_product_over_the_batch(x):
    """np.inner compares tokens across all sentences, so a batch gets an axis too many."""
    return np.inner(x, x)


def swaps_sentence_and_token(x):
    """The first two axes are named where the last two are meant, which in a batch exchanges sentences and tokens."""
    return x @ np.swapaxes(x, 0, 1)


def negative_squared_distance(x):
    """Similarity is measured by the distance of two tokens, and not by their dot product."""
    difference = x[..., :, None, :] - x[..., None, :, :]
    return -(np.linalg.norm(difference, axis=-1) ** 2)


def negative_scores_set_to_zero(x):
    """Negative dot products are raised to 0, although tokens that point apart have negative scores."""
    return np.maximum(x @ np.swapaxes(x, -1, -2), 0)


def only_pairs_of_different_tokens(x):
    """The loops run over pairs of different tokens, so every score of a token with itself stays 0."""
    n = x.shape[-2]
    scores = np.zeros((*x.shape[:-1], n))
    for i in range(n):
        for j in range(i):
            scores[..., i, j] = scores[..., j, i] = np.sum(x[..., i, :] * x[..., j, :], axis=-1)
    return scores


def length_of_one_token_divided_out(x):
    """Each score is divided by the length of the second token, so what comes out is a projection."""
    lengths = np.linalg.norm(x, axis=-1)
    lengths = np.where(lengths > 0, lengths, 1)
    return np.einsum("...id,...jd->...ij", x, x) / lengths[..., None, :]
