"""The matrix that turns any position's encoding into that of the position k further on."""

import numpy as np

from attention.chapters import position as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Short and long ways, forwards and back, with another base and without."""
    return [
        Case("a few steps on", (int(rng.choice([2, 3, 5])), int(rng.choice([6, 10])))),
        Case("many steps on", (int(rng.choice([11, 13, 17, 19])), int(rng.choice([10, 14])))),
        Case("steps back", (-int(rng.choice([2, 3, 5, 7])), int(rng.choice([6, 10])))),
        Case("another base", (int(rng.choice([3, 5, 7])), 10, float(rng.uniform(15, 900)))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """No step at all, a single clock."""
    return [
        Case("no step", (0, int(rng.choice([6, 10])))),
        Case("two numbers, one clock", (int(rng.choice([3, 5, 7])), 2)),
    ]


def turn(angles):
    """Return a block [[cos, sin], [−sin, cos]] for each angle, along the diagonal."""
    even, r = 2 * np.arange(len(angles)), np.zeros((2 * len(angles), 2 * len(angles)))
    r[even, even] = r[even + 1, even + 1] = np.cos(angles)
    r[even, even + 1], r[even + 1, even] = np.sin(angles), -np.sin(angles)
    return r


@mistake(
    "The matrix rotates the other way: it leads to position p − k, or is meant for `pe[p] @ R` without the `.T`. "
    "A pair is (sine, cosine), so its rotation has the minus at the lower left; the one in most books is for (x, y). "
    "Write [[cos, sin], [−sin, cos]], and try it on `positional_encoding(9, 4)[5]`.",
)
def turned_back(k, d_model, base=10000):
    angles = k / base ** (np.arange(0, d_model, 2) / d_model)
    even, r = np.arange(0, d_model, 2), np.zeros((d_model, d_model))
    r[even, even] = r[even + 1, even + 1] = np.cos(angles)
    r[even, even + 1], r[even + 1, even] = -np.sin(angles), np.sin(angles)
    return r


@mistake(
    "This matrix fits an encoding whose sines all come first: its own sines are d_model / 2 columns from the "
    "diagonal. "
    "Here the sine and cosine of a clock are next to each other, in columns 2i and 2i + 1. "
    "Put a 2×2 block for each clock on the diagonal.",
)
def blocks_of_halves(k, d_model, base=10000):
    angles = k / base ** (np.arange(0, d_model, 2) / d_model)
    c, s = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.concatenate([np.concatenate([c, s], axis=1), np.concatenate([-s, c], axis=1)])


@mistake(
    "All clocks turn by the same angle, that of the first. "
    "Each has its own speed, ω_i, and k steps turn it by k ω_i. "
    "Compute an angle for each block: `k / base ** (2 * i / d_model)`.",
)
def one_angle_for_all(k, d_model, base=10000):
    return turn(k * np.ones(d_model // 2))


@mistake(
    "The exponent is i / d_model instead of 2i / d_model. "
    "The matrix turns clocks that are not in the encoding. "
    "Use the speeds of `positional_encoding`: `base ** (-np.arange(0, d_model, 2) / d_model)`.",
)
def speeds_of_another_encoding(k, d_model, base=10000):
    return turn(k / base ** (np.arange(d_model // 2) / d_model))


@mistake(
    "This is the matrix of one step, whatever k is. "
    "k steps turn each clock k times as far. "
    "Multiply every speed by k before you take sine and cosine.",
)
def always_one_step(k, d_model, base=10000):
    return turn(1 / base ** (np.arange(0, d_model, 2) / d_model))


@mistake(
    "k multiplies sine and cosine instead of the angle. "
    "The entries of a rotation are between −1 and 1, and it changes no length; this matrix makes every row k times "
    "as long. "
    "Use `np.cos(k * speed)`, not `k * np.cos(speed)`.",
)
def stretched_by_k(k, d_model, base=10000):
    return k * turn(1 / base ** (np.arange(0, d_model, 2) / d_model))


@mistake(
    "Each entry of the matrix for one step was raised to the power k. k steps are k matrix products, not k products "
    "of each number with itself. "
    "Let the angle be k times the speed, or use `np.linalg.matrix_power`.",
)
def each_entry_to_the_power(k, d_model, base=10000):
    with np.errstate(all="ignore"):
        return turn(1 / base ** (np.arange(0, d_model, 2) / d_model)) ** float(k)


@mistake(
    "The minus is missing: both sines of a block have the same sign. cos(a + b) = cos a cos b − sin a sin b, and "
    "the minus makes it a rotation. "
    "The lower left of each block is −sin.",
)
def minus_missing(k, d_model, base=10000):
    angles = k / base ** (np.arange(0, d_model, 2) / d_model)
    even, r = np.arange(0, d_model, 2), np.zeros((d_model, d_model))
    r[even, even] = r[even + 1, even + 1] = np.cos(angles)
    r[even, even + 1] = r[even + 1, even] = np.sin(angles)
    return r


@mistake(
    "Sine and cosine are swapped: the sines are on the diagonal. k = 0 must change nothing, so the diagonal must "
    "be cos 0 = 1 there. "
    "Put the cosines on the diagonal.",
)
def sines_on_the_diagonal(k, d_model, base=10000):
    angles = k / base ** (np.arange(0, d_model, 2) / d_model)
    even, r = np.arange(0, d_model, 2), np.zeros((d_model, d_model))
    r[even, even] = r[even + 1, even + 1] = np.sin(angles)
    r[even, even + 1], r[even + 1, even] = np.cos(angles), -np.cos(angles)
    return r


@mistake(
    "The base is always 10000: the argument `base` is not used. "
    "With another base, the clocks have other speeds. "
    "Write `base` instead of 10000.",
)
def shift_base_written_in(k, d_model, base=10000):
    return turn(k / 10000 ** (np.arange(0, d_model, 2) / d_model))


@mistake(
    "The ones are next to the diagonal, which moves the numbers of a row to other columns. "
    "You must move the position, and for that each pair of numbers rotates. "
    "Put a block [[cos, sin], [−sin, cos]] for each clock on the diagonal.",
)
def ones_beside_the_diagonal(k, d_model, base=10000):
    return np.eye(d_model, k=k)


@mistake(
    "This is the identity with its rows shifted by k, which permutes the numbers of a row. "
    "You must move the position, and for that each pair of numbers rotates. "
    "Put a block [[cos, sin], [−sin, cos]] for each clock on the diagonal.",
)
def rows_moved_on(k, d_model, base=10000):
    return np.roll(np.eye(d_model), k, axis=0)


@mistake(
    "The angles were taken for degrees and converted to radians. "
    "One step turns the first clock by 1 radian, which is 57 degrees, and `np.sin` takes radians. "
    "Leave out `np.deg2rad`, `np.radians` or π / 180.",
)
def turned_by_degrees(k, d_model, base=10000):
    return turn(np.deg2rad(k / base ** (np.arange(0, d_model, 2) / d_model)))


@mistake(
    "A negative k was treated as a positive one. "
    "Two steps back are not two steps forward: the sines change their sign. "
    "Let the angle be k times the speed, with the sign of k.",
)
def always_forwards(k, d_model, base=10000):
    return turn(abs(k) / base ** (np.arange(0, d_model, 2) / d_model))


@mistake(
    "The matrix for one step was multiplied k times in a loop over `range(k)`, which does nothing if k is negative. "
    "Two steps back must turn every clock back, but the identity leaves them where they are. "
    "Let the angle be k times the speed, with the sign of k.",
)
def no_steps_back(k, d_model, base=10000):
    r = np.eye(d_model)
    for _ in range(k):
        r = r @ turn(1 / base ** (np.arange(0, d_model, 2) / d_model))
    return r


@mistake(
    "The exponent was doubled: `range(0, d_model, 2)` already gives 2i, or it was divided by d_model / 2. "
    "The matrix turns slower clocks than those of the encoding. "
    "Let the exponents be 0, 2, 4, … over `d_model`.",
)
def exponent_doubled(k, d_model, base=10000):
    return turn(k / base ** (2 * np.arange(0, d_model, 2) / d_model))


@mistake(
    "The minus of the exponent is missing: each clock is faster than the one before. "
    "The speeds fall from 1: ω_i = base^(−2i / d_model). "
    "Multiply k by `base ** (-2 * i / d_model)`, or divide it by `base ** (2 * i / d_model)`.",
)
def faster_turns(k, d_model, base=10000):
    return turn(k * base ** (np.arange(0, d_model, 2) / d_model))


@mistake(
    "The speed multiplies the sine and cosine of k instead of k itself. "
    "A rotation changes no length, but this matrix shrinks all pairs except the first. "
    "Use `np.cos(k * speed)`, not `np.cos(k) * speed`.",
)
def speed_outside(k, d_model, base=10000):
    return turn(k * np.ones(d_model // 2)) / np.repeat(base ** (np.arange(0, d_model, 2) / d_model), 2)


@mistake(
    "The blocks were put at i and i + 1, so each overlaps the one before. "
    "A clock takes two rows and two columns, and the next block begins two further on. "
    "Put block i at `2 * i` and `2 * i + 1`.",
)
def blocks_one_apart(k, d_model, base=10000):
    r = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        r[i : i + 2, i : i + 2] = turn([k / base ** (2 * i / d_model)])
    return r


@mistake(
    "A block is missing: the `return` is inside the loop, or the loop ends one clock too early. "
    "The missing clocks vanish from every row. "
    "Put the `return` after the loop, and let i run over `range(d_model // 2)`.",
)
def first_block_alone(k, d_model, base=10000):
    r = np.zeros((d_model, d_model))
    r[:2, :2] = turn([k])
    return r


EXERCISE = Exercise(
    name="shift_matrix",
    reference=reference.shift_matrix,
    returns=("R",),
    examples=(
        Case("one step on", (1, 4)),
        Case("two steps back", (-2, 4)),
        Case("three steps on, base 100", (3, 4, 100)),
    ),
    unseen=unseen,
    edges=edges,
)
