"""Columns with mean 0 and standard deviation 1."""

import numpy as np

from autograder.diagnosis.exercise import Case, Exercise, mistake


def standardise(x: np.ndarray) -> np.ndarray:
    """Return x with mean 0 and standard deviation 1 in each column; constant columns become 0. Shapes: (n, d)."""
    centred = x - x.mean(axis=0)  # (n, d)
    deviation = centred.std(axis=0)  # (d,)
    return centred / np.where(deviation == 0, 1.0, deviation)


@mistake("Each row was standardised instead of each column. A column holds one quantity: use axis=0.")
def by_row(x: np.ndarray) -> np.ndarray:
    centred = x - x.mean(axis=1, keepdims=True)
    deviation = centred.std(axis=1, keepdims=True)
    return centred / np.where(deviation == 0, 1.0, deviation)


@mistake("The means were subtracted, but nothing was divided by the standard deviation.")
def centred_only(x: np.ndarray) -> np.ndarray:
    return x - x.mean(axis=0)


@mistake(
    "A constant column became NaN, because 0 was divided by 0. Divide by 1 where the standard deviation is 0.",
    sees="`NaN` in a constant column",
    edge=True,
)
def divides_by_zero(x: np.ndarray) -> np.ndarray:
    centred = x - x.mean(axis=0)
    with np.errstate(invalid="ignore"):
        return centred / centred.std(axis=0)


def draw(rng: np.random.Generator, n: int, d: int) -> Case:
    """Draw a case of n rows and d columns of different scales."""
    return Case(f"{n} rows, {d} columns", (rng.normal(3.0, 2.0, size=(n, d)) * np.arange(1, d + 1),))


def with_constant(rng: np.random.Generator) -> Case:
    """Draw a case with a constant column."""
    x = rng.normal(size=(7, 3))
    x[:, 1] = 2.0
    return Case("a constant column", (x,))


EXERCISE = Exercise(
    name="standardise",
    reference=standardise,
    returns=("z",),
    examples=(Case("two columns", (np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 80.0]]),)),),
    unseen=lambda rng: [draw(rng, 5, 3), draw(rng, 11, 2), draw(rng, 13, 7)],
    edges=lambda rng: [with_constant(rng)],
)
