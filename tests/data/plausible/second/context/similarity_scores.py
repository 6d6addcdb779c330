"""Plausible wrong answers to similarity_scores."""

import numpy as np


def features_compared_with_features(x):
    """The sum runs over the tokens and not over their numbers, which gives a table of features, d by d."""
    return np.einsum("...ni,...nj->...ij", x, x)


def covariance_of_the_tokens(x):
    """Every token is centred at its mean and the result divided by d − 1, which is a covariance and no dot product."""
    d = x.shape[-1]
    centred = x - x.mean(axis=-1, keepdims=True)
    return np.einsum("...id,...jd->...ij", centred, centred) / max(d - 1, 1)


def lower_triangle_stays_empty(x):
    """The inner loop starts at i and nothing is mirrored, so the entries below the diagonal stay 0."""
    n = x.shape[-2]
    scores = np.zeros((*x.shape[:-1], n))
    for i in range(n):
        for j in range(i, n):
            scores[..., i, j] = np.sum(x[..., i, :] * x[..., j, :], axis=-1)
    return scores


def no_token_meets_itself(x):
    """Pairs of a token with itself are skipped, so the diagonal is 0."""
    n = x.shape[-2]
    scores = np.zeros((*x.shape[:-1], n))
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            scores[..., i, j] = np.einsum("...d,...d->...", x[..., i, :], x[..., j, :])
    return scores


def inner_product_across_the_batch(x):
    """In a batch np.inner compares the tokens of every sentence with those of all the other sentences too."""
    return np.inner(x, x)


def sum_over_the_features_is_missing(x):
    """The letter d is kept in the result of einsum, so the products are never added up."""
    return np.einsum("...id,...jd->...ijd", x, x)


def squared_distance_with_a_minus(x):
    """The measure is the negative squared distance of two tokens and not their dot product."""
    difference = x[..., :, None, :] - x[..., None, :, :]
    return -np.sum(difference**2, axis=-1)


def similarity_without_a_sign(x):
    """The absolute value is returned, so tokens that point in opposite directions look similar."""
    return np.abs(np.einsum("...id,...jd->...ij", x, x))


def divided_by_the_norm_of_the_whole_sentence(x):
    """np.linalg.norm without an axis divides all tokens by one number, though no lengths must be divided out."""
    unit = x / np.linalg.norm(x)
    return unit @ np.swapaxes(unit, -1, -2)


def flattened_outer_product(x):
    """np.outer flattens its arguments, so it multiplies every number with every number and adds nothing up."""
    return np.outer(x, x)
