"""Every token becomes a mixture of all tokens, by similarity."""

import numpy as np

from autograder.reference import context as reference
from autograder.reference.context import softmax

from ..draw import directions, far_out, on_grid, uniform
from ..exercise import Case, Exercise, IntermediateStep, mistake
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
        Case("a batch, with axes in front", (uniform(rng, 0.75, 2, 3, 5, 7),)),
    ]


@mistake(
    "The scores were used as weights, without softmax. "
    "[2, 0] has the scores 4, 2, 0, and four times itself and twice [1, 1] is [10, 2], outside of all tokens. "
    "Put softmax between the scores and the mixture.",
)
def no_softmax(x):
    return x @ np.swapaxes(x, -1, -2) @ x


@mistake(
    "Each score was divided by the sum of its row: Note 2 writes this as *normalised* before it comes to softmax. "
    "A token with negative scores would get negative shares, and a sum of 0 gives NaN. "
    "Use softmax, which makes positive weights of any scores.",
)
def shares_not_softmax(x):
    scores = x @ np.swapaxes(x, -1, -2)
    return scores / scores.sum(axis=-1, keepdims=True) @ x


@mistake(
    "Each column of the weights that you mix with sums to one, not each row. "
    "Scores are symmetric here, so a softmax down the columns, a sum without keepdims=True and weights turned round "
    "all give this same answer. "
    "Let each row share out its own whole: the last axis, with keepdims=True.",
)
def columns_sum_to_one(x):
    return softmax(x @ np.swapaxes(x, -1, -2), axis=-2) @ x


@mistake(
    "What comes back are the weights, n × n. "
    "They say how much of every token to take; the new tokens are what was taken, n × d. "
    "Go one step further: mix the tokens with them.",
)
def weights_returned(x):
    return softmax(x @ np.swapaxes(x, -1, -2))


@mistake(
    "The weights were mixed with the scores, not with the tokens. "
    "Scores only help to find the weights; what moves towards its neighbours is the token. "
    "The last product is weights @ x.",
)
def scores_mixed(x):
    scores = x @ np.swapaxes(x, -1, -2)
    return softmax(scores) @ scores


@mistake(
    "The weights were multiplied with xᵀ. "
    "In a mixture n weights meet n tokens, and in xᵀ the tokens are columns. "
    "The transpose belongs to the scores alone; mix x as it is.",
)
def transposed_mixed(x):
    turned = np.swapaxes(x, -1, -2)
    return softmax(x @ turned) @ turned


@mistake(
    "The product is x @ weights, and the two do not meet: mix was given its arguments in the wrong order. "
    "Row i of the weights says what token i takes, so the weights stand on the left. "
    "Write mix(weights, x), or weights @ x.",
)
def mixed_the_wrong_way_round(x):
    return x @ softmax(x @ np.swapaxes(x, -1, -2))


@mistake(
    "The features attend to one another: xᵀ x is d × d and compares the columns of x. "
    "The shapes fit when that stands to the right of x, and yet no token has looked at another. "
    "The scores are x xᵀ, n × n, and the weights stand on the left of x.",
)
def features_attend(x):
    return x @ softmax(np.swapaxes(x, -1, -2) @ x)


@mistake(
    "The scores were divided by √d before softmax. "
    "Chapter 5 says why that is good; here the scores stay as they are. "
    "Look for a square root in this function, and in `similarity_scores`.",
)
def attention_scaled(x):
    return softmax(x @ np.swapaxes(x, -1, -2) / np.sqrt(x.shape[-1])) @ x


@mistake(
    "The weights were made from cosines, which lie between −1 and 1 and hardly differ. "
    "Here a long token is to pull harder, as a heavy body does. "
    "Take dot products of the tokens as they are, without dividing by lengths.",
)
def attention_by_cosine(x):
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return softmax(unit @ np.swapaxes(unit, -1, -2)) @ x


@mistake(
    "Each token looks at the others and not at itself. "
    "Then nothing of it is left: Note 2's bank would forget that it is a bank. "
    "Leave the diagonal of the scores alone.",
)
def itself_left_out(x):
    scores = np.where(np.eye(x.shape[-2], dtype=bool), -np.inf, x @ np.swapaxes(x, -1, -2))
    return softmax(scores) @ x


@mistake(
    "Each token was replaced by the one with the largest score. "
    "That is a choice, not a mixture: two tokens that choose alike can no longer be told apart. "
    "Make weights of the scores by softmax, and mix all tokens.",
)
def replaced_by_the_strongest(x):
    return x[np.argmax(x @ np.swapaxes(x, -1, -2), axis=-1)]


@mistake(
    "All weights of the matrix together sum to one, so the new tokens are much too short. "
    "Each token has one whole of attention to share out, and each row its own sum. "
    "If the sum is taken in your softmax, it needs `axis` there; if here, axis=-1 and keepdims=True.",
)
def one_whole_for_all(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum() @ x


@mistake(
    "Row maxima and row sums were taken without keepdims=True, and NumPy did not complain. "
    "n numbers next to n × n are lined up with the columns, so each row used the maxima and sums of all the others. "
    "Write keepdims=True in both places, or call your softmax.",
)
def keepdims_in_a_square(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1))
    return exponentials / exponentials.sum(axis=-1) @ x


@mistake(
    "The row sums were taken without keepdims=True, and a square matrix lets that pass: each column was divided. "
    "Then no row of the weights sums to one. "
    "The maximum has keepdims=True already; the sum needs it as well.",
)
def sum_in_a_square(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1) @ x


@mistake(
    "The row maxima were taken without keepdims=True, and a square matrix lets that pass: each column lost a number. "
    "That changes the weights, since a row may only lose one number in all its places. "
    "The sum has keepdims=True already; the maximum needs it as well.",
)
def maximum_in_a_square(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ x


@mistake(
    "Softmax was applied twice. "
    "Its second helping makes weights of weights, which lie between 0 and 1 and come out nearly even. "
    "Once is enough; look into `similarity_scores` and `mix` too, where nothing should be normalised.",
)
def softmax_twice(x):
    return softmax(softmax(x @ np.swapaxes(x, -1, -2))) @ x


@mistake(
    "One long token turns the rows of all others into NaN. "
    "Its score with itself is in the thousands; less that, every power in the other rows is 0, and 0 / 0 is NaN. "
    "Look at the maximum in your `softmax`: each row needs its own, by axis=axis and keepdims=True.",
)
def self_attention_underflow(x):
    scores = x @ np.swapaxes(x, -1, -2)
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ x


@mistake(
    "Right for one sentence, but in a batch softmax ran along axis 1, and that is not the last one there. "
    "The neighbours of a token are counted by the last axis of the scores, whatever stands before it. "
    "Call softmax without an axis, and see that its own default is -1.",
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
        Case("a batch, with axes in front", (BATCH,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "scores",
        lambda x: x @ np.swapaxes(x, -1, -2),
        lambda scores, x: softmax(scores) @ x,
    ),
)
