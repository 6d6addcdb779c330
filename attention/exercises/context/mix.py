"""Tokens mixed by weights that come ready."""

import numpy as np

from attention.chapters import context as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

MONEY_BANK_GROWS = np.array([[2, 0], [1, 1], [1, 0]])  # whole numbers, as anyone types them
RIVER_BANK_FLOWS = np.array([[0, 2], [1, 1], [0, 1]])
MONEY_WEIGHTS = np.array([[0.7, 0.2, 0.1], [0.25, 0.7, 0.05], [0.1, 0.2, 0.7]])  # Note 2
FLOWS_AS_WRITTEN = np.array([[0.1, 0.01, 0.59]])  # Note 2's row, which sums to 0.70
RIVER_WEIGHTS = np.array([[0.8, 0.15, 0.05], [0.2, 0.78, 0.02], *(FLOWS_AS_WRITTEN / 0.7)])

# One sentence with two heads, three rows, five tokens; a row takes nothing, and one only half.
BATCH_WEIGHTS = np.array(
    [
        [
            [[1.0, 0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]],
            [[0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.5, 0.5, 0.0], [0.1, 0.1, 0.1, 0.1, 0.1]],
        ]
    ]
)
BATCH_TOKENS = np.array([[[[2, 0], [0, 2], [1, 1], [3, 1], [5, 5]], [[0, 1], [0, 2], [0, 3], [0, 4], [0, 5]]]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """More rows of weights than tokens, and fewer; each row sums to one."""
    return [
        Case("five rows, seven tokens", (softmax(uniform(rng, 2, 5, 7)), uniform(rng, 3, 7, 3))),
        Case("seven rows, three tokens", (softmax(uniform(rng, 2, 7, 3)), uniform(rng, 3, 3, 11))),
        Case("two rows, eleven tokens", (softmax(uniform(rng, 2, 2, 11)), uniform(rng, 3, 11, 5))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Rows that do not sum to one, a single token, and leading axes."""
    nothing = softmax(uniform(rng, 2, 3, 5))
    nothing[1] = 0.0
    return [
        Case("a row of zeros", (nothing, uniform(rng, 3, 5, 2))),
        Case("Note 2's row of flows as written, which sums to 0.70", (FLOWS_AS_WRITTEN, uniform(rng, 3, 3, 2))),
        Case("one token", (np.ones((3, 1)), uniform(rng, 3, 1, 2))),
        Case("a batch, with leading axes", (softmax(uniform(rng, 2, 2, 3, 5, 7)), uniform(rng, 3, 2, 3, 7, 11))),
    ]


@mistake(
    "The weights were transposed, so row i of the result used column i. "
    "Row i says what token i takes of every token: Note 2's new bank is 0.25 money + 0.7 bank + 0.05 grows. "
    "Leave the weights as they are; their last axis already counts the tokens that are mixed.",
)
def weights_turned_round(weights, x):
    return np.swapaxes(weights, -1, -2) @ x


@mistake(
    "The tokens are on the left: `x @ weights`. "
    "`@` pairs the last axis of its left side with the rows of its right side, and the numbers in a token are not "
    "tokens. "
    "Write the shapes below the product: `(n_q, n_k) @ (n_k, d)` has `n_k` in the middle.",
)
def tokens_on_the_left(weights, x):
    return x @ weights


@mistake(
    "`weights * x` multiplies entry by entry. "
    "A weight belongs to a whole token, and the weighted tokens must then be added up. "
    "`*` does neither; `@` does both.",
)
def entry_by_entry(weights, x):
    return weights * x


@mistake(
    "Every token was weighted, but the weighted tokens were not added up. "
    "A new token is one vector, as wide as x, not `n_k` of them. "
    "Sum over the tokens that are mixed, along the second last axis, or let `@` multiply and add at once.",
)
def not_added_up(weights, x):
    return weights[..., None] * x[..., None, :, :]


@mistake(
    "The sum ran over the rows of the weights, so every token became a multiple of itself. "
    "Row i of the result belongs to row i of the weights, and adds up over the tokens j. "
    "Sum over the axis that weights and x have in common.",
)
def summed_over_rows(weights, x):
    return (weights[..., None] * x[..., None, :, :]).sum(axis=-3)


@mistake(
    "The weighted tokens were averaged instead of added up. "
    "The weights already sum to one, so dividing by the number of tokens shrinks every vector. "
    "Use the sum instead of the mean.",
)
def mean_instead_of_sum(weights, x):
    return weights @ x / x.shape[-2]


@mistake(
    "The weights went through softmax. "
    "They already are weights: softmax turns 0.7, 0.2, 0.1 into 0.4640, 0.2814, 0.2546, which is nearly the plain "
    "average. "
    "Softmax is for scores, in the next exercise; here, multiply by the weights as they are.",
)
def softmax_again(weights, x):
    return softmax(weights) @ x


@mistake(
    "Each row returned only the token with the largest weight, at full strength. "
    "Note 2's bank keeps 0.7 of itself and takes 0.25 of money: the small shares are the context. "
    "Take of every token what its weight says, and add up.",
)
def strongest_token_only(weights, x):
    return x[np.argmax(weights, axis=-1)]


@mistake(
    "The new tokens were cut down to whole numbers. "
    "`np.zeros_like(x)` takes the dtype of x, here int; it also has a row for each token, where you need a row for "
    "each row of weights. "
    "Use `np.zeros((n_q, d))`, or simply `weights @ x`.",
)
def room_like_x(weights, x):
    out = np.zeros_like(x)
    for i, row in enumerate(weights):
        out[i] = row @ x
    return out


@mistake(
    "The array was made with `np.zeros_like(x)`, and x has dtype int, so `+=` cannot store a fraction in it. "
    "A share of a token is hardly ever a whole number. "
    "Use `np.zeros((n_q, d))`, or simply `weights @ x`.",
)
def added_to_whole_numbers(weights, x):
    out = np.zeros_like(x)
    for i, row in enumerate(weights):
        for j, weight in enumerate(row):
            out[i] += weight * x[j]
    return out


@mistake(
    "Right if each row sums to one, but the rows were divided by their sum once more. mix uses the weights as they "
    "are: a row of zeros gives zeros, where 0 / 0 would be NaN. "
    "Leave out the division.",
)
def rows_divided_again(weights, x):
    return weights / weights.sum(axis=-1, keepdims=True) @ x


@mistake(
    "`np.average` divides by the sum of the weights, which is right only if that sum is one. "
    "It stops at a row of zeros, and inflates a row that sums to 0.70. "
    "Multiply and add up yourself: `weights @ x`.",
)
def average_divides(weights, x):
    return np.stack([np.average(x, axis=0, weights=row) for row in weights])


EXERCISE = Exercise(
    name="mix",
    reference=reference.mix,
    returns=("new",),
    examples=(
        Case("money bank grows", (MONEY_WEIGHTS, MONEY_BANK_GROWS)),
        Case("river bank flows", (RIVER_WEIGHTS, RIVER_BANK_FLOWS)),
        Case("a batch, with leading axes", (BATCH_WEIGHTS, BATCH_TOKENS), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
