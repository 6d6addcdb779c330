"""Who may look at whom while a sentence is written."""

import numpy as np

from autograder.reference import masking as reference

from ..exercise import Case, Exercise, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Three lengths, none of them that of the worked example."""
    return [Case("several tokens", (int(n),)) for n in rng.permutation([5, 7, 11, 13])[:3]]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token alone, and a long sentence."""
    return [Case("a single token", (1,)), Case("a long sentence", (int(rng.integers(101, 199)),))]


@mistake(
    "The triangle is upside down: each token sees itself and what comes after it. "
    "Row i belongs to token i, which may look at the keys up to i, and these stand to the left of the diagonal. "
    "np.tril keeps the lower left, np.triu the upper right.",
)
def upper_triangle(n):
    return np.triu(np.ones((n, n), dtype=bool))


@mistake(
    "The mask is inverted: it is True where a token must not look. "
    "In this course True means *may attend*; some libraries mean the opposite. "
    "Turn it round: a lower triangle of True, with its diagonal.",
)
def true_is_hidden(n):
    return np.triu(np.ones((n, n), dtype=bool), 1)


@mistake(
    "No token may see itself, for the diagonal is False. "
    "What a token sees of itself is the present and no leak; and the first token would see nothing at all. "
    "Allow j ≤ i, and not only j < i.",
)
def diagonal_hidden(n):
    return np.tril(np.ones((n, n), dtype=bool), -1)


@mistake(
    "Each token sees one token of the future, the next one. "
    "That is the very word that the model is to guess at that place. "
    "Move the edge of the triangle back by one: np.tril without a second argument.",
)
def next_token_seen(n):
    return np.tril(np.ones((n, n), dtype=bool), 1)


@mistake(
    "These are numbers to add to the scores, 0 and −inf, and not a mask. "
    "A mask only says who may look at whom, so that two masks can be joined with &; "
    "`masked_softmax` puts −inf into the scores. "
    "Return True and False.",
)
def minus_infinity(n):
    return np.where(np.tril(np.ones((n, n))) > 0, 0.0, -np.inf)


@mistake(
    "The triangle is right, but it holds ones and zeros and not True and False. "
    "Masks are joined with & and turned round with ~, and neither works on decimal numbers. "
    "Give np.ones the argument dtype=bool.",
)
def ones_and_zeros(n):
    return np.tril(np.ones((n, n)))


@mistake(
    "Each token sees nothing but itself. "
    "A token may look at all that came before it as well, or it could not know what was written. "
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
