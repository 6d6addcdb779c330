"""One query, a mixture of values, any base."""

import numpy as np

from attention.chapters import query_key_value as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import far_apart, uniform

A, B = [1.0, 0.0], [0.0, 1.0]
SEQUENCE = np.array([A, A, B, A])  # Note 4
KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]])
VALUES = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
LOUD = (np.array([1000.0, 0.0]), np.array([A, A, B]), np.array([[2.0, 0.0], [4.0, 0.0], [0.0, 6.0]]))


def unseen(rng: np.random.Generator) -> list[Case]:
    """Sizes prime and unequal; bases both sides of e."""
    return [
        Case("five keys", (uniform(rng, 0.7, 7), uniform(rng, 0.7, 5, 7), uniform(rng, 3, 5, 3))),
        Case("base 3", (uniform(rng, 0.7, 5), uniform(rng, 0.7, 7, 5), uniform(rng, 3, 7, 2)), {"base": 3}),
        Case("base 1.5", (uniform(rng, 1, 3), uniform(rng, 1, 11, 3), uniform(rng, 3, 11, 5), 1.5)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Scores that overflow base ** score, and a dictionary with one entry."""
    query, keys = far_apart(rng, 1, 5, 3)
    return [
        Case("scores of a thousand", (query[0], keys, uniform(rng, 3, 5, 2))),
        Case("one key", (uniform(rng, 1, 3), uniform(rng, 1, 1, 3), uniform(rng, 3, 1, 2))),
    ]


@mistake(
    "The key with the largest score gets weight 1 and all others get 0. "
    "That is an ordinary dictionary: the other values are lost, and a small change of the query changes nothing. "
    "Give every key the weight `base ** score`, divided by the sum of them all.",
)
def hard_argmax(query, keys, values, base=np.e):
    weights = np.zeros(len(keys))
    weights[np.argmax(keys @ query)] = 1.0
    return weights @ values, weights


@mistake(
    "The weights are those of base e, whatever `base` is. "
    "With base 3, the weights of the note's example are 1/6, 1/6, 1/2, 1/6. "
    "Use the argument: `base ** score` instead of `np.exp(score)`.",
)
def base_ignored(query, keys, values, base=np.e):
    weights = softmax(keys @ query)
    return weights @ values, weights


@mistake(
    "The weights are right, but the values went through softmax as well. "
    "The values are what you mix, so they must stay as they are. "
    "Only scores become weights: `output = weights @ values`.",
)
def softmax_over_values(query, keys, values, base=np.e):
    weights = softmax(keys @ query * np.log(base))
    return weights @ softmax(values * np.log(base)), weights


@mistake(
    "Each score was divided by the sum of the scores. "
    "With scores 0, 0, 1, 0 that leaves nothing for the zeros, and negative scores give negative weights. "
    "Raise base to each score first, then divide by the sum.",
)
def shares_of_the_sum(query, keys, values, base=np.e):
    scores = keys @ query
    weights = scores / scores.sum()
    return weights @ values, weights


@mistake(
    "Right for ordinary scores, but NaN for large ones: e^1000 is inf, and inf / inf is NaN. "
    "Subtracting the same number from every score divides all powers by the same factor, which cancels. "
    "Subtract the largest score before you raise base to it.",
)
def lookup_overflow(query, keys, values, base=np.e):
    powers = float(base) ** (keys @ query)
    weights = powers / powers.sum()
    return weights @ values, weights


@mistake(
    "Each score was raised to the power of the base: `score ** base`. "
    "Then a score of 0 gets nothing, and a negative score to a power like 2.718 is not a real number. "
    "Raise the base instead: `base ** score`.",
)
def score_to_the_base(query, keys, values, base=np.e):
    powers = (keys @ query) ** base
    weights = powers / np.sum(powers)
    return weights @ values, weights


def by_distance(query, keys, values, base=np.e):
    weights = softmax(-np.sum((keys - query) ** 2, axis=-1) * np.log(base))
    return weights @ values, weights


EXERCISE = Exercise(
    name="soft_lookup",
    reference=reference.soft_lookup,
    returns=("output", "weights"),
    examples=(
        Case("AABA, base 3", (np.array(B), SEQUENCE, SEQUENCE), {"base": 3}),
        Case("AABA, base e", (np.array(B), SEQUENCE, SEQUENCE)),
        Case("three keys", (np.array([1.0, 2.0]), KEYS, VALUES)),
        Case("scores of a thousand", LOUD, edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "scores",
        lambda query, keys, values, base: keys @ query,
        lambda scores, query, keys, values, base: (
            softmax(scores * np.log(base)) @ values,
            softmax(scores * np.log(base)),
        ),
    ),
    wrong_formulas=(("negative squared distances are computed instead of dot products", by_distance),),
)
