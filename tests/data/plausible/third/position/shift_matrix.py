"""Plausible wrong answers to shift_matrix."""

import numpy as np

from attention.chapters.position import positional_encoding


def turned_back(k, d_model, base=10000):
    """The minus stands at the upper sine, so the matrix leads k positions back and not on."""
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        angle = k * base ** (-2 * i / d_model)
        c, s = np.cos(angle), np.sin(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    return R


def one_block_for_all_clocks(k, d_model, base=10000):
    """Every clock gets the block of the first one, as if all had the speed 1."""
    block = [[np.cos(k), np.sin(k)], [-np.sin(k), np.cos(k)]]
    return np.kron(np.eye(d_model // 2), block)


def base_never_used(k, d_model, base=10000):
    """10000 is written into the formula, so another base changes nothing."""
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        angle = k * 10000 ** (-2 * i / d_model)
        R[2 * i, 2 * i] = R[2 * i + 1, 2 * i + 1] = np.cos(angle)
        R[2 * i, 2 * i + 1] = np.sin(angle)
        R[2 * i + 1, 2 * i] = -np.sin(angle)
    return R


def forward_only(k, d_model, base=10000):
    """The sign of k is dropped, so a negative k leads on and not back."""
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        angle = abs(k) * base ** (-2 * i / d_model)
        R[2 * i, 2 * i] = R[2 * i + 1, 2 * i + 1] = np.cos(angle)
        R[2 * i, 2 * i + 1] = np.sin(angle)
        R[2 * i + 1, 2 * i] = -np.sin(angle)
    return R


def both_sines_positive(k, d_model, base=10000):
    """The minus in front of the lower sine is missing."""
    angles = k * base ** (-np.arange(0, d_model, 2) / d_model)
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(angles):
        R[2 * i, 2 * i] = R[2 * i + 1, 2 * i + 1] = np.cos(angle)
        R[2 * i, 2 * i + 1] = R[2 * i + 1, 2 * i] = np.sin(angle)
    return R


def last_clock_left_out(k, d_model, base=10000):
    """The loop stops one clock early, and the last block stays 0."""
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2 - 1):
        angle = k * base ** (-2 * i / d_model)
        R[2 * i, 2 * i] = R[2 * i + 1, 2 * i + 1] = np.cos(angle)
        R[2 * i, 2 * i + 1] = np.sin(angle)
        R[2 * i + 1, 2 * i] = -np.sin(angle)
    return R


def two_of_the_exponent_forgotten(k, d_model, base=10000):
    """The exponent is −i / d_model, without the 2."""
    R = np.eye(d_model)
    for i in range(d_model // 2):
        angle = k / base ** (i / d_model)
        rows = slice(2 * i, 2 * i + 2)
        R[rows, rows] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    return R


def solved_from_two_tables(k, d_model, base=10000):
    """The matrix is solved for from rows and the rows k further on, which can't be cut out for a negative k."""
    n = 4 * d_model
    pe = positional_encoding(n + k, d_model, base)
    return np.linalg.lstsq(pe[:n], pe[k:], rcond=None)[0].T


def encoding_of_k_on_the_diagonal(k, d_model, base=10000):
    """The row of position k is put on the diagonal, as if the encodings of two places were multiplied."""
    R = np.zeros((d_model, d_model))
    angles = k * base ** (-np.arange(0, d_model, 2) / d_model)
    R[np.arange(0, d_model, 2), np.arange(0, d_model, 2)] = np.sin(angles)
    R[np.arange(1, d_model, 2), np.arange(1, d_model, 2)] = np.cos(angles)
    return R


def sine_and_cosine_exchanged(k, d_model, base=10000):
    """Sines stand on the diagonal and cosines beside it."""
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        angle = k * base ** (-2 * i / d_model)
        R[2 * i, 2 * i] = R[2 * i + 1, 2 * i + 1] = np.sin(angle)
        R[2 * i, 2 * i + 1] = np.cos(angle)
        R[2 * i + 1, 2 * i] = -np.cos(angle)
    return R


def blocks_overlap(k, d_model, base=10000):
    """Block i begins at row i and not at row 2i, so the blocks overwrite each other."""
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        angle = k * base ** (-2 * i / d_model)
        R[i, i] = R[i + 1, i + 1] = np.cos(angle)
        R[i, i + 1] = np.sin(angle)
        R[i + 1, i] = -np.sin(angle)
    return R


def step_of_one_always(k, d_model, base=10000):
    """k is left out of the angle, so every matrix leads one step on."""
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        omega = base ** (-2 * i / d_model)
        R[2 * i, 2 * i] = R[2 * i + 1, 2 * i + 1] = np.cos(omega)
        R[2 * i, 2 * i + 1] = np.sin(omega)
        R[2 * i + 1, 2 * i] = -np.sin(omega)
    return R
