"""Plausible wrong answers to length_normalised."""


def power_of_the_quotient(log_probability, length, alpha):
    """(log_probability / length) to the power of alpha, which has no real value for a negative number."""
    return (log_probability / length) ** alpha


def exclusive_or(log_probability, length, alpha):
    """^ is taken for the power, and is Python's exclusive or."""
    return log_probability / (length ^ alpha)


def softer_divisor(log_probability, length, alpha):
    """The other divisor of the literature, ((5 + length) / 6) to the power of alpha."""
    return log_probability / ((5 + length) ** alpha / 6**alpha)


def whole_numbers(log_probability, length, alpha):
    """// throws away what remains after the division."""
    return log_probability // length**alpha


def positive_log_probability(log_probability, length, alpha):
    """The sign is taken away, so that the smallest is the best."""
    return abs(log_probability) / length**alpha


def alpha_inverted(log_probability, length, alpha):
    """The alpha-th root: length to the power of 1 / alpha."""
    return log_probability / length ** (1 / alpha)
