"""Every token becomes a mixture of all tokens, by similarity."""

import numpy as np

from attention.chapters import context as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import directions, far_out, on_grid, uniform
from .mix import MONEY_BANK_GROWS
from .similarity_scores import BATCH, THREE_TOKENS

ONE_LONG = np.array([[60, 0], [0, 1], [0, 0]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """Tokens short enough for every score to lie within ±4."""
    return [
        Case("five tokens of three numbers", (uniform(rng, 1.15, 5, 3),)),
        Case("three tokens of seven numbers", (uniform(rng, 0.75, 3, 7),)),
        Case("eleven tokens of two numbers", (uniform(rng, 1.4, 11, 2),)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Scores that overflow exp in every row, or in one only, a single token, and leading axes."""
    one_long = uniform(rng, 1.2, 7, 3)
    one_long[4] = 60 * directions(rng, 1, 3)[0]
    one_long = on_grid(one_long)
    return [
        Case("scores of sixteen hundred", (far_out(rng, 5, 3),)),
        Case("one long token", (one_long,)),
        Case("one token", (uniform(rng, 1, 1, 5),)),
        Case("a batch, with leading axes", (uniform(rng, 0.75, 2, 3, 5, 7),)),
    ]


@mistake(
    "The scores were used as weights, without softmax. [2, 0] has the scores 4, 2, 0, and four times itself plus "
    "twice [1, 1] is [10, 2], far outside all tokens. "
    "Put softmax between the scores and the mixture.",
)
def no_softmax(x):
    return x @ np.swapaxes(x, -1, -2) @ x


@mistake(
    "Each score was divided by the sum of its row: Note 2 writes this as *normalised* before it comes to softmax. "
    "A token with negative scores would get negative shares, and a sum of 0 gives NaN. "
    "Use softmax, which turns any scores into positive weights.",
)
def shares_not_softmax(x):
    scores = x @ np.swapaxes(x, -1, -2)
    return scores / scores.sum(axis=-1, keepdims=True) @ x


@mistake(
    "The weights that you mix with sum to one in each column, not in each row. "
    "Scores are symmetric here, so three mistakes give this same answer: a softmax over the columns, a sum without "
    "`keepdims=True`, and transposed weights. "
    "Let each row sum to one: use the last axis, with `keepdims=True`.",
)
def columns_sum_to_one(x):
    return softmax(x @ np.swapaxes(x, -1, -2), axis=-2) @ x


@mistake(
    "The weights were returned, n × n. "
    "They say how much of every token to take; the new tokens, n × d, are the mixture. "
    "Go one step further: mix the tokens with these weights.",
)
def weights_returned(x):
    return softmax(x @ np.swapaxes(x, -1, -2))


@mistake(
    "The weights were multiplied by the scores instead of the tokens. "
    "The scores only serve to find the weights; the tokens are what you mix. "
    "The last product is `weights @ x`.",
)
def scores_mixed(x):
    scores = x @ np.swapaxes(x, -1, -2)
    return softmax(scores) @ scores


@mistake(
    "The weights were multiplied by xᵀ. "
    "In a mixture, n weights meet n tokens, and in xᵀ the tokens are columns. "
    "Only the scores need the transpose; mix x as it is.",
)
def transposed_mixed(x):
    turned = np.swapaxes(x, -1, -2)
    return softmax(x @ turned) @ turned


@mistake(
    "The product is `x @ weights`, whose shapes don't fit: mix got its arguments in the wrong order. "
    "Row i of the weights says what token i takes, so the weights belong on the left. "
    "Write `mix(weights, x)`, or `weights @ x`.",
)
def mixed_the_wrong_way_round(x):
    return x @ softmax(x @ np.swapaxes(x, -1, -2))


@mistake(
    "The features attend to one another: xᵀ x is d × d and compares the columns of x. "
    "The shapes fit if it is on the right of x, but no token has looked at another. "
    "The scores are x xᵀ, n × n, and the weights belong on the left of x.",
)
def features_attend(x):
    return x @ softmax(np.swapaxes(x, -1, -2) @ x)


@mistake(
    "The scores were divided by √d before softmax. "
    "Chapter 5 says why that is good; here, leave the scores as they are. "
    "Look for a square root in this function, and in `similarity_scores`.",
)
def attention_scaled(x):
    return softmax(x @ np.swapaxes(x, -1, -2) / np.sqrt(x.shape[-1])) @ x


@mistake(
    "The weights were computed from cosines, which are between −1 and 1 and hardly differ. "
    "Here a long token is meant to pull harder, as a heavy body does. "
    "Take the dot products of the tokens, without dividing by lengths.",
)
def attention_by_cosine(x):
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return softmax(unit @ np.swapaxes(unit, -1, -2)) @ x


@mistake(
    "Each token looks only at the others, not at itself. "
    "Then nothing of it is left: Note 2's bank would forget that it is a bank. "
    "Leave the diagonal of the scores alone.",
)
def itself_left_out(x):
    scores = np.where(np.eye(x.shape[-2], dtype=bool), -np.inf, x @ np.swapaxes(x, -1, -2))
    return softmax(scores) @ x


@mistake(
    "Each token was replaced by the one with the largest score. "
    "That is a choice, not a mixture: two tokens that choose the same one can no longer be told apart. "
    "Turn the scores into weights by softmax, and mix all tokens.",
)
def replaced_by_the_strongest(x):
    return x[np.argmax(x @ np.swapaxes(x, -1, -2), axis=-1)]


@mistake(
    "All weights of the matrix together sum to one, so the new tokens are much too short. "
    "The weights of each token must sum to one, so each row needs its own sum. "
    "If your softmax takes the sum, use `axis` there; if you take it here, use `axis=-1` and `keepdims=True`.",
)
def one_whole_for_all(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum() @ x


@mistake(
    "The maxima and sums of the rows were taken without `keepdims=True`, and NumPy did not complain. "
    "It lines up n numbers with the columns of n × n, so each row used the maxima and sums of all the others. "
    "Write `keepdims=True` in both places, or call your softmax.",
)
def keepdims_in_a_square(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1))
    return exponentials / exponentials.sum(axis=-1) @ x


@mistake(
    "The sums of the rows were taken without `keepdims=True`, and with a square matrix you get no error: each column "
    "was divided instead. "
    "Then no row of the weights sums to one. "
    "The maximum already has `keepdims=True`; the sum needs it as well.",
)
def sum_in_a_square(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1) @ x


@mistake(
    "The maxima of the rows were taken without `keepdims=True`, and with a square matrix you get no error: each "
    "column had a number subtracted. "
    "That changes the weights, because you may only subtract the same number from all places of a row. "
    "The sum already has `keepdims=True`; the maximum needs it as well.",
)
def maximum_in_a_square(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ x


@mistake(
    "Softmax was applied twice. "
    "The second one makes weights of weights, which are between 0 and 1 and come out nearly equal. "
    "Once is enough; also look into `similarity_scores` and `mix`, where nothing should be normalised.",
)
def softmax_twice(x):
    return softmax(softmax(x @ np.swapaxes(x, -1, -2))) @ x


@mistake(
    "One long token turns the rows of all others into NaN. "
    "Its score with itself is in the thousands; once that is subtracted, every power in the other rows is 0, and 0 / "
    "0 is NaN. "
    "Check the maximum in your `softmax`: each row needs its own, with `axis=axis` and `keepdims=True`.",
)
def self_attention_underflow(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ x


@mistake(
    "Right for one sentence, but in a batch softmax ran along axis 1, which is not the last axis there. "
    "The keys are along the last axis of the scores, whatever the leading axes. "
    "Call softmax without an axis, and check that its default is -1.",
)
def attention_along_axis_one(x):
    return softmax(x @ np.swapaxes(x, -1, -2), axis=1) @ x


EXERCISE = Exercise(
    name="self_attention",
    reference=reference.self_attention,
    returns=("output",),
    examples=(
        Case("three tokens", (THREE_TOKENS,)),
        Case("money bank grows", (MONEY_BANK_GROWS,)),
        Case("one long token", (ONE_LONG,), edge=True),
        Case("a batch, with leading axes", (BATCH,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "scores",
        lambda x: x @ np.swapaxes(x, -1, -2),
        lambda scores, x: softmax(scores) @ x,
    ),
    wrong_formulas=(
        (
            "no token looks at a later one, as under a causal mask",
            lambda x: softmax(np.where(np.tri(x.shape[-2], dtype=bool), x @ np.swapaxes(x, -1, -2), -np.inf)) @ x,
        ),
    ),
)
