"""Chapter 3, from static to contextual: scores become weights, and each token a mixture of its neighbours."""

from collections.abc import Callable

import autograd.numpy as np
from autograd.extend import defvjp, primitive
from jaxtyping import Float, Int, Num

from .shapes import Array, require_axes, require_same_size


def mix(weights: Num[Array, "*batch n_q n_k"], x: Num[Array, "*batch n_k d"]) -> Num[Array, "*batch n_q d"]:
    """Mix tokens: row i of the result takes ``weights[i, j]`` of token j.

    out_i = Σ_j weights_ij x_j

    Shapes: weights (..., n_q, n_k), x (..., n_k, d) -> (..., n_q, d).
    A weight of exactly 0 takes nothing of its token, not even NaN, although 0 · NaN is NaN.
    Errors: ValueError where the weights of a row are not as many as the tokens.
    Source: Note 2, e_bank(new) = 0.25 e_money + 0.7 e_bank + 0.05 e_grows.
    """
    require_same_size("weights", weights, -1, "x", x, -2, "each token needs one weight in every row")
    spoilt = ~np.isfinite(x)  # (..., n_k, d)
    if not spoilt.any():
        return weights @ x  # (..., n_q, d)
    touched = (weights != 0) @ spoilt
    with np.errstate(invalid="ignore"):  # 0 · inf
        return np.where(touched, weights @ x, weights @ np.where(spoilt, 0.0, x))


def softmax(scores: Num[Array, "*axes"], axis: int = -1) -> Float[Array, "*axes"]:
    """Turn scores into weights that are positive and sum to one along ``axis``.

    weights_i = exp(s_i - max s) / Σ_j exp(s_j - max s)

    Shapes: any shape in, the same shape out. Scores are pure numbers.
    Subtracting the largest score changes nothing in exact arithmetic and keeps exp finite:
    np.exp(1000) is inf, and inf / inf is NaN.
    Scores of -inf get weight 0; where all of them are -inf, the weights are all 0, never NaN.
    Errors: ValueError where ``axis`` has length 0 (there is nothing to share the weight among).
    Source: Goodfellow, Bengio and Courville (2016), Deep Learning, section 4.1.
    """
    shape = np.shape(scores)
    if not shape or shape[axis] == 0:
        raise ValueError(f"expected at least one score along axis {axis}, got shape {shape}: pass an array of scores")
    return softmax_in_place(scores + np.zeros(1), axis=axis)  # a copy, for the scores are the caller's


@primitive
def softmax_in_place(scores: Array, mask: Array | None = None, axis: int = -1) -> Array:
    """Turn scores that nobody else needs into weights, in their own array, giving 0 where ``mask`` is False.

    What attention calls, so that a long sentence needs room for a single matrix of n_q · n_k numbers.
    Shapes: scores (..., n_q, n_k), float; mask boolean, broadcastable to them, chapter 9's; both unchecked.
    """
    if mask is not None:
        np.copyto(scores, -np.inf, where=~mask)
    largest = np.max(scores, axis=axis, keepdims=True)
    scores -= np.where(np.isneginf(largest), 0.0, largest)  # -inf - -inf would be NaN
    np.exp(scores, out=scores)
    total = np.sum(scores, axis=axis, keepdims=True)
    scores /= np.where(total == 0.0, 1.0, total)
    return scores


def _softmax_vjp(p: Array, scores: Array, mask: Array | None = None, axis: int = -1) -> Callable:
    """Tell autograd the slope of softmax, p_i (δ_ij - p_j), which chapter 5 derives."""
    return lambda g: p * (g - np.sum(g * p, axis=axis, keepdims=True))


defvjp(softmax_in_place, _softmax_vjp)


def similarity_scores(x: Num[Array, "*batch n d"]) -> Num[Array, "*batch n n"]:
    """Compare every token with every token by their dot product.

    scores = x xᵀ,   scores_ij = x_i · x_j

    Shapes: x (..., n, d) -> (..., n, n). A long vector scores high with all on its side; cosine would not see length.
    Errors: ValueError for other shapes.
    Source: Note 2; Bishop and Bishop (2024), Deep Learning, section 12.1.
    """
    require_axes("x", x, "(..., n, d)")
    return x @ np.swapaxes(x, -1, -2)


def self_attention(x: Num[Array, "*batch n d"]) -> Float[Array, "*batch n d"]:
    """Let every token become a mixture of all tokens, by similarity. Nothing is learned yet.

    out = softmax(x xᵀ) x, the softmax row by row

    Shapes: x (..., n, d) -> (..., n, d). Equivariant: tokens in another order give the same outputs in that order.
    Errors: ValueError for other shapes.
    Source: Note 2; Bishop and Bishop (2024), Deep Learning, section 12.1, "dot-product self-attention".
    """
    return mix(softmax(similarity_scores(x)), x)


def strongest_neighbour(x: Num[Array, "*batch n d"]) -> Int[Array, "*batch n"]:
    """Return the index of the token that each token attends to most.

    argmax_j x_i · x_j, the first one in a tie

    Shapes: x (..., n, d) -> (..., n) whole numbers. It need not be the token itself: [1,0] prefers [3,0].
    Errors: ValueError for other shapes.
    Source: Note 3, which expects the diagonal; that holds for tokens of the same length only.
    """
    return np.argmax(similarity_scores(x), axis=-1)
