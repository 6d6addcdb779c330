"""Plausible wrong answers to sample."""

import numpy as np


def _softmax(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def _drawn(probabilities, u):
    ends = np.cumsum(probabilities)
    return np.minimum(np.searchsorted(ends, u, side="right"), len(ends) - 1)


def no_running_sum(logits, temperature, u):
    """u is compared with the probabilities themselves: the running sum is missing."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    p = _softmax(logits / temperature)
    return (np.asarray(u)[..., None] < p).argmax(axis=-1)


def one_word_too_far(logits, temperature, u):
    """The running sum begins with 0, so every draw falls one word too far."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    ends = np.concatenate([[0.0], np.cumsum(_softmax(logits / temperature))])
    return np.searchsorted(ends, u, side="right")


def own_generator(logits, temperature, u):
    """Draws with a random generator of its own and ignores u."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    rng = np.random.default_rng(0)
    return rng.choice(len(logits), size=np.shape(u), p=_softmax(logits / temperature))


def flattened(logits, temperature, u):
    """u is flattened: the words come back in one row, whatever shape u has."""
    u = np.ravel(u)
    if temperature == 0:
        return np.full(u.shape, logits.argmax())
    return _drawn(_softmax(logits / temperature), u)


def tiny_temperature(logits, temperature, u):
    """Temperature 0 is replaced by a small number, 0.1, which still lets chance in."""
    return _drawn(_softmax(logits / max(temperature, 0.1)), u)


def square_root_of_the_temperature(logits, temperature, u):
    """The logits are divided by the square root of the temperature."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    return _drawn(_softmax(logits / np.sqrt(temperature)), u)
