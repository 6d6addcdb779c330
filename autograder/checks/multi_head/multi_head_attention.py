"""Several attentions side by side: project, split, attend, merge, project again."""

from typing import Any

import numpy as np

from autograder.reference import lion
from autograder.reference import multi_head as reference
from autograder.reference.context import softmax
from autograder.reference.scaling import scaled_scores

from ..draw import far_apart, one_loud_query, uniform
from ..exercise import Case, Exercise, IntermediateStep, mistake

# Chapter 6's three heads of one number, in which attacked and hungry ask; the note's values for each head.
X = lion.x.astype(float)
LION = (X[[3, 1]], X, X, lion.w_q.astype(float), lion.w_k.astype(float), np.tile(lion.w_v, 3).astype(float))
W_O = np.eye(4)[[0, 3, 1, 3, 2, 3]]
ONE_HEAD = (
    *(
        np.array([[2.0, 0, 0], [1, 0, 0]]),
        np.array([[2.0, 0], [0, 1], [0, 3]]),
        np.array([[10.0, 0], [0, 10], [0, 20]]),
    ),
    *(np.eye(3, 4), np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]]), np.eye(2, 3), np.array([[1.0, 0], [0, 1], [5, 5]])),
)
BATCH = (np.arange(24) % 7 - 3.0).reshape(2, 3, 4)
COLUMNS = (np.eye(4, 6), np.eye(4, 6)[:, ::-1], np.eye(4, 2), np.array([[1.0, 0, 2], [0, 3, 0]]))


