"""Plausible wrong answers to adam_step."""

import numpy as np


def gradient_not_squared(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """v averages the gradients' amounts and not their squares."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * np.abs(gradient)
    return parameter - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps), m, v


def shares_exchanged(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """β weighs the new gradient and 1 - β the old average, the wrong way round."""
    m = (1 - beta1) * m + beta1 * gradient
    v = (1 - beta2) * v + beta2 * gradient**2
    return parameter - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps), m, v


def multiplied_by_the_step(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """beta * step in place of beta ** step."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * (m / (1 - beta1 * step)) / (np.sqrt(np.abs(v / (1 - beta2 * step))) + eps), m, v


def old_averages_for_the_hats(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """The hats are made of the old m and v, before this gradient was taken in."""
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


def old_averages_returned(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """The m and v that came in are returned, and not the new ones."""
    new_m = beta1 * m + (1 - beta1) * gradient
    new_v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * (new_m / (1 - beta1**step)) / (np.sqrt(new_v / (1 - beta2**step)) + eps), m, v


def parameter_alone(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """Only the new parameter is returned, and not m and v."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps)


def averages_updated_in_place(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """*= and += change the caller's m and v."""
    m *= beta1
    m += (1 - beta1) * gradient
    v *= beta2
    v += (1 - beta2) * gradient**2
    return parameter - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps), m, v


def parameter_moved_in_place(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """parameter -= ... changes the caller's array."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    parameter -= rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps)
    return parameter, m, v


def defaults_written_down(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """.9, .98 and 1e-9 are written into the formula, whatever is passed."""
    m = 0.9 * m + 0.1 * gradient
    v = 0.98 * v + 0.02 * gradient**2
    return parameter - rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.98**step)) + 1e-9), m, v


def square_of_the_average(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """v averages the squares of the new m and not of the gradient."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * m**2
    return parameter - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps), m, v


def length_of_the_whole_gradient(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """v averages the squared length of the whole gradient, one number for all, and not number by number."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * np.sum(gradient**2)
    return parameter - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps), m, v


def m_and_v_exchanged_in_the_return(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """v is returned before m."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps), v, m


def hats_carried_in_the_formula_for_m(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """The gradient is added whole: the factor 1 - β is left out."""
    m = beta1 * m + gradient
    v = beta2 * v + gradient**2
    return parameter - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps), m, v
