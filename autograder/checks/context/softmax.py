"""Scores turned into weights, along any axis."""

import numpy as np

from autograder.reference import context as reference

from ..draw import on_grid, uniform
from ..exercise import Case, Exercise, mistake

TWO_ROWS = np.array([[0, 1, 2], [1, 1, 4]])
LARGE = np.array([[10_000, 9_999, -10_000], [-10_000, -10_000, -10_000]])
ENDLESS = np.array([[0.0, -np.inf, 0.0], [-np.inf, -np.inf, -np.inf]])
FAR_APART = 1e4 * np.array([1, 0, -1])


def unseen(rng: np.random.Generator) -> list[Case]:
    """Every axis of arrays of one, two and three axes, named from the front and from the back."""
    return [
        Case("a matrix", (uniform(rng, 4, 5, 3),)),
        Case("a matrix, down its columns", (uniform(rng, 4, 3, 7), 0)),
        Case("a single row", (uniform(rng, 4, 11),)),
        Case("three axes", (uniform(rng, 4, 2, 5, 3),)),
        Case("three axes, along the middle one", (uniform(rng, 4, 5, 3, 7),), {"axis": 1}),
        Case("three axes, the first counted from the back", (uniform(rng, 4, 7, 2, 3),), {"axis": -3}),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Scores that overflow exp or underflow, within a row and between rows; scores of -inf; a single score."""
    some, none = uniform(rng, 4, 2, 3, 5), uniform(rng, 4, 5, 3)
    some -= some.max(axis=-1, keepdims=True)  # a largest score of exactly 0 is nothing special
    some[0, 0, some[0, 0].argmin()] = some[1, 1] = none[:, 1] = -np.inf
    return [
        Case("rows ten thousand apart", (on_grid(uniform(rng, 4, 3, 7)) + FAR_APART[:, None],)),
        Case("columns ten thousand apart", (on_grid(uniform(rng, 4, 7, 3)) + FAR_APART,), {"axis": 0}),
        Case("ten thousand apart in one row", (np.repeat(FAR_APART, 3)[:7] + on_grid(uniform(rng, 4, 7)),)),
        Case("a score of -inf, and a row of nothing else", (some,)),
        Case("a column of -inf", (none,), {"axis": -2}),
        Case("one score", (uniform(rng, 4, 5, 1),)),
    ]


@mistake(
    "Each score was divided by the sum of the scores, without exp. "
    "Scores may be negative or sum to zero, and then the shares are negative, or NaN. "
    "Take np.exp of every score first, and divide by the sum of those.",
)
def plain_shares(scores, axis=-1):
    return scores / scores.sum(axis=axis, keepdims=True)


@mistake(
    "These are the powers e^score, and no row of them sums to one. "
    "Weights are shares of a whole. "
    "Divide by the sum of the powers along `axis`, with keepdims=True.",
)
def powers_only(scores, axis=-1):
    return np.exp(scores)


@mistake(
    "The largest weight of each row is exactly 1: the largest score was subtracted and exp taken, and there it ended. "
    "The others get something too, so together they are more than one. "
    "Divide by their sum along `axis`, with keepdims=True.",
)
def largest_becomes_one(scores, axis=-1):
    return np.exp(scores - scores.max(axis=axis, keepdims=True))


@mistake(
    "All weights of the array together sum to one. "
    "With a single row that is right, but each row is to share out a whole of its own. "
    "Give `axis` and keepdims=True to the sum, and to the maximum too.",
)
def one_sum_for_all(scores, axis=-1):
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum()


@mistake(
    "The sum of each row lies in a row itself, and does not line up with the rows that it came from. "
    "NumPy lines shapes up from the right: (2, 3) meets (2,), and 3 is not 2. "
    "keepdims=True leaves the sums standing in a column, (2, 1); the maximum needs it too.",
)
def keepdims_left_out(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis))
    return exponentials / exponentials.sum(axis=axis)


@mistake(
    "With axis=0 the rows still sum to one, and it is the columns that must. "
    "`axis` is not used, or `axis or -1` takes the 0 for nothing. "
    "Where the body says axis=-1, or another number, write axis=axis.",
)
def axis_ignored(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@mistake(
    "Where no axis is named, the columns sum to one, and not the rows. "
    "A row holds the scores of one token, which shares out its own attention: that is the last axis. "
    "Keep axis=-1 in the first line, and hand it on: axis=axis.",
)
def columns_by_default(scores, axis=0):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "Where no axis is named, softmax runs along axis 1. "
    "In a matrix that is the last axis; in a batch of matrices it is not, and a single row has no axis 1. "
    "Count from the back: axis=-1 is the last one always.",
)
def second_axis_by_default(scores, axis=1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "The smallest score has the largest weight: the difference is the wrong way round. "
    "e to the power of largest − score grows as the score falls. "
    "Subtract the largest from the scores, not the scores from the largest.",
)
def sign_turned(scores, axis=-1):
    exponentials = np.exp(scores.max(axis=axis, keepdims=True) - scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "Right for ordinary scores, NaN for large ones: np.exp(10000) is inf and np.exp(-10000) is 0, "
    "and neither inf / inf nor 0 / 0 is a number. "
    "One number subtracted from all scores of a row changes none of its weights, for it cancels in the fraction. "
    "Subtract each row's own maximum; then look at the row of nothing but -inf as well.",
)
def softmax_overflow(scores, axis=-1):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "NaN was replaced by 0 after it had arisen. "
    "In a row of large scores that wipes out the largest weight, and nothing is shared out. "
    "Keep it from arising: subtract each row's maximum before np.exp.",
)
def nan_swept_away(scores, axis=-1):
    exponentials = np.exp(scores)
    return np.nan_to_num(exponentials / exponentials.sum(axis=axis, keepdims=True), nan=0.0)


@mistake(
    "One maximum was subtracted from the whole array. "
    "A row that lies thousands below it has only powers that are too small for a number, and 0 / 0 is NaN. "
    "Each row needs its own: scores.max(axis=axis, keepdims=True).",
)
def one_maximum_for_all(scores, axis=-1):
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "Rows that lie far below the largest score of the array came out as zeros. "
    "They have scores like any other row and one whole to share out; zeros are for a row of nothing but -inf. "
    "Subtract each row's own maximum, then ask which rows have nothing to give.",
)
def far_rows_lost(scores, axis=-1):
    exponentials = np.exp(scores - np.max(scores))
    return np.nan_to_num(exponentials / exponentials.sum(axis=axis, keepdims=True), nan=0.0)


@mistake(
    "Right everywhere but in a row of nothing but -inf, which came out as NaN. "
    "Its maximum is -inf too, and -inf - -inf is NaN; with 0 in its place all powers are 0, and 0 / 0 is NaN again. "
    "Put 0 for a maximum of -inf, and divide by 1 where the sum is 0; np.where does both.",
)
def empty_row_is_nan(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "A row of nothing but -inf comes out even, yet nothing in it may be looked at. "
    "A large negative number was put for -inf, whose scores are then equal and share alike, or 1/n was filled in. "
    "Keep -inf, whose power is exactly 0, and give a row without any power zeros.",
)
def empty_row_is_even(scores, axis=-1):
    finite = np.maximum(scores, -1e9)
    exponentials = np.exp(finite - finite.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "Scores were cut off before np.exp, so that it does not overflow. "
    "All scores beyond the limit become equal, and a row of large ones comes out even. "
    "What counts is the difference between scores: subtract each row's maximum and cut nothing off.",
)
def scores_clipped(scores, axis=-1):
    exponentials = np.exp(np.clip(scores, -500, 500))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


EXERCISE = Exercise(
    name="softmax",
    reference=reference.softmax,
    returns=("weights",),
    examples=(
        Case("two rows", (TWO_ROWS,)),
        Case("down the columns", (TWO_ROWS,), {"axis": 0}),
        Case("scores of ten thousand", (LARGE,), edge=True),
        Case("a batch, with axes in front", (np.zeros((1, 2, 3, 5), dtype=int),), edge=True),
        Case("a score of -inf, and a row of nothing else", (ENDLESS,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
