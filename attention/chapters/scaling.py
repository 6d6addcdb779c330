"""Chapter 5, scaling: why scores are divided by √d_k."""

import autograd.numpy as np
from jaxtyping import Float, Num

from .context import mix, softmax_in_place
from .shapes import Array, require_at_least, require_axes, require_same_size


def dot_product_variance(d: int, variance: float | int = 1.0) -> float:
    """Return the variance of the dot product of two random vectors.

    Var(q · k) = Σ_c Var(q_c k_c) = d · variance², for independent entries of mean 0

    Shapes: two numbers in, one out; ``variance`` is that of a single entry, in its unit squared.
    Errors: ValueError for d below 1 or a negative variance.
    Source: Vaswani et al. (2017), Attention is all you need, footnote 4, where variance = 1.
    """
    require_at_least("d", d, 1, "d counts the numbers in one query")
    if variance < 0:
        raise ValueError(f"expected a variance of at least 0, got {variance}: a variance is a mean of squares")
    return d * variance**2


def scaling_factor(d_k: int) -> float:
    """Return the factor that gives scores the same spread at any width: 1/√d_k.

    Var(c q·k) = c² d_k, which is 1 for c = 1/√d_k

    Shapes: the width of one key in, a pure number out. With several heads it is one head's width, not d_model.
    Errors: ValueError for d_k below 1.
    Source: Vaswani et al. (2017), section 3.2.1. Notes 1 and 3 write √d_embed and √d_model.
    """
    require_at_least("d_k", d_k, 1, "pass the width of one key")
    return 1 / float(np.sqrt(d_k))


def scaled_scores(
    query: Num[Array, "*batch n_q d_k"], key: Num[Array, "*batch n_k d_k"]
) -> Float[Array, "*batch n_q n_k"]:
    """Compare every query with every key, at a spread that softmax can tell apart.

    scores = query keyᵀ / √d_k

    Shapes: query (..., n_q, d_k), key (..., n_k, d_k) -> (..., n_q, n_k).
    Errors: ValueError where a query is not as wide as a key.
    Source: Vaswani et al. (2017), Attention is all you need, equation 1.
    """
    require_same_size("query", query, -1, "key", key, -1, "project both with matrices of the same width d_k")
    query = query * scaling_factor(query.shape[-1])  # n_q · d_k products; on the scores it would be n_q · n_k
    return query @ np.swapaxes(key, -1, -2)


def scaled_dot_product_attention(
    query: Num[Array, "*batch n_q d_k"],
    key: Num[Array, "*batch n_k d_k"],
    value: Num[Array, "*batch n_k d_v"],
) -> tuple[Float[Array, "*batch n_q d_v"], Float[Array, "*batch n_q n_k"]]:
    """Attention whose scores keep the same spread at any width d_k.

    output = softmax(query keyᵀ / √d_k) value

    Shapes: query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v)
    -> output (..., n_q, d_v), weights (..., n_q, n_k).
    Errors: ValueError where a query is not as wide as a key, or keys and values are not equally many.
    Source: Vaswani et al. (2017), Attention is all you need, equation 1.
    """
    require_same_size("key", key, -2, "value", value, -2, "each key needs one value")
    weights = softmax_in_place(scaled_scores(query, key))  # (..., n_q, n_k), each row sums to one
    return mix(weights, value), weights


def softmax_jacobian(p: Num[Array, "*batch n"]) -> Float[Array, "*batch n n"]:
    """Return the slope of each weight with respect to each score.

    ∂p_i/∂s_j = p_i (δ_ij - p_j),   J = diag(p) - p pᵀ

    Shapes: p (..., n), a row of softmax -> (..., n, n), symmetric; each row and column sums to 0.
    Errors: ValueError where there is no weight.
    Source: Goodfellow, Bengio and Courville (2016), Deep Learning, section 6.2.2.3.
    """
    require_axes("p", p, "(..., n)")
    return p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])


def entropy(weights: Num[Array, "*batch n"]) -> Float[Array, "*batch"] | float:
    """Measure how evenly a row spreads its attention: 0 if one token has all the weight, ln n if all n have the same.

    H = -Σ_i p_i ln p_i, where 0 · ln 0 = 0

    Shapes: weights (..., n), rows of softmax -> (...), in nats.
    Errors: ValueError where there is no weight, or one of them is negative.
    Source: Shannon (1948), A mathematical theory of communication, section 6, with natural logarithms.
    """
    require_axes("weights", weights, "(..., n)")
    if (weights < 0).any():
        raise ValueError(f"expected weights of at least 0, got {np.min(weights)}: apply softmax to the scores first")
    return -np.sum(weights * np.log(np.where(weights == 0, 1.0, weights)), axis=-1) + 0.0  # + 0 turns -0 into 0
