"""Measures what a stack of encoder layers does: the size of its numbers, the similarity of tokens, the gradient."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from autograd import make_vjp

from attention.chapters import layer_norm
from attention.chapters.transformer import embed, initialise, layer_parameters

from .ablations import ABLATIONS

WORDS, SENTENCES, LENGTH = 60, 8, 6
D_MODEL, D_FF, H = 32, 64, 4
LEAST = 1e-12  # below this there is only rounding


class Depth(NamedTuple):
    """Three numbers for each stack of 1, 2, 3, … layers.

    ``size`` is the standard deviation of all numbers after the last layer.
    ``difference`` is the share of it by which a sentence's tokens differ from their mean.
    ``gradient`` is the factor by which a gradient grows or shrinks from the output to the input.
    """

    size: list[float]
    difference: list[float]
    gradient: list[float]


def through_depth(name: str, layers: int) -> Depth:
    """Send random sentences through a stack of an ablation's encoder layers, untrained.

    Numbers below 1e-12 are returned as 1e-12: rounding leaves no less.
    Errors: KeyError for a name that is not in ABLATIONS.
    """
    rng = np.random.default_rng(8)
    parameters = initialise(rng, WORDS, WORDS, D_MODEL, D_FF, layers)
    x = embed(rng.integers(WORDS, size=(SENTENCES, LENGTH)), parameters["source_embedding"])
    slopes, sizes, differences, back = rng.normal(size=x.shape), [], [], []
    with ABLATIONS[name].put_in():
        for i in range(layers):
            own = layer_parameters(parameters, f"encoder.{i}.")
            pull_back, x = make_vjp(lambda x, own=own: layer_norm.encoder_layer(x, own, H))(x)
            back.append(pull_back)
            sizes.append(x.std())
            differences.append(difference(x))
        gradients = [pulled_through(back[: count + 1], slopes) / np.linalg.norm(slopes) for count in range(layers)]
    return Depth(*([max(float(number), LEAST) for number in numbers] for numbers in (sizes, differences, gradients)))


def difference(x: np.ndarray) -> float:
    """Return the share of the standard deviation by which tokens differ from the mean of their sentence."""
    return (x - x.mean(axis=-2, keepdims=True)).std() / x.std()


def pulled_through(back: Sequence[Callable], slopes: np.ndarray) -> np.floating:
    """Return the length of a gradient after each layer, from the last to the first."""
    for pull_back in reversed(back):
        slopes = pull_back(slopes)
    return np.linalg.norm(slopes)
