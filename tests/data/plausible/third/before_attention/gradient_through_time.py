"""Plausible wrong answers to gradient_through_time."""

import numpy as np


def tanh_taken_again(w_hh, h):
    """The states are put through tanh once more before they are squared, though h is tanh's result already."""
    slopes = 1 - np.tanh(h) ** 2
    gradient = np.eye(w_hh.shape[0])
    for t in range(h.shape[-2]):
        gradient = (slopes[..., t, :, None] * w_hh.T) @ gradient
    return gradient


def newest_factor_on_the_right(w_hh, h):
    """Each new step is multiplied from the right, so the first step stands leftmost and not the last."""
    result = np.broadcast_to(np.eye(w_hh.shape[0]), (*h.shape[:-2], *w_hh.shape))
    for t in range(h.shape[-2]):
        step = (1 - h[..., t, :, None] ** 2) * w_hh.T
        result = result @ step
    return result


def slopes_lie_along_the_columns(w_hh, h):
    """The slope of number j multiplies column j, where the slope of number i should multiply row i."""
    slopes = 1 - h**2
    gradient = np.eye(w_hh.shape[0])
    for t in range(h.shape[-2]):
        gradient = (slopes[..., t, None, :] * w_hh.T) @ gradient
    return gradient


def letters_swapped_in_einsum(w_hh, h):
    """The einsum reads w_hh[i, j] for w_hh[j, i], so the table is not turned."""
    factors = np.einsum("...ti,ij->...tij", 1 - np.square(h), w_hh)
    gradient = np.eye(w_hh.shape[0])
    for t in range(h.shape[-2]):
        gradient = factors[..., t, :, :] @ gradient
    return gradient


def first_step_left_out(w_hh, h):
    """The product begins with the second word, as if it asked for the slope with respect to h_1 and not h_0."""
    slopes = 1 - h**2
    jacobian = np.eye(w_hh.shape[0]) + np.zeros((*h.shape[:-2], 1, 1))
    for t in range(1, h.shape[-2]):
        jacobian = (slopes[..., t, :, None] * w_hh.T) @ jacobian
    return jacobian


def powers_and_slopes_apart(w_hh, h):
    """The slopes and the powers of the table are collected apart, though matrices may not be put in another order."""
    steps = h.shape[-2]
    all_slopes = np.prod(1 - h**2, axis=-2)
    return all_slopes[..., :, None] * np.linalg.matrix_power(w_hh.T, steps)


def bracket_before_the_square(w_hh, h):
    """(1 - h)² is computed in place of 1 - h²."""
    gradient = np.identity(w_hh.shape[-1])
    for t in range(h.shape[-2]):
        slope = (1 - h[..., t, :]) ** 2
        gradient = slope[..., np.newaxis] * w_hh.T @ gradient
    return gradient


def diagonal_of_a_batch(w_hh, h):
    """np.diag takes the diagonal of a table where it should make one out of a row, so a batch fails."""
    gradient = np.eye(len(w_hh))
    for t in range(h.shape[-2]):
        gradient = np.diag(1 - h[..., t, :] ** 2) @ w_hh.T @ gradient
    return gradient


def one_factor_is_no_product(w_hh, h):
    """np.linalg.multi_dot wants two factors at least, so a sentence of one word raises an error."""
    if h.ndim > 2:
        return np.stack([one_factor_is_no_product(w_hh, sentence) for sentence in h])
    return np.linalg.multi_dot([(1 - row[:, None] ** 2) * w_hh.T for row in h[::-1]])


def slope_of_the_logistic_function(w_hh, h):
    """h (1 - h) is the slope of the logistic function; that of tanh is 1 - h²."""
    gradient = np.eye(w_hh.shape[0])
    for t in range(h.shape[-2]):
        state = h[..., t, :]
        gradient = ((state * (1 - state))[..., :, None] * w_hh.T) @ gradient
    return gradient


def steps_added_up(w_hh, h):
    """The partial products of all steps are added up, as for the gradient of a shared weight."""
    size = w_hh.shape[0]
    running = np.eye(size)
    total = np.zeros((*h.shape[:-2], size, size))
    for t in range(h.shape[-2] - 1, -1, -1):
        running = running @ ((1 - h[..., t, :, None] ** 2) * w_hh.T)
        total = total + running
    return total


def gradient_clipped(w_hh, h):
    """The gradient is cut to the range from -1 to 1, as in training, which hides how large it grows."""
    gradient = np.eye(w_hh.shape[0])
    for t in range(h.shape[-2]):
        gradient = ((1 - h[..., t, :] ** 2)[..., None] * w_hh.T) @ gradient
    return np.clip(gradient, -1, 1)


def multiplied_entry_by_entry(w_hh, h):
    """The steps are multiplied entry by entry and not as matrices."""
    factors = (1 - h**2)[..., :, None] * w_hh.T
    return np.prod(factors, axis=-3)


def sentences_counted_as_words(w_hh, h):
    """The number of steps is taken from the first axis, which in a batch counts the sentences."""
    slopes = 1 - h**2
    gradient = np.eye(w_hh.shape[0])
    for t in range(len(h)):
        gradient = (slopes[..., t, :, None] * w_hh.T) @ gradient
    return gradient
