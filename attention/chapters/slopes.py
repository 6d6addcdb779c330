"""Three steps of every layer with their slopes written by hand, which spares autograd most of what training takes.

Forward they compute what their formulas say, operation by operation; autograd's own slopes would sum a matrix of
products for each sentence, where one product of all tokens does. Each slope is told autograd by ``defvjp``: it takes
g = ∂loss/∂output and returns ∂loss/∂input.
Source of the slopes: Goodfellow, Bengio and Courville (2016), Deep Learning, section 6.5; for layer norm, Ba, Kiros and
Hinton (2016), supplementary material.
"""

from collections.abc import Callable, Sequence

import numpy as np
from autograd.extend import defvjp, defvjp_argnums, primitive

from .shapes import Array


@primitive
def affine(x: Array, w: Array, b: Array | None = None) -> Array:
    """Return x w + b. Shapes: x (..., n), w (n, m), b (m,) -> (..., m); unchecked."""
    return x @ w if b is None else x @ w + b


def _rows(array: Array) -> Array:
    """Return all tokens of all sentences one below the other: (..., n) -> (tokens, n)."""
    return array.reshape(-1, array.shape[-1])


defvjp(
    affine,
    lambda _, x, w, b=None: lambda g: (_rows(g) @ w.T).reshape(x.shape),
    lambda _, x, w, b=None: lambda g: _rows(x).T @ _rows(g),
    lambda _, x, w, b=None: lambda g: _rows(g).sum(axis=0),
)


@primitive
def positive(x: Array) -> Array:
    """Return max(0, x), number by number."""
    return np.maximum(0.0, x)


defvjp(positive, lambda out, x: lambda g: g * (out > 0))


@primitive
def normalised(x: Array, gamma: Array, beta: Array, eps: int | float) -> Array:
    """Return γ z + β, where z is each token with mean 0 and variance 1. Shapes as ``layer_norm``'s; unchecked."""
    return gamma * _standardised(x, eps)[0] + beta


def _standardised(x: Array, eps: int | float) -> tuple[Array, Array]:
    """Return z = (x - μ) / √(σ² + ε) of each token, and the root: (..., n) -> (..., n), (..., 1)."""
    centred = x - _mean(x)
    root = np.sqrt(_mean(centred * centred) + eps)
    return centred / root, root


def _mean(x: Array) -> Array:
    """Return each token's mean as np.mean does, which takes twice as long for so few numbers: (..., n) -> (..., 1)."""
    return x.sum(axis=-1, keepdims=True) / x.shape[-1]


def _normalised_vjp(argnums: Sequence[int], _: object, arguments: Sequence, __: object) -> Callable:
    """Return the slopes for x, γ and β: with u = g γ, that for x is (u - mean u - z mean(u z)) / √(σ² + ε)."""
    x, gamma, _, eps = arguments
    z, root = _standardised(x, eps)

    def for_x(g: Array) -> Array:
        pull = g * gamma
        return (pull - _mean(pull) - z * _mean(pull * z)) / root

    slopes = for_x, lambda g: _rows(g * z).sum(axis=0), lambda g: _rows(g).sum(axis=0)
    return lambda g: [slopes[i](g) for i in argnums]


defvjp_argnums(normalised, _normalised_vjp)
