"""A gradient carried back through attention."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention.chapters import gradients as reference
from attention.chapters.context import softmax
from attention.chapters.masking import masked_softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

# One query between two keys, wide enough that √d_k = 2 shows; its scores are 1 and -1.
TWO_KEYS = (
    np.array([[2.0, 0, 0, 0]]),
    np.array([[1.0, 0, 0, 0], [-1, 0, 0, 0]]),
    np.array([[10.0], [0]]),
    np.array([[True, True]]),
    np.array([[1.0]]),
)
HIDDEN = (  # d_k = 4 here, too: no other size is 4, and √d_k shows
    np.array([[4.0, 0, 0, 0], [0, 2, 0, 0]]),
    np.array([[1.0, 1, 0, 0], [0, 0, 0, 0], [-1, -1, 0, 0]]),
    np.array([[10.0], [20], [30]]),
    np.array([[True, False, True], [True, True, True]]),
    np.array([[1.0], [2]]),
)
NOTHING = (*HIDDEN[:3], np.array([[False, False, False], [True, True, True]]), HIDDEN[4])
NO_MASK = (*HIDDEN[:3], None, HIDDEN[4])
BATCH = (  # two sentences, with keys of one number: (2, 2, 1), (2, 3, 1), (2, 3, 1), one mask, and a gradient (2, 2, 1)
    np.array([[[1.0], [2]], [[0], [-1]]]),
    np.array([[[0.0], [1], [2]], [[1], [-1], [0]]]),
    np.array([[[1.0], [0], [2]], [[3], [1], [0]]]),
    np.array([[True, True, False], [True, True, True]]),
    np.array([[[1.0], [2]], [[0], [1]]]),
)


def unseen(rng: np.random.Generator) -> list[Case]:
    """n_q, n_k, d_k, d_v all different primes, scores within ±4, and masks that hide some keys of each query."""
    return [
        Case("three queries, five keys", asked(rng, 3, 5, 7, 2)),
        Case("more queries than keys", asked(rng, 7, 3, 5, 11)),
        Case("keys of width two", asked(rng, 5, 11, 2, 3)),
    ]


def asked(rng: np.random.Generator, n_q: int, n_k: int, d_k: int, d_v: int, *front) -> tuple[np.ndarray, ...]:
    """Draw query, key, value, a mask under which each query sees two keys or more, and a gradient of the output."""
    hidden = rng.integers(n_k, size=(*front, n_q, 1))
    return (
        *(uniform(rng, 1.2, *front, n, d_k) for n in (n_q, n_k)),
        uniform(rng, 2, *front, n_k, d_v),
        np.arange(n_k) != hidden,
        uniform(rng, 1, *front, n_q, d_v),
    )


def edges(rng: np.random.Generator) -> list[Case]:
    """A query that may look at nothing, one that sees one key, nothing hidden, no mask, one token, and leading axes."""
    nothing, one, all_seen = (list(asked(rng, 3, 5, 7, 2)) for _ in range(3))
    nothing[3] = nothing[3] & (np.arange(3) != 1)[:, None]
    one[3] = one[3] & ((np.arange(5) == 2) | (np.arange(3) != 0)[:, None])
    one[3][0, 2] = True
    all_seen[3] = np.ones((1, 5), dtype=bool)
    alone = *asked(rng, 1, 1, 3, 2)[:3], np.array([[True]]), uniform(rng, 1, 1, 2)
    return [
        Case("a query that may look at nothing", tuple(nothing)),
        Case("a query that sees one key", tuple(one)),
        Case("nothing hidden, one row for all", tuple(all_seen)),
        Case("no mask", (*asked(rng, 5, 3, 7, 2)[:3], None, uniform(rng, 1, 5, 2))),
        Case("one token", alone),
        Case("a batch, with leading axes", asked(rng, 5, 7, 11, 13, 2, 3)),
    ]


def with_roots(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    mask: np.ndarray | None,
    output_gradient: np.ndarray,
    front: float,
    behind: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the three gradients with other numbers instead of √d_k, in the forward and the backward pass."""
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / front, mask)
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / behind
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, np.swapaxes(weights, -1, -2) @ output_gradient


