"""Every query against every key, at the same spread for any width."""

import numpy as np

from attention.chapters import scaling as reference
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import TWO_HEADS, uniform

QUERY = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
KEY = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 5.0, 0.0, 0.0]])
NARROW_QUERY, NARROW_KEY = np.array([[3.0]]), np.array([[1.0], [2.0]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """n_q, n_k, d_k all different primes, and scores within ±4 once they are scaled."""
    return [
        Case("three queries, five keys", (uniform(rng, 1.2, 3, 7), uniform(rng, 1.2, 5, 7))),
        Case("more queries than keys", (uniform(rng, 1.3, 7, 5), uniform(rng, 1.3, 3, 5))),
        Case("keys of width two", (uniform(rng, 1.6, 5, 2), uniform(rng, 1.6, 11, 2))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Width one, where nothing is to be scaled; a single token; leading axes."""
    return [
        Case("width one", (uniform(rng, 1.9, 5, 1), uniform(rng, 1.9, 3, 1))),
        Case("one token", (uniform(rng, 1.5, 1, 3), uniform(rng, 1.5, 1, 3))),
        Case("a batch, with leading axes", (uniform(rng, 1, 2, 3, 5, 11), uniform(rng, 1, 2, 3, 7, 11))),
    ]


@mistake(
    "These are the plain dot products, not divided by anything. "
    "They are √d_k times as far apart as the scaled ones, so with wide keys softmax gives nearly everything to one "
    "key. "
    "Multiply them by `scaling_factor(d_k)`, or divide by √d_k.",
)
def scores_unscaled(query, key):
    return query @ np.swapaxes(key, -1, -2)


@mistake(
    "The scores were divided by `d_k`, all at once or by √d_k twice, in query and in key. "
    "That is too much: their variance becomes 1/d_k, and for wide keys softmax gives all nearly the same weight. "
    "Divide by √d_k, once.",
)
def scores_over_width(query, key):
    return query @ np.swapaxes(key, -1, -2) / key.shape[-1]


@mistake(
    "The scores were divided by √n_k, the square root of the number of keys. "
    "A dot product adds up `d_k` products, however many keys there are. "
    "The width of a key is its last axis: `key.shape[-1]`.",
)
def scores_over_root_n_k(query, key):
    scores = query @ np.swapaxes(key, -1, -2)
    return scores / np.sqrt(scores.shape[-1])


@mistake(
    "The scores were divided by √n_q, the square root of the number of queries. "
    "A token's scores don't depend on how many tokens ask. "
    "The width of a query is its last axis, `query.shape[-1]`, not its first.",
)
def scores_over_root_n_q(query, key):
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-2])


@mistake(
    "The scores were multiplied by √d_k instead of divided by it. "
    "They are now `d_k` times as large as they should be, and softmax will give the best key everything. "
    "Multiply by `scaling_factor`, or divide by √d_k.",
)
def scores_multiplied(query, key):
    return query @ np.swapaxes(key, -1, -2) * np.sqrt(key.shape[-1])


@mistake(
    "The scores were always divided by 2, the √4 of the example. "
    "Another head may have narrower or wider keys, and its scores need another divisor. "
    "Take the square root of `key.shape[-1]`, whatever it is.",
)
def root_of_the_example(query, key):
    return query @ np.swapaxes(key, -1, -2) / 2


@mistake(
    "The product is `query @ key`, and the two don't fit: each row of query must meet a row of key. "
    "`@` pairs the rows on its left with the columns on its right. "
    "Transpose key with `np.swapaxes(key, -1, -2)`, as in chapter 4.",
)
def scores_key_not_transposed(query, key):
    return query @ key / np.sqrt(key.shape[-1])


@mistake(
    "reshape gave key the right shape, but its numbers kept their order, so a column holds parts of several keys. "
    "Each column of the transposed matrix must be one whole key. "
    "Swap the two axes instead: `np.swapaxes(key, -1, -2)`.",
)
def scores_key_reshaped(query, key):
    return query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2]) / np.sqrt(key.shape[-1])


@mistake(
    "The scores have one row for each key: they were computed as key queryᵀ. "
    "Softmax will run along the rows, so a row must belong to a query, which distributes its attention. "
    "Put query on the left of @.",
)
def scores_key_asks_query(query, key):
    return key @ np.swapaxes(query, -1, -2) / np.sqrt(key.shape[-1])


@mistake(
    "Each score was divided by the lengths of its query and its key, which makes it a cosine. "
    "A model makes vectors long to give them more weight, and a cosine takes that away. "
    "Divide only by √d_k; it is the same number for every pair.",
)
def cosine_instead(query, key):
    query = query / np.linalg.norm(query, axis=-1, keepdims=True)
    key = key / np.linalg.norm(key, axis=-1, keepdims=True)
    return query @ np.swapaxes(key, -1, -2)


@mistake(
    "The scores were divided by their own standard deviation. "
    "Then the scale would change with every sentence, and each score would depend on tokens that it does not "
    "compare. "
    "√d_k is the standard deviation in theory; divide by that.",
)
def over_their_own_spread(query, key):
    scores = query @ np.swapaxes(key, -1, -2)
    return scores / scores.std()


@mistake(
    "Right for one sentence, but in a batch axis 1 is not the width of a key. "
    "With leading axes, it is the number of heads or tokens. "
    "Take the width from the last axis, `shape[-1]`.",
)
def width_of_axis_one(query, key):
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[1])


EXERCISE = Exercise(
    name="scaled_scores",
    reference=reference.scaled_scores,
    returns=("scores",),
    examples=(
        Case("three queries, two keys", (QUERY, KEY)),
        Case("width one", (NARROW_QUERY, NARROW_KEY)),
        Case("a batch, with leading axes", TWO_HEADS[:2], edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "dot products",
        lambda query, key: query @ np.swapaxes(key, -1, -2),
        lambda scores, query, key: scores / np.sqrt(key.shape[-1]),
    ),
)
