"""Plausible wrong answers to scaled_scores."""

import numpy as np

from attention.chapters.scaling import scaling_factor


def divided_by_the_observed_spread(query, key):
    """The scores are divided by their own standard deviation, but the scale depends on d_k alone."""
    dots = np.einsum("...qd,...kd->...qk", query, key)
    spread = dots.std()
    return dots / spread if spread > 0 else dots


def second_axis_of_the_key(query, key):
    """Axis 1 of the key is its width in a single sentence, but in a batch it is the number of keys or of heads."""
    d_k = key.shape[1]
    return np.einsum("...qd,...kd->...qk", query, key) / np.sqrt(d_k)


def length_of_every_key(query, key):
    """The root of d_k is taken for the length of the key, so every score is divided by the norm of its key."""
    dots = np.einsum("...qd,...kd->...qk", query, key)
    return dots / np.linalg.norm(key, axis=-1)[..., None, :]


def root_over_the_whole_score(query, key):
    """The root covers the whole fraction and not d_k alone."""
    dots = query @ np.swapaxes(key, -1, -2)
    return np.sqrt(dots / key.shape[-1])


def reshape_in_place_of_a_transpose(query, key):
    """A reshape fills the new shape in reading order and turns nothing round, so the keys are torn apart."""
    n_k, d_k = key.shape[-2:]
    turned = key.reshape(*key.shape[:-2], d_k, n_k)
    return query @ turned * scaling_factor(d_k)


def mean_of_the_products(query, key):
    """The products are averaged, which divides by d_k and not by its root."""
    return np.mean(query[..., :, None, :] * key[..., None, :, :], axis=-1)


def queries_divided_in_place(query, key):
    """The division with /= changes the given queries, and raises an error if they are whole numbers."""
    query /= np.sqrt(query.shape[-1])
    return np.einsum("...qd,...kd->...qk", query, key)


def scores_stored_as_whole_numbers(query, key):
    """The scores are stored in the number type of the queries, so whole-number inputs lose their fractions."""
    n_q, n_k = query.shape[-2], key.shape[-2]
    scores = np.zeros((*query.shape[:-2], n_q, n_k), dtype=query.dtype)
    for i in range(n_q):
        for j in range(n_k):
            dots = np.sum(query[..., i, :] * key[..., j, :], axis=-1)
            scores[..., i, j] = dots * scaling_factor(key.shape[-1])
    return scores


def all_numbers_of_the_key_counted(query, key):
    """key.size counts the numbers of all keys, but d_k is the width of one."""
    return np.einsum("...qd,...kd->...qk", query, key) / np.sqrt(key.size)


def axes_of_length_one_squeezed(query, key):
    """The squeeze at the end takes away the axis of a single query or a single key."""
    products = query[..., :, None, :] * key[..., None, :, :]
    return np.squeeze(products.sum(axis=-1) * scaling_factor(key.shape[-1]))


def one_row_for_each_key(query, key):
    """The letters of the result are swapped, so there is one row for each key and not for each query."""
    return np.einsum("...qd,...kd->...kq", query, key) * scaling_factor(query.shape[-1])
