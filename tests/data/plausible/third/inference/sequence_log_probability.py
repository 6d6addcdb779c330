"""Plausible wrong answers to sequence_log_probability."""

import numpy as np

from attention.chapters.context import softmax


def _log_p(logits):
    moved = logits - logits.max()
    return moved - np.log(np.exp(moved).sum())


def sign_of_a_surprise(step, tokens):
    """The minus of the loss is taken over: the answer is positive."""
    return -float(sum(_log_p(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))))


def bits_in_place_of_nats(step, tokens):
    """Logarithms to the base of 2 and not natural ones."""
    return float(sum(_log_p(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))) / np.log(2))


def largest_logit_not_subtracted(step, tokens):
    """The logarithm of the sum of powers without the largest logit: a thousand is infinite."""
    total = 0.0
    for t in range(1, len(tokens)):
        logits = step(tokens[:t])
        total += logits[tokens[t]] - np.log(np.sum(np.exp(logits)))
    return float(total)


def logarithm_of_softmax(step, tokens):
    """np.log of softmax is -inf where a probability is rounded to 0."""
    return float(sum(np.log(softmax(step(tokens[:t]))[tokens[t]]) for t in range(1, len(tokens))))


def one_factor_only(step, tokens):
    """return stands inside the loop, so only the first factor is counted."""
    total = 0.0
    for t in range(1, len(tokens)):
        total += _log_p(step(tokens[:t]))[tokens[t]]
        return float(total)
    return total


def only_the_last_factor(step, tokens):
    """= in place of +=: only the last token's logarithm is left."""
    total = 0.0
    for t in range(1, len(tokens)):
        total = _log_p(step(tokens[:t]))[tokens[t]]
    return float(total)


def small_number_against_zero(step, tokens):
    """1e-9 is added inside the logarithm, so a very unlikely token counts as -20.7."""
    return float(sum(np.log(softmax(step(tokens[:t]))[tokens[t]] + 1e-9) for t in range(1, len(tokens))))
