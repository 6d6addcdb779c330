"""The mini course's only exercise. CANARY-HIDDEN-CHECK must never reach a student."""

import numpy as np

from autograder.diagnosis.exercise import Case, Exercise, mistake


def double(x):
    """Return twice x. CANARY-REFERENCE must never reach a student."""
    return 2 * x


@mistake(
    "The number was squared. Twice two and two squared are both 4, and that is all they share. Try it with 3.",
)
def squared(x):
    return x**2


EXERCISE = Exercise(
    name="double",
    reference=double,
    returns=("twice",),
    examples=(Case("two and three", (np.array([2.0, 3.0]),)),),
    unseen=lambda rng: [Case("CANARY-UNSEEN", (rng.normal(size=(3, 5)),))],
    edges=lambda rng: [Case("no number at all", (np.zeros((2, 0)),)), Case("large numbers", (1e300 * np.ones(3),))],
)
