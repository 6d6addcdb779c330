"""Every token compared with every token."""

import numpy as np

from attention.chapters import context as reference
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import uniform
from .mix import MONEY_BANK_GROWS

THREE_TOKENS = np.array([[2, 0], [1, 1], [0, 2]])
# Both sentences at once, with three zeros after each token: shape (1, 2, 3, 5), and every dot product as it was.
BATCH = np.pad([[MONEY_BANK_GROWS, THREE_TOKENS]], ((0, 0), (0, 0), (0, 0), (0, 3)))


def unseen(rng: np.random.Generator) -> list[Case]:
    """More tokens than numbers in a token, and fewer."""
    return [
        Case("five tokens of three numbers", (uniform(rng, 1, 5, 3),)),
        Case("three tokens of seven numbers", (uniform(rng, 1, 3, 7),)),
        Case("eleven tokens of two numbers", (uniform(rng, 1, 11, 2),)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """A single token, a token of zeros, and leading axes."""
    with_zeros = uniform(rng, 1, 3, 5)
    with_zeros[1] = 0.0
    return [
        Case("one token", (uniform(rng, 1, 1, 5),)),
        Case("a token of zeros", (with_zeros,)),
        Case("a batch, with leading axes", (uniform(rng, 1, 2, 3, 5, 7),)),
    ]


@mistake(
    "This is xᵀ x, with one row for each number of a token: it compares the features with one another. "
    "You must compare tokens, and there are n of them, so the scores are n × n. "
    "Transpose the right factor, not the left one.",
)
def features_compared(x):
    return np.swapaxes(x, -1, -2) @ x


@mistake(
    "The dot products were divided by the lengths of the tokens, which makes them cosines. "
    "A cosine sees only the direction; here a long vector is meant to pull harder than a short one. "
    "Keep the plain dot product.",
)
def cosine_instead(x):
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return unit @ np.swapaxes(unit, -1, -2)


@mistake(
    "`x @ x` was taken without transposing the second x. "
    "A score compares two rows, and `@` pairs rows with columns. "
    "Swap the last two axes of the right factor: `np.swapaxes(x, -1, -2)`.",
)
def not_turned_round(x):
    return x @ x


@mistake(
    "The diagonal is zero, so no token is compared with itself. "
    "A token is one of its own neighbours: Note 2's new bank is 0.7 bank. "
    "Leave the diagonal as the product makes it.",
)
def diagonal_blanked(x):
    scores = x @ np.swapaxes(x, -1, -2)
    return scores * (1 - np.eye(x.shape[-2]))


@mistake(
    "Each token was compared only with itself, which gives its squared length, one number per token. "
    "A token must find out which of the others it resembles, so it needs a score with each. "
    "Multiply x by its transpose with @, not by itself with *.",
)
def only_with_itself(x):
    return (x * x).sum(axis=-1)


EXERCISE = Exercise(
    name="similarity_scores",
    reference=reference.similarity_scores,
    returns=("scores",),
    examples=(
        Case("money bank grows", (MONEY_BANK_GROWS,)),
        Case("three tokens", (THREE_TOKENS,)),
        Case("a batch, with leading axes", (BATCH,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "scores",
        lambda x: x @ np.swapaxes(x, -1, -2),
        lambda scores, x: scores,
    ),
    wrong_formulas=(
        (
            "negative squared distances are computed instead of dot products",
            lambda x: -np.sum((x[..., :, None, :] - x[..., None, :, :]) ** 2, axis=-1),
        ),
        (
            "each token is summed to one number before the product",
            lambda x: x.sum(axis=-1)[..., :, None] * x.sum(axis=-1)[..., None, :],
        ),
        (
            "distances are computed instead of dot products",
            lambda x: np.linalg.norm(x[..., :, None, :] - x[..., None, :, :], axis=-1),
        ),
        ("`np.outer` multiplies each number with every other, across tokens and features", lambda x: np.outer(x, x)),
    ),
)
