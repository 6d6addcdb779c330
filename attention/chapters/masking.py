"""Chapter 9, masks: who may look at whom, and the decoder layer, which may not look ahead."""

import autograd.numpy as np
from jaxtyping import Bool, Float, Int, Num

from .context import mix, softmax, softmax_in_place
from .layer_norm import ENCODER_LAYER, add_and_norm, feed_forward
from .multi_head import multi_head_attention
from .scaling import scaled_scores
from .shapes import Array, Parameters, require_at_least, require_axes, require_mask, require_names, require_same_size

# What one decoder layer learns: an encoder layer's, and a second attention, from the decoder to the encoder.
DECODER_LAYER = {
    **ENCODER_LAYER,
    **dict.fromkeys(("cross_w_q", "cross_w_k", "cross_w_v", "cross_w_o"), ("d_model", "d_model")),
    **dict.fromkeys(("gamma3", "beta3"), ("d_model",)),
}


def causal_mask(n: int) -> Bool[np.ndarray, "n n"]:
    """Let every token see itself and what came before.

    mask_ij = (j ≤ i)

    Shapes: -> (n, n) boolean, True = may attend: the lower triangle with its diagonal.
    Errors: ValueError for n below 1.
    Source: Vaswani et al. (2017), section 3.2.3.
    """
    require_at_least("n", n, 1, "n counts the tokens")
    return np.tril(np.ones((n, n), dtype=bool))


def padding_mask(lengths: Int[np.ndarray, "batch"], n: int) -> Bool[np.ndarray, "batch 1 n"]:
    """Hide the padding of each sentence: no query sees the keys from its length on.

    mask_b,·,j = (j < lengths_b)

    Shapes: lengths (batch,) whole numbers, n the padded length -> (batch, 1, n) boolean, True = may attend.
    The axis of length 1 is for the queries: padding has queries like any other token, and their output is ignored.
    ``causal_mask(n) & padding_mask(lengths, n)`` is (batch, n, n) and hides both.
    Errors: ValueError for a length below 0 or above n.
    Source: Vaswani et al. (2017) leave it unsaid; Rush (2018), The annotated Transformer, section Batches and masking.
    """
    require_at_least("n", n, 1, "n counts the tokens of the longest sentence")
    lengths = np.asarray(lengths)
    require_axes("lengths", lengths, "(batch,)")
    if lengths.min() < 0 or lengths.max() > n:
        raise ValueError(f"expected lengths from 0 to n = {n}, got {lengths}: n is the length after padding")
    return np.arange(n) < lengths[:, None, None]


def masked_softmax(
    scores: Num[Array, "*batch n_q n_k"], mask: Bool[np.ndarray, "..."] | None
) -> Float[Array, "*batch n_q n_k"]:
    """Distribute each row's weight among the keys that the mask permits.

    weights_ij = mask_ij exp(s_ij) / Σ_k mask_ik exp(s_ik), computed as softmax of the scores with -inf where forbidden

    Shapes: scores (..., n_q, n_k), mask boolean, broadcastable to them, True = may attend -> (..., n_q, n_k).
    If the mask is None, every query may attend to every key.
    A query that may attend to nothing gets a row of zeros, never NaN.
    Errors: ValueError for a mask that is not boolean or does not fit, or where there are no keys.
    Source: Vaswani et al. (2017), section 3.2.3. Note 3 puts -∞ in place of future "words": it is their scores.
    """
    if mask is None:
        return softmax(scores)
    require_mask(mask, scores.shape)
    return softmax(np.where(mask, scores, -np.inf))


def masked_attention(
    query: Num[Array, "*batch n_q d_k"],
    key: Num[Array, "*batch n_k d_k"],
    value: Num[Array, "*batch n_k d_v"],
    mask: Bool[np.ndarray, "..."] | None,
) -> tuple[Float[Array, "*batch n_q d_v"], Float[Array, "*batch n_q n_k"]]:
    """Attend only to the keys that the mask permits.

    output = masked_softmax(query keyᵀ / √d_k, mask) value

    Shapes: query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v), mask boolean, broadcastable to
    (..., n_q, n_k) -> output (..., n_q, d_v), weights (..., n_q, n_k). What is hidden changes nothing, even if NaN.
    If the mask is None, every query may attend to every key.
    Errors: ValueError for shapes that do not fit, or a mask that is not boolean.
    Source: Vaswani et al. (2017), equation 1 and section 3.2.3.
    """
    require_same_size("key", key, -2, "value", value, -2, "each key needs one value")
    scores = scaled_scores(query, key)  # (..., n_q, n_k)
    if mask is not None:
        require_mask(mask, scores.shape)
    weights = softmax_in_place(scores, mask)  # as masked_softmax does, without a copy
    return mix(weights, value), weights


