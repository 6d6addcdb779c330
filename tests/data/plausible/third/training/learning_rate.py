"""Plausible wrong answers to learning_rate."""

import math


def constant_after_warmup(step, d_model, warmup):
    """After the warm-up the rate stays at the peak and does not fall."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(warmup**-0.5, step * warmup**-1.5)


def step_one_refused(step, d_model, warmup):
    """<= refuses step 1, too."""
    if step <= 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def falls_like_one_over_step(step, d_model, warmup):
    """Falls like 1/step and not like 1/root of the step."""
    if step < 1:
        raise ValueError("steps count from 1")
    return min(1 / step, step * warmup**-1.5) / math.sqrt(d_model)


def other_kind_of_error(step, d_model, warmup):
    """assert raises an AssertionError and not a ValueError."""
    assert step >= 1
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def error_returned(step, d_model, warmup):
    """The ValueError is returned and not raised."""
    if step < 1:
        return ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def rounded_to_four_decimals(step, d_model, warmup):
    """The rate is rounded to four decimals, as the example shows it."""
    if step < 1:
        raise ValueError("steps count from 1")
    return round(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5), 4)


def factor_of_the_translator(step, d_model, warmup):
    """The course's translator takes .4 of the formula, and so does this."""
    if step < 1:
        raise ValueError("steps count from 1")
    return 0.4 * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
