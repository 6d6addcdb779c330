"""The mean absolute error of predictions."""

import numpy as np

from autograder.diagnosis.exercise import Case, Exercise, mistake


def mean_absolute_error(y: np.ndarray, predicted: np.ndarray) -> float:
    """Return the mean of |y - predicted|. Shapes: y (n,), predicted (n,), result a number."""
    return np.abs(y - predicted).mean()


@mistake("Errors of opposite sign cancel: the absolute value of each error is missing. Take np.abs before the mean.")
def signed(y: np.ndarray, predicted: np.ndarray) -> float:
    return (y - predicted).mean()


@mistake("The errors were squared, so one large error outweighs many small ones. Take their absolute values instead.")
def squared(y: np.ndarray, predicted: np.ndarray) -> float:
    return ((y - predicted) ** 2).mean()


@mistake("The errors were added up, so the result grows with the number of predictions. Take their mean.")
def summed(y: np.ndarray, predicted: np.ndarray) -> float:
    return np.abs(y - predicted).sum()


def draw(rng: np.random.Generator, n: int, scale: float = 1.0) -> Case:
    """Draw a case of n predictions."""
    return Case(f"{n} predictions", (scale * rng.normal(size=n), scale * rng.normal(size=n)))


EXERCISE = Exercise(
    name="mean_absolute_error",
    reference=mean_absolute_error,
    returns=("error",),
    examples=(
        Case("one too high, one too low", (np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0, 3.0]))),
        Case("all right", (np.array([4.0, 5.0]), np.array([4.0, 5.0]))),
    ),
    unseen=lambda rng: [draw(rng, 5), draw(rng, 11), draw(rng, 17)],
    edges=lambda rng: [draw(rng, 1), draw(rng, 7, scale=1e6)],
)
