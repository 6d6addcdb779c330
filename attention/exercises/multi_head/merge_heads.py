"""The heads' slices side by side again."""

import numpy as np

from attention.chapters import multi_head as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

TWO_HEADS = np.array([[[0.0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]])
THREE_HEADS = np.array([[[1.0, 2, 3], [4, 5, 6]], [[10, 20, 30], [40, 50, 60]], [[0, 0, 0], [7, 8, 9]]])
BATCH = np.stack([TWO_HEADS, TWO_HEADS + 100])


def unseen(rng: np.random.Generator) -> list[Case]:
    """Heads, tokens and widths all different primes."""
    return [
        Case("three heads, five tokens", (uniform(rng, 3, 3, 5, 7),)),
        Case("five heads, two tokens", (uniform(rng, 3, 5, 2, 3),)),
        Case("two heads, eleven tokens", (uniform(rng, 3, 2, 11, 3),)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, one head, heads of one number, and leading axes."""
    return [
        Case("one token", (uniform(rng, 3, 3, 1, 5),)),
        Case("one head", (uniform(rng, 3, 1, 5, 7),)),
        Case("heads of one number", (uniform(rng, 3, 5, 3, 1),)),
        Case("a batch, with leading axes", (uniform(rng, 3, 2, 3, 7, 5, 2),)),
    ]


@mistake(
    "The heads were reshaped into one table without swapping the axes first. "
    "A reshape keeps the numbers in order, head after head, so the first rows come from the first head alone. "
    "First bring each token's slices together with `np.swapaxes(x, -3, -2)`, then reshape.",
)
def no_exchange_back(x):
    *batch, h, n, d = x.shape
    return x.reshape(*batch, n, h * d)


@mistake(
    "The heads were put below one another: there are h · n rows. "
    "Every token must keep its one row, with the heads side by side. "
    "Concatenate along the last axis, not along the tokens.",
)
def below_one_another(x):
    *batch, h, n, d = x.shape
    return x.reshape(*batch, h * n, d)


@mistake(
    "The numbers of the heads alternate, one of each head in turn. "
    "Then head i has no block of columns that `w_o` could expect. "
    "Swap only the axes of heads and tokens; the numbers of one head stay next to each other.",
)
def dealt_out_in_turn(x):
    *batch, h, n, d = x.shape
    return np.moveaxis(x, -3, -1).reshape(*batch, n, h * d)


@mistake(
    "The last shape was (h, n · d_v): there is a row for each head instead of each token. "
    "Either the names of the first two axes of `x` were swapped, or their sizes in the last reshape. "
    "The axes of `x` are `(..., h, n, d_v)`, and those of the result (..., n, h · d_v).",
)
def a_row_for_each_head(x):
    *batch, h, n, d = x.shape
    return np.swapaxes(x, -3, -2).reshape(*batch, h, n * d)


@mistake(
    "The axes were swapped correctly, but then the slices were put below one another: there are h · n rows. "
    "Each token's slices are next to each other by then, and belong in one row. "
    "Reshape to (..., n, h · d_v).",
)
def slices_below_one_another(x):
    *batch, h, n, d = x.shape
    return np.swapaxes(x, -3, -2).reshape(*batch, h * n, d)


@mistake(
    "The last two axes were swapped, tokens with the numbers of a slice. "
    "You must swap heads and tokens, which are the third and the second axis from the end. "
    "Use `np.swapaxes(x, -3, -2)`.",
)
def numbers_exchanged_with_tokens(x):
    *batch, h, n, d = x.shape
    return np.swapaxes(x, -2, -1).reshape(*batch, n, h * d)


@mistake(
    "The heads were averaged. "
    "Then the outputs of the heads are mixed, and no matrix can separate them again. "
    "Put the slices side by side; there is nothing to compute here.",
)
def averaged(x):
    return x.mean(axis=-3)


@mistake(
    "The heads were added up. "
    "The sum has the width of a single head, and nobody can tell which part came from which head. "
    "Put the slices side by side; `w_o` adds them up later, with learned weights.",
)
def added_up(x):
    return x.sum(axis=-3)


@mistake(
    "The heads are side by side in the wrong order, the last one first. "
    "The rows of `w_o` belong to the heads in their order, so each head would be multiplied by the rows of another. "
    "Keep the order: the slice of head 0 comes first.",
)
def last_head_first(x):
    *batch, h, n, d = x.shape
    return np.swapaxes(x[..., ::-1, :, :], -3, -2).reshape(*batch, n, h * d)


@mistake(
    "The axes were swapped, but the slices of a token were not joined: the shape is `(..., n, h, d_v)`. "
    "The product with `w_o` needs all numbers of a token in one row. "
    "Reshape to (..., n, h · d_v) afterwards.",
)
def not_joined(x):
    return np.swapaxes(x, -3, -2)


@mistake(
    "Right for one sentence, but in a batch the first axis counts sentences, and these were put side by side. "
    "`np.concatenate`, `np.hstack` and a loop over x take the first axis for the heads. "
    "The heads are the third axis from the end: swap them with the tokens and reshape.",
)
def sentences_side_by_side(x):
    return np.concatenate(list(x), axis=-1)


@mistake(
    "Right for one sentence, but three axes are too few for a batch. "
    "All axes before the heads must stay there. "
    "Count from the end, `np.swapaxes(x, -3, -2)`, and begin the new shape with `*x.shape[:-3]`.",
)
def three_axes_only(x):
    h, n, d = x.shape
    return x.transpose(1, 0, 2).reshape(n, h * d)


@mistake(
    "Right for one sentence, but in a batch axis 0 counts the sentences, and they were swapped with the heads. "
    "`np.swapaxes(x, 0, 1)` allows for no leading axes. "
    "Count from the end: `np.swapaxes(x, -3, -2)`.",
)
def first_two_axes_exchanged(x):
    swapped = np.swapaxes(x, 0, 1)
    return swapped.reshape(*swapped.shape[:-2], -1)


@mistake(
    "Two heads were assumed, and the others are lost. "
    "Their number is in the shape of `x`, as its third length from the end. "
    "Swap axes and reshape, or take as many heads as there are.",
)
def two_heads_always(x):
    return np.concatenate([x[..., i, :, :] for i in range(min(2, x.shape[-3]))], axis=-1)


@mistake(
    "Head i was put into the columns from i·h on, but belongs in those from i·d_v to (i + 1)·d_v. "
    "A slice is as wide as a head, `d_v`, which happens to be h in the worked examples. "
    "Multiply i by `x.shape[-1]`.",
    sees="right on the worked examples, in which d_v = h",
    edge=True,
)
def slices_as_wide_as_h(x):
    *batch, h, n, d = x.shape
    merged = np.zeros((*batch, n, h * d))
    for i in range(h):
        merged[..., i * h : (i + 1) * h] = x[..., i, :, :]
    return merged


EXERCISE = Exercise(
    name="merge_heads",
    reference=reference.merge_heads,
    returns=("merged",),
    examples=(
        Case("two heads, three tokens", (TWO_HEADS,)),
        Case("three heads, two tokens", (THREE_HEADS,)),
        Case("a batch, with a leading axis", (BATCH,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
