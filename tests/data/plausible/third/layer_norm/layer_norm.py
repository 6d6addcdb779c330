"""Plausible wrong answers to layer_norm."""

import numpy as np


def each_column_normalised(x, gamma, beta, eps=1e-5):
    """Mean and variance are those of each column over the tokens, as in batch norm."""
    mean = x.mean(axis=0)
    var = x.var(axis=0)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def whole_array_normalised(x, gamma, beta, eps=1e-5):
    """One mean and one variance are taken of all numbers together."""
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta


def each_sentence_normalised(x, gamma, beta, eps=1e-5):
    """Mean and variance are those of a whole sentence and not of each token."""
    mean = x.mean(axis=(-2, -1), keepdims=True)
    var = x.var(axis=(-2, -1), keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def epsilon_outside_of_the_root(x, gamma, beta, eps=1e-5):
    """ε is added to the spread, outside of the root."""
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / (std + eps) + beta


def epsilon_left_out(x, gamma, beta, eps=1e-5):
    """ε is left out, so a token of equal numbers becomes 0 / 0."""
    return gamma * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + beta


def epsilon_never_passed_on(x, gamma, beta, eps=1e-5):
    """1e-5 is written into the formula, so another ε changes nothing."""
    mu = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean((x - mu) ** 2, axis=-1, keepdims=True)
    return gamma * ((x - mu) / np.sqrt(variance + 1e-5)) + beta


def divided_by_one_less(x, gamma, beta, eps=1e-5):
    """The variance is divided by d_model − 1 and not by d_model."""
    mean = x.mean(axis=-1, keepdims=True)
    var = ((x - mean) ** 2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def root_forgotten(x, gamma, beta, eps=1e-5):
    """The numbers are divided by the variance and not by its root."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / (np.mean(centred**2, axis=-1, keepdims=True) + eps) + beta


def mean_not_subtracted(x, gamma, beta, eps=1e-5):
    """The mean is never subtracted from the numbers that are divided."""
    return gamma * x / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


def root_of_the_mean_square(x, gamma, beta, eps=1e-5):
    """The mean plays no part: each token is divided by the root of its mean square, as in RMSNorm."""
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + beta


def gamma_and_beta_exchanged(x, gamma, beta, eps=1e-5):
    """γ and β change places: the numbers are stretched by β and moved by γ."""
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return beta * (x - mean) / np.sqrt(var + eps) + gamma


def stretched_before_the_norm(x, gamma, beta, eps=1e-5):
    """γ and β are used before the norm, which undoes a part of them."""
    x = gamma * x + beta
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps)


def moved_and_then_stretched(x, gamma, beta, eps=1e-5):
    """β is added before the multiplication by γ, so it is stretched, too."""
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return gamma * ((x - mean) / np.sqrt(var + eps) + beta)


def number_for_each_token(x, gamma, beta, eps=1e-5):
    """γ and β are made columns, as if each token had its own and not each place in a token."""
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return gamma[:, None] * (x - mean) / np.sqrt(var + eps) + beta[:, None]


def keepdims_forgotten(x, gamma, beta, eps=1e-5):
    """keepdims is forgotten, so the means lie along the columns and do not line up with the tokens."""
    mean, var = x.mean(axis=-1), x.var(axis=-1)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def callers_tokens_centred(x, gamma, beta, eps=1e-5):
    """x -= … changes the caller's tokens, and whole numbers refuse it."""
    x -= x.mean(axis=-1, keepdims=True)
    x /= np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps)
    return gamma * x + beta


def beta_left_out(x, gamma, beta, eps=1e-5):
    """β is never added."""
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps)


def smallest_to_largest(x, gamma, beta, eps=1e-5):
    """Each token is brought between 0 and 1 by its smallest and largest number."""
    low, high = x.min(axis=-1, keepdims=True), x.max(axis=-1, keepdims=True)
    return gamma * (x - low) / (high - low + eps) + beta
