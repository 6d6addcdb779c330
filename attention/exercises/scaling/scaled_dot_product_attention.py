"""The attention of every transformer: scaled, then softmax, then mixed."""

import numpy as np

from attention.chapters import scaling as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import TWO_HEADS, far_apart, one_loud_query, uniform

QUERY = np.array([[2.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
KEY = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
VALUE = np.array([[10.0], [20.0], [30.0]])
ONE_QUERY = np.array([[2.0, 0.0, 0.0, 0.0]])
ONE_LOUD = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
TWO_KEYS = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 5.0, 0.0, 0.0]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """n_q, n_k, d_k, d_v all different primes, and scores within ±4 once they are scaled."""
    return [
        Case("three queries, five keys", (uniform(rng, 1.2, 3, 7), uniform(rng, 1.2, 5, 7), uniform(rng, 3, 5, 2))),
        Case("more queries than keys", (uniform(rng, 1.3, 7, 5), uniform(rng, 1.3, 3, 5), uniform(rng, 3, 3, 11))),
        Case("keys of width two", (uniform(rng, 1.6, 5, 2), uniform(rng, 1.6, 11, 2), uniform(rng, 3, 11, 3))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Scores that overflow exp, one row far above the others, a single token, and leading axes."""
    return [
        Case("scores of a thousand", (*far_apart(rng, 5, 7, 3), uniform(rng, 3, 7, 2))),
        Case("one loud query", (*one_loud_query(rng, 3, 5, 7), uniform(rng, 3, 5, 2))),
        Case("one token", (uniform(rng, 1.5, 1, 3), uniform(rng, 1.5, 1, 3), uniform(rng, 3, 1, 2))),
        Case(
            "a batch, with leading axes",
            (uniform(rng, 1, 2, 3, 5, 11), uniform(rng, 1, 2, 3, 7, 11), uniform(rng, 3, 2, 3, 7, 13)),
        ),
    ]


@mistake(
    "The scores went into softmax unscaled, or they were divided only after exp, where the divisor cancels. "
    "The dot products of wide vectors are far apart, and softmax then looks at one key and forgets the others. "
    "Divide the scores by √d_k before you take exp.",
)
def attention_unscaled(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2))
    return weights @ value, weights


@mistake(
    "The scores were divided by `d_k` instead of √d_k. "
    "The weights come out too even: with wide keys, every output is almost the average of all values. "
    "Take the square root of `key.shape[-1]`, and divide once, not both query and key.",
)
def attention_over_width(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / key.shape[-1])
    return weights @ value, weights


@mistake(
    "The scale was computed from the number of keys, √n_k. "
    "Then a longer sentence would make every choice softer, although no score has changed. "
    "Scores grow with the width of a key, so divide by the square root of `key.shape[-1]`.",
)
def attention_over_root_n_k(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-2]))
    return weights @ value, weights


@mistake(
    "The scale was computed from the number of queries, √n_q. "
    "The weights of a query must not depend on how many other queries there are. "
    "Divide by the square root of `query.shape[-1]`, the width `d_k`.",
)
def attention_over_root_n_q(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-2]))
    return weights @ value, weights


@mistake(
    "The scale was computed from the width of a value, √d_v. "
    "Values have no part in the scores; they are only mixed afterwards, and may be of any width. "
    "Divide by the square root of the width of a key.",
)
def attention_over_root_d_v(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(value.shape[-1]))
    return weights @ value, weights


@mistake(
    "The scores were multiplied by √d_k before softmax. "
    "That is the wrong direction: it makes the best key take nearly everything. "
    "Multiply by 1/√d_k, which is `scaling_factor`, or divide by √d_k.",
)
def attention_multiplied(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) * np.sqrt(key.shape[-1]))
    return weights @ value, weights


@mistake(
    "Softmax ran along the queries, so the columns sum to one. "
    "If a query's row doesn't sum to one, its output is not a mixture of the values. "
    "Use the last axis, the keys, for the maximum and for the sum.",
)
def softmax_over_queries(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), axis=-2)
    return weights @ value, weights


@mistake(
    "The weights were divided by √d_k, after softmax: each row now sums to 1/√d_k. "
    "That only makes the output smaller; the proportions were already fixed by scores without scaling. "
    "Divide the scores, then apply softmax.",
)
def weights_divided(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2)) / np.sqrt(key.shape[-1])
    return weights @ value, weights


@mistake(
    "The output was divided by √d_k instead of the scores. "
    "The mixture is as one-sided as before, only smaller. "
    "Move the division to the scores, inside the softmax, and check the brackets.",
)
def output_divided(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2))
    return weights @ value / np.sqrt(key.shape[-1]), weights


@mistake(
    "The key with the highest score gets weight 1, whatever the scale. "
    "The output is then a single value, and the slope, which training needs, is 0. "
    "Give every key its share: softmax of the scaled scores.",
)
def hard_max(query, key, value):
    weights = np.eye(key.shape[-2])[np.argmax(query @ np.swapaxes(key, -1, -2), axis=-1)]
    return weights @ value, weights


@mistake(
    "The scaled scores were used to mix the values, without softmax. "
    "Scores may be negative, and a row of them need not sum to one. "
    "Between scaling and mixing, take exp and divide each row by its sum.",
)
def no_softmax(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])
    return scores @ value, scores


@mistake(
    "The output is right, but the second result holds the scaled scores instead of the weights. "
    "Their rows don't sum to one, so nobody can read from them who attends to whom. "
    "Keep the result of softmax in a variable and return that.",
)
def scores_returned(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])
    return softmax(scores) @ value, scores


@mistake(
    "All weights of the matrix together sum to one, because the sum was taken without an axis. "
    "Each query distributes its own attention. "
    "Sum with `axis=-1` and `keepdims=True`.",
)
def one_sum_for_all(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])
    exponentials = np.exp(scores - scores.max())
    weights = exponentials / exponentials.sum()
    return weights @ value, weights


@mistake(
    "The maximum or the sum of each row is not a column `(n_q, 1)`: without `keepdims=True`, its shape is `(n_q,)`. "
    "NumPy then lines up these `n_q` numbers with the `n_k` keys, where they don't fit. "
    "Write `keepdims=True` in .max and in .sum.",
)
def keepdims_forgotten(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])
    exponentials = np.exp(scores - scores.max(axis=-1))
    weights = exponentials / exponentials.sum(axis=-1)
    return weights @ value, weights


@mistake(
    "Key was not transposed before the product: `query @ key` pairs rows of query with columns of key. "
    "A score needs a row of each, so the rows of key must become columns. "
    "Call `scaled_scores`, or write `np.swapaxes(key, -1, -2)`.",
)
def attention_key_not_transposed(query, key, value):
    weights = softmax(query @ key / np.sqrt(key.shape[-1]))
    return weights @ value, weights


@mistake(
    "The rows of the weights are `n_q` long, but there are `n_k` values: query and key were swapped, or the weights "
    "transposed, or query met itself. "
    "A row of weights belongs to one query and holds one number for each key. "
    "Write query on the left and the transposed key on the right, and leave the weights as they are.",
)
def attention_key_asks_query(query, key, value):
    weights = softmax(key @ np.swapaxes(query, -1, -2) / np.sqrt(key.shape[-1]))
    return weights @ value, weights


@mistake(
    "Right for one sentence, but with leading axes, softmax with `axis=1` distributes attention among heads or "
    "queries. "
    "The keys are always along the last axis. "
    "Count from the end: `axis=-1`.",
)
def softmax_axis_one(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), axis=1)
    return weights @ value, weights


@mistake(
    "Right for one sentence, but with leading axes, `shape[1]` is not the width of a key. "
    "In a batch with heads, it is the number of heads. "
    "Count from the end: `shape[-1]`.",
)
def attention_width_of_axis_one(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[1]))
    return weights @ value, weights


@mistake(
    "Right until one row is far above another: the largest score of all was subtracted from every row. "
    "In the lower rows, each exp is then 0, and 0 / 0 is NaN. "
    "Subtract each row's own largest score, `.max(axis=-1, keepdims=True)`.",
)
def one_maximum_for_all(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])
    exponentials = np.exp(scores - scores.max())
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value, weights


@mistake(
    "Right for ordinary scores, but NaN for large ones: exp of a score above 709 is inf, scaled or not, and inf / "
    "inf is NaN. "
    "A number subtracted from all scores of a row cancels. "
    "Subtract the largest score of each row first; the weights stay the same.",
)
def attention_overflow(query, key, value):
    exponentials = np.exp(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value, weights


EXERCISE = Exercise(
    name="scaled_dot_product_attention",
    reference=reference.scaled_dot_product_attention,
    returns=("output", "weights"),
    examples=(
        Case("two queries, three keys", (QUERY, KEY, VALUE)),
        Case("one query, two keys", (ONE_QUERY, TWO_KEYS, np.eye(2))),
        Case("scores of a thousand, and of zero", (1000 * ONE_LOUD, KEY[[0, 0, 1]], VALUE), edge=True),
        Case("a batch, with leading axes", TWO_HEADS, edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "scaled scores",
        lambda query, key, value: query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]),
        lambda scores, query, key, value: (softmax(scores) @ value, softmax(scores)),
    ),
)