@mistake(
    "Softmax was skipped: the gradient of the weights was used as that of the scores. "
    "A score changes all weights of its row by p (δ − p), which is small where a weight is near 0 or 1. "
    "Multiply by the Jacobian: `weights * (d_weights - s)`, where s is the row's sum of `weights * d_weights`.",
)
def softmax_passed_over(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = (d_weights if mask is None else np.where(mask, d_weights, 0.0)) / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "Each score changes only its own weight here: p (1 − p) times its gradient. "
    "What one weight gains, the others lose, and that counts, too. "
    "Subtract the row's sum of `weights * d_weights` from `d_weights`, then multiply by the weights.",
)
def own_weight_alone(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * (1 - weights) * d_weights
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "The subtraction is missing: this is only `weights * d_weights`. "
    "Then raising all scores of a row together would change something, but softmax depends only on their differences. "
    "First subtract the row's sum of `weights * d_weights` from `d_weights`.",
)
def row_sum_left_out(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * d_weights
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "The weights before the bracket are missing: this is only d_weights − s. "
    "The effect of a score is in proportion to its weight, so a weight near 0 passes on hardly any gradient. "
    "Multiply the bracket by weights.",
)
def weights_left_out_in_front(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, np.swapaxes(weights, -1, -2) @ output_gradient


@mistake(
    "The plain mean of `d_weights` was subtracted, over all keys alike. "
    "A key gains from the others in proportion to their weights. "
    "Subtract the sum of `weights * d_weights`.",
)
def plain_mean_subtracted(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "The sum was subtracted from `weights * d_weights` as it is, without a weight in front. "
    "Each key contributes its share of the sum, and its share is its weight. "
    "Write `weights * (d_weights - sum)`, with the bracket.",
)
def sum_not_weighted_again(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)
    d_scores = d_scores if mask is None else np.where(mask, d_scores, 0.0)
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "The sum of `weights * d_weights` went down the columns, over the queries. "
    "Softmax works on each row, and the queries don't affect one another. "
    "Sum along the last axis: `axis=-1`, `keepdims=True`.",
)
def sum_down_the_columns(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-2, keepdims=True))
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "√d_k was forgotten on the way back. "
    "The scores were divided by it on the way forward, so it is a factor of every slope. "
    "Divide `d_scores` by √d_k before the last two products.",
)
def root_left_out_of_both(query, key, value, mask, output_gradient):
    return with_roots(query, key, value, mask, output_gradient, np.sqrt(query.shape[-1]), 1.0)


@mistake(
    "√d_k is missing everywhere, or it is the root of another size: in the weights and on the way back. "
    "Then this is the gradient of a different attention. "
    "Divide the scores by √d_k before softmax, and `d_scores` by √d_k before the last two products.",
)
def root_left_out_everywhere(query, key, value, mask, output_gradient):
    return with_roots(query, key, value, mask, output_gradient, 1.0, 1.0)


@mistake(
    "On the way back, `d_k` was used instead of its square root. "
    "The scores were divided by √d_k once, so every slope has this factor once. "
    "Divide `d_scores` by `np.sqrt(query.shape[-1])`, once for both products.",
)
def divided_by_the_width(query, key, value, mask, output_gradient):
    return with_roots(query, key, value, mask, output_gradient, np.sqrt(query.shape[-1]), query.shape[-1])


@mistake(
    "√d_k is missing in d_key; d_query has it. "
    "Both come from the same divided scores. "
    "Divide `d_scores` once, before both products.",
)
def root_left_out_of_the_key(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    d_query = d_scores @ key / np.sqrt(query.shape[-1])
    return d_query, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "The weights were computed without √d_k. "
    "Then this is the gradient of a different attention. "
    "Divide the scores by √d_k before softmax, as in chapter 5.",
)
def weights_unscaled_on_the_way(query, key, value, mask, output_gradient):
    return with_roots(query, key, value, mask, output_gradient, 1.0, np.sqrt(query.shape[-1]))


