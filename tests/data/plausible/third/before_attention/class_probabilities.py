"""Plausible wrong answers to class_probabilities."""

import numpy as np


def largest_of_the_whole_batch(logits):
    """The largest logit of the whole batch is subtracted from every row, so a row far below it becomes 0 / 0."""
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    powers = np.exp(logits - logits.max())
    return powers / powers.sum(axis=-1, keepdims=True)


def logits_cut_off(logits):
    """Cutting the logits at 500 stops the overflow, but makes 10,000 and 9,999 the same."""
    logits = np.clip(logits, -500, 500)
    if logits.shape[-1] == 1:
        p = 1 / (1 + np.exp(-logits))
        return np.concatenate([1 - p, p], axis=-1)
    powers = np.exp(logits)
    return powers / powers.sum(axis=-1, keepdims=True)


def the_second_column_forgotten(logits):
    """A single neuron gives only P(class 1), and the column of class 0 is missing."""
    if logits.shape[-1] == 1:
        return np.where(logits > 0, 1 / (1 + np.exp(-np.abs(logits))), 1 - 1 / (1 + np.exp(-np.abs(logits))))
    shifted = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)


def zero_put_behind(logits):
    """The zero that stands for class 0 is put behind the logit, so class 1 comes first."""
    if logits.shape[-1] == 1:
        logits = np.pad(logits, [(0, 0)] * (logits.ndim - 1) + [(0, 1)])
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def classes_joined_below_each_other(logits):
    """np.concatenate without an axis joins along the first axis, which is right for a single row only."""
    if logits.shape[-1] > 1:
        e = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)
    half = np.tanh(logits / 2) / 2
    return np.concatenate([0.5 - half, 0.5 + half])


def logits_changed_in_place(logits):
    """The largest logit is subtracted in the caller's own array."""
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    logits -= logits.max(axis=-1, keepdims=True)
    powers = np.exp(logits)
    return powers / powers.sum(axis=-1, keepdims=True)


def every_neuron_for_itself(logits):
    """Each of several neurons gets its own logistic function, so the row does not share out one whole."""
    with np.errstate(over="ignore"):
        p = 1 / (1 + np.exp(-logits))
    if logits.shape[-1] == 1:
        return np.concatenate([1 - p, p], axis=-1)
    return p


def zero_in_front_of_every_row(logits):
    """The zero is put in front of several neurons, too, which makes N + 1 classes."""
    rows = np.concatenate([np.zeros((*logits.shape[:-1], 1)), logits], axis=-1)
    e = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def tanh_of_the_whole_logit(logits):
    """The logistic function is (1 + tanh(z / 2)) / 2, and the half inside tanh is missing."""
    if logits.shape[-1] == 1:
        p = (1 + np.tanh(logits)) / 2
        return np.concatenate([1 - p, p], axis=-1)
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def largest_subtracted_before_the_zero(logits):
    """The largest logit is subtracted before the zero is put in front, which turns a single logit into 0."""
    logits = logits - logits.max(axis=-1, keepdims=True)
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    powers = np.exp(logits)
    return powers / powers.sum(axis=-1, keepdims=True)


def largest_amount_subtracted(logits):
    """The largest amount without its sign is subtracted, so a row of very negative logits becomes 0 / 0."""
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    exponents = logits - np.abs(logits).max(axis=-1, keepdims=True)
    return np.exp(exponents) / np.exp(exponents).sum(axis=-1, keepdims=True)


def logarithm_of_an_overflowing_sum(logits):
    """Subtracting the logarithm of the sum does not help, since the sum itself overflows before."""
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    log_sum = np.log(np.sum(np.exp(logits), axis=-1, keepdims=True))
    return np.exp(logits - log_sum)


def table_of_the_logits_type(logits):
    """The result is filled into a table of the logits' type, and whole numbers hold no probabilities."""
    if logits.shape[-1] == 1:
        out = np.zeros((*logits.shape[:-1], 2), dtype=logits.dtype)
        out[..., 1] = logits[..., 0]
    else:
        out = logits.copy()
    out[...] = np.exp(out - out.max(axis=-1, keepdims=True))
    return out / out.sum(axis=-1, keepdims=True)


def sum_down_the_columns(logits):
    """The powers are divided by their sums over the first axis, the batch, and not over the classes."""
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=0 if logits.ndim > 1 else -1)
