"""A query that looks at two keys, half and half; judged by effect."""

import numpy as np

from attention.chapters import query_key_value as reference
from autograder.diagnosis import Case, Exercise, mistake


def orthonormal(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw n keys of length one, at right angles to one another, in d dimensions."""
    return np.linalg.qr(rng.normal(size=(d, d)))[0][:n]


def unseen(rng: np.random.Generator) -> list[Case]:
    """Four orthonormal keys in more dimensions than four, any two of them."""
    pairs = [[int(key) for key in rng.choice(4, size=2, replace=False)] for _ in range(3)]
    return [
        Case(f"keys of width {d}", (orthonormal(rng, 4, d), *pair)) for d, pair in zip((5, 7, 11), pairs, strict=True)
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """The later key named first, and no dimension to spare."""
    return [
        Case("the later key first", (orthonormal(rng, 4, 7), 3, 1)),
        Case("four dimensions", (orthonormal(rng, 4, 4), 2, 3)),
    ]


@mistake(
    "½ (k_a + k_b) points in the right direction but is too short: each of the two keys gets 0.3112, the others "
    "0.1888. "
    "Both scores are only 0.5, and softmax of 0.5 against 0 is hardly a preference. "
    "Make the query longer; `booster` tells you how much longer.",
)
def too_short(keys, a, b):
    return (keys[a] + keys[b]) / 2


@mistake(
    "k_a + k_b points in the right direction but is still too short: each of the two keys gets 0.3655. "
    "A score of 1 against 0 leaves e^0 = 1 to every other key. "
    "Multiply the sum by a factor; `booster` tells you how large it must be.",
)
def sum_too_short(keys, a, b):
    return keys[a] + keys[b]


@mistake(
    "The query looks only at the first of the two keys. "
    "Its score with the second is 0, like that of all the others. "
    "It must point between them: both must get the same score.",
)
def only_one_key(keys, a, b):
    return keys[a]


@mistake(
    "The numbers a and b say which keys are meant, not which entries of the query. "
    "Your query works only if the keys are unit vectors. "
    "Build the query from `keys[a]` and `keys[b]`.",
)
def entries_not_keys(keys, a, b):
    query = np.zeros(keys.shape[-1])
    query[[a, b]] = 10.0
    return query


TURNED = np.array([[1.0, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 2  # orthonormal rows

EXERCISE = Exercise(
    name="query_between",
    reference=reference.query_between,
    returns=("query",),
    examples=(
        Case("the four unit vectors, keys 0 and 2", (np.eye(4), 0, 2)),
        Case("four other keys at right angles, keys 1 and 2", (TURNED, 1, 2)),
    ),
    unseen=unseen,
    edges=edges,
    rule="attends_to_both",
)