def unseen(rng: np.random.Generator) -> list[Case]:
    """n_q, n_k, both widths of tokens, h, d_k, d_v and d_out all different, and scores within ±4."""
    return [
        Case("three heads, other tokens as keys", (*drawn(rng, (5, 7), (13, 11), 3, 2, 0.57), 3)),
        Case("two heads, more queries than keys", (*drawn(rng, (7, 3), (5, 17), 2, 11, 0.7), 2)),
        Case("five heads, one sentence", (*drawn(rng, (7, 3), None, 5, 11, 0.8), 5)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, one head, scores that overflow exp or leave others at 0, and leading axes."""
    return [
        Case("one token", (*drawn(rng, (1, 7), None, 3, 2, 0.8), 3)),
        Case("one head", (*drawn(rng, (5, 7), (3, 11), 1, 2, 0.8), 1)),
        Case("scores of a thousand", (*loud(rng), 2)),
        Case("a batch, with axes in front", (*drawn(rng, (2, 3, 5, 7), (2, 3, 7, 11), 3, 2, 0.6), 3)),
    ]


def drawn(
    rng: np.random.Generator, asking: tuple[int, ...], asked: tuple[int, ...] | None, h: int, d_k: int, size: float
) -> tuple[np.ndarray, ...]:
    """Draw tokens that ask, tokens that are asked (None for the same), and matrices for h heads of width d_k."""
    query = uniform(rng, 1, *asking)
    key, value = (query, query) if asked is None else (uniform(rng, 1, *asked), uniform(rng, 3, *asked))
    d_model, d_memory, d_v = query.shape[-1], key.shape[-1], d_k + 2
    w_q, w_k = uniform(rng, size, d_model, h * d_k), uniform(rng, size, d_memory, h * d_k)
    return query, key, value, w_q, w_k, uniform(rng, 1, d_memory, h * d_v), uniform(rng, 1, h * d_v, h * d_v + 4)


def loud(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Draw tokens for two heads, one with scores of a thousand, one in which a query is thousands above the others."""
    pairs = zip(far_apart(rng, 5, 11, 3), one_loud_query(rng, 5, 11, 3), ((5, 1), (11, 1)), strict=True)
    query, key = (np.hstack([left, right, uniform(rng, 3, *more)]) for left, right, more in pairs)
    return (
        query,
        key,
        uniform(rng, 3, 11, 7),
        np.eye(7, 6),
        np.eye(7, 6),
        uniform(rng, 1, 7, 10),
        uniform(rng, 1, 10, 3),
    )


def scores_in_heads(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    w_o: np.ndarray,
    h: int,
) -> np.ndarray:
    return scaled_scores(reference.split_heads(query @ w_q, h), reference.split_heads(key @ w_k, h))


def from_scores(
    scores: np.ndarray, query: np.ndarray, key: np.ndarray, value: Any, w_q: Any, w_k: Any, w_v: Any, w_o: Any, h: int
) -> Any:
    """Return output and weights from the scores."""
    weights = softmax(scores)
    return reference.merge_heads(weights @ reference.split_heads(value @ w_v, h)) @ w_o, weights


def in_heads(h, *pairs):
    return [np.swapaxes((x @ w).reshape(*x.shape[:-1], h, -1), -3, -2) for x, w in pairs]


def joined(found):
    return np.swapaxes(found, -3, -2).reshape(*found.shape[:-3], found.shape[-2], -1)


@mistake(
    "The scores of the heads were not divided by √d_k. "
    "Each head is an attention of its own, and its keys are d_k wide; chapter 5 says what becomes of its softmax. "
    "Scale inside each head, as `scaled_dot_product_attention` does.",
)
def heads_unscaled(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The scores were divided by √d_model, the root of a token's width. "
    "Only the numbers of one head's key are added up in a score, and there are d_k of them. "
    "Take the width after splitting.",
)
def heads_over_root_d_model(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(query.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The scores were divided by the root of all heads' width, √(h·d_k). "
    "A score adds up the numbers of one head's key, and there are d_k of them. "
    "Take the width after splitting, not that of w_q.",
)
def heads_over_root_of_all(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(w_q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The heads lie side by side, and w_o was left out. "
    "Then what one head has found never meets what another has, and the output need not be as wide as a token. "
    "Multiply by w_o at the end.",
)
def no_w_o(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v), weights


@mistake(
    "w_o met rows of d_v numbers: the heads were averaged or added up before. "
    "w_o has h · d_v rows, some for each head, so that what one head has found can be told from the others. "
    "Put the heads side by side with `merge_heads`, and then multiply.",
)
def heads_averaged(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v).mean(axis=-3) @ w_o, weights


@mistake(
    "The weights are right, and what they mix was made of `key`. "
    "A key says what a token can be found by, and a value what it hands over; they may differ. "
    "Split `value @ w_v`.",
)
def key_for_value(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (key, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The queries were compared with `value`, multiplied by w_k. "
    "What is compared is made of `key`; `value` is only handed over. "
    "Split `key @ w_k`.",
)
def value_for_key(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (value, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Queries and keys were split, and the values were not. "
    "Every head then hands over the numbers of all heads, h times too many for w_o. "
    "Split all three: `split_heads(value @ w_v, h)`.",
)
def values_not_split(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k = in_heads(h, (query, w_q), (key, w_k))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ (value @ w_v)[..., None, :, :]) @ w_o, weights


@mistake(
    "The columns of w_v were cut every d_k columns, and a head's values are d_v wide. "
    "The two widths may differ. "
    "Head i takes the columns of w_v from i·d_v to (i + 1)·d_v.",
)
def values_cut_by_d_k(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k = in_heads(h, (query, w_q), (key, w_k))
    weights, d_k = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])), q.shape[-1]
    found = [weights[..., i, :, :] @ (value @ w_v[:, i * d_k : (i + 1) * d_k]) for i in range(h)]
    return np.concatenate(found, axis=-1) @ w_o, weights


@mistake(
    "The weights were computed and not used: w_o got the values as they are. "
    "Then there is a row for each key, and not one for each query. "
    "Let the weights mix the values, `weights @ v`, before merging.",
)
def weights_not_used(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(v) @ w_o, weights


@mistake(
    "The tokens were split before they were projected. "
    "A slice of a token is too short for w_q, which has a row for each number of the whole token. "
    "Project first, and split what comes out: `split_heads(query @ w_q, h)`.",
)
def split_before_projecting(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = (np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), -3, -2) @ w for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Queries, keys and values were given to the heads by a reshape alone. "
    "The first head has the first words whole, then, and nothing of the others. "
    "Call `split_heads`, which exchanges the axes.",
)
def split_by_reshape(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = ((x @ w).reshape(*x.shape[:-2], h, x.shape[-2], -1) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The weights are right, and the heads' results were joined by a reshape alone. "
    "Head 0's results of several words end up in the row of one. "
    "Call `merge_heads`, which exchanges the axes first.",
)
def merged_by_reshape(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v).reshape(*query.shape[:-1], -1) @ w_o, weights


@mistake(
    "There was no split: one head as wide as all of them did the work. "
    "It has one row of weights for each word, and all questions of a word are added up into it. "
    "Split queries, keys and values into h heads before they are compared.",
)
def one_wide_head(query, key, value, w_q, w_k, w_v, w_o, h):
    scores = (query @ w_q) @ np.swapaxes(key @ w_k, -1, -2)
    weights = softmax(scores / np.sqrt(w_q.shape[-1]))
    return weights @ (value @ w_v) @ w_o, weights


@mistake(
    "The heads were never exchanged with the tokens, so at each place the heads attended to one another. "
    "No word looks at another then; the last two axes must be tokens and d_k: call `split_heads`.",
)
def heads_attend_to_heads(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = ((x @ w).reshape(*x.shape[:-1], h, -1) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v).reshape(*query.shape[:-1], -1) @ w_o, weights


@mistake(
    "Head i got every h-th column, i::h, and its results were put side by side. "
    "The columns of w_q, w_k and w_v lie head beside head, so these heads are made of pieces of all. "
    "Head i takes neighbours: the columns from i·d_k to (i + 1)·d_k.",
)
def every_hth_column(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = (np.stack([(x @ w)[..., i::h] for i in range(h)], axis=-3) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Softmax ran over the heads: for each pair of words the heads share one whole. "
    "Each head looks around for itself, and its rows sum to one over the keys. "
    "Use the last axis, axis=-1.",
)
def softmax_over_heads(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), axis=-3)
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The output is right, and the weights are the average over the heads. "
    "Some libraries return that unless told otherwise, but nobody can see from it what one head looks at. "
    "Return the weights of all heads, (..., h, n_q, n_k).",
)
def weights_averaged(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights.mean(axis=-3)


@mistake(
    "The tokens themselves were split, and w_q, w_k and w_v were left out. "
    "A head would have nothing to ask with: project first, and split what comes out.",
)
def tokens_split_unprojected(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = (np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), -3, -2) for x in (query, key, value))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "All heads worked with the slices of head 0. "
    "They ask the same question h times, and the other columns are of no use. "
    "In the loop, let the slice depend on i.",
)
def head_0_for_all(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = (np.stack([(x @ w)[..., : w.shape[-1] // h]] * h, axis=-3) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Keys and values were split as if they were as many as the queries. "
    "Another sentence may be looked at, with more tokens or fewer. "
    "Read the number of tokens off each array itself.",
)
def as_many_keys_as_queries(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs, n = ((query, w_q), (key, w_k), (value, w_v)), query.shape[:-1]
    q, k, v = (np.swapaxes((x @ w).reshape(*n, h, w.shape[-1] // h), -3, -2) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Right for one sentence; for a batch, the split has no place for the sentences. "
    "Heads stand right before the tokens, and sentences before the heads. "
    "Keep *x.shape[:-1] in front, and count the axes to exchange from the end.",
)
def heads_of_one_sentence(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = ((x @ w).reshape(len(x), h, w.shape[-1] // h).transpose(1, 0, 2) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v).transpose(1, 0, 2).reshape(len(query), -1) @ w_o, weights


@mistake(
    "Right for ordinary scores, NaN for large ones: exp of a score above 709 is inf, and inf / inf is NaN. "
    "A head's scores may be as large as any: subtract the largest score of each row first.",
    sees="right, until scores of a thousand give `NaN`",
    edge=True,
)
def heads_overflow(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    powers = np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return joined(weights @ v) @ w_o, weights


EXERCISE = Exercise(
    name="multi_head_attention",
    reference=reference.multi_head_attention,
    returns=("output", "weights"),
    examples=(
        Case("attacked and hungry, three heads", (*LION, W_O, 3)),
        Case("two queries, three keys, one head of four", (*ONE_HEAD, 1)),
        Case("a batch, with an axis in front", (BATCH, BATCH, BATCH[..., ::-1].copy(), *COLUMNS, 2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep("scaled scores", scores_in_heads, from_scores),
)
