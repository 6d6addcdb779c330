"""Queries and keys turned by their positions."""

import numpy as np

from attention.chapters import position as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

X = np.array([[1, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 2]])  # whole numbers, as anyone types them
POSITIONS = np.array([0, 1, 3])
OTHER, LATER = np.array([[1.0, 2, 3, 4], [5, 6, 7, 8]]), np.array([2, 2])
TWO_HEADS = np.array([[[[1.0, 0, 0, 0], [0, 0, 0, 1], [0, 2, 0, 0]], [[0, 0, 1, 0], [1, 1, 1, 1], [2, 0, 0, 2]]]])


def places(rng: np.random.Generator, n: int) -> np.ndarray:
    """Draw n different positions below 30, in order, of which the first is not 0."""
    return np.sort(rng.choice(np.arange(1, 30), n, replace=False))


def unseen(rng: np.random.Generator) -> list[Case]:
    """Fewer tokens than numbers and more, positions that leave some out, and another base."""
    return [
        Case("more numbers than tokens", (uniform(rng, 3, 5, 14), places(rng, 5))),
        Case("more tokens than numbers", (uniform(rng, 3, 11, 6), places(rng, 11))),
        Case("another base", (uniform(rng, 3, 7, 10), places(rng, 7), float(rng.uniform(15, 900)))),
        Case("base by name", (uniform(rng, 3, 3, 10), places(rng, 3)), {"base": float(rng.uniform(1100, 9000))}),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, a single clock, the same place for all, a batch of heads."""
    return [
        Case("one token", (uniform(rng, 3, 1, 6), places(rng, 1))),
        Case("two numbers, one clock", (uniform(rng, 3, 5, 2), places(rng, 5))),
        Case("all at position 0", (uniform(rng, 3, 3, 10), np.zeros(3, dtype=int))),
        Case("a batch, with leading axes", (uniform(rng, 3, 2, 3, 5, 6), places(rng, 5))),
    ]


def turn(x, angles):
    """Turn each pair of neighbours by its angle."""
    a, b = x[..., 0::2], x[..., 1::2]
    turned = [a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)]
    return np.stack(turned, axis=-1).reshape(x.shape)


@mistake(
    "The pairs are column i and column i + d_k / 2, the convention of other libraries. "
    "Here the pairs are neighbours, 2i and 2i + 1, as in `positional_encoding`; a model trained with one order can't "
    "use the other. "
    "Take `x[..., 0::2]` and `x[..., 1::2]`.",
)
def pairs_of_halves(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    turned = [a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)]
    return np.concatenate(turned, axis=-1)


@mistake(
    "The rotated numbers are right but in another order: first the first numbers of all pairs, then the second ones. "
    "Each pair must go back to the columns that it came from. "
    "Write them to `out[..., 0::2]` and `out[..., 1::2]`, or stack them on a new last axis and reshape.",
)
def laid_end_to_end(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = [a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)]
    return np.concatenate(turned, axis=-1)


@mistake(
    "Every pair was rotated twice as far as it should be: twice, or by 2 p ω. "
    "Distances between tokens would count double, and a model trained with the right angle would get wrong "
    "positions. "
    "Rotate each pair once, by p ω_i.",
)
def turned_twice(x, positions, base=10000):
    d = x.shape[-1]
    return turn(x, 2 * positions[:, None] / base ** (np.arange(0, d, 2) / d))


@mistake(
    "The pairs were rotated the other way, by −p ω. "
    "Scores of a query with a key stay the same as long as both are rotated like that, but the vectors are "
    "different. "
    "The new first number is a cos − b sin, the second a sin + b cos.",
)
def turned_the_other_way(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = [a * np.cos(angles) + b * np.sin(angles), b * np.cos(angles) - a * np.sin(angles)]
    return np.stack(turned, axis=-1).reshape(x.shape)


@mistake(
    "The tokens were numbered 0, 1, 2, … and `positions` was not used. "
    "The tokens may be a part of a sentence that begins elsewhere. "
    "Compute the angles from positions.",
)
def positions_not_used(x, positions, base=10000):
    d = x.shape[-1]
    return turn(x, np.arange(x.shape[-2])[:, None] / base ** (np.arange(0, d, 2) / d))


@mistake(
    "The new first number of a pair went into the second: it overwrote the old one too early. "
    "Both new numbers depend on both old ones. "
    "Keep a and b, and write the results into another array.",
)
def old_number_lost(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    out = x.astype(float)
    out[..., 0::2] = out[..., 0::2] * np.cos(angles) - out[..., 1::2] * np.sin(angles)
    out[..., 1::2] = out[..., 0::2] * np.sin(angles) + out[..., 1::2] * np.cos(angles)
    return out


@mistake(
    "The results were stored in x, or an array like it, and x has dtype int, so all fractions were cut off. "
    "`np.zeros_like`, `np.empty_like` and `x.copy()` keep the dtype of x, and x itself belongs to the caller. "
    "Use `np.zeros(x.shape)`.",
)
def room_like_whole_numbers(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    a, b, out = x[..., 0::2], x[..., 1::2], np.zeros_like(x)
    out[..., 0::2] = a * np.cos(angles) - b * np.sin(angles)
    out[..., 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return out


@mistake(
    "The encoding was added, as `add_position` does. "
    "Here nothing is added: each pair of numbers is rotated, and keeps its length. "
    "Multiply the pairs by the cosine and sine of their angle.",
)
def added_not_turned(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), d)


@mistake(
    "The minus is missing: the first number became a cos + b sin, and the second a sin + b cos. "
    "That is not a rotation, and it changes the length of a pair. "
    "The first number is a cos − b sin.",
)
def both_with_plus(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = [a * np.cos(angles) + b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)]
    return np.stack(turned, axis=-1).reshape(x.shape)


@mistake(
    "The two new numbers of each pair are swapped. "
    "At position 0 nothing may change, but the numbers of each pair swapped places. a cos − b sin belongs in "
    "column 2i, a sin + b cos in column 2i + 1.",
)
def pair_exchanged(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = [a * np.sin(angles) + b * np.cos(angles), a * np.cos(angles) - b * np.sin(angles)]
    return np.stack(turned, axis=-1).reshape(x.shape)


@mistake(
    "The exponent is i / d_k instead of 2i / d_k. "
    "There are half as many pairs as numbers, so the slowest rotations never appear. "
    "Let the exponents be 0, 2, 4, … over `d_k`.",
)
def rotary_exponent_half(x, positions, base=10000):
    d = x.shape[-1]
    return turn(x, positions[:, None] / base ** (np.arange(d // 2) / d))


@mistake(
    "All pairs were rotated by the same angle, p. "
    "Each pair has its own speed, ω_i = base^(−2i / d_k), and rotates by p ω_i. "
    "Compute an angle for each position and each pair.",
)
def one_speed_for_all_pairs(x, positions, base=10000):
    return turn(x, positions[:, None] * np.ones(x.shape[-1] // 2))


@mistake(
    "The base is always 10000: the argument `base` is not used. "
    "With another base, the pairs rotate at other speeds. "
    "Write `base` instead of 10000.",
)
def rotary_base_written_in(x, positions, base=10000):
    d = x.shape[-1]
    return turn(x, positions[:, None] / 10000 ** (np.arange(0, d, 2) / d))


@mistake(
    "Only the first number of each pair is new; the second is unchanged. "
    "A rotation changes both, which keeps the length of the pair. "
    "The second becomes a sin + b cos.",
)
def second_number_kept(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return np.stack([a * np.cos(angles) - b * np.sin(angles), b], axis=-1).reshape(x.shape)


@mistake(
    "Sine and cosine are swapped. "
    "At position 0 the angle is 0 and nothing may change, so a must be multiplied by the cosine, which is 1 there. "
    "The first number is a cos − b sin, the second a sin + b cos.",
)
def sine_for_cosine(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = [a * np.sin(angles) - b * np.cos(angles), a * np.cos(angles) + b * np.sin(angles)]
    return np.stack(turned, axis=-1).reshape(x.shape)


@mistake(
    "The numbers were multiplied by the encoding, column by column. "
    "That stretches and shrinks them, but rotates nothing. "
    "Each new number of a pair depends on both old ones.",
)
def times_the_encoding(x, positions, base=10000):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (np.arange(0, d, 2) / d)
    return x * np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), d)


@mistake(
    "The exponent was doubled: `np.arange(0, d_k, 2)` already is 2i, or it was divided by d_k / 2. "
    "Then all pairs except the first rotate by smaller angles. "
    "Let the exponents be 0, 2, 4, … over `d_k`.",
)
def rotary_exponent_doubled(x, positions, base=10000):
    d = x.shape[-1]
    return turn(x, positions[:, None] / base ** (2 * np.arange(0, d, 2) / d))


@mistake(
    "1 was added to the positions. "
    "They already count from 0, and a token at position 0 is not rotated. "
    "Compute the angles from positions itself.",
)
def one_position_further(x, positions, base=10000):
    d = x.shape[-1]
    return turn(x, (positions + 1)[:, None] / base ** (np.arange(0, d, 2) / d))


@mistake(
    "The n positions form a row, like the d_k / 2 speeds, and NumPy tries to pair them one to one. "
    "Each position must be multiplied by each speed, in a table of n rows. "
    "Make the positions a column: `positions[:, None]`.",
)
def rotary_positions_in_a_row(x, positions, base=10000):
    d = x.shape[-1]
    return turn(x, positions / base ** (np.arange(0, d, 2) / d))


@mistake(
    "Right for one sentence, but `n, d_k = x.shape` fails for an x with leading axes, such as heads or sentences. "
    "Its shape has three or more entries. "
    "Take the last two: `x.shape[-2:]`.",
)
def rotary_two_axes_only(x, positions, base=10000):
    _, d = x.shape
    return turn(x, positions[:, None] / base ** (np.arange(0, d, 2) / d))


@mistake(
    "Right for one sentence, but with leading axes a loop over `len(x)`, or over `x.shape[0]`, goes through the "
    "first of them. "
    "In a batch with heads, that is the sentences, and `x[t, 2 * i]` is a whole head. "
    "Rotate all tokens at once: `x[..., 0::2]` and `x[..., 1::2]`, with a table of angles.",
)
def loop_over_the_first_axis(x, positions, base=10000):
    d, turned = x.shape[-1], np.zeros(x.shape)
    for t in range(len(x)):
        for i in range(d // 2):
            angle, a, b = positions[t] / base ** (2 * i / d), x[t, 2 * i], x[t, 2 * i + 1]
            turned[t, 2 * i] = a * np.cos(angle) - b * np.sin(angle)
            turned[t, 2 * i + 1] = a * np.sin(angle) + b * np.cos(angle)
    return turned


@mistake(
    "The first position was subtracted from all, so that every part of a sentence begins at 0. "
    "Then a query is rotated as if nothing came before it, and does not fit keys that were rotated elsewhere. "
    "Compute the angles from positions as they are.",
)
def counted_from_the_first(x, positions, base=10000):
    d = x.shape[-1]
    return turn(x, (positions - positions[0])[:, None] / base ** (np.arange(0, d, 2) / d))


def cosines_alone(x, positions, base=10000):
    """Leave out the sines."""
    d_k = x.shape[-1]
    angles = positions[:, None] * base ** (-np.arange(0, d_k, 2) / d_k)
    return x * np.repeat(np.cos(angles), 2, axis=-1)


EXERCISE = Exercise(
    name="rotary",
    reference=reference.rotary,
    returns=("turned",),
    examples=(
        Case("three tokens at 0, 1 and 3", (X, POSITIONS)),
        Case("two tokens at 2, base 100", (OTHER, LATER), {"base": 100}),
        Case("two heads, with leading axes", (TWO_HEADS, POSITIONS), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("each number is only multiplied by the cosine of its angle", cosines_alone),
        (
            "angles are taken for degrees",
            lambda x, positions, base=10000: reference.rotary(x, np.deg2rad(positions), base),
        ),
    ),
)
