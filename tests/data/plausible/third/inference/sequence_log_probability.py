"""Plausible wrong answers to sequence_log_probability."""

import numpy as np

from attention.chapters.context import softmax


def _log_p(logits):
    moved = logits - logits.max()
    return moved - np.log(np.exp(moved).sum())


def probability_multiplied(step, tokens):
    """The product of the probabilities is returned, and not its logarithm."""
    return float(np.prod([softmax(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))]))


def logarithm_of_the_product(step, tokens):
    """The factors are multiplied first, and two hundred of them make 0, whose logarithm is -inf."""
    return float(np.log(np.prod([softmax(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))])))


def sos_has_a_factor(step, tokens):
    """The sum begins at t = 0, so SOS gets a factor as well, from an empty beginning."""
    return sum(_log_p(step(tokens[:t]))[tokens[t]] for t in range(len(tokens)))


def last_token_left_out(step, tokens):
    """range(1, len - 1) leaves out the last token, EOS."""
    return float(sum(_log_p(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens) - 1)))


def token_sees_itself(step, tokens):
    """tokens[: t + 1] shows the model the very token it is asked about."""
    return float(sum(_log_p(step(tokens[: t + 1]))[tokens[t]] for t in range(1, len(tokens))))


def last_token_alone_shown(step, tokens):
    """Only the token before is shown, and not all that came before."""
    return float(sum(_log_p(step(tokens[t - 1 : t]))[tokens[t]] for t in range(1, len(tokens))))


def whole_sentence_shown(step, tokens):
    """The whole sentence is shown every time, also what comes after the token."""
    log_p = _log_p(step(tokens))
    return float(sum(log_p[token] for token in tokens[1:]))


def sum_of_the_logits(step, tokens):
    """The logits are added up as they are, without softmax."""
    return float(sum(step(tokens[:t])[tokens[t]] for t in range(1, len(tokens))))


def sign_of_a_surprise(step, tokens):
    """The minus of the loss is taken over: the answer is positive."""
    return -float(sum(_log_p(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))))


def mean_for_each_token(step, tokens):
    """The mean for each token, and not the sum."""
    return float(np.mean([_log_p(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))]))


def bits_in_place_of_nats(step, tokens):
    """Logarithms to the base of 2 and not natural ones."""
    return float(sum(_log_p(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))) / np.log(2))


def largest_at_every_place(step, tokens):
    """The likeliest token's logarithm is added each time, and not that of the token that stands there."""
    return float(sum(_log_p(step(tokens[:t])).max() for t in range(1, len(tokens))))


def largest_logit_not_subtracted(step, tokens):
    """The logarithm of the sum of powers without the largest logit: a thousand is infinite."""
    total = 0.0
    for t in range(1, len(tokens)):
        logits = step(tokens[:t])
        total += logits[tokens[t]] - np.log(np.sum(np.exp(logits)))
    return float(total)


def largest_subtracted_only_once(step, tokens):
    """The largest is subtracted inside the exponential only, and not in front."""
    total = 0.0
    for t in range(1, len(tokens)):
        logits = step(tokens[:t])
        total += logits[tokens[t]] - np.log(np.sum(np.exp(logits - logits.max())))
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


def eos_is_not_counted(step, tokens):
    """A token with the number 1 is taken for EOS, and EOS is passed over."""
    return float(sum(_log_p(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens)) if tokens[t] != 1))


def factors_not_added(step, tokens):
    """A list of the logarithms is returned, and not their sum."""
    return np.array([_log_p(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))])


def small_number_against_zero(step, tokens):
    """1e-9 is added inside the logarithm, so a very unlikely token counts as -20.7."""
    return float(sum(np.log(softmax(step(tokens[:t]))[tokens[t]] + 1e-9) for t in range(1, len(tokens))))


def entry_of_the_token_before(step, tokens):
    """tokens[t - 1] is looked up, one place too early."""
    return float(sum(_log_p(step(tokens[:t]))[tokens[t - 1]] for t in range(1, len(tokens))))
