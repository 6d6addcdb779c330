"""Plausible wrong answers to length_normalised."""

import numpy as np


def multiplied(log_probability, length, alpha):
    """Multiplied by the power and not divided."""
    return log_probability * length**alpha


def alpha_times_length(log_probability, length, alpha):
    """Divided by alpha times length and not by length to the power of alpha."""
    return log_probability / (alpha * length)


def alpha_not_used(log_probability, length, alpha):
    """Always the log-probability per token: alpha is not used."""
    return log_probability / length


def sos_counted(log_probability, length, alpha):
    """SOS is added to the length."""
    return log_probability / (length + 1) ** alpha


def eos_not_counted(log_probability, length, alpha):
    """EOS is taken off the length, which becomes 0 for one token."""
    return log_probability / max(length - 1, 1) ** alpha


def power_of_the_quotient(log_probability, length, alpha):
    """(log_probability / length) to the power of alpha, which has no real value for a negative number."""
    return (log_probability / length) ** alpha


def exclusive_or(log_probability, length, alpha):
    """^ is taken for the power, and is Python's exclusive or."""
    return log_probability / (length ^ alpha)


def exponent_and_base_exchanged(log_probability, length, alpha):
    """alpha to the power of length."""
    return log_probability / alpha**length


def always_the_root(log_probability, length, alpha):
    """The root of the length, as in the first example, whatever alpha is."""
    return log_probability / np.sqrt(length)


def softer_divisor(log_probability, length, alpha):
    """The other divisor of the literature, ((5 + length) / 6) to the power of alpha."""
    return log_probability / ((5 + length) ** alpha / 6**alpha)


def whole_numbers(log_probability, length, alpha):
    """// throws away what remains after the division."""
    return log_probability // length**alpha


def positive_log_probability(log_probability, length, alpha):
    """The sign is taken away, so that the smallest is the best."""
    return abs(log_probability) / length**alpha


def probability_in_place_of_its_logarithm(log_probability, length, alpha):
    """The probability is divided and not its logarithm."""
    return np.exp(log_probability) / length**alpha


def difference_in_place_of_the_quotient(log_probability, length, alpha):
    """The power is subtracted and not divided by."""
    return log_probability - length**alpha


def logarithm_of_the_length(log_probability, length, alpha):
    """alpha * ln(length) is subtracted, as if the probability itself were divided."""
    return log_probability - alpha * np.log(length)


def alpha_inverted(log_probability, length, alpha):
    """The alpha-th root: length to the power of 1 / alpha."""
    return log_probability / length ** (1 / alpha)


def weighed_sum_of_both(log_probability, length, alpha):
    """Mixes the sum and the mean with alpha, right for alpha 0 and 1 only."""
    return (1 - alpha) * log_probability + alpha * log_probability / length
