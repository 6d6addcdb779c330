"""Chapter 3, from static to contextual: scores become weights."""

import numpy as np
from jaxtyping import Float, Num


def softmax(scores: Num[np.ndarray, "*axes"], axis: int = -1) -> Float[np.ndarray, "*axes"]:
    """Turn scores into weights that are positive and sum to one along ``axis``.

    weights_i = exp(s_i - max s) / Σ_j exp(s_j - max s)

    Shapes: any shape in, the same shape out. Scores are pure numbers.
    Subtracting the largest score changes nothing in exact arithmetic and keeps exp finite:
    np.exp(1000) is inf, and inf / inf is NaN.
    Scores of -inf get weight 0; where all of them are -inf, the weights are all 0, never NaN.
    Errors: ValueError where ``axis`` has length 0 (there is nothing to share the weight among).
    Source: Goodfellow, Bengio and Courville (2016), Deep Learning, section 4.1.
    """
    scores = np.asarray(scores, dtype=float)
    if scores.ndim == 0 or scores.shape[axis] == 0:
        raise ValueError(
            f"expected at least one score along axis {axis}, got shape {scores.shape}: pass an array of scores"
        )
    largest = scores.max(axis=axis, keepdims=True)
    largest = np.where(np.isneginf(largest), 0.0, largest)  # -inf - -inf would be NaN
    exponentials = np.exp(scores - largest)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0.0, 1.0, total)
