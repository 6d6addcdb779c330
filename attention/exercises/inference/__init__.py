"""The checks of chapter 12, one module an exercise. Their worked examples have one small tree."""

import numpy as np

from autograder.diagnosis import StepTable

SOS, EOS, A, B, X, Y = range(6)
NEVER = -40.0  # the logit of a word that is not said
TREE = {
    (): {EOS: 0.4, A: 0.2, B: 0.2, X: 0.1, Y: 0.1},
    (EOS,): {EOS: 0.9, A: 0.1},
    (SOS,): {A: 0.5, B: 0.4, EOS: 0.1},
    (SOS, A): {X: 0.5, Y: 0.45, EOS: 0.05},
    (SOS, B): {X: 0.4, Y: 0.3, A: 0.3},
    (SOS, A, X): {EOS: 0.5, A: 0.3, B: 0.2},
    (SOS, A, Y): {EOS: 0.9, A: 0.1},
    (SOS, B, X): {EOS: 1.0},
}
FIRST_TO_END = {(): {EOS: 1.0}, (SOS,): {A: 0.6, EOS: 0.4}, (SOS, A): {X: 0.9, EOS: 0.1}}
SHORT_OR_LONG = {(): {EOS: 1.0}, (SOS,): {A: 0.7, EOS: 0.3}, (SOS, A): {X: 0.4, Y: 0.3, B: 0.3}}
PUSHED_OUT = {
    (): {A: 0.6, EOS: 0.4},
    (SOS,): {A: 0.6, EOS: 0.25, B: 0.15},
    (SOS, A): {X: 0.55, Y: 0.45},
    (SOS, A, X): {EOS: 0.5, A: 0.3, B: 0.2},
    (SOS, A, Y): {EOS: 0.4, A: 0.35, B: 0.25},
}


# e to the power of a logit is infinity here, also if less than the largest was subtracted.
LOUD = StepTable(((), (2,)), ((1998.5, -2000.0, 2001.0, 2000.5), (1998.0, 2000.0, -2000.0, 2001.0)))


def step_of(tree: dict[tuple[int, ...], dict[int, float]]) -> StepTable:
    """Return the step that says each word with the probability given in the tree, and no other word."""
    rows = np.full((len(tree), 6), NEVER)
    for row, said in zip(rows, tree.values(), strict=True):
        row[list(said)] = np.round(np.log(list(said.values())), 12) + 2  # logits are not log-probabilities
    return StepTable(tuple(tree), tuple(map(tuple, rows.tolist())))
