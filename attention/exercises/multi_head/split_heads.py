"""Every token cut into slices, one for each head."""

import numpy as np

from attention.chapters import multi_head as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

TWELVE = np.arange(12.0).reshape(3, 4)
TWO_TOKENS = np.arange(12.0).reshape(2, 6)
BATCH = np.arange(24.0).reshape(2, 3, 4)


def unseen(rng: np.random.Generator) -> list[Case]:
    """Tokens, heads and widths of a slice all different primes."""
    return [
        Case("five tokens, three heads of seven", (uniform(rng, 3, 5, 21), 3)),
        Case("seven tokens, five heads of two", (uniform(rng, 3, 7, 10), 5)),
        Case("eleven tokens, two heads of three", (uniform(rng, 3, 11, 6), 2)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, one head, heads of one number, leading axes, and a width that cannot be shared."""
    return [
        Case("one token", (uniform(rng, 3, 1, 15), 5)),
        Case("one head", (uniform(rng, 3, 5, 7), 1)),
        Case("as many heads as numbers", (uniform(rng, 3, 3, 5), 5)),
        Case("a batch, with leading axes", (uniform(rng, 3, 2, 3, 5, 14), 7)),
        Case("seven numbers for three heads", (uniform(rng, 3, 5, 7), 3)),
    ]


@mistake(
    "x was only reshaped, to `(h, n, d_k)`. "
    "A reshape keeps the numbers in order, so the first head gets the first tokens whole, and the last head nothing "
    "of them. "
    "Reshape to `(..., n, h, d_k)`, where each token stays in its row, then swap the axes of tokens and heads.",
)
def reshape_alone(x, h):
    *batch, n, d = x.shape
    return x.reshape(*batch, h, n, d // h)


@mistake(
    "Each token is cut, but the axis of heads comes after that of tokens: the shape is `(..., n, h, d_k)`. "
    "Attention works on the last two axes, so the heads of one token would attend to one another. "
    "Swap the two axes: `np.swapaxes(…, -3, -2)`.",
)
def tokens_before_heads(x, h):
    *batch, n, d = x.shape
    return x.reshape(*batch, n, h, d // h)


@mistake(
    "Head i got every h-th number, `x[..., i::h]`, instead of a block. "
    "That would be a fair way to share, but in `w_q`, `w_k` and `w_v` each head has a block of columns. "
    "Head i takes the columns from i·d_k to (i + 1)·d_k.",
)
def every_hth_number(x, h):
    if x.shape[-1] % h:
        raise ValueError("width")
    return np.stack([x[..., i::h] for i in range(h)], axis=-3)


@mistake(
    "h was used as the width of a slice: there are d / h heads with h numbers each. h is the number of heads, and "
    "their width follows from it. "
    "The width of a slice is `d // h`.",
)
def h_numbers_each(x, h):
    *batch, n, d = x.shape
    return np.swapaxes(x.reshape(*batch, n, d // h, h), -3, -2)


@mistake(
    "The heads became the last axis: the shape is `(..., n, d_k, h)`. "
    "Then the last axis no longer holds the numbers of a query, and dot products don't fit. "
    "The axis of heads belongs before that of tokens: `axis=-3` in `np.stack`.",
)
def heads_last(x, h):
    return np.stack(np.split(x, h, axis=-1), axis=-1)


@mistake(
    "The tokens were divided among the heads instead of the numbers of each token. "
    "A head that has only some of the tokens can never look at the others. "
    "Cut along the last axis, the numbers of a token.",
)
def tokens_shared_out(x, h):
    return np.stack(np.split(x, h, axis=-2), axis=-3)


@mistake(
    "All heads got the same slice, the first one. "
    "They would compute the same thing h times, and most of the token would be lost. "
    "Head i begins at column i·d_k: let the start depend on i.",
)
def the_same_slice_for_all(x, h):
    if x.shape[-1] % h:
        raise ValueError("width")
    return np.stack([x[..., : x.shape[-1] // h] for _ in range(h)], axis=-3)


@mistake(
    "Head i began at column i instead of column i·d_k. "
    "Neighbouring heads then share most of their columns, and the last columns of a token belong to no head. "
    "Multiply the start by the width of a slice: `x[..., i * d_k : (i + 1) * d_k]`.",
)
def heads_begin_at_column_i(x, h):
    if x.shape[-1] % h:
        raise ValueError("width")
    d_k = x.shape[-1] // h
    return np.stack([x[..., i : i + d_k] for i in range(h)], axis=-3)


@mistake(
    "After the reshape, the first and the last of the three axes were swapped: the shape is `(..., d_k, h, n)`. "
    "`.T` reverses all axes, so the middle one, h, stays where it is. "
    "Swap only tokens and heads: `np.swapaxes(…, -3, -2)`.",
)
def all_axes_turned_round(x, h):
    *batch, n, d = x.shape
    return np.swapaxes(x.reshape(*batch, n, h, d // h), -3, -1)


@mistake(
    "The width of a slice was computed with `/`, which gives a float, and a shape needs whole numbers. "
    "Even 4 / 2 is 2.0 in Python. "
    "Write `d // h`, after checking that there is no remainder.",
)
def width_with_a_point(x, h):
    *batch, n, d = x.shape
    return np.swapaxes(x.reshape(*batch, n, h, d / h), -3, -2)


@mistake(
    "Right if h divides the width, but if it does not, numbers were dropped without an error. "
    "A model would lose columns of its tokens unnoticed. "
    "Raise a ValueError if `d % h` is not 0.",
)
def the_rest_left_out(x, h):
    d_k = x.shape[-1] // h
    return np.stack([x[..., i * d_k : (i + 1) * d_k] for i in range(h)], axis=-3)


@mistake(
    "Right for one sentence, but in a batch the heads came before the sentences. "
    "Attention would still work, but merging would mix up sentences. "
    "Put the heads right before the tokens, counted from the end: `axis=-3`.",
)
def heads_before_the_batch(x, h):
    return np.stack(np.split(x, h, axis=-1), axis=0)


@mistake(
    "Right for one sentence, but the shape `(n, h, d_k)` leaves no place for the sentences of a batch. "
    "All axes before the tokens must stay there. "
    "Begin the new shape with `*x.shape[:-1]`, and count the axes to swap from the end.",
)
def one_sentence_only(x, h):
    return x.reshape(x.shape[0], h, x.shape[-1] // h).transpose(1, 0, 2)


EXERCISE = Exercise(
    name="split_heads",
    reference=reference.split_heads,
    returns=("heads",),
    examples=(
        Case("three tokens, two heads", (TWELVE, 2)),
        Case("two tokens, three heads", (TWO_TOKENS, 3)),
        Case("five numbers for two heads", (np.arange(10.0).reshape(2, 5), 2), edge=True),
        Case("a batch, with a leading axis", (BATCH, 2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
