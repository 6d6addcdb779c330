"""Attention to those keys only that a mask permits."""

from typing import Any

import numpy as np

from attention.chapters import masking as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import TWO_HEADS, uniform
from .masked_softmax import some_of

QUERY = np.array([[2.0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 2, 0]])
KEY = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]])
VALUE = np.array([[10.0], [20], [30]])
CAUSAL = np.array([[True, False, False], [True, True, False], [True, True, True]])
NOTHING = np.array([[True, True, True], [False, False, False], [False, True, True]])
PADDED = np.array([True, True, True, True, False])[None, None, None]  # (1, 1, 1, 5)


def unseen(rng: np.random.Generator) -> list[Case]:
    """n_q, n_k, d_k, d_v all different primes, scaled scores within ±4, in every row something seen and hidden."""
    return [
        asked(rng, 3, 5, 7, 2, some_of(rng, 3, 5)),
        asked(rng, 7, 3, 5, 11, some_of(rng, 7, 3)),
        asked(rng, 5, 11, 2, 3, some_of(rng, 1, 11)),
    ]


def asked(rng: np.random.Generator, n_q: int, n_k: int, d_k: int, d_v: int, mask: np.ndarray) -> Case:
    """Draw query, key and value for a mask."""
    label = f"{n_q} queries, {n_k} keys"
    return Case(label, (uniform(rng, 1.2, n_q, d_k), uniform(rng, 1.2, n_k, d_k), uniform(rng, 3, n_k, d_v), mask))


def edges(rng: np.random.Generator) -> list[Case]:
    """A causal mask, a query that may look at nothing, nothing hidden, one token, and leading axes."""
    nothing = some_of(rng, 3, 7)
    nothing[1] = False
    causal = np.tril(np.ones((5, 5), dtype=bool))
    batch = (uniform(rng, 1, 2, 3, 5, 11), uniform(rng, 1, 2, 3, 7, 11), uniform(rng, 3, 2, 3, 7, 13))
    return [
        Case("a causal mask", (uniform(rng, 1.2, 5, 3), uniform(rng, 1.2, 5, 3), uniform(rng, 3, 5, 7), causal)),
        Case("a query that may look at nothing", asked(rng, 3, 7, 5, 2, nothing).args),
        Case("nothing hidden", asked(rng, 3, 5, 7, 2, np.ones((1, 5), dtype=bool)).args),
        Case("one token", asked(rng, 1, 1, 3, 2, np.array([[True]])).args),
        Case("a batch, with leading axes", (*batch, some_of(rng, 2, 1, 1, 7))),
    ]


@mistake(
    "The mask is not used: every query looks at every key. "
    "A decoder trained like that copies the words that it should learn to predict. "
    "Pass the scores and the mask to `masked_softmax`.",
)
def attends_to_all(query, key, value, mask):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]))
    weights = weights + 0.0 * mask
    return weights @ value, weights


@mistake(
    "The scores were not scaled. "
    "This is chapter 5's attention with a mask, and its scores are divided by √d_k. "
    "Divide by `np.sqrt(key.shape[-1])` before the mask and softmax.",
)
def masked_unscaled(query, key, value, mask):
    weights = softmax(np.where(mask, query @ np.swapaxes(key, -1, -2), -np.inf))
    return weights @ value, weights


@mistake(
    "The scores were divided by `d_k` instead of its square root. "
    "The spread of a dot product grows with √d_k, and dividing by `d_k` makes the weights too even. "
    "Divide by `np.sqrt(key.shape[-1])`.",
)
def divided_by_d_k(query, key, value, mask):
    weights = softmax(np.where(mask, query @ np.swapaxes(key, -1, -2) / key.shape[-1], -np.inf))
    return weights @ value, weights


@mistake(
    "The scores were divided by the square root of the number of keys. "
    "`d_k` is the width of a key, the last axis; `len(key)` and `key.shape[-2]` count keys. "
    "Divide by `np.sqrt(key.shape[-1])`.",
)
def keys_counted(query, key, value, mask):
    weights = softmax(np.where(mask, query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-2]), -np.inf))
    return weights @ value, weights


