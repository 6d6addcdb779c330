"""Plausible wrong answers to rnn."""

import numpy as np


def recurrent_table_turned(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """The state meets the recurrent table from the wrong side, so w_hh acts as its transpose."""
    inputs = x @ w_hx + b_h
    h = np.zeros(inputs.shape)
    previous = np.zeros((*x.shape[:-2], w_hh.shape[0])) if h0 is None else np.asarray(h0)
    for t in range(x.shape[-2]):
        recurrent = np.einsum("ij,...j->...i", w_hh, previous)
        h[..., t, :] = np.tanh(inputs[..., t, :] + recurrent)
        previous = h[..., t, :]
    return h, h @ w_hy + b_y


def bias_outside_tanh(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """A bracket closes too early, so b_h is added after tanh and not inside it."""
    h = [np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0]
    for t in range(x.shape[-2]):
        h.append(np.tanh(x[..., t, :] @ w_hx + h[t] @ w_hh) + b_h)
    h = np.stack(h[1:], axis=-2)
    return h, h @ w_hy + b_y


def states_in_the_type_of_the_words(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """The states are stored in the type of x, so whole-number words round every state towards zero."""
    n = x.shape[-2]
    d_h = w_hh.shape[-1]
    h = np.zeros((*x.shape[:-2], n, d_h), dtype=x.dtype)
    last = np.zeros((*x.shape[:-2], d_h)) if h0 is None else h0
    for t in range(n):
        h[..., t, :] = np.tanh(x[..., t, :] @ w_hx + last @ w_hh + b_h)
        last = h[..., t, :]
    return h, h @ w_hy + b_y


def first_state_stands_for_the_first_word(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """h0 is taken for the state after the first word, and so the first word is never read."""
    n = x.shape[-2]
    h = np.zeros((*x.shape[:-2], n, w_hh.shape[-1]))
    if h0 is not None:
        h[..., 0, :] = h0
    for t in range(1, n):
        h[..., t, :] = np.tanh(x[..., t, :] @ w_hx + h[..., t - 1, :] @ w_hh + b_h)
    return h, h @ w_hy + b_y


def one_array_many_times_in_the_list(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """The list holds one and the same array n times, because the state is overwritten in place."""
    state = np.zeros((*x.shape[:-2], w_hh.shape[-1]))
    if h0 is not None:
        state[...] = h0
    states = []
    for t in range(x.shape[-2]):
        state[...] = np.tanh(x[..., t, :] @ w_hx + state @ w_hh + b_h)
        states.append(state)
    h = np.stack(states, axis=-2)
    return h, h @ w_hy + b_y


def batch_read_as_one_long_text(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """The sentences of a batch are read as one long text, so each begins with the last state of the one before."""
    d_h = w_hh.shape[-1]
    state = np.zeros(d_h) if h0 is None else h0.reshape(-1, d_h)[0]
    states = []
    for word in x.reshape(-1, x.shape[-1]):
        state = np.tanh(word @ w_hx + state @ w_hh + b_h)
        states.append(state)
    h = np.array(states).reshape(*x.shape[:-1], d_h)
    return h, h @ w_hy + b_y


def passed_array_overwritten(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """The state is updated in the very array that was passed as h0, which the caller then finds changed."""
    if h0 is None:
        h0 = np.zeros((*x.shape[:-2], w_hh.shape[-1]))
    h = np.empty((*x.shape[:-1], w_hh.shape[-1]))
    for t in range(x.shape[-2]):
        h0[:] = np.tanh(x[..., t, :] @ w_hx + h0 @ w_hh + b_h)
        h[..., t, :] = h0
    return h, h @ w_hy + b_y


def output_of_the_last_word_only(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """Only the last state is made into an output, where every word should have one."""
    h = np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0
    rows = []
    for t in range(x.shape[-2]):
        h = np.tanh(x[..., t, :] @ w_hx + h @ w_hh + b_h)
        rows.append(h)
    y = h @ w_hy + b_y
    return np.stack(rows, axis=-2), y[..., None, :]
