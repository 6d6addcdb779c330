"""Plausible wrong answers to positional_encoding."""

import numpy as np


def sine_and_cosine_exchanged(n, d_model, base=10000):
    """The cosine of each clock stands in front of its sine."""
    angles = np.arange(n)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model)
    pe = np.zeros((n, d_model))
    pe[:, 0::2] = np.cos(angles)
    pe[:, 1::2] = np.sin(angles)
    return pe


def counted_from_one(n, d_model, base=10000):
    """The positions are counted from 1 and not from 0."""
    angles = np.arange(1, n + 1)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    pe = np.zeros((n, d_model))
    pe[:, 0::2], pe[:, 1::2] = np.sin(angles), np.cos(angles)
    return pe


def two_of_the_exponent_forgotten(n, d_model, base=10000):
    """The exponent is −i / d_model, without the 2, so the clocks slow down half as fast."""
    pe = np.zeros((n, d_model))
    for p in range(n):
        for i in range(d_model // 2):
            angle = p * base ** (-i / d_model)
            pe[p, 2 * i] = np.sin(angle)
            pe[p, 2 * i + 1] = np.cos(angle)
    return pe


def two_counted_twice(n, d_model, base=10000):
    """The columns 0, 2, 4, … are doubled once more, so the exponent is −4i / d_model."""
    two_i = np.arange(0, d_model, 2)
    angles = np.arange(n)[:, None] * base ** (-2 * two_i / d_model)
    pe = np.zeros((n, d_model))
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe


def speed_of_its_own_for_each_column(n, d_model, base=10000):
    """Each column has a speed of its own, where the sine and the cosine of a clock share one."""
    pe = np.zeros((n, d_model))
    for p in range(n):
        for c in range(d_model):
            angle = p / base ** (c / d_model)
            pe[p, c] = np.sin(angle) if c % 2 == 0 else np.cos(angle)
    return pe


def base_always_ten_thousand(n, d_model, base=10000):
    """10000 is written into the formula, so another base changes nothing."""
    angles = np.arange(n)[:, None] * 10000 ** (-np.arange(0, d_model, 2) / d_model)
    pe = np.empty((n, d_model))
    pe[:, 0::2], pe[:, 1::2] = np.sin(angles), np.cos(angles)
    return pe


def minus_of_the_exponent_forgotten(n, d_model, base=10000):
    """The minus of the exponent is missing, so the later clocks run faster and not slower."""
    omega = base ** (np.arange(0, d_model, 2) / d_model)
    angles = np.arange(n)[:, None] * omega
    pe = np.zeros((n, d_model))
    pe[:, ::2], pe[:, 1::2] = np.sin(angles), np.cos(angles)
    return pe


def exponent_divided_to_whole_numbers(n, d_model, base=10000):
    """// makes 0 of every exponent, so all clocks have the speed 1."""
    omega = 1 / base ** (np.arange(0, d_model, 2) // d_model)
    angles = np.outer(np.arange(n), omega)
    pe = np.zeros((n, d_model))
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe


def angles_in_degrees(n, d_model, base=10000):
    """The angles are taken for degrees and turned into radians, which they are already."""
    angles = np.deg2rad(np.arange(n)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model))
    pe = np.zeros((n, d_model))
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe


def divided_by_the_number_of_clocks(n, d_model, base=10000):
    """The exponent is divided by the number of clocks and not by d_model."""
    clocks = d_model // 2
    i = np.arange(clocks)
    angles = np.arange(n)[:, None] * base ** (-2 * i / clocks)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def cosine_overwritten_by_the_next_sine(n, d_model, base=10000):
    """The clock's number i is used as its column, where 2i is meant, so each cosine is overwritten."""
    pe = np.zeros((n, d_model))
    for p in range(n):
        for i in range(d_model // 2):
            angle = p * base ** (-2 * i / d_model)
            pe[p, i] = np.sin(angle)
            pe[p, i + 1] = np.cos(angle)
    return pe


def column_for_each_position(n, d_model, base=10000):
    """Positions stand in columns and clocks in rows: the table is transposed."""
    omega = base ** (-np.arange(0, d_model, 2) / d_model)
    angles = omega[:, None] * np.arange(n)
    pe = np.zeros((d_model, n))
    pe[0::2], pe[1::2] = np.sin(angles), np.cos(angles)
    return pe


def table_of_whole_numbers(n, d_model, base=10000):
    """The table is made for whole numbers, which cuts off everything behind the point."""
    angles = np.arange(n)[:, None] * base ** (-np.arange(0, d_model, 2) / d_model)
    pe = np.zeros((n, d_model), dtype=int)
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe
