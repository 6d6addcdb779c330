"""All queries at once, with any leading axes."""

import numpy as np

from attention.chapters import query_key_value as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import TWO_HEADS, far_apart, one_loud_query, uniform

QUERY = np.array([[2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
KEY = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
VALUE = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0], [20.0, 0.0], [0.0, 0.0]])
UNIT = np.eye(3)
LOUD = (np.array([[1000.0, 0, 0], [0, 0, 0]]), UNIT[[0, 0, 1, 2]], np.array([[2.0, 0], [4, 0], [0, 6], [0, 2]]))


def unseen(rng: np.random.Generator) -> list[Case]:
    """n_q, n_k, d_k, d_v all different primes."""
    return [
        Case("three queries, five keys", (uniform(rng, 0.7, 3, 7), uniform(rng, 0.7, 5, 7), uniform(rng, 3, 5, 2))),
        Case("more queries than keys", (uniform(rng, 0.8, 7, 5), uniform(rng, 0.8, 3, 5), uniform(rng, 3, 3, 11))),
        Case("keys of width two", (uniform(rng, 1.4, 5, 2), uniform(rng, 1.4, 11, 2), uniform(rng, 3, 11, 3))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Scores that overflow exp, one row far above the others, a single token, and leading axes."""
    return [
        Case("scores of a thousand", (*far_apart(rng, 3, 7, 5), uniform(rng, 3, 7, 2))),
        Case("one loud query", (*one_loud_query(rng, 3, 5, 7), uniform(rng, 3, 5, 2))),
        Case("one token", (uniform(rng, 1, 1, 3), uniform(rng, 1, 1, 3), uniform(rng, 3, 1, 2))),
        Case(
            "a batch, with leading axes",
            (uniform(rng, 0.6, 2, 3, 5, 11), uniform(rng, 0.6, 2, 3, 7, 11), uniform(rng, 3, 2, 3, 7, 13)),
        ),
    ]


@mistake(
    "The product `query @ key` was taken without transposing key. "
    "A score compares one row of query with one row of key, and `@` pairs rows with columns. "
    "Swap the last two axes of key first: `np.swapaxes(key, -1, -2)`.",
)
def key_not_transposed(query, key, value):
    weights = softmax(query @ key)
    return weights @ value, weights


@mistake(
    "Softmax ran down the columns: each column of the weights sums to one, and the rows don't. "
    "Every query distributes its own attention, so each row must sum to one. "
    "Take the sum over the keys, the last axis, with `keepdims=True`.",
)
def softmax_over_queries(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2), axis=-2)
    return weights @ value, weights


@mistake(
    "The scores were divided by √d_k. "
    "That is a good idea and the next chapter's subject; here, use the plain scores. "
    "Leave out the division.",
)
def scaled_already(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]))
    return weights @ value, weights


@mistake(
    "The scores were used as they are, without softmax. "
    "Their rows don't sum to one, so the output is not a mixture of the values. "
    "Take exp of each score and divide each row by its sum.",
)
def no_softmax(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2)
    return scores @ value, scores


@mistake(
    "The weights were computed from the scores, but the scores themselves were returned as the second result. "
    "Scores may be any number; weights are each query's shares, and their rows sum to one. "
    "Return the output, then the weights.",
)
def scores_returned(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2)
    return softmax(scores) @ value, scores


@mistake(
    "One sum was taken over the whole matrix, so the weights of all queries together sum to one. "
    "Each query has its own attention to distribute, so each row must sum to one. "
    "Take the sum along the last axis, with `keepdims=True`.",
)
def one_sum_for_all(query, key, value):
    exponentials = np.exp(query @ np.swapaxes(key, -1, -2))
    weights = exponentials / exponentials.sum()
    return weights @ value, weights


@mistake(
    "The maximum or the sum of each row has the shape `(n_q,)`, or forms a row, and does not line up with scores of "
    "shape `(n_q, n_k)`. "
    "NumPy lines up shapes from the right, so it compares `n_q` with `n_k`. "
    "`keepdims=True` keeps both as a column, `(n_q, 1)`.",
)
def keepdims_forgotten(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1))
    weights = exponentials / exponentials.sum(axis=-1)
    return weights @ value, weights


@mistake(
    "The rows of the weights are `n_q` long, but there are `n_k` values: the weights were computed as key queryᵀ, or "
    "transposed, or query met itself. "
    "A row of weights belongs to one query and holds one number for each key. "
    "Write `query @ np.swapaxes(key, -1, -2)`, and leave the weights as they are.",
)
def key_asks_query(query, key, value):
    weights = softmax(key @ np.swapaxes(query, -1, -2))
    return weights @ value, weights


@mistake(
    "Right for one sentence, but in a batch axis 1 is another axis. "
    "The keys are always along the last one, whatever the leading axes. "
    "Use `axis=-1`, for the largest score and for the sum.",
)
def axis_one(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2), axis=1)
    return weights @ value, weights


@mistake(
    "Right for ordinary scores, but NaN for large ones: exp(1000) is inf, and inf / inf is NaN. "
    "Subtracting the same number from every score of a row changes no weight of that row. "
    "Subtract each row's largest score before you take exp, with `keepdims=True`.",
)
def attention_overflow(query, key, value):
    exponentials = np.exp(query @ np.swapaxes(key, -1, -2))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value, weights


EXERCISE = Exercise(
    name="attention",
    reference=reference.attention,
    returns=("output", "weights"),
    examples=(
        Case("two queries, five keys", (QUERY, KEY, VALUE)),
        Case("scores of a thousand, and of zero", LOUD, edge=True),
        Case("a batch, with leading axes", TWO_HEADS, edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "scores",
        lambda query, key, value: query @ np.swapaxes(key, -1, -2),
        lambda scores, query, key, value: (softmax(scores) @ value, softmax(scores)),
    ),
)
