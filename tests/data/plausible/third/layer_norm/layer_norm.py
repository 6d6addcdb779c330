"""Plausible wrong answers to layer_norm."""

import numpy as np


def each_column_normalised(x, gamma, beta, eps=1e-5):
    """Mean and variance are those of each column over the tokens, as in batch norm."""
    mean = x.mean(axis=0)
    var = x.var(axis=0)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


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
