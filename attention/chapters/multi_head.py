"""Chapter 6, multi-head attention: several small attentions side by side, each with its own queries."""

import autograd.numpy as np
from jaxtyping import Bool, Float, Num

from .context import mix, softmax_in_place
from .scaling import scaled_scores
from .shapes import Array, require_at_least, require_axes, require_mask, require_same_size
from .slopes import affine


def split_heads(x: Num[Array, "*batch n d_model"], h: int) -> Num[Array, "*batch h n d_k"]:
    """Cut every token into h slices, one for each head: head i gets columns i·d_k … (i+1)·d_k - 1.

    Shapes: x (..., n, d_model) -> (..., h, n, d_model / h).
    A reshape alone would deal whole tokens to the heads: the axes of heads and tokens must be swapped.
    Errors: ValueError where h does not divide d_model.
    Source: Vaswani et al. (2017), Attention is all you need, section 3.2.2.
    """
    require_axes("x", x, "(..., n, d_model)")
    require_at_least("h", h, 1, "h counts the heads")
    *batch, n, d_model = x.shape
    if d_model % h:
        raise ValueError(
            f"expected h to divide the width of a token, got h = {h} and width {d_model}: choose d_model = h · d_k"
        )
    return np.swapaxes(np.reshape(x, (*batch, n, h, d_model // h)), -3, -2)


def merge_heads(x: Num[Array, "*batch h n d_v"]) -> Num[Array, "*batch n d_model"]:
    """Put the heads' slices side by side again: the inverse of ``split_heads``.

    Shapes: x (..., h, n, d_v) -> (..., n, h · d_v).
    Errors: ValueError for fewer than three axes.
    Source: Vaswani et al. (2017), section 3.2.2, "Concat".
    """
    require_axes("x", x, "(..., h, n, d_v)")
    *batch, h, n, d_v = x.shape
    return np.reshape(np.swapaxes(x, -3, -2), (*batch, n, h * d_v))


def multi_head_attention(
    query: Num[Array, "*batch n_q d_model"],
    key: Num[Array, "*batch n_k d_memory"],
    value: Num[Array, "*batch n_k d_memory"],
    w_q: Num[Array, "d_model h_d_k"],
    w_k: Num[Array, "d_memory h_d_k"],
    w_v: Num[Array, "d_memory h_d_v"],
    w_o: Num[Array, "h_d_v d_out"],
    h: int,
    mask: Bool[np.ndarray, "..."] | None = None,
) -> tuple[Float[Array, "*batch n_q d_out"], Float[Array, "*batch h n_q n_k"]]:
    """Project, split into heads, attend in every head at once, put the heads side by side, and project again.

    head_i = softmax(query w_q,i (key w_k,i)ᵀ / √d_k) value w_v,i,   output = [head_1 … head_h] w_o

    Shapes: query (..., n_q, d_model), key and value (..., n_k, d_memory); w_q and w_k (…, h · d_k), w_v (…, h · d_v),
    w_o (h · d_v, d_out), each holding all heads' columns side by side; mask (..., n_q, n_k), the same for every head
    -> output (..., n_q, d_out), weights (..., h, n_q, n_k).
    The mask is chapter 9's; without one, everyone sees everyone.
    Errors: ValueError for widths that do not fit, an h that does not divide them, or a mask that is not boolean.
    Source: Vaswani et al. (2017), Attention is all you need, section 3.2.2, where W^Q_i are h separate matrices.
    """
    for name, x, w_name, w in (("query", query, "w_q", w_q), ("key", key, "w_k", w_k), ("value", value, "w_v", w_v)):
        require_same_size(name, x, -1, w_name, w, -2, f"{w_name} takes one row for each number in a token")
    require_same_size("w_v", w_v, -1, "w_o", w_o, -2, "w_o takes one row for each number that the heads hand over")
    require_same_size("key", key, -2, "value", value, -2, "each key needs one value")
    query, key, value = (split_heads(affine(x, w), h) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
    scores = scaled_scores(query, key)  # (..., h, n_q, n_k)
    if mask is not None:
        mask = np.atleast_2d(mask)[..., None, :, :]  # (..., 1, n_q, n_k): one mask for all heads
        require_mask(mask, scores.shape)
    weights = softmax_in_place(scores, mask)  # (..., h, n_q, n_k)
    return affine(merge_heads(mix(weights, value)), w_o), weights


def multi_head_parameters(d_model: int, h: int, bias: bool = False) -> int:
    """Count the numbers that multi-head attention learns: 4 d_model², and 4 d_model more with biases.

    h · 3 · d_model · (d_model / h) for the heads' projections, and d_model² for w_o: as many as a single wide head

    Errors: ValueError where h does not divide d_model.
    Source: Vaswani et al. (2017), section 3.2.2, "similar to that of single-head attention".
    """
    require_at_least("d_model", d_model, 1, "d_model counts the numbers in a token")
    require_at_least("h", h, 1, "h counts the heads")
    if d_model % h:
        raise ValueError(f"expected h to divide d_model, got h = {h} and d_model = {d_model}: choose d_model = h · d_k")
    return 4 * d_model * (d_model + bool(bias))