def sees_the_future(mask: Bool[np.ndarray, "*batch n_q n_k"]) -> bool:
    """Say whether any query may attend to a later key.

    any mask_ij with j > i

    Shapes: mask (..., n_q, n_k) -> True or False. The diagonal is the present: looking at it is not a leak.
    Errors: ValueError for fewer than two axes, or a mask that is not boolean.
    Source: Vaswani et al. (2017), section 3.1, "predictions for position i can depend only on … positions less than i".
    """
    require_axes("mask", mask, "(..., n_q, n_k)")
    require_mask(mask, mask.shape)
    return bool(np.triu(mask, 1).any())


def cross_attention(
    x: Num[Array, "*batch n_q d_model"],
    memory: Num[Array, "*batch n_k d_memory"],
    w_q: Num[Array, "d_model h_d_k"],
    w_k: Num[Array, "d_memory h_d_k"],
    w_v: Num[Array, "d_memory h_d_v"],
    w_o: Num[Array, "h_d_v d_out"],
    h: int,
    memory_mask: Bool[np.ndarray, "..."] | None = None,
) -> tuple[Float[Array, "*batch n_q d_out"], Float[Array, "*batch h n_q n_k"]]:
    """Let each token of the translation look at the whole source sentence: queries from x, keys and values from memory.

    output, weights = multi_head_attention(query = x, key = memory, value = memory)

    Shapes: x (..., T, d_model), memory (..., S, d_model), the encoder's output, memory_mask (..., 1 or T, S)
    -> output (..., T, d_model), weights (..., h, T, S). No causal mask: the whole source is known from the beginning.
    Errors: ValueError for widths that do not fit, or an h that does not divide them.
    Source: Vaswani et al. (2017), section 3.2.3, "encoder-decoder attention".
    """
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, memory_mask)


def decoder_sublayers(
    x: Num[Array, "*batch n_q d_model"],
    memory: Num[Array, "*batch n_k d_model"],
    parameters: Parameters,
    h: int,
    mask: Bool[np.ndarray, "..."] | None,
    memory_mask: Bool[np.ndarray, "..."] | None = None,
) -> tuple[Float[Array, "*batch n_q d_model"], Float[Array, "*batch h n_q n_q"], Float[Array, "*batch h n_q n_k"]]:
    """Do what ``decoder_layer`` does, and return the weights of both attentions beside the output, to be drawn.

    Shapes and errors: as ``decoder_layer`` -> output (..., T, d_model), weights (..., h, T, T) and (..., h, T, S).
    """
    require_names(parameters, DECODER_LAYER, "a decoder layer")
    p = parameters
    attended, weights = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, cross_weights = cross_attention(
        x, memory, p["cross_w_q"], p["cross_w_k"], p["cross_w_v"], p["cross_w_o"], h, memory_mask
    )
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    x = add_and_norm(x, feed_forward(x, p["w1"], p["b1"], p["w2"], p["b2"]), p["gamma3"], p["beta3"])
    return x, weights, cross_weights


def decoder_layer(
    x: Num[Array, "*batch n_q d_model"],
    memory: Num[Array, "*batch n_k d_model"],
    parameters: Parameters,
    h: int,
    mask: Bool[np.ndarray, "..."] | None,
    memory_mask: Bool[np.ndarray, "..."] | None = None,
) -> Float[Array, "*batch n_q d_model"]:
    """Attend to the translation so far, then to the source, then feed forward; add & norm after each.

    x = add_and_norm(x, attention(x, x, x; mask)),   x = add_and_norm(x, cross_attention(x, memory; memory_mask)),
    x = add_and_norm(x, feed_forward(x))

    Shapes: x (..., T, d_model), memory (..., S, d_model) -> (..., T, d_model); ``DECODER_LAYER`` lists the parameters
    and their shapes; mask (..., T, T), as a rule ``causal_mask(T)``; memory_mask (..., 1, S) hides padding.
    Errors: KeyError for a missing parameter; ValueError for widths that do not fit, or an indivisible h.
    Source: Vaswani et al. (2017), section 3.1 and figure 1, right.
    """
    return decoder_sublayers(x, memory, parameters, h, mask, memory_mask)[0]