@mistake(
    "The mask was not used: hidden keys take part. "
    "They had no weight in the output, so nothing about them can change it. "
    "Compute the weights with `masked_softmax(scores, mask)`.",
)
def mask_forgotten(query, key, value, mask, output_gradient):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]))
    weights = weights if mask is None else weights + 0.0 * mask
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "Right with a mask, but `None` hid every key: all gradients are 0, and nothing would learn. "
    "`np.where(None, scores, -np.inf)` takes None for False, everywhere. "
    "Without a mask, every query may attend to every key: use the `masked_softmax` above, or check for None first.",
)
def none_hides_everything(query, key, value, mask, output_gradient):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    weights = softmax(np.where(mask, scores, -np.inf))
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


@mistake(
    "weights or `d_scores` was not transposed in a product that needs it. "
    "Row j of d_value and of d_key adds up what key j contributed to every query, which is a column of weights and "
    "of `d_scores`. "
    "Write `np.swapaxes(weights, -1, -2) @ output_gradient` and `np.swapaxes(d_scores, -1, -2) @ query`.",
)
def not_turned_round(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]), mask)
    return weights @ output_gradient


@mistake(
    "Right for one sentence, but `.T` reverses all axes of a batch. "
    "You need to swap only the last two. "
    "Use `np.swapaxes(x, -1, -2)`.",
)
def one_batch_at_a_time(query, key, value, mask, output_gradient):
    weights = masked_softmax(query @ key.T / np.sqrt(query.shape[-1]), mask)
    d_weights = output_gradient @ value.T
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    d_scores = d_scores / np.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.T @ query, weights.T @ output_gradient


def back_from(
    change: Callable | None = None,
    root: Callable | None = None,
    weigh: Callable = masked_softmax,
    value_from: Callable | None = None,
) -> Callable:
    """Return the gradients with one thing changed: d_scores made otherwise, another root, or other weights.

    ``change(weights, d_weights)`` makes d_scores; ``root`` and ``value_from`` take all arguments, as a dictionary.
    """

    def gradients(query, key, value, mask, output_gradient):
        given = {"query": query, "key": key, "value": value, "mask": mask, "output_gradient": output_gradient}
        by = root(given) if root else np.sqrt(query.shape[-1])
        weights = weigh(query @ np.swapaxes(key, -1, -2) / by, mask)
        d_weights = output_gradient @ np.swapaxes(value, -1, -2)
        d_scores = (change or jacobian)(weights, d_weights) / by
        behind = value_from(weights, value) if value_from else output_gradient
        return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, np.swapaxes(weights, -1, -2) @ behind

    return gradients


def jacobian(weights: Any, d_weights: Any) -> Any:
    """Carry the gradient back through softmax."""
    return weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))


WRONG_FORMULAS = (
    ("d_k is used instead of √d_k", back_from(root=lambda a: a["key"].shape[-1])),
    ("s is a mean instead of a sum",
     back_from(lambda p, d: p * (d - np.mean(p * d, axis=-1, keepdims=True)))),
    ("√d_v is used instead of √d_k",
     back_from(root=lambda a: np.sqrt(a["value"].shape[-1]))),
    ("√n_k is used instead of √d_k", back_from(root=lambda a: np.sqrt(a["key"].shape[-2]))),
    ("d_scores is d_weights itself: softmax was skipped", back_from(lambda p, d: d)),
    ("s is added instead of subtracted",
     back_from(lambda p, d: p * (d + np.sum(p * d, axis=-1, keepdims=True)))),
    ("s is the sum of d_weights, without the weights",
     back_from(lambda p, d: p * (d - np.sum(d, axis=-1, keepdims=True)))),
    ("s is one sum over all rows", back_from(lambda p, d: p * (d - np.sum(p * d)))),
    ("the mask comes after softmax, so that the rows of weights do not sum to one",
     back_from(weigh=lambda scores, mask: softmax(scores) * (1.0 if mask is None else mask))),
    ("d_value is computed from the output instead of `output_gradient`",
     back_from(value_from=lambda weights, value: weights @ value)),
)  # fmt: skip

EXERCISE = Exercise(
    name="attention_gradient",
    reference=reference.attention_gradient,
    returns=("d_query", "d_key", "d_value"),
    examples=(
        Case("one query, two keys", TWO_KEYS),
        Case("two queries, three keys, one hidden", HIDDEN),
        Case("a query that may look at nothing", NOTHING, edge=True),
        Case("no mask: None", NO_MASK, edge=True),
        Case("a batch, with leading axes", BATCH, edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=WRONG_FORMULAS,
)
