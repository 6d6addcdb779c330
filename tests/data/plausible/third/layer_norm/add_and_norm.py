"""Plausible wrong answers to add_and_norm."""

import numpy as np

from attention.chapters.layer_norm import layer_norm


def only_the_sublayer_normalised(x, sublayer, gamma, beta, eps=1e-5):
    """What the sublayer made is normalised first and then added."""
    return x + layer_norm(sublayer, gamma, beta, eps)


def only_the_tokens_normalised(x, sublayer, gamma, beta, eps=1e-5):
    """The tokens are normalised, and the sublayer's result is added to them afterwards."""
    return layer_norm(x, gamma, beta, eps) + sublayer


def tokens_not_added(x, sublayer, gamma, beta, eps=1e-5):
    """The tokens are not added: what the sublayer made is normalised alone."""
    return layer_norm(sublayer, gamma, beta, eps)


def epsilon_not_handed_on(x, sublayer, gamma, beta, eps=1e-5):
    """ε is not handed on to layer_norm, which takes its own 1e-5."""
    return layer_norm(x + sublayer, gamma, beta)


def added_in_place(x, sublayer, gamma, beta, eps=1e-5):
    """x += … changes the caller's tokens."""
    x += sublayer
    return layer_norm(x, gamma, beta, eps)


def half_of_the_sum(x, sublayer, gamma, beta, eps=1e-5):
    """The mean of both is normalised and not their sum, for which ε is four times as large."""
    return layer_norm((x + sublayer) / 2, gamma, beta, eps)


def multiplied(x, sublayer, gamma, beta, eps=1e-5):
    """Tokens and sublayer are multiplied and not added."""
    return layer_norm(np.multiply(x, sublayer), gamma, beta, eps)


def sublayer_subtracted(x, sublayer, gamma, beta, eps=1e-5):
    """The difference is normalised and not the sum."""
    return layer_norm(x - sublayer, gamma, beta, eps)


def sublayer_called(x, sublayer, gamma, beta, eps=1e-5):
    """sublayer is called like a function, though it is the array that was made."""
    return layer_norm(x + sublayer(x), gamma, beta, eps)


def tokens_added_once_more(x, sublayer, gamma, beta, eps=1e-5):
    """The tokens are added once more behind the norm."""
    return x + layer_norm(x + sublayer, gamma, beta, eps)


def gamma_and_beta_exchanged(x, sublayer, gamma, beta, eps=1e-5):
    """γ and β are handed on in the wrong order."""
    return layer_norm(x + sublayer, beta, gamma, eps)


def norm_over_the_tokens(x, sublayer, gamma, beta, eps=1e-5):
    """The sum is normalised down the columns, over the tokens of a sentence."""
    total = x + sublayer
    mean, var = total.mean(axis=-2, keepdims=True), total.var(axis=-2, keepdims=True)
    return gamma * (total - mean) / np.sqrt(var + eps) + beta


def laid_side_by_side(x, sublayer, gamma, beta, eps=1e-5):
    """Tokens and sublayer are laid side by side and normalised as one token, of which the first half is returned."""
    both = np.concatenate([x, sublayer], axis=-1)
    ones, zeros = np.ones(both.shape[-1]), np.zeros(both.shape[-1])
    return gamma * layer_norm(both, ones, zeros, eps)[..., : x.shape[-1]] + beta


def normalised_before_and_after(x, sublayer, gamma, beta, eps=1e-5):
    """The tokens are normalised before the addition as well as after it."""
    x = layer_norm(x, gamma, beta, eps)
    return layer_norm(x + sublayer, gamma, beta, eps)
