"""Chapter 8, add & norm: every token brought to one scale, and the encoder layer put together."""

import autograd.numpy as np
from jaxtyping import Bool, Float, Num

from .multi_head import multi_head_attention
from .shapes import Array, Parameters, require_axes, require_names, require_same_size
from .slopes import affine, normalised, positive

# What one encoder layer learns: name -> shape.
ENCODER_LAYER = {
    **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), ("d_model", "d_model")),
    **dict.fromkeys(("gamma1", "beta1", "gamma2", "beta2"), ("d_model",)),
    "w1": ("d_model", "d_ff"),
    "b1": ("d_ff",),
    "w2": ("d_ff", "d_model"),
    "b2": ("d_model",),
}


def layer_norm(
    x: Num[Array, "*batch n d_model"],
    gamma: Num[Array, "d_model"],
    beta: Num[Array, "d_model"],
    eps: float | int = 1e-5,
) -> Float[Array, "*batch n d_model"]:
    """Bring each token to mean 0 and variance 1, then scale it by γ and shift it by β.

    out = γ (x - μ) / √(σ² + ε) + β,   μ = mean of the token's numbers,   σ² = mean of (x - μ)²

    Shapes: x (..., n, d_model), gamma and beta (d_model,) -> (..., n, d_model). Other tokens have no influence.
    σ² divides by d_model, not d_model - 1; ε, in the unit of x squared, keeps a token of equal numbers finite.
    Errors: ValueError for other shapes, or a negative ε.
    Source: Ba, Kiros and Hinton (2016), Layer normalization, equation 4, where γ is g, β is b, and there is no ε.
    """
    require_axes("x", x, "(..., n, d_model)")
    require_same_size("gamma", gamma, -1, "x", x, -1, "γ holds one factor for each number in a token")
    require_same_size("beta", beta, -1, "x", x, -1, "β holds one number for each number in a token")
    if not eps >= 0:
        raise ValueError(f"expected eps of at least 0, got {eps}: it is added to a variance; 1e-5 is usual")
    return normalised(x, gamma, beta, eps)


def add_and_norm(
    x: Num[Array, "*batch n d_model"],
    sublayer: Num[Array, "*batch n d_model"],
    gamma: Num[Array, "d_model"],
    beta: Num[Array, "d_model"],
    eps: float | int = 1e-5,
) -> Float[Array, "*batch n d_model"]:
    """Add a sublayer's output to its input, and normalise the sum.

    out = layer_norm(x + sublayer(x)), where ``sublayer`` is the sublayer's output

    Shapes: x and sublayer (..., n, d_model), gamma and beta (d_model,) -> (..., n, d_model).
    Errors: ValueError where the two do not have the same shape.
    Source: Vaswani et al. (2017), section 3.1 (post-norm). Today's models normalise first: x + sublayer(layer_norm(x)).
    """
    if x.shape != sublayer.shape:
        raise ValueError(
            f"expected the sublayer's output in the shape of x, {x.shape}, got {sublayer.shape}: "
            "a sublayer must give back d_model numbers for each token"
        )
    return layer_norm(x + sublayer, gamma, beta, eps)


def feed_forward(
    x: Num[Array, "*batch n d_model"],
    w1: Num[Array, "d_model d_ff"],
    b1: Num[Array, "d_ff"],
    w2: Num[Array, "d_ff d_out"],
    b2: Num[Array, "d_out"],
) -> Float[Array, "*batch n d_out"]:
    """Apply two layers with a ReLU between them to every token separately.

    out = max(0, x w1 + b1) w2 + b2

    Shapes: x (..., n, d_model), w1 (d_model, d_ff), b1 (d_ff,), w2 (d_ff, d_model), b2 (d_model,)
    -> (..., n, d_model).
    Errors: ValueError for widths that do not fit.
    Source: Vaswani et al. (2017), equation 2.
    """
    require_same_size("x", x, -1, "w1", w1, -2, "w1 takes one row for each number in a token")
    require_same_size("b1", b1, -1, "w1", w1, -1, "b1 holds one number for each column of w1")
    require_same_size("w1", w1, -1, "w2", w2, -2, "w2 takes one row for each column of w1")
    require_same_size("b2", b2, -1, "w2", w2, -1, "b2 holds one number for each column of w2")
    return affine(positive(affine(x, w1, b1)), w2, b2)


def encoder_layer(
    x: Num[Array, "*batch n d_model"], parameters: Parameters, h: int, mask: Bool[np.ndarray, "..."] | None = None
) -> Float[Array, "*batch n d_model"]:
    """Apply attention, then the feed-forward layer, with add & norm after each.

    x = add_and_norm(x, attention(x, x, x)),   x = add_and_norm(x, feed_forward(x))

    Shapes: x (..., n, d_model) -> (..., n, d_model); ``ENCODER_LAYER`` lists the parameters and their shapes;
    mask (..., n, n), chapter 9's, lets everyone see everyone if not given.
    Errors: KeyError for a missing parameter; ValueError for widths that do not fit, or an indivisible h.
    Source: Vaswani et al. (2017), section 3.1 and figure 1, left.
    """
    require_names(parameters, ENCODER_LAYER, "an encoder layer")
    p = parameters
    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    return add_and_norm(x, feed_forward(x, p["w1"], p["b1"], p["w2"], p["b2"]), p["gamma2"], p["beta2"])