@mistake(
    "The keys were multiplied by the queries, so the rows of scores belong to keys. "
    "Row i must hold the scores of query i with every key. "
    "Swap the two: `query @ np.swapaxes(key, -1, -2)`.",
)
def keys_ask(query, key, value, mask):
    weights = softmax(np.where(mask, key @ np.swapaxes(query, -1, -2) / np.sqrt(key.shape[-1]), -np.inf))
    return weights @ value, weights


@mistake(
    "Hidden scores became 0, and a score of 0 still gets weight. e to the power of 0 is 1; only −inf has the power 0. "
    "Use `masked_softmax`, or `np.where(mask, scores, -np.inf)`.",
)
def zero_scores(query, key, value, mask):
    weights = softmax(np.where(mask, query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), 0.0))
    return weights @ value, weights


@mistake(
    "The mask came after softmax, so the masked rows don't sum to one. "
    "The hidden keys had already taken their share, and it is lost. "
    "Mask the scores before softmax: `masked_softmax` does both.",
)
def weights_cut(query, key, value, mask):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])) * mask
    return weights @ value, weights


@mistake(
    "The output is right, but the second result holds the masked scores instead of the weights. "
    "Their rows do not sum to one, so nobody can read from them who attends to whom. "
    "Keep the result of `masked_softmax` in a variable, and return that.",
)
def masked_scores_for_weights(query, key, value, mask):
    scores = np.where(mask, query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), -np.inf)
    return softmax(scores) @ value, scores


@mistake(
    "The mask is inverted: each query looks at what it must not see. "
    "True means *may attend*. "
    "Keep the scores where the mask is True.",
)
def looks_where_forbidden(query, key, value, mask):
    weights = softmax(np.where(mask, -np.inf, query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])))
    return weights @ value, weights


@mistake(
    "The weights are masked, but the output was computed with weights that are not. "
    "You must mix only what the mask lets through, or the future leaks into the output. "
    "Mix the values with the weights that you return.",
)
def output_not_masked(query, key, value, mask):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])
    return softmax(scores) @ value, softmax(np.where(mask, scores, -np.inf))


@mistake(
    "Right where a query may look at something, but NaN where it may look at nothing. "
    "All its scores are −inf, and neither −inf − (−inf) nor 0 / 0 is a number. "
    "Such a query gets weights of 0 and an output of 0, as `masked_softmax` returns them.",
)
def nan_for_a_blind_query(query, key, value, mask):
    hidden = np.where(mask, query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), -np.inf)
    exponentials = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value, weights


@mistake(
    "Right where a query may look at something, but where it may look at nothing it takes the average of all values. "
    "That happens with a large negative number instead of −inf. "
    "Use `masked_softmax`, with `-np.inf` in it.",
)
def average_for_a_blind_query(query, key, value, mask):
    weights = softmax(np.where(mask, query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), -1e9))
    return weights @ value, weights


@mistake(
    "Right for one sentence, but `.T` also reverses leading axes, and mixes up sentences and heads. "
    "The product needs only the last two axes swapped. "
    "`np.swapaxes(key, -1, -2)` does just that.",
)
def masked_all_axes_reversed(query, key, value, mask):
    weights = softmax(np.where(mask, query @ key.T / np.sqrt(key.shape[-1]), -np.inf))
    return weights @ value, weights


def scores_of(query: np.ndarray, key: np.ndarray, value: Any, mask: np.ndarray) -> Any:
    """Return the scaled scores."""
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])


def then_masked(scores: np.ndarray, query: np.ndarray, key: np.ndarray, value: Any, mask: np.ndarray) -> Any:
    """Return what is made of the scores."""
    weights = softmax(np.where(mask, scores, -np.inf))
    return weights @ value, weights


def inverted_by_a_number(query, key, value, mask):
    """Hide what may be seen, by a number and not by −inf."""
    weights = softmax(np.where(mask, -1e9, scores_of(query, key, value, mask)))
    return weights @ value, weights


EXERCISE = Exercise(
    name="masked_attention",
    reference=reference.masked_attention,
    returns=("output", "weights"),
    examples=(
        Case("three tokens with a causal mask", (QUERY, KEY, VALUE, CAUSAL)),
        Case("a query that may look at nothing", (QUERY, KEY, VALUE, NOTHING), edge=True),
        Case("a batch with padding", (*TWO_HEADS, PADDED), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(("the mask is inverted: a large negative number replaces what may be seen", inverted_by_a_number),),
    step=IntermediateStep("scaled scores", scores_of, then_masked),
)
