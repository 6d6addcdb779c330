"""Plausible wrong answers to sample, by somebody who has read the exercise alone."""

import numpy as np


def _softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum()


def forgot_softmax(logits, temperature, u):
    """Took running sums of the logits, without softmax."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(np.cumsum(logits / temperature)[:-1], u, side="right")


def choice_ignores_u(logits, temperature, u):
    """Drew with a generator of its own and ignored u."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    rng = np.random.default_rng(0)
    return rng.choice(len(logits), size=np.shape(u), p=_softmax(logits / temperature))


def times_temperature(logits, temperature, u):
    """Multiplied by the temperature."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(np.cumsum(_softmax(logits * temperature))[:-1], u, side="right")


def inverse_of_running_sum(logits, temperature, u):
    """Compared 1 - u, from the wrong end."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(np.cumsum(_softmax(logits / temperature))[:-1], 1 - np.asarray(u), side="right")


def minus_one(logits, temperature, u):
    """Subtracted one from the place."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(np.cumsum(_softmax(logits / temperature))[:-1], u, side="right") - 1


def likeliest_at_low_temperature(logits, temperature, u):
    """Greedy for every temperature below 1."""
    if temperature < 1:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(np.cumsum(_softmax(logits / temperature))[:-1], u, side="right")


def descending_order(logits, temperature, u):
    """Running sum over words sorted by probability, but gives back the right word numbers of another draw order."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    order = np.argsort(-logits)
    ends = np.cumsum(_softmax(logits / temperature)[order])
    return order[np.searchsorted(ends[:-1], u, side="right")]


def zero_gives_nan(logits, temperature, u):
    """No case for temperature 0."""
    p = _softmax(logits / temperature) if temperature else np.full(len(logits), np.nan)
    return np.searchsorted(np.cumsum(p), u, side="right")


def temperature_after(logits, temperature, u):
    """Divided the probabilities."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(np.cumsum(_softmax(logits) / temperature), u, side="right")


def returns_probabilities(logits, temperature, u):
    """Returned the probability of the drawn word, not the word."""
    if temperature == 0:
        return np.ones(np.shape(u))
    p = _softmax(logits / temperature)
    return p[np.searchsorted(np.cumsum(p)[:-1], u, side="right")]
