"""The factor that gives the match its weight."""

import numpy as np

from attention.chapters import query_key_value as reference
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Sentences of unequal length, targets away from 0.5."""
    spans = ((5, (0.6, 0.9)), (23, (0.2, 0.45)), (101, (0.9, 0.99)))
    return [Case(f"{n} tokens", (n, float(rng.uniform(*span)))) for n, span in spans]


def edges(rng: np.random.Generator) -> list[Case]:
    """The shortest sentence, targets below the even share and just above it, and one close to certainty."""
    return [
        Case("two tokens", (2, float(rng.uniform(0.6, 0.9)))),
        Case("less than an even share", (7, float(rng.uniform(0.01, 0.1)))),
        Case("hardly more than an even share", (101, float(rng.uniform(1.001, 1.009)) / 101)),
        Case("almost certain", (3, 1 - 1e-9)),
    ]


@mistake(
    "This is ln(p / (1 − p)), which is right for one other token. "
    "Here n − 1 tokens share the rest, so the match has to beat all of them. "
    "Start from e^β / (e^β + n − 1) = p and solve for β.",
)
def one_other_token(n, target):
    return np.log(target / (1 - target))


@mistake(
    "The match is counted among its own rivals: the sum has n where it needs n − 1. "
    "Of n tokens one is the match, which leaves n − 1 others with e^0 = 1 each. "
    "Write out the sum in the denominator for n = 4.",
)
def n_instead_of_n_minus_1(n, target):
    return np.log(n * target / (1 - target))


@mistake(
    "The weight p was used instead of p / (1 − p). "
    "Solving e^β = p (e^β + n − 1) collects e^β on the left, and 1 − p remains as a divisor. "
    "Do that step once more on paper.",
)
def odds_forgotten(n, target):
    return np.log((n - 1) * target)


EXERCISE = Exercise(
    name="booster",
    reference=reference.booster,
    returns=("beta",),
    examples=(Case("4 tokens, target 0.9999", (4, 0.9999)), Case("4 tokens, target 0.5", (4, 0.5))),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "odds",
        lambda n, target: (n - 1) * target / (1 - target),
        lambda odds, n, target: float(np.log(odds)),
    ),
    wrong_formulas=(("p and 1 − p are swapped", lambda n, target: np.log((n - 1) * (1 - target) / target)),),
)
