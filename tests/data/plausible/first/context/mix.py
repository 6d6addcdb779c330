"""Wrong answers to mix(weights, x)."""

import numpy as np


def only_products_of_last_token_survive(weights, x):
    """Each token's share overwrites the one before it, where the shares should be added up."""
    n_q, n_k = weights.shape[-2:]
    out = np.zeros((*weights.shape[:-1], x.shape[-1]))
    for i in range(n_q):
        for j in range(n_k):
            out[..., i, :] = weights[..., i, j, None] * x[..., j, :]
    return out


def share_of_each_key_over_all_queries(weights, x):
    """The einsum sums over the rows of weights, so each token is only multiplied by all that it is given."""
    return np.einsum("...qk,...kd->...kd", weights, x)


def mean_over_tokens(weights, x):
    """The weighted tokens are averaged and not added up, so everything is too small by the number of tokens."""
    weighted = weights[..., :, :, None] * x[..., None, :, :]
    return weighted.mean(axis=-2)


def rows_written_into_the_tokens(weights, x):
    """The result is x itself and no copy, so later rows mix tokens that are already changed, and x is destroyed."""
    new = x
    for i in range(weights.shape[-2]):
        new[..., i, :] = (weights[..., i, :, None] * x).sum(axis=-2)
    return new


def container_like_the_tokens(weights, x):
    """The container has the shape and the type of x, so other numbers of rows do not fit and fractions are cut off."""
    out = np.zeros_like(x)
    for i in range(weights.shape[-2]):
        total = 0
        for j in range(weights.shape[-1]):
            total = total + weights[..., i, j, None] * x[..., j, :]
        out[..., i, :] = total
    return out


def batch_meets_rows_of_weights(weights, x):
    """The tokens lack an axis for the rows of weights, so in a batch the sentences are paired with the rows."""
    return (weights[..., None] * x).sum(axis=-2)


def axis_counted_from_the_front(weights, x):
    """The sum runs over axis 1, which is the axis of the tokens only when no batch stands in front."""
    shares = np.expand_dims(weights, -1) * np.expand_dims(x, -3)
    return np.sum(shares, axis=1)


def keeps_the_old_token(weights, x):
    """The old tokens are added on top, as the skip connection of a transformer block does."""
    return x + weights @ x


def superfluous_axes_squeezed(weights, x):
    """np.squeeze also drops an axis of length one that belongs to the result, such as that of a single token."""
    return np.squeeze(np.matmul(weights, x))
