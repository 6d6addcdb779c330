"""Who may look at whom while a sentence is written."""

import numpy as np

from attention.chapters import masking as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Three lengths, none of them that of the worked example."""
    return [Case("several tokens", (int(n),)) for n in rng.permutation([5, 7, 11, 13])[:3]]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token alone, and a long sentence."""
    return [Case("a single token", (1,)), Case("a long sentence", (int(rng.integers(101, 199)),))]


@mistake(
    "The triangle is upside down: each token sees itself and the tokens after it. "
    "Row i belongs to token i, which may look at the keys up to i, to the left of the diagonal. "
    "`np.tril` keeps the lower left, `np.triu` the upper right.",
)
def upper_triangle(n):
    return np.triu(np.ones((n, n), dtype=bool))


@mistake(
    "The mask is inverted: it is True where a token must not look. "
    "In this course, True means *may attend*; some libraries mean the opposite. "
    "Invert it: a lower triangle of True, including the diagonal.",
)
def true_is_hidden(n):
    return np.triu(np.ones((n, n), dtype=bool), 1)


@mistake(
    "No token may see itself, because the diagonal is False. "
    "A token that sees itself sees the present, which is not a leak; and without it, the first token would see "
    "nothing. "
    "Allow j ≤ i, not only j < i.",
)
def diagonal_hidden(n):
    return np.tril(np.ones((n, n), dtype=bool), -1)


@mistake(
    "Each token sees one token of the future, the next one. "
    "That is the very word that the model must predict at that place. "
    "Move the edge of the triangle back by one: `np.tril` without a second argument.",
)
def next_token_seen(n):
    return np.tril(np.ones((n, n), dtype=bool), 1)


@mistake(
    "These are numbers to add to the scores, 0 and −inf, instead of a mask. "
    "A mask only says who may look at whom, so you can combine two masks with &; `masked_softmax` puts −inf into "
    "the scores. "
    "Return True and False.",
)
def minus_infinity(n):
    return np.where(np.tril(np.ones((n, n))) > 0, 0.0, -np.inf)


@mistake(
    "The triangle is right, but it holds ones and zeros instead of True and False. "
    "Masks are combined with & and inverted with ~, and neither works on floats. "
    "Give `np.ones` the argument `dtype=bool`.",
)
def ones_and_zeros(n):
    return np.tril(np.ones((n, n)))


@mistake(
    "Each token sees only itself. "
    "It may also look at all tokens before it, or it could not know what was written. "
    "Fill the whole triangle below the diagonal.",
)
def itself_alone(n):
    return np.eye(n, dtype=bool)


EXERCISE = Exercise(
    name="causal_mask",
    reference=reference.causal_mask,
    returns=("mask",),
    examples=(Case("three tokens", (3,)), Case("one token", (1,), edge=True)),
    unseen=unseen,
    edges=edges,
)
