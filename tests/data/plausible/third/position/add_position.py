"""Plausible wrong answers to add_position."""

import numpy as np


def _positional_encoding(n, d_model, base=10000):
    pe = np.zeros((n, d_model))
    angles = np.arange(n)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model)
    pe[:, 0::2], pe[:, 1::2] = np.sin(angles), np.cos(angles)
    return pe


def first_axis_counted(x):
    """The first axis is taken for the number of tokens, which in a batch is the number of sentences."""
    return x + _positional_encoding(x.shape[0], x.shape[-1])


def counted_on_from_sentence_to_sentence(x):
    """The positions go on from one sentence of the batch to the next and do not begin at 0 again."""
    d_model = x.shape[-1]
    rows = x.reshape(-1, d_model)
    return (rows + _positional_encoding(len(rows), d_model)).reshape(x.shape)


def tokens_scaled_up_first(x):
    """The tokens are multiplied by the root of d_model first, as a model does with its embeddings."""
    n, d_model = x.shape[-2:]
    return x * np.sqrt(d_model) + _positional_encoding(n, d_model)


def encoding_alone(x):
    """The encoding is returned by itself, without the tokens."""
    n, d_model = x.shape[-2:]
    return np.zeros(x.shape) + _positional_encoding(n, d_model)


def multiplied(x):
    """The tokens are multiplied by the encoding, where it should be added."""
    return x * _positional_encoding(*x.shape[-2:])


def cut_to_whole_numbers(x):
    """The sums are written into an array of x's type, which for whole numbers cuts off what is behind the point."""
    n, d_model = x.shape[-2:]
    placed = np.zeros_like(x)
    placed[...] = x + _positional_encoding(n, d_model)
    return placed


def one_row_for_each_sentence(x):
    """Every token of a sentence gets the row of the sentence's place in the batch."""
    if x.ndim == 2:
        return x + _positional_encoding(*x.shape)
    return x + _positional_encoding(x.shape[0], x.shape[-1])[:, None, :]


def empty_tokens_left_out(x):
    """Tokens of zeros are taken for padding and get no place."""
    pe = _positional_encoding(*x.shape[-2:])
    words = np.any(x != 0, axis=-1, keepdims=True)
    return np.where(words, x + pe, x)


def laid_beside_the_token(x):
    """The encoding is laid beside the token in columns of its own and not added."""
    pe = np.broadcast_to(_positional_encoding(*x.shape[-2:]), x.shape)
    return np.concatenate([x, pe], axis=-1)


def first_sentence_only(x):
    """Only the first sentence of a batch gets its places."""
    n, d_model = x.shape[-2:]
    placed = x.astype(float)
    if x.ndim == 2:
        placed += _positional_encoding(n, d_model)
    else:
        placed[0] += _positional_encoding(n, d_model)
    return placed
