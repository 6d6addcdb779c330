"""A row of sines and cosines for each position."""

import numpy as np

from attention.chapters import position as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Fewer positions than numbers and more, with another base and without; angles that single precision holds."""
    wide, long, other = (int(rng.choice(sizes)) for sizes in ([7, 11], [17, 19, 23], [5, 13]))
    return [
        Case("more numbers than positions", (wide, int(rng.choice([22, 26, 34])))),
        Case("more positions than numbers", (long, int(rng.choice([6, 10, 14])))),
        Case("another base", (other, int(rng.choice([6, 10, 22])), float(rng.uniform(15, 900)))),
        Case(
            "base by name",
            (
                3,
                int(rng.choice([10, 14])),
            ),
            {"base": float(rng.uniform(1100, 9000))},
        ),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """A single position, a single clock."""
    return [
        Case("one position", (1, int(rng.choice([6, 10, 14])))),
        Case("two numbers, one clock", (int(rng.choice([5, 7, 11])), 2)),
    ]


@mistake(
    "The exponent is i / d_model instead of 2i / d_model. i counts the clocks, and there are half as many clocks as "
    "numbers, so the slowest ones never appear. "
    "Let the exponents be 0, 2, 4, … over `d_model`: `np.arange(0, d_model, 2)`.",
)
def exponent_half_as_large(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(d_model // 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The exponent was doubled: `np.arange(0, d_model, 2)` already is 2i, or it was divided by d_model / 2. "
    "The clocks slow down so quickly that the last ones hardly move. "
    "Use 2i / d_model, with i = 0, 1, 2, … for the pairs.",
)
def exponent_twice_as_large(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (2 * np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "All sines are in the first half of the row and all cosines in the second. "
    "Other code does that, and models learn with it; here columns 2i and 2i + 1 are the sine and cosine of one clock. "
    "Write `pe[:, 0::2]` and `pe[:, 1::2]`.",
)
def sines_then_cosines(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


@mistake(
    "Sine and cosine are swapped: the cosine is in the even columns. "
    "The first number of each pair is the sine, so position 0 is 0, 1, 0, 1, … Put the sine into `pe[:, 0::2]`.",
)
def cosine_first(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The positions were counted from 1. "
    "The first token is at position 0, where all angles are 0 and the row is 0, 1, 0, 1. "
    "Use `np.arange(n)`.",
)
def counted_from_one(n, d_model, base=10000):
    angles = np.arange(1, n + 1)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "Each column has its own clock: the exponent uses the number of the column as i, doubled. "
    "Columns 2i and 2i + 1 are the sine and cosine of one angle; otherwise, no rotation leads from a row to the "
    "next. "
    "Give both columns of a pair the exponent 2i / d_model.",
)
def a_clock_for_each_column(n, d_model, base=10000):
    columns = np.arange(d_model)
    angles = np.arange(n)[:, None] / base ** (2 * columns / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


@mistake(
    "The cosine of each pair has another angle than its sine: the exponent is the number of the column over `d_model`. "
    "Columns 2i and 2i + 1 are the sine and cosine of one angle, the tip of one hand. "
    "Give both the exponent 2i / d_model.",
)
def cosine_of_another_angle(n, d_model, base=10000):
    columns = np.arange(d_model)
    angles = np.arange(n)[:, None] / base ** (columns / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


@mistake(
    "The position was multiplied by base^(2i / d_model) instead of divided by it. "
    "Then each clock is faster than the one before, and turns many times between two positions. "
    "The speeds fall: ω_i = base^(−2i / d_model).",
)
def faster_and_faster(n, d_model, base=10000):
    angles = np.arange(n)[:, None] * base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The base is always 10000: the argument `base` is not used. "
    "With another base, the clocks have other speeds. "
    "Write `base` instead of 10000.",
)
def base_written_in(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The angles were taken for degrees and converted to radians. "
    "From one position to the next, the first clock turns by 1 radian, which is 57 degrees, and `np.sin` takes "
    "radians. "
    "Leave out `np.deg2rad`, `np.radians` or π / 180.",
)
def in_degrees(n, d_model, base=10000):
    angles = np.deg2rad(np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "All columns are sines, and there is no cosine. "
    "A sine takes each value twice per turn, once rising and once falling; the cosine tells the two apart. "
    "Put the cosine of the same angle into the odd columns.",
)
def sines_alone(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.sin(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "Brackets are missing: `base ** 2 * i / d_model` squares the base first and multiplies by i afterwards. "
    "With i = 0, that divides by 0, and the first clock has no angle. "
    "Write `base ** (2 * i / d_model)`.",
)
def exponent_without_brackets(n, d_model, base=10000):
    with np.errstate(all="ignore"):
        angles = np.arange(n)[:, None] / (base**2 * np.arange(d_model // 2) / d_model)
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "Brackets are missing: in `p / base ** 2 * i / d_model`, or `base ** -2 * i / d_model`, only the 2 is an "
    "exponent. i then multiplies the angle, so the first clock, with i = 0, does not move. "
    "Write `base ** (-2 * i / d_model)`, or `p / base ** (2 * i / d_model)`.",
)
def only_the_two_in_the_exponent(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base**2 * np.arange(d_model // 2) / d_model
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The exponents are negative integers, and NumPy does not raise integers to negative integer powers. "
    "In the formula they are fractions: `//` rounds them down, or the division by `d_model` is missing. "
    "Divide with `/`: `-2 * i / d_model`.",
)
def whole_negative_exponents(n, d_model, base=10000):
    angles = np.arange(n)[:, None] * base ** (-np.arange(0, d_model, 2) // d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The n positions form a row, like the d_model / 2 speeds, and NumPy tries to pair them one to one. "
    "Each position must be multiplied by each speed, in a table of n rows. "
    "Make the positions a column: `np.arange(n)[:, None]`.",
)
def positions_in_a_row(n, d_model, base=10000):
    angles = np.arange(n) / base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The clocks were written to columns i and i + 1, so each overwrites the cosine of the one before. "
    "A clock takes two columns, and the next one begins two further on. "
    "Write to columns `2 * i` and `2 * i + 1`.",
)
def clocks_one_column_apart(n, d_model, base=10000):
    pe = np.zeros((n, d_model))
    for i in range(d_model // 2):
        angle = np.arange(n) / base ** (2 * i / d_model)
        pe[:, i], pe[:, i + 1] = np.sin(angle), np.cos(angle)
    return pe


@mistake(
    "The clocks run backwards: the angles are negative. "
    "Only the exponent is negative, which makes the speed small, not negative. "
    "The angle is p ω_i, with ω_i = base ** (−2i / d_model).",
)
def backwards(n, d_model, base=10000):
    angles = -np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "Only position 0 is right, and all other rows hold 0. "
    "A `return` inside the loop over positions ends it after the first; and an array of whole numbers (`zeros_like` of "
    "a range, `dtype=int`) cuts off the fractions, which leaves 0 as well. "
    "Return after the loop, and make the array with `np.zeros((n, d_model))`.",
)
def first_position_alone(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.trunc(np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model))


@mistake(
    "The exponent was rounded down to a whole number by `//`. "
    "2i is smaller than `d_model`, so every exponent is 0 and all clocks run at the same speed. "
    "Divide with `/`.",
)
def one_speed_for_all(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) // d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The exponent is 2i, without the division by `d_model`. "
    "The second clock is already a hundred million times slower than the first, and hardly moves. "
    "Divide: 2i / d_model, so that the speeds fall evenly from 1 towards 1/base.",
)
def width_forgotten_in_exponent(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / float(base) ** np.arange(0, d_model, 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The exponent is 2i / n: it was divided by the number of positions instead of the width. "
    "Then the speeds would change with the length of the sentence. "
    "Divide by `d_model`.",
)
def length_in_exponent(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / n)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The sine was taken of the position, and the result was divided by base^(2i / d_model). "
    "Then all clocks run at the same speed, and the later ones have tiny hands. "
    "Divide the angle first, then take sine and cosine.",
)
def divided_after_the_sine(n, d_model, base=10000):
    p, powers = np.arange(n)[:, None], base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(p) / powers, np.cos(p) / powers], axis=-1).reshape(n, d_model)


@mistake(
    "These are the angles, without sine and cosine. "
    "They grow with the position, and soon drown out the word that they are added to. "
    "Take `np.sin` of the angles for the even columns and `np.cos` for the odd ones.",
)
def angles_alone(n, d_model, base=10000):
    return np.repeat(np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model), 2, axis=-1)


@mistake(
    "Sine and cosine alternate from row to row: even positions are all sines and odd ones all cosines. "
    "They must alternate from column to column, so that each row has both for every clock. "
    "Write `pe[:, 0::2]` and `pe[:, 1::2]`, with the colon first.",
)
def rows_take_turns(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.where(
        np.arange(n)[:, None] % 2, np.repeat(np.cos(angles), 2, axis=-1), np.repeat(np.sin(angles), 2, axis=-1)
    )


@mistake(
    "The angles were multiplied by 2π, as if the first clock made a full turn from each position to the next. "
    "Then it would always show the same, whatever the position. "
    "The angle is p ω_i, in radians.",
)
def whole_rounds(n, d_model, base=10000):
    angles = 2 * np.pi * np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@mistake(
    "The speeds run all the way from 1 to 1/base: the exponent was divided by d_model / 2 − 1. "
    "Some libraries do that; in the formula, the slowest clock is a little faster than 1/base. "
    "Use the exponent 2i / d_model.",
)
def last_clock_at_the_base(n, d_model, base=10000):
    angles = np.arange(n)[:, None] / base ** (np.arange(d_model // 2) / max(d_model // 2 - 1, 1))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def angle_divided(n, d_model, base=10000):
    """Return the rows for angles p / base ** (2i) / d_model, where brackets are missing."""
    angles = np.arange(n)[:, None] / float(base) ** np.arange(0, d_model, 2) / d_model
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def shares_of_the_length(n, d_model, base=10000):
    """Return the rows for positions from 0 to 1."""
    angles = np.arange(n)[:, None] / n / base ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def cosines_alone(n, d_model, base=10000):
    """Put each clock's cosine into both of its columns."""
    return np.repeat(np.cos(np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)), 2, axis=-1)


EXERCISE = Exercise(
    name="positional_encoding",
    reference=reference.positional_encoding,
    returns=("pe",),
    examples=(Case("three positions, four numbers", (3, 4)), Case("two positions, base 100", (2, 6), {"base": 100})),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("positions are divided by n, the number of tokens", shares_of_the_length),
        ("the exponent is 2i alone, and the angle is divided by `d_model` instead", angle_divided),
        ("both columns of a pair hold the cosine", cosines_alone),
    ),
)
