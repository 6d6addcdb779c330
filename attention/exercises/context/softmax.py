"""Scores turned into weights, along any axis."""

import numpy as np

from attention.chapters import context as reference
from autograder.diagnosis import Case, Exercise, mistake, without_powers

from ..draw import on_grid, uniform

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
    "First take `np.exp` of every score, and divide by the sum of those.",
)
def plain_shares(scores, axis=-1):
    return scores / scores.sum(axis=axis, keepdims=True)


@mistake(
    "These are the powers e^score, and no row of them sums to one. "
    "Weights are shares of a whole. "
    "Divide by the sum of the powers along `axis`, with `keepdims=True`.",
)
def powers_only(scores, axis=-1):
    return np.exp(scores)


@mistake(
    "The largest weight of each row is exactly 1: the largest score was subtracted and exp taken, and nothing more. "
    "The others get something too, so together they sum to more than one. "
    "Divide by their sum along `axis`, with `keepdims=True`.",
)
def largest_becomes_one(scores, axis=-1):
    return np.exp(scores - scores.max(axis=axis, keepdims=True))


@mistake(
    "All weights of the array together sum to one. "
    "That is right for a single row, but every row must sum to one. "
    "Pass `axis` and `keepdims=True` to the sum, and to the maximum too.",
)
def one_sum_for_all(scores, axis=-1):
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum()


@mistake(
    "The sums of the rows form a row themselves, which doesn't line up with the rows they came from. "
    "NumPy lines up shapes from the right: `(2, 3)` meets `(2,)`, and 3 is not 2. "
    "`keepdims=True` keeps the sums as a column, `(2, 1)`; the maximum needs it too.",
)
def keepdims_left_out(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis))
    return exponentials / exponentials.sum(axis=axis)


@mistake(
    "With `axis=0`, the rows still sum to one, but the columns should. "
    "`axis` is not used, or `axis or -1` treats 0 as missing. "
    "Where the body says `axis=-1`, or another number, write `axis=axis`.",
)
def axis_ignored(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@mistake(
    "If no axis is given, the columns sum to one instead of the rows. "
    "A row holds the scores of one token, which distributes its own attention: that is the last axis. "
    "Keep `axis=-1` in the first line, and pass it on: `axis=axis`.",
)
def columns_by_default(scores, axis=0):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "If no axis is given, softmax runs along axis 1. "
    "In a matrix, that is the last axis; in a batch of matrices it is not, and a single row has no axis 1. "
    "Count from the back: `axis=-1` is always the last.",
)
def second_axis_by_default(scores, axis=1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "The smallest score has the largest weight, because the difference has the wrong sign. e to the power of "
    "largest − score grows as the score falls. "
    "Subtract the largest from the scores, not the scores from the largest.",
)
def sign_turned(scores, axis=-1):
    exponentials = np.exp(scores.max(axis=axis, keepdims=True) - scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "Right for ordinary scores, but NaN for large ones: `np.exp(10000)` is inf and `np.exp(-10000)` is 0, and "
    "neither inf / inf nor 0 / 0 is a number. "
    "You may subtract a number from all scores of a row without changing its weights, because it cancels in the "
    "fraction. "
    "Subtract each row's own maximum; then also take care of a row of -inf.",
)
def softmax_overflow(scores, axis=-1):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "NaN was replaced by 0 after it had occurred. "
    "In a row of large scores, that removes the largest weight, and the row no longer sums to one. "
    "Prevent it: subtract each row's maximum before `np.exp`.",
)
def nan_swept_away(scores, axis=-1):
    exponentials = np.exp(scores)
    return np.nan_to_num(exponentials / exponentials.sum(axis=axis, keepdims=True), nan=0.0)


@mistake(
    "One maximum was subtracted from the whole array. "
    "In a row that is thousands below it, every power is too small for a floating-point number, and 0 / 0 is NaN. "
    "Each row needs its own: `scores.max(axis=axis, keepdims=True)`.",
)
def one_maximum_for_all(scores, axis=-1):
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "Rows far below the largest score of the array came out as zeros. "
    "Their scores are like those of any other row and need weights that sum to one; zeros are only for a row of "
    "-inf. "
    "Subtract each row's own maximum, then ask which rows have only -inf.",
)
def far_rows_lost(scores, axis=-1):
    exponentials = np.exp(scores - np.max(scores))
    return np.nan_to_num(exponentials / exponentials.sum(axis=axis, keepdims=True), nan=0.0)


@mistake(
    "Right, except that a row of -inf became NaN. "
    "Its maximum is -inf too, and -inf - -inf is NaN; with 0 as the maximum all powers are 0, and 0 / 0 is NaN again. "
    "Replace a maximum of -inf by 0, and divide by 1 where the sum is 0; `np.where` does both.",
)
def empty_row_is_nan(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "A row of -inf got equal weights, although nothing in it may be looked at. "
    "Either a large negative number replaced -inf, which makes all scores equal, or 1/n was filled in. "
    "Keep -inf, whose power is exactly 0, and give a row whose powers are all 0 the weights 0.",
)
def empty_row_is_even(scores, axis=-1):
    finite = np.maximum(scores, -1e9)
    exponentials = np.exp(finite - finite.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@mistake(
    "The scores were clipped before `np.exp` to prevent an overflow. "
    "All scores beyond the limit become equal, and so do their weights. "
    "Only differences between scores matter: subtract each row's maximum, and don't clip.",
)
def scores_clipped(scores, axis=-1):
    exponentials = np.exp(np.clip(scores, -500, 500))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def shares(numbers, axis):
    """Divide numbers by their sum along an axis."""
    return numbers / numbers.sum(axis=axis, keepdims=True)


EXERCISE = Exercise(
    name="softmax",
    reference=reference.softmax,
    returns=("weights",),
    examples=(
        Case("two rows", (TWO_ROWS,)),
        Case("down the columns", (TWO_ROWS,), {"axis": 0}),
        Case("scores of ten thousand", (LARGE,), edge=True),
        Case("a batch, with leading axes", (np.zeros((1, 2, 3, 5), dtype=int),), edge=True),
        Case("a score of -inf, and a row of nothing else", (ENDLESS,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("`np.exp` is missing: the scores, minus the largest, are divided by their sum", without_powers),
        ("squares are used instead of the powers of e", lambda scores, axis=-1: shares(scores**2, axis)),
        (
            "`np.exp` is missing: the scores, minus the smallest, are divided by their sum",
            lambda scores, axis=-1: shares(scores - scores.min(axis=axis, keepdims=True), axis),
        ),
    ),
)
