"""Weights for those keys only that may be looked at."""

import numpy as np

from attention.chapters import masking as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import on_grid, uniform

CAUSAL = np.array([[True, False, False], [True, True, False], [True, True, True]])
BATCH = np.array([[[0.0, 0, 0, 0, 0], [2, 2, 0, 0, 0]], [[0, 0, 4, 4, 0], [1, 1, 1, 1, 1]]])  # (2, 2, 5)
LENGTHS = np.array([[[True, True, False, False, False]], [[True, True, True, True, False]]])  # (2, 1, 5)
NOTHING = np.array([[True, False, True], [False, False, False]])
LOUD = (
    np.array([[1000.0, 1, 2], [-1000, 3, -1001], [800, 801, 0]]),
    np.array([[False, True, True], [True, False, True], [True, True, False]]),
)


def unseen(rng: np.random.Generator) -> list[Case]:
    """More keys than queries, fewer, and one row for all queries; every query sees a key, and not all of them."""
    return [
        Case("three queries, five keys", (uniform(rng, 4, 3, 5), some_of(rng, 3, 5))),
        Case("seven queries, three keys", (uniform(rng, 4, 7, 3), some_of(rng, 7, 3))),
        Case("one row for all queries", (uniform(rng, 4, 5, 11), some_of(rng, 1, 11))),
    ]


def some_of(rng: np.random.Generator, *shape) -> np.ndarray:
    """Draw a mask with at least one key seen and one hidden in every row."""
    order = rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    return order < rng.integers(1, shape[-1], (*shape[:-1], 1))


def edges(rng: np.random.Generator) -> list[Case]:
    """A row that may see nothing, a hidden score far above the others, everything seen, one key, leading axes."""
    nothing, loud = some_of(rng, 5, 7), 1500 + on_grid(uniform(rng, 2, 3, 7))
    nothing[2] = False
    hidden = some_of(rng, 3, 7)
    return [
        Case("a query that may look at nothing", (uniform(rng, 4, 5, 7), nothing)),
        Case("hidden scores of a thousand", (np.where(hidden, loud - 3000, loud), hidden)),
        Case("nothing hidden", (uniform(rng, 4, 3, 5), np.ones((3, 5), dtype=bool))),
        Case("one key", (uniform(rng, 4, 2, 1), np.array([[True], [True]]))),
        Case("a batch, with leading axes", (uniform(rng, 4, 2, 3, 5, 7), some_of(rng, 2, 1, 1, 7))),
    ]


@mistake(
    "Hidden scores became 0, either replaced by 0 or multiplied by the mask. 0 is a score like any other, and e to "
    "its power is 1: hidden keys still take weight. "
    "Use −inf; e to that power is 0.",
)
def zero_in_place(scores, mask):
    return softmax(np.where(mask, scores, 0.0))


@mistake(
    "The mask came after softmax, and the rows were not divided by their new sums. "
    "Softmax had already given the hidden keys their share, and now it is missing. "
    "Mask the scores first and then take softmax, or divide each row by the sum of what is left.",
)
def masked_afterwards(scores, mask):
    return softmax(scores) * mask


@mistake(
    "The mask is inverted: what may be looked at is hidden. "
    "True means *may attend*. "
    "Keep the scores where the mask is True: `np.where(mask, scores, -np.inf)`.",
)
def inverted(scores, mask):
    return softmax(np.where(mask, -np.inf, scores))


@mistake(
    "A large number was subtracted where the mask is True, so from what may be looked at. "
    "True means *may attend*; a row that sees everything still looks right, because all its scores drop by the same "
    "number. "
    "Keep the scores where the mask is True: `np.where(mask, scores, -np.inf)`.",
)
def subtracted_where_seen(scores, mask):
    return softmax(scores - 1e9 * mask)


@mistake(
    "These are the masked scores; softmax is still missing. "
    "Weights are not negative, and each row of them sums to one. "
    "Pass the scores to the `softmax` above.",
)
def scores_alone(scores, mask):
    return np.where(mask, scores, -np.inf)


@mistake(
    "Each power was divided by the sum of another row, and no maximum was subtracted before `np.exp`. "
    "Without `keepdims=True`, the sums form a row, and NumPy uses the first for column 0, the next for column 1. "
    "Write `sum(axis=-1, keepdims=True)`, or use the `softmax` above, which does both.",
)
def large_sums_in_a_row(scores, mask):
    powers = np.exp(np.where(mask, scores, -np.inf))
    return powers / powers.sum(axis=-1)


@mistake(
    "Right where the mask has as many rows as the scores. "
    "A mask in square brackets is an index, and NumPy does not broadcast an index; `np.where` broadcasts the mask. "
    "Write `np.where(mask, scores, -np.inf)`.",
)
def mask_as_an_index(scores, mask):
    hidden = scores.astype(float)
    hidden[~mask] = -np.inf
    return softmax(hidden)


@mistake(
    "The mask was added to the scores, as 1 for True and 0 for False. "
    "Permitted scores grow by one, and nothing is hidden. "
    "Choose with the mask: `np.where(mask, scores, -np.inf)`.",
)
def mask_added(scores, mask):
    return softmax(scores + mask)


