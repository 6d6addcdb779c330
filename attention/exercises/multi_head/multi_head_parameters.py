"""How many numbers multi-head attention learns."""

from typing import Any

from attention.chapters import multi_head as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: Any) -> list[Case]:
    """Widths that the heads can share, with biases and without, by place and by name."""

    def width(h, lowest, highest):
        return h * int(rng.integers(lowest, highest))

    return [
        Case("three heads", (width(3, 17, 41), 3)),
        Case("seven heads, with biases", (width(7, 5, 29), 7, True)),
        Case("five heads, bias by name", (width(5, 11, 31), 5), {"bias": True}),
        Case("eleven heads, no bias by name", (width(11, 7, 23), 11), {"bias": False}),
    ]


def edges(rng: Any) -> list[Case]:
    """One head, heads of one number, and a width that cannot be shared."""
    return [
        Case("one head", (int(rng.integers(101, 199)), 1)),
        Case("one head, with biases", (int(rng.integers(101, 199)), 1, True)),
        Case("heads of one number", (13, 13)),
        Case("a width that the heads cannot share", (7 * int(rng.integers(5, 19)) + 3, 7)),
    ]


@mistake(
    "The matrices of one full-width head were counted h times. "
    "Each head is only d_model / h wide, so all heads together need as many columns as one full-width head. "
    "Count the columns of `w_q` for all heads at once: there are `d_model` of them.",
)
def times_the_heads(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return h * 4 * d_model * (d_model + bool(bias))


@mistake(
    "The biases are right, but the matrices were counted as if each head had four of its own, `d_model` by `d_model`. "
    "A head has d_model / h columns, so all heads together have `d_model`. "
    "Count d_model · d_model for each of the four matrices, once.",
)
def matrices_times_the_heads(d_model, h, bias=False):
    return h * 4 * d_model**2 + 4 * bool(bias) * d_model


@mistake(
    "The matrices were counted h times, as if each head were `d_model` wide, and the biases not at all. "
    "All heads share the `d_model` columns of `w_q`, `w_k` and `w_v`. "
    "Count four matrices of `d_model` by `d_model`, and 4 · d_model more if `bias` is true.",
)
def times_the_heads_no_bias(d_model, h, bias=False):
    return h * 4 * d_model**2


@mistake(
    "The biases are right, but only one head's matrices were counted, `d_model` by `d_k` each. "
    "There are h such heads, and `w_o` takes the numbers of all of them. "
    "Count all columns at once: `d_model` in each of the four matrices.",
)
def one_heads_matrices(d_model, h, bias=False):
    return 4 * d_model * (d_model // h) + 4 * bool(bias) * d_model


@mistake(
    "`w_o` was counted in full, but only one head's columns of `w_q`, `w_k` and `w_v`. "
    "They hold the columns of all h heads side by side, `d_k` for each. "
    "Count `d_model` columns for these, too.",
)
def w_q_of_one_head(d_model, h, bias=False):
    return 3 * d_model * (d_model // h) + d_model**2 + 4 * bool(bias) * d_model


@mistake(
    "Biases were counted although `bias` is False. "
    "A layer without them has only its four matrices. "
    "Add 4 · d_model only if `bias` is true.",
)
def biases_always(d_model, h, bias=False):
    return 4 * d_model**2 + 4 * d_model


@mistake(
    "`w_o` was forgotten: only the matrices for queries, keys and values were counted. "
    "The merged heads are multiplied by one more matrix, `d_model` by `d_model`. "
    "There are four matrices.",
)
def w_o_not_counted(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return 3 * d_model * (d_model + bool(bias))


@mistake(
    "The matrices of a single head were counted, `d_model` by `d_k` each. "
    "There are h such heads, and `w_o` takes the numbers of all of them. "
    "Multiply by h again, or count all columns at once.",
)
def one_head_alone(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return 4 * d_model * (d_model // h) + 4 * bool(bias) * (d_model // h)


@mistake(
    "`w_o` was counted for one head, `d_k` by `d_model`. "
    "It multiplies the outputs of all heads side by side, h · d_k = d_model numbers. "
    "It has `d_model` rows, like the others.",
)
def w_o_of_one_head(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return 3 * d_model * d_model + d_model // h * d_model + 4 * bool(bias) * d_model


@mistake(
    "`w_o` was counted once for each head. "
    "There is a single `w_o`, which mixes the outputs of all heads. "
    "Add d_model · d_model for it, once.",
)
def a_w_o_for_each_head(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return (3 + h) * d_model * (d_model + bool(bias))


@mistake(
    "Biases were counted for one product, but there are four. "
    "Queries, keys, values and the output each have their own, with `d_model` numbers. "
    "Add 4 · d_model.",
)
def one_bias(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return 4 * d_model**2 + bool(bias) * d_model


@mistake(
    "Biases were counted for queries, keys and values, but the output's was forgotten. "
    "The product with `w_o` has one, too. "
    "Add 4 · d_model.",
)
def no_bias_for_w_o(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return 4 * d_model**2 + 3 * bool(bias) * d_model


@mistake(
    "Biases of the full width were counted for every head. "
    "A head has d_model / h columns, and a bias only for these. "
    "All heads together have `d_model` biases for queries, as many for keys and as many for values.",
)
def biases_times_heads(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return 4 * d_model**2 + bool(bias) * (3 * h + 1) * d_model


@mistake(
    "Four biases were added, one for each matrix. "
    "Each column has its own bias, one per output number. "
    "Add `d_model` for each matrix, not 1.",
)
def a_bias_for_each_matrix(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return 4 * d_model**2 + 4 * bool(bias)


@mistake(
    "Right if h divides `d_model`, but if it does not, a count was returned all the same. "
    "No such layer can be built, so there is nothing to count. "
    "Raise a ValueError if `d_model % h` is not 0.",
)
def indivisible_counted(d_model, h, bias=False):
    return 4 * d_model * (d_model + bool(bias))


@mistake(
    "Biases of the full width were counted for every head, in all four products. "
    "A head has d_model / h columns, so the heads of a product share `d_model` biases. "
    "Add 4 · d_model, whatever h is.",
)
def four_biases_times_heads(d_model, h, bias=False):
    if d_model % h:
        raise ValueError("width")
    return 4 * d_model**2 + 4 * bool(bias) * h * d_model


@mistake(
    "Right if h divides `d_model`, but if it does not, `//` rounded the width of a head down. "
    "The remaining columns would belong to no head, and no such layer can be built. "
    "Raise a ValueError if `d_model % h` is not 0.",
)
def width_rounded_down(d_model, h, bias=False):
    wide = h * (d_model // h)
    return 4 * d_model * wide + bool(bias) * (3 * wide + d_model)


def with_columns(narrow):
    """Return a count in which so many of the four matrices have the columns of one head."""
    return lambda d_model, h, bias=False: (narrow * (d_model // h) + (4 - narrow) * d_model) * (d_model + bool(bias))


EXERCISE = Exercise(
    name="multi_head_parameters",
    reference=reference.multi_head_parameters,
    returns=("count",),
    examples=(
        Case("the original Transformer", (512, 8)),
        Case("the same with biases", (512, 8), {"bias": True}),
        Case("ten numbers for three heads", (10, 3), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("the matrices of queries, keys and values have the columns of one head", with_columns(3)),
        ("all four matrices have the columns of one head", with_columns(4)),
        (
            "each bias has the length of one head",
            lambda d_model, h, bias=False: 4 * d_model**2 + bool(bias) * 4 * (d_model // h),
        ),
    ),
)
