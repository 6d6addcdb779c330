"""Chapter 7, positional encoding: clock hands that tell attention where a token is."""

import autograd.numpy as np
from jaxtyping import Float, Num

from .shapes import Array, require_at_least, require_axes


def _angles(positions: Array, width: int, base: int | float) -> Array:
    """Return position · ω_i for each pair of columns, ω_i = base^(-2i / width): (..., width / 2), in radians."""
    if width % 2:
        raise ValueError(f"expected an even width, got {width}: each frequency takes a sine and a cosine")
    return positions[..., None] / base ** (np.arange(0, width, 2) / width)


def positional_encoding(n: int, d_model: int, base: float | int = 10000) -> Float[np.ndarray, "n d_model"]:
    """Return a row for each position 0 … n - 1, to be added to the token at that position.

    PE(p, 2i) = sin(p ω_i),   PE(p, 2i + 1) = cos(p ω_i),   ω_i = base^(-2i / d_model)

    Shapes: -> (n, d_model); position p is a pure number, p ω_i an angle in radians.
    Errors: ValueError for n below 1, or an odd d_model.
    Source: Vaswani et al. (2017), Attention is all you need, section 3.5.
    """
    require_at_least("n", n, 1, "n counts the tokens")
    require_at_least("d_model", d_model, 2, "each frequency takes a sine and a cosine")
    angles = _angles(np.arange(n), d_model, base)  # (n, d_model / 2)
    return np.reshape(np.stack([np.sin(angles), np.cos(angles)], axis=-1), (n, d_model))  # interleaved


def add_position(x: Num[Array, "*batch n d_model"]) -> Float[Array, "*batch n d_model"]:
    """Add to every token the encoding of its place in the sentence.

    out_p = x_p + PE(p)

    Shapes: x (..., n, d_model) -> (..., n, d_model).
    Errors: ValueError for fewer than two axes, an empty one, or an odd d_model.
    Source: Vaswani et al. (2017), section 3.5.
    """
    require_axes("x", x, "(..., n, d_model)")
    return x + positional_encoding(*x.shape[-2:])


def shift_matrix(k: int, d_model: int, base: float | int = 10000) -> Float[np.ndarray, "d_model d_model"]:
    """Return R_k, which maps any position's encoding to that of the position k further on.

    PE(p + k) = R_k PE(p): every pair (sin pω, cos pω) rotates by the angle kω, for every p

    Shapes: -> (d_model, d_model), 2×2 blocks [[cos kω, sin kω], [-sin kω, cos kω]] along the diagonal.
    In rows, ``positional_encoding(n, d_model)[p] @ R_k.T`` is row p + k.
    Errors: ValueError for an odd d_model.
    Source: Vaswani et al. (2017), section 3.5, "for any fixed offset k, PE_{pos+k} … a linear function of PE_pos".
    """
    require_at_least("d_model", d_model, 2, "each frequency takes a sine and a cosine")
    angles = _angles(np.array(k), d_model, base)  # (d_model / 2,)
    even = np.arange(0, d_model, 2)
    r = np.zeros((d_model, d_model))
    r[even, even] = r[even + 1, even + 1] = np.cos(angles)
    r[even, even + 1], r[even + 1, even] = np.sin(angles), -np.sin(angles)
    return r


def rotary(
    x: Num[Array, "*batch n d_k"], positions: Num[np.ndarray, "n"], base: float | int = 10000
) -> Float[Array, "*batch n d_k"]:
    """Rotate each pair of columns (2i, 2i + 1) by an angle that grows with the position. For queries and keys only.

    (a, b) -> (a cos pω_i - b sin pω_i, a sin pω_i + b cos pω_i)

    Shapes: x (..., n, d_k), positions (n,) -> (..., n, d_k). The dot product of a query and a key that were turned
    depends on the distance between their positions alone.
    Errors: ValueError for an odd d_k, or where positions are not as many as tokens.
    Source: Su et al. (2021), RoFormer, equation 15. Other code pairs column i with i + d_k / 2 (the halves convention).
    """
    require_axes("x", x, "(..., n, d_k)")
    if positions.shape != x.shape[-2:-1]:
        raise ValueError(
            f"expected one position for each of {x.shape[-2]} tokens, got shape {positions.shape}: pass np.arange(n)"
        )
    angles = _angles(positions, x.shape[-1], base)  # (n, d_k / 2)
    a, b = x[..., 0::2], x[..., 1::2]  # (..., n, d_k / 2)
    turned = [a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)]
    return np.reshape(np.stack(turned, axis=-1), x.shape)