@mistake(
    "0 · (−inf) is NaN, so every key that may be looked at loses its weight. "
    "The factor (1 − mask) is 0 where nothing should be hidden, and 0 times infinity is not 0. "
    "Choose instead of multiplying: `np.where(mask, scores, -np.inf)`.",
)
def zero_times_infinity(scores, mask):
    return softmax(scores + (1.0 - mask) * -np.inf)


@mistake(
    "The mask is not used: hidden keys get weight. "
    "Softmax gives every finite score some weight. "
    "First replace the scores that the mask hides by −inf.",
)
def mask_ignored(scores, mask):
    return softmax(scores + 0.0 * mask)


@mistake(
    "Softmax went down the columns, over the queries. "
    "Each query distributes its attention among the keys that it may see, and the keys are along the last axis. "
    "Use `axis=-1`, for the largest score and for the sum.",
)
def masked_down_the_columns(scores, mask):
    return softmax(np.where(mask, scores, -np.inf), axis=-2)


@mistake(
    "The mask was transposed: its rows met columns of the scores. "
    "Its axes already are in the order of the scores, queries and then keys. "
    "Use it as it is; NumPy broadcasts an axis of length 1.",
)
def mask_turned_round(scores, mask):
    return softmax(np.where(np.swapaxes(mask, -1, -2), scores, -np.inf))


@mistake(
    "Right where a query may look at something, but NaN where it may look at nothing. "
    "Its largest score is −inf, and −inf − (−inf) is NaN; with 0 as the maximum all powers are 0, and 0 / 0 is NaN. "
    "Such a row must be all zeros: the `softmax` above does that for a row of −inf.",
)
def nan_on_an_empty_row(scores, mask):
    hidden = np.where(mask, scores, -np.inf)
    exponentials = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@mistake(
    "Hidden scores were set to a large negative number, such as −10000, instead of −inf. "
    "A query that may look at nothing then spreads its weight evenly over all keys; it should give 0 to each. "
    "Use `-np.inf`, whose power is exactly 0.",
)
def large_number_in_place(scores, mask):
    return softmax(np.where(mask, scores, -1e9))


@mistake(
    "A large negative number, such as −10000, was added to hidden scores instead of −inf. "
    "A query that may look at nothing then gets its usual weights back, because the number cancels in softmax. "
    "Replace hidden scores by `-np.inf`, whose power is exactly 0.",
)
def large_number_added(scores, mask):
    return softmax(scores + np.where(mask, 0.0, -1e4))


@mistake(
    "Right for ordinary scores, but other scores may be below −1000. "
    "If the permitted scores are lower still, the hidden keys get the weight. "
    "Use `-np.inf`; nothing is lower.",
)
def thousand_in_place(scores, mask):
    return np.where(mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, -1000.0)), 0.0)


@mistake(
    "Dividing what the mask leaves by its sum is right, until nothing is left: 0 / 0 is NaN. "
    "A hidden score that is far ahead takes all the weight, and the others are rounded to 0 before the mask is "
    "applied. "
    "Mask the scores first, with −inf, and then take softmax.",
)
def divided_afterwards(scores, mask):
    left = softmax(scores) * mask
    return left / left.sum(axis=-1, keepdims=True)


@mistake(
    "Right, until a hidden score is far larger than those that may be seen. "
    "It was the largest of its row and was subtracted from all; the others' powers are rounded to 0, and 0 / 0 is "
    "NaN, or 0 where that was caught. "
    "Hide the scores first, and take the largest of those that are left.",
)
def hidden_score_subtracted(scores, mask):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1.0, total)


@mistake(
    "Right for ordinary scores, but NaN for large ones. e^1000 is infinite, and infinity times 0 is NaN, as is "
    "infinity divided by itself. "
    "Mask the scores first, with −inf, and pass them to `softmax`, which subtracts the largest.",
)
def powers_cut(scores, mask):
    powers = np.exp(scores) * mask
    return powers / powers.sum(axis=-1, keepdims=True)


def hidden_at(score):
    """Return a softmax in which hidden keys have this score."""
    return lambda scores, mask: softmax(np.where(mask, scores, score))


def inverted_by_a_number(scores, mask):
    """Hide what may be seen, by a number and not by −inf."""
    return softmax(np.where(mask, -1e9, scores))


EXERCISE = Exercise(
    name="masked_softmax",
    reference=reference.masked_softmax,
    returns=("weights",),
    examples=(
        Case("rows 1, 2, 3 with a causal mask", (np.array([[1.0, 2, 3]] * 3), CAUSAL)),
        Case("some scores far ahead", LOUD, edge=True),
        Case("a query that may look at nothing", (np.array([[1.0, 2, 2], [1, 2, 3]]), NOTHING), edge=True),
        Case("a batch with padding", (BATCH, LENGTHS), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        *((f"hidden scores are −{-score:.0f} instead of −inf", hidden_at(score)) for score in (-1.0, -5.0, -10.0)),
        ("the mask is inverted: a large negative number replaces what may be seen", inverted_by_a_number),
    ),
)
