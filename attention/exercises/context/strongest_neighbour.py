"""The token that each token attends to most."""

import numpy as np

from attention.chapters import context as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import far_out, uniform, without_ties

# Whether one looks along rows, down columns, at the diagonal or past it, another token comes first each time.
THREE_DIRECTIONS = np.array([[1, 0], [0, 1], [-1, 3]])
TWO_LONG = np.array([[30, 0], [40, 0], [0, 1]])
# The three directions, and the same three backwards, with three zeros after each token: shape (1, 2, 3, 5).
BATCH = np.pad([[THREE_DIRECTIONS, THREE_DIRECTIONS[::-1]]], ((0, 0), (0, 0), (0, 0), (0, 3)))


def unseen(rng: np.random.Generator) -> list[Case]:
    """Tokens of unequal length, so that some prefer another to themselves; the longest always prefers itself."""
    return [
        Case("three tokens", (turned(rng, rng.permutation(THREE_DIRECTIONS), 5),)),
        Case("seven tokens", (without_ties(lambda: with_a_double(rng, 7, 2)),)),
        Case("eleven tokens", (without_ties(lambda: with_a_double(rng, 11, 5)),)),
    ]


def turned(rng: np.random.Generator, x: np.ndarray, d: int) -> np.ndarray:
    """Turn tokens at random into d dimensions; no score changes."""
    return x @ np.linalg.qr(rng.normal(size=(d, d)))[0][: x.shape[-1]]


def with_a_double(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw tokens of which the first prefers its double to itself."""
    x = uniform(rng, 1.5, n, d)
    x[rng.integers(1, n)] = 2 * x[0]
    return x


def edges(rng: np.random.Generator) -> list[Case]:
    """Scores that overflow exp, a single token, and leading axes."""
    return [
        Case("scores of sixteen hundred", (without_ties(lambda: far_out(rng, 5, 3)),)),
        Case("one token", (uniform(rng, 2, 1, 3),)),
        Case("a batch, with leading axes", (without_ties(lambda: uniform(rng, 1.5, 2, 3, 5, 7)),)),
    ]


@mistake(
    "Every token gets itself: 0, 1, 2 and so on. "
    "Note 3 expects the largest weights on the diagonal, but that holds only if all tokens are equally long. [1, "
    "0] scores 1 with itself and 3 with [3, 0]: compute the scores, and let them decide.",
)
def the_diagonal(x):
    return np.arange(len(x))


@mistake(
    "The neighbours were chosen by cosine. "
    "No token is closer in direction than the token itself, so each finds itself, or one that is parallel. "
    "Attention also depends on length: use the dot products as they are.",
)
def by_direction(x):
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return np.argmax(unit @ np.swapaxes(unit, -1, -2), axis=-1)


@mistake(
    "These are the largest weights. "
    "A weight says how much attention a token gets; the question is which token gets most. "
    "Ask for the index of the largest entry in each row: `np.argmax`, not max.",
)
def weight_not_index(x):
    return softmax(x @ np.swapaxes(x, -1, -2)).max(axis=-1)


@mistake(
    "These are the largest scores. "
    "A score says how similar the neighbour is; the question is which token it is, a whole number from 0 to n − 1. "
    "`np.argmax` along the last axis gives the index instead of the score.",
)
def score_not_index(x):
    return (x @ np.swapaxes(x, -1, -2)).max(axis=-1)


@mistake(
    "The neighbours themselves were returned, one vector for each token. "
    "The answer is their indices: one whole number for each token, shape `(n,)`. "
    "Return the indices instead of using them to pick rows of x.",
)
def token_not_index(x):
    return x[np.argmax(x @ np.swapaxes(x, -1, -2), axis=-1)]


@mistake(
    "Tokens were kept from choosing themselves. "
    "A token may attend to itself most, and the longest token of a sentence always does. "
    "Leave the diagonal of the scores in.",
)
def itself_not_counted(x):
    scores = np.where(np.eye(x.shape[-2], dtype=bool), -np.inf, x @ np.swapaxes(x, -1, -2))
    return np.argmax(scores, axis=-1)


@mistake(
    "One number was returned for the whole matrix. "
    "Without an axis, `np.argmax` treats all rows as one long row and looks for one largest entry. "
    "Every token has its own strongest neighbour: `axis=-1`.",
)
def whole_matrix(x):
    return np.argmax(x @ np.swapaxes(x, -1, -2))


@mistake(
    "The largest weight was looked up in each column. "
    "Column j holds what the others give to token j, so this finds the token that attends most to j, not the one j "
    "attends to. "
    "Go along the rows, with `axis=-1`, for softmax and for argmax.",
)
def down_the_columns(x):
    return np.argmax(softmax(x @ np.swapaxes(x, -1, -2)), axis=-2)


@mistake(
    "This is the neighbour with the smallest score, the one that each token attends to least. "
    "`np.argmin` looks for the smallest, and `np.argsort` puts it first. "
    "Use `np.argmax`.",
)
def weakest_neighbour(x):
    return np.argsort(x @ np.swapaxes(x, -1, -2), axis=-1)[..., 0]


@mistake(
    "Right until scores are large: then the weights are NaN, and `np.argmax` returns the index of the first NaN. e "
    "to a score overflows above 709, here or in your softmax. "
    "You don't need softmax at all: the largest score has the largest weight.",
)
def first_nan(x):
    exponentials = np.exp(x @ np.swapaxes(x, -1, -2))
    return np.argmax(exponentials / exponentials.sum(axis=-1, keepdims=True), axis=-1)


@mistake(
    "Right for one sentence, but in a batch of sentences with heads axis 1 is something else. "
    "The tokens to choose from are along the last axis of the scores. "
    "Write `axis=-1` in `np.argmax`.",
)
def argmax_along_axis_one(x):
    return np.argmax(x @ np.swapaxes(x, -1, -2), axis=1)


@mistake(
    "Right for one sentence, whose scores are symmetric: the largest of a column is where the largest of the row is. "
    "In a batch, axis 0 counts the sentences, so they were compared with one another. "
    "Look along the last axis: `axis=-1`.",
)
def argmax_along_axis_zero(x):
    return np.argmax(x @ np.swapaxes(x, -1, -2), axis=0)


EXERCISE = Exercise(
    name="strongest_neighbour",
    reference=reference.strongest_neighbour,
    returns=("index",),
    examples=(
        Case("one direction, two lengths", (np.array([[1, 0], [3, 0]]),)),
        Case("three directions", (THREE_DIRECTIONS,)),
        Case("two long tokens", (TWO_LONG,), edge=True),
        Case("a batch, with leading axes", (BATCH,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "scores",
        lambda x: x @ np.swapaxes(x, -1, -2),
        lambda scores, x: np.argmax(scores, axis=-1),
    ),
    wrong_formulas=(
        (
            "the scores are compared without minus signs",
            lambda x: np.argmax(np.abs(x @ np.swapaxes(x, -1, -2)), axis=-1),
        ),
        ("the largest number is looked for in `x` itself in place of the scores", lambda x: np.argmax(x, axis=-1)),
    ),
)
