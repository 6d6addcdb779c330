"""What encoder layers do to their tokens, one after another: how large they get, how alike, what slopes become."""

from typing import NamedTuple

import numpy as np
from autograd import make_vjp

from autograder.reference import layer_norm
from autograder.reference.transformer import embed, initialise, layer_parameters

from .ablations import ABLATIONS
from .inside import encoder_rows
from .store import Trained, corpus

WORDS, SENTENCES, LENGTH = 60, 8, 6
D_MODEL, D_FF, H = 32, 64, 4
LEAST = 1e-12  # below, rounding is all there is


class Depth(NamedTuple):
    """For stacks of 1, 2, 3, … layers: three numbers each.

    ``size`` is the spread of all numbers behind the last layer.
    ``difference`` is the share of that spread by which a sentence's tokens differ from their mean.
    ``gradient`` says by how much a slope at the output grows or shrinks on its way down to the input.
    """

    size: list[float]
    difference: list[float]
    gradient: list[float]


def through_depth(name: str, layers: int) -> Depth:
    """Send random sentences through encoder layers as a row of ABLATIONS has them, their parameters as they are drawn.

    Numbers below 1e-12 are returned as that: rounding leaves no less.
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


def difference(x):
    """Return the share of the spread of all numbers by which tokens differ from the mean of their sentence."""
    return (x - x.mean(axis=-2, keepdims=True)).std() / x.std()


def words_apart(trained: Trained, sentences: int = 50) -> float:
    """Return how far apart the words of a sentence stand behind a model's encoder: the mean ``difference``.

    Looked at are the first held-out sentences; 0 means that all words of a sentence have become one.
    """
    return float(np.mean([difference(encoder_rows(trained, source)[1]) for source, _ in corpus().held_out[:sentences]]))


def pulled_through(back, slopes):
    """Return the length of slopes that were sent back through layers, from the last to the first."""
    for pull_back in reversed(back):
        slopes = pull_back(slopes)
    return np.linalg.norm(slopes)
