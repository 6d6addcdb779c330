"""Plausible wrong answers to sample."""

import numpy as np


def _softmax(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def _drawn(probabilities, u):
    ends = np.cumsum(probabilities)
    return np.minimum(np.searchsorted(ends, u, side="right"), len(ends) - 1)


def multiplied_by_the_temperature(logits, temperature, u):
    """The logits are multiplied by the temperature, which makes a warm choice more certain."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    return _drawn(_softmax(logits * temperature), u)


def probabilities_divided(logits, temperature, u):
    """The probabilities are divided by the temperature after the softmax, not the logits before it."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    return _drawn(_softmax(logits) / temperature, u)


def temperature_ignored(logits, temperature, u):
    """The temperature is not used, except at 0."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    return _drawn(_softmax(logits), u)


def zero_not_treated(logits, temperature, u):
    """Temperature 0 divides by zero: there is no case of its own for it."""
    return _drawn(_softmax(logits / temperature), u)


def scalar_at_zero(logits, temperature, u):
    """At temperature 0 one number comes back instead of one for each draw."""
    if temperature == 0:
        return logits.argmax()
    return _drawn(_softmax(logits / temperature), u)


def last_of_a_tie(logits, temperature, u):
    """At temperature 0 the last of the likeliest words is taken in a tie."""
    if temperature == 0:
        return np.full(np.shape(u), len(logits) - 1 - logits[::-1].argmax())
    return _drawn(_softmax(logits / temperature), u)


def sorted_by_probability(logits, temperature, u):
    """The words are sorted from likely to unlikely before the running sum, and not kept in their order."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    order = np.argsort(-logits)
    return order[_drawn(_softmax(logits / temperature)[order], u)]


def sorted_and_left(logits, temperature, u):
    """The words are sorted, and the place in the sorted list is returned instead of the word."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    return _drawn(np.sort(_softmax(logits / temperature))[::-1], u)


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


def one_word_too_early(logits, temperature, u):
    """One is subtracted from the found place: every draw falls one word too early."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    return _drawn(_softmax(logits / temperature), u) - 1


def always_greedy(logits, temperature, u):
    """The likeliest word is returned at every temperature; u is not used."""
    return np.full(np.shape(u), logits.argmax())


def own_generator(logits, temperature, u):
    """Draws with a random generator of its own and ignores u."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    rng = np.random.default_rng(0)
    return rng.choice(len(logits), size=np.shape(u), p=_softmax(logits / temperature))


def plain_exponentials(logits, temperature, u):
    """The largest logit is not subtracted before the powers are taken, so large logits overflow."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    with np.errstate(all="ignore"):
        e = np.exp(logits / temperature)
        return _drawn(e / e.sum(), u)


def flattened(logits, temperature, u):
    """u is flattened: the words come back in one row, whatever shape u has."""
    u = np.ravel(u)
    if temperature == 0:
        return np.full(u.shape, logits.argmax())
    return _drawn(_softmax(logits / temperature), u)


def loop_over_the_first_axis(logits, temperature, u):
    """A loop over u expects one axis, and fails for a table or a single number."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    ends = np.cumsum(_softmax(logits / temperature))
    return np.array([int(np.argmax(ends > draw)) for draw in u])


def probabilities_returned(logits, temperature, u):
    """The probabilities of the drawn words are returned, not the words."""
    p = _softmax(logits / (temperature or 1e-9))
    return p[_drawn(p, u)]


def tiny_temperature(logits, temperature, u):
    """Temperature 0 is replaced by a small number, 0.1, which still lets chance in."""
    return _drawn(_softmax(logits / max(temperature, 0.1)), u)


def square_root_of_the_temperature(logits, temperature, u):
    """The logits are divided by the square root of the temperature."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    return _drawn(_softmax(logits / np.sqrt(temperature)), u)


def powers_without_softmax(logits, temperature, u):
    """The running sum is of the exponentials, which were never divided by their total."""
    if temperature == 0:
        return np.full(np.shape(u), logits.argmax())
    e = np.exp((logits - logits.max()) / temperature)
    return _drawn(e, u)
