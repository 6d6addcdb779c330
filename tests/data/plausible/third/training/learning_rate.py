"""Plausible wrong answers to learning_rate."""

import math


def maximum_in_place_of_minimum(step, d_model, warmup):
    """max in place of min."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * max(step**-0.5, step * warmup**-1.5)


def d_model_multiplied(step, d_model, warmup):
    """The root of d_model multiplies and does not divide."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**0.5 * min(step**-0.5, step * warmup**-1.5)


def d_model_without_its_root(step, d_model, warmup):
    """Divided by d_model and not by its root."""
    if step < 1:
        raise ValueError("steps count from 1")
    return min(step**-0.5, step * warmup**-1.5) / d_model


def d_model_left_out(step, d_model, warmup):
    """The factor with d_model is missing."""
    if step < 1:
        raise ValueError("steps count from 1")
    return min(step**-0.5, step * warmup**-1.5)


def power_of_one_half_for_warmup(step, d_model, warmup):
    """warmup to the power of -1/2 and not of -3/2, so the rise is too steep."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-0.5)


def linear_to_one(step, d_model, warmup):
    """Rises to 1 with step / warmup in place of to 1/root of warmup."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step / warmup)


def only_the_rise(step, d_model, warmup):
    """The rise goes on for ever: what comes after warmup is missing."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * step * warmup**-1.5


def only_the_fall(step, d_model, warmup):
    """There is no warm-up: the rate falls from the first step."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * step**-0.5


def constant_after_warmup(step, d_model, warmup):
    """After the warm-up the rate stays at the peak and does not fall."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(warmup**-0.5, step * warmup**-1.5)


def step_zero_let_through(step, d_model, warmup):
    """Only negative steps are refused, and step 0 divides by zero."""
    if step < 0:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def nothing_refused(step, d_model, warmup):
    """There is no check: step 0 is a ZeroDivisionError and step -1 a complex number."""
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def step_zero_has_rate_zero(step, d_model, warmup):
    """A step below 1 gets the rate 0 and no error."""
    if step < 1:
        return 0.0
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def step_one_refused(step, d_model, warmup):
    """<= refuses step 1, too."""
    if step <= 1:
        raise ValueError("steps count from 1")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def steps_counted_from_zero(step, d_model, warmup):
    """The step is raised by one first, as if steps counted from 0."""
    if step < 1:
        raise ValueError("steps count from 1")
    step = step + 1
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def minus_binds_before_the_division(step, d_model, warmup):
    """x**-1/2 is read by Python as (1/x)/2 and not as one over the root."""
    if step < 1:
        raise ValueError("steps count from 1")
    return d_model**-1 / 2 * min(step**-1 / 2, step * warmup**-3 / 2)


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
