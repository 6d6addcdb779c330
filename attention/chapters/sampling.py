"""Chapter 11, sampling: the next word drawn by chance, more or less boldly."""

import numpy as np
from jaxtyping import Float, Int, Num

from .context import softmax


def sample(
    logits: Num[np.ndarray, "words"], temperature: float | int, u: Float[np.ndarray, "*draws"] | float
) -> Int[np.ndarray, "*draws"] | np.integer:
    """Draw words with the probabilities softmax(logits / temperature).

    word = the first whose probability, added to those of all words before it, exceeds u

    Shapes: logits (words,), u (...), drawn evenly from 0 to 1 -> whole numbers (...). At temperature 0 every draw is
    the likeliest word, the first in a tie: the limit of small temperatures. Chapter 4's booster is 1 / temperature.
    Errors: ValueError for a temperature below 0.
    Source: Ackley, Hinton and Sejnowski (1985), A learning algorithm for Boltzmann machines, section 2.
    """
    if temperature < 0:
        raise ValueError(f"expected a temperature of 0 or more, got {temperature}: 0 is greedy")
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))[()]
    ends = np.cumsum(softmax(logits / temperature))
    return np.searchsorted(ends[:-1], u, side="right")
