"""Chapter 5, scaling: why scores are divided by √d_k."""

import numpy as np
from jaxtyping import Float, Num

from .query_key_value import attention
from .shapes import require_same_size


def scaled_dot_product_attention(
    query: Num[np.ndarray, "*batch n_q d_k"],
    key: Num[np.ndarray, "*batch n_k d_k"],
    value: Num[np.ndarray, "*batch n_k d_v"],
) -> tuple[Float[np.ndarray, "*batch n_q d_v"], Float[np.ndarray, "*batch n_q n_k"]]:
    """Attention whose scores keep the same spread at any width d_k.

    output = softmax(query keyᵀ / √d_k) value

    Shapes: query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v)
    -> output (..., n_q, d_v), weights (..., n_q, n_k).
    Errors: ValueError where a query is not as wide as a key, or keys and values are not equally many.
    Source: Vaswani et al. (2017), Attention is all you need, equation 1.
    """
    require_same_size("query", query, -1, "key", key, -1, "project both with matrices of the same width d_k")
    return attention(query / np.sqrt(query.shape[-1]), key, value)
