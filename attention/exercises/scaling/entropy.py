"""How evenly a query looks around."""

import numpy as np

from attention.chapters import scaling as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

ROWS = np.array([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]])
BATCH = np.array(
    [[[4, 0, 0, 0, 0], [2, 2, 0, 0, 0], [2, 1, 1, 0, 0]], [[0, 0, 1, 1, 2], [1, 1, 1, 1, 0], [0, 0, 0, 0, 4]]]
)
BATCH = BATCH / 4  # two sentences, three queries, five keys


def unseen(rng: np.random.Generator) -> list[Case]:
    """A single row and two matrices, with no weight of 0."""
    return [
        Case("one row", (softmax(uniform(rng, 2, 7)),)),
        Case("more keys than queries", (softmax(uniform(rng, 2, 5, 11)),)),
        Case("more queries than keys", (softmax(uniform(rng, 2, 13, 3)),)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Weights of 0 in some places and in all but one, all weights alike, a long row, one token, and leading axes.

    In a long row a small number added to each weight, or a smallest weight, adds up to what nobody overlooks.
    """
    masked, length = uniform(rng, 2, 3, 7), int(rng.integers(1009, 1200))
    masked[:, rng.permutation(7)[:3]] = -np.inf
    return [
        Case("some weights of 0", (softmax(masked),)),
        Case("all on one key", (np.eye(5)[rng.integers(5, size=3)],)),
        Case("all weights alike", (np.full((2, 5), 1 / 5),)),
        Case("a long row", (softmax(uniform(rng, 4, length)),)),
        Case("one token", (np.array([[1.0], [1.0]]),)),
        Case("a batch, with leading axes", (softmax(uniform(rng, 2, 2, 3, 5, 7)),)),
    ]


@mistake(
    "A weight of 0 gives NaN: `np.log(0)` is −inf, and 0 · (−inf) is NaN. "
    "A key that nobody looks at adds nothing to the entropy, since p ln p goes to 0 with p. "
    "Replace each 0 by a 1 inside the logarithm; ln 1 is 0.",
)
def nan_at_zero(weights):
    return -np.sum(weights * np.log(weights), axis=-1)


@mistake(
    "The logarithm has base 2, so the answer is in bits. "
    "In nats, n equal weights have the entropy ln n; bits are 1.4427 times as many. "
    "Use `np.log`.",
)
def in_bits(weights):
    return -np.sum(weights * np.log2(np.where(weights > 0, weights, 1.0)), axis=-1)


@mistake(
    "There is still one number for each weight: −p ln p was not added up. "
    "Entropy says how evenly a whole row is distributed, with one number for each row. "
    "Sum over the last axis.",
)
def terms_not_summed(weights):
    return -weights * np.log(np.where(weights > 0, weights, 1.0))


@mistake(
    "All rows were added up to one number: by a sum without an axis, or by `weights[weights > 0]`, which has no rows. "
    "Each query has its own row of weights, and its own entropy. "
    "Keep the shape of weights, and sum with `axis=-1`.",
)
def rows_added_up(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1.0)))


@mistake(
    "The sum ran down the columns, over the queries. "
    "A row sums to one and belongs to one query; a column does neither. "
    "Use `axis=-1`, the keys.",
)
def down_the_columns(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1.0)), axis=0)


@mistake(
    "`axis=1` does not exist for a single row of weights, and in a batch it is not the keys. "
    "The function must work for `(n,)`, for `(n_q, n_k)` and with any leading axes. "
    "Count from the end: `axis=-1`.",
)
def entropy_axis_one(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1.0)), axis=1)


@mistake(
    "The entropy was divided by ln n, which scales it to between 0 and 1. "
    "The answer is the entropy itself, in nats: ln n for n equal weights. "
    "Leave out the division.",
)
def share_of_the_most(weights):
    total = -np.sum(weights * np.log(np.where(weights > 0, weights, 1.0)), axis=-1)
    return total / np.log(weights.shape[-1])


@mistake(
    "The mean of −p ln p was taken over the n keys, which divides by n. "
    "The weights p already make it an average: they sum to one. "
    "Use a sum.",
)
def averaged_once_more(weights):
    return -np.mean(weights * np.log(np.where(weights > 0, weights, 1.0)), axis=-1)


@mistake(
    "The logarithms were added up without the weights in front. "
    "Each key counts by its weight: −ln p is large for a key that hardly matters, and p makes it small again. "
    "Multiply by p before you sum.",
)
def shares_forgotten(weights):
    return -np.sum(np.log(np.where(weights > 0, weights, 1.0)), axis=-1)


@mistake(
    "A small number was added inside the logarithm, `np.log(p + 1e-6)`, to avoid ln 0. "
    "Each weight of a row changes the entropy by about that much, and long rows have many: 0.001 for a thousand. "
    "Change only the entries that are 0: `np.where(weights > 0, weights, 1.0)`.",
)
def millionth_added(weights):
    return -np.sum(weights * np.log(weights + 1e-6), axis=-1)


@mistake(
    "This is 1 − Σ p², the probability that two draws from the row differ, also called Gini impurity. "
    "It is also 0 if one key has everything, and grows the more even a row is, but it never reaches 1. "
    "Entropy uses logarithms: −Σ p ln p.",
)
def gini_impurity(weights):
    return 1 - np.sum(weights**2, axis=-1)


EXERCISE = Exercise(
    name="entropy",
    reference=reference.entropy,
    returns=("entropy",),
    examples=(
        Case("two rows with zeros", (ROWS,)),
        Case("one row", (np.array([0.5, 0.25, 0.25]),)),
        Case("a batch, with leading axes", (BATCH,), edge=True),
        Case("a hundred equal weights", (np.full(100, 0.01),), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("the logarithm is missing: the sum of −p²", lambda weights: -np.sum(weights**2, axis=-1)),
        ("softmax is applied to the weights once more", lambda weights: reference.entropy(softmax(weights))),
    ),
)
