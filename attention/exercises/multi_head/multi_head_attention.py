"""Several attentions side by side: project, split, attend, merge, project again."""

from typing import Any

import numpy as np

from attention.chapters import lion
from attention.chapters import multi_head as reference
from attention.chapters.context import softmax
from attention.chapters.scaling import scaled_scores
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import far_apart, one_loud_query, uniform

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
        Case("a batch, with leading axes", (*drawn(rng, (2, 3, 5, 7), (2, 3, 7, 11), 3, 2, 0.6), 3)),
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
    "Each head is a separate attention with keys of width `d_k`; chapter 5 says what happens to its softmax without "
    "scaling. "
    "Scale inside each head, as `scaled_dot_product_attention` does.",
)
def heads_unscaled(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The scores were divided by √d_model, the root of a token's width. "
    "A score adds up only the `d_k` numbers of one head's key. "
    "Take the width after splitting.",
)
def heads_over_root_d_model(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(query.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The scores were divided by the root of all heads' width, √(h·d_k). "
    "A score adds up only the `d_k` numbers of one head's key. "
    "Take the width after splitting, not that of `w_q`.",
)
def heads_over_root_of_all(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(w_q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The heads are side by side, but `w_o` was left out. "
    "Then the outputs of different heads are never combined, and the output may not be as wide as a token. "
    "Multiply by `w_o` at the end.",
)
def no_w_o(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v), weights


@mistake(
    "`w_o` was multiplied by rows of `d_v` numbers: the heads were averaged or added up before. "
    "`w_o` has h · d_v rows, some for each head, so the heads must stay separate. "
    "Put them side by side with `merge_heads`, then multiply.",
)
def heads_averaged(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v).mean(axis=-3) @ w_o, weights


@mistake(
    "The weights are right, but they mix rows that come from `key`. "
    "A token is found by its key and hands over its value, and the two may differ. "
    "Split `value @ w_v`.",
)
def key_for_value(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (key, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The queries were compared with `value`, multiplied by `w_k`. "
    "Compare them with rows that come from `key`; `value` is only handed over. "
    "Split `key @ w_k`.",
)
def value_for_key(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (value, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Queries and keys were split, but the values were not. "
    "Every head then hands over the numbers of all heads, h times too many for `w_o`. "
    "Split all three: `split_heads(value @ w_v, h)`.",
)
def values_not_split(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k = in_heads(h, (query, w_q), (key, w_k))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ (value @ w_v)[..., None, :, :]) @ w_o, weights


@mistake(
    "The columns of `w_v` were cut into blocks of `d_k` columns, but a head's values are `d_v` wide. "
    "The two widths may differ. "
    "Head i takes the columns of `w_v` from i·d_v to (i + 1)·d_v.",
)
def values_cut_by_d_k(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k = in_heads(h, (query, w_q), (key, w_k))
    weights, d_k = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])), q.shape[-1]
    found = [weights[..., i, :, :] @ (value @ w_v[:, i * d_k : (i + 1) * d_k]) for i in range(h)]
    return np.concatenate(found, axis=-1) @ w_o, weights


@mistake(
    "The weights were computed but not used: `w_o` was multiplied by the values as they are. "
    "Then there is a row for each key instead of each query. "
    "Mix the values with the weights, `weights @ v`, before merging.",
)
def weights_not_used(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(v) @ w_o, weights


@mistake(
    "The tokens were split before they were projected. "
    "A slice of a token is too short for `w_q`, which has a row for each number of the whole token. "
    "Project first, and split the result: `split_heads(query @ w_q, h)`.",
)
def split_before_projecting(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = (np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), -3, -2) @ w for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Queries, keys and values were split by a reshape alone. "
    "Then the first head has the first words whole, and nothing of the others. "
    "Call `split_heads`, which swaps the axes.",
)
def split_by_reshape(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = ((x @ w).reshape(*x.shape[:-2], h, x.shape[-2], -1) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The weights are right, but the heads' outputs were merged by a reshape alone. "
    "Head 0's outputs for several words end up in the row of one. "
    "Call `merge_heads`, which swaps the axes first.",
)
def merged_by_reshape(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v).reshape(*query.shape[:-1], -1) @ w_o, weights


@mistake(
    "There was no split: a single head of full width did the work. "
    "It has one row of weights for each word, so everything that a word asks for is added up into one score. "
    "Split queries, keys and values into h heads before you compare them.",
)
def one_wide_head(query, key, value, w_q, w_k, w_v, w_o, h):
    scores = (query @ w_q) @ np.swapaxes(key @ w_k, -1, -2)
    weights = softmax(scores / np.sqrt(w_q.shape[-1]))
    return weights @ (value @ w_v) @ w_o, weights


@mistake(
    "Heads and tokens were never swapped, so at each place the heads attended to one another. "
    "Then no word looks at another. "
    "The last two axes must be tokens and `d_k`: call `split_heads`.",
)
def heads_attend_to_heads(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = ((x @ w).reshape(*x.shape[:-1], h, -1) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v).reshape(*query.shape[:-1], -1) @ w_o, weights


@mistake(
    "Head i got every h-th column, i::h, and its outputs were put side by side. "
    "In `w_q`, `w_k` and `w_v`, each head has a block of columns, so these heads are made of pieces of all. "
    "Head i takes the columns from i·d_k to (i + 1)·d_k.",
)
def every_hth_column(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = (np.stack([(x @ w)[..., i::h] for i in range(h)], axis=-3) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Softmax ran over the heads: for each pair of words, the weights of the heads sum to one. "
    "Each head attends separately, and its rows sum to one over the keys. "
    "Use the last axis, `axis=-1`.",
)
def softmax_over_heads(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), axis=-3)
    return joined(weights @ v) @ w_o, weights


@mistake(
    "The output is right, but the weights are averaged over the heads. "
    "Some libraries return that by default, but then nobody can see what one head looks at. "
    "Return the weights of all heads, `(..., h, n_q, n_k)`.",
)
def weights_averaged(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights.mean(axis=-3)


@mistake(
    "The tokens themselves were split, without `w_q`, `w_k` and `w_v`. "
    "Then a head has nothing learned to ask with, to be found by or to hand over. "
    "Project first, and split the result.",
)
def tokens_split_unprojected(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = (np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), -3, -2) for x in (query, key, value))
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "All heads used the slices of head 0. "
    "They compute the same thing h times, and the other columns are never used. "
    "In the loop, let the slice depend on i.",
)
def head_0_for_all(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = (np.stack([(x @ w)[..., : w.shape[-1] // h]] * h, axis=-3) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Keys and values were split as if there were as many of them as queries. "
    "The other sentence may have more or fewer tokens. "
    "Read the number of tokens from each array itself.",
)
def as_many_keys_as_queries(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs, n = ((query, w_q), (key, w_k), (value, w_v)), query.shape[:-1]
    q, k, v = (np.swapaxes((x @ w).reshape(*n, h, w.shape[-1] // h), -3, -2) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return joined(weights @ v) @ w_o, weights


@mistake(
    "Right for one sentence, but the split leaves no place for the sentences of a batch. "
    "The axis of heads comes right before the tokens, after the sentences. "
    "Keep `*x.shape[:-1]` first, and count the axes to swap from the end.",
)
def heads_of_one_sentence(query, key, value, w_q, w_k, w_v, w_o, h):
    pairs = (query, w_q), (key, w_k), (value, w_v)
    q, k, v = ((x @ w).reshape(len(x), h, w.shape[-1] // h).transpose(1, 0, 2) for x, w in pairs)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v).transpose(1, 0, 2).reshape(len(query), -1) @ w_o, weights


@mistake(
    "Right for ordinary scores, but NaN for large ones: exp of a score above 709 is inf, and inf / inf is NaN. "
    "Scores may be of any size. "
    "Subtract the largest score of each row first.",
    sees="right, until scores of a thousand give `NaN`",
    edge=True,
)
def heads_overflow(query, key, value, w_q, w_k, w_v, w_o, h):
    q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
    powers = np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return joined(weights @ v) @ w_o, weights


def with_found(change):
    """Return an attention in which ``change(weights, values)`` is what the heads find."""

    def attention(query, key, value, w_q, w_k, w_v, w_o, h):
        q, k, v = in_heads(h, (query, w_q), (key, w_k), (value, w_v))
        weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
        return joined(change(weights, v)) @ w_o, weights

    return attention


def last_alone(found):
    """Put zeros in the place of every head's findings except those of the last."""
    return np.concatenate([0 * found[..., :-1, :, :], found[..., -1:, :, :]], axis=-3)


EXERCISE = Exercise(
    name="multi_head_attention",
    reference=reference.multi_head_attention,
    returns=("output", "weights"),
    examples=(
        Case("attacked and hungry, three heads", (*LION, W_O, 3)),
        Case("two queries, three keys, one head of four", (*ONE_HEAD, 1)),
        Case("a batch, with a leading axis", (BATCH, BATCH, BATCH[..., ::-1].copy(), *COLUMNS, 2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("only the last head reaches the output", with_found(lambda weights, v: last_alone(weights @ v))),
        ("the heads are merged in reverse order", with_found(lambda weights, v: (weights @ v)[..., ::-1, :, :])),
        ("every head mixes the values of the first", with_found(lambda weights, v: weights @ v[..., :1, :, :])),
    ),
    step=IntermediateStep("scaled scores", scores_in_heads, from_scores),
)
