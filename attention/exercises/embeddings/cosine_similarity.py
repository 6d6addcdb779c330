"""How nearly two vectors point the same way."""

import numpy as np

from attention.chapters import embeddings as reference
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import directions, uniform

KING = np.array([[0.9, 0.1, 1, 0, 0.9]])  # Note 2
QUEEN = np.array([[0.9, 0.2, 0.4, 1, 0]])
THREE = np.array([[1, 0], [0, 2], [3, 4]])
FOUR = np.array([[2, 0], [-1, 0], [0, 5], [1, 1]])
WITH_NOTHING = (np.array([[0, 0, 0], [1, 2, 2]]), np.array([[3, 0, 0], [0, 0, 0], [0, 5, 0], [-1, -2, -2]]))
# Two sentences of three words against four words each, padded with zeros: shapes (1, 2, 3, 5) and (1, 2, 4, 5).
BATCH = tuple(np.pad([[one, one[::-1]]], ((0, 0), (0, 0), (0, 0), (0, 3))) for one in (THREE, FOUR))


def unseen(rng: np.random.Generator) -> list[Case]:
    """Vectors of unequal length and number."""
    return [
        Case("five and three of width seven", (uniform(rng, 3, 5, 7), uniform(rng, 2, 3, 7))),
        Case("two and eleven of width three", (uniform(rng, 3, 2, 3), uniform(rng, 2, 11, 3))),
        Case("seven and five of width two", (uniform(rng, 3, 7, 2), uniform(rng, 2, 5, 2))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Vectors of zeros on either side, of a thousandth and of thirty, of one number, and leading axes."""
    a, b = uniform(rng, 3, 5, 3), uniform(rng, 3, 7, 3)
    a[2], b[4] = 0.0, 0.0
    long = directions(rng, 3, 5) * np.array([[1e-3], [1.0], [30.0]])
    return [
        Case("a vector of zeros on each side", (a, b)),
        Case("lengths from a thousandth to thirty", (long, directions(rng, 7, 5) * 1e-3)),
        Case("vectors of one number", (np.array([[2.5], [-0.5], [3.0]]), np.array([[-7.0], [0.5]]))),
        Case("a batch, with leading axes", (uniform(rng, 2, 2, 3, 5, 7), uniform(rng, 2, 2, 3, 11, 7))),
    ]


@mistake(
    "These are plain dot products. "
    "They grow with the vectors' lengths, and a word that is used often has a long vector. "
    "Divide each by the lengths of both vectors, or divide each vector by its length first.",
)
def plain_dot_product(a, b):
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "This is the distance between the tips of the two vectors. "
    "It depends on direction and length; [1, 0] and [2, 0] have the same direction but are 1 apart. "
    "Divide the dot product by both lengths.",
)
def distance_of_tips(a, b):
    return np.linalg.norm(a[..., :, None, :] - b[..., None, :, :], axis=-1)


@mistake(
    "This is the angle itself, in radians. "
    "Cosine similarity is its cosine, and you don't need the angle. "
    "Leave out `np.arccos`.",
)
def the_angle(a, b):
    a, b = (x / np.where((n := np.linalg.norm(x, axis=-1, keepdims=True)) == 0, 1.0, n) for x in (a, b))
    return np.arccos(np.clip(a @ np.swapaxes(b, -1, -2), -1, 1))


@mistake(
    "The lengths were taken down the columns. "
    "A vector is a row, so its length adds up the squares along the last axis. "
    "Write `np.linalg.norm(x, axis=-1, keepdims=True)`.",
)
def lengths_of_columns(a, b):
    a, b = (x / np.where((n := np.linalg.norm(x, axis=-2, keepdims=True)) == 0, 1.0, n) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "One length was taken of the whole table. "
    "Without an axis, `np.linalg.norm` adds up the squares of all rows. "
    "Each row has its own: `axis=-1`, `keepdims=True`.",
)
def one_length_for_all(a, b):
    a, b = (x / (np.linalg.norm(x) or 1.0) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "Only the vectors of a were divided by their lengths. The result still grows with the length of b. Divide by both.",
)
def only_a_divided(a, b):
    length = np.linalg.norm(a, axis=-1, keepdims=True)
    return a / np.where(length == 0, 1.0, length) @ np.swapaxes(b, -1, -2)


@mistake(
    "Only the vectors of b were divided by their lengths. The result still grows with the length of a. Divide by both.",
)
def only_b_divided(a, b):
    length = np.linalg.norm(b, axis=-1, keepdims=True)
    return a @ np.swapaxes(b / np.where(length == 0, 1.0, length), -1, -2)


@mistake(
    "The dot product was divided by the squares of the lengths. "
    "A vector's length is the square root of the sum of its squares. "
    "Take `np.sqrt` of that sum, or use `np.linalg.norm`.",
)
def root_forgotten(a, b):
    a, b = (x / np.where((n := (x**2).sum(axis=-1, keepdims=True)) == 0, 1.0, n) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "The two lengths were added in the denominator instead of multiplied. "
    "A vector that is twice as long makes the dot product twice as large, and only a product cancels that. "
    "Divide by one length and by the other.",
)
def lengths_added(a, b):
    one, other = np.linalg.norm(a, axis=-1, keepdims=True), np.linalg.norm(b, axis=-1)[..., None, :]
    total = one + other
    return np.where((one == 0) | (other == 0), 0.0, a @ np.swapaxes(b, -1, -2) / np.where(total == 0, 1.0, total))


@mistake(
    "The mean of each vector was subtracted first, which makes it a correlation. "
    "Cosine similarity compares the vectors as they are. "
    "Leave out the mean, and `np.corrcoef` too.",
)
def correlation(a, b):
    a, b = (x - x.mean(axis=-1, keepdims=True) for x in (a, b))
    a, b = (x / np.where((n := np.linalg.norm(x, axis=-1, keepdims=True)) < 1e-9, 1.0, n) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "Row i of a was compared only with row i of b. "
    "Compare every row of a with every row of b, in a table n × m. "
    "Use `@` with b's last two axes swapped, instead of adding up `a * b`.",
)
def row_with_row(a, b):
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return np.sum(a * b, axis=-1) / lengths


@mistake(
    "The lengths of the vectors form a row, but should form a column, one next to each vector. "
    "`np.linalg.norm(x, axis=-1)` drops the last axis, and a table `(n, d)` does not line up with lengths `(n,)`. "
    "Keep the axis: `np.linalg.norm(x, axis=-1, keepdims=True)`.",
)
def lengths_without_keepdims(a, b):
    a, b = (x / np.where((n := np.linalg.norm(x, axis=-1)) == 0, 1.0, n) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "The lengths of a and those of b were multiplied number by number, but should make a table. "
    "Row i of the table belongs to row i of a, and column j to row j of b. "
    "Write `length_a[..., :, None] * length_b[..., None, :]`, or divide each vector by its length before the product.",
)
def lengths_number_by_number(a, b):
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return a @ np.swapaxes(b, -1, -2) / np.where(lengths == 0, 1.0, lengths)


@mistake(
    "The lengths are sums of absolute values, |x| + |y| + …, instead of square roots of sums of squares. ord=1 in "
    "`np.linalg.norm` and `np.abs(x).sum()` measure like that, along streets rather than as the crow flies. "
    "Leave out the 1, or write `np.sqrt((x**2).sum(axis=-1, keepdims=True))`.",
)
def lengths_along_streets(a, b):
    a, b = (x / np.where((n := np.abs(x).sum(axis=-1, keepdims=True)) == 0, 1.0, n) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "A single vector of zeros made the whole table 0. "
    "Only its own row or column should be 0; compare all other vectors as usual. "
    "Check each length for 0: `np.where(length == 0, 1, length)`.",
)
def nothing_spoils_all(a, b):
    one, other = (np.linalg.norm(x, axis=-1, keepdims=True) for x in (a, b))
    dots = a @ np.swapaxes(b, -1, -2)
    return np.zeros(dots.shape) if not (one.all() and other.all()) else dots / one / np.swapaxes(other, -1, -2)


@mistake(
    "Vectors shorter than 1 were left as they are: `np.maximum(length, 1)` divides them by 1. "
    "That works for counts of words, which are 0 or at least 1, but a length may be 0.3. "
    "Replace only a length of 0 by 1: `np.where(length == 0, 1, length)`.",
    sees="right on the examples, where no vector is shorter than 1",
    edge=True,
)
def short_vectors_left_short(a, b):
    a, b = (x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "Right, but NaN for a vector of zeros: 0 / 0. "
    "It has no direction, so its similarity with any vector is 0. "
    "Where a length is 0, divide by 1: `np.where(length == 0, 1, length)`.",
)
def nothing_is_nan(a, b):
    a, b = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "A vector of zeros has the similarity 1 with everything. "
    "It has no direction, so its similarity with any vector is 0. "
    "Use 0 where you used 1, or divide by 1 where a length is 0.",
)
def nothing_is_like_everything(a, b):
    a, b = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (a, b))
    return np.nan_to_num(a @ np.swapaxes(b, -1, -2), nan=1.0)


@mistake(
    "A small number was added to the denominator, to avoid dividing by 0. "
    "For short vectors it is no longer small: two lengths of a thousandth have a product of a millionth. "
    "Replace a length of 0 by 1, and leave all other lengths as they are.",
    sees="right on the examples, where no vector is very short",
    edge=True,
)
def small_number_added(a, b):
    lengths = np.linalg.norm(a, axis=-1)[..., :, None] * np.linalg.norm(b, axis=-1)[..., None, :]
    return a @ np.swapaxes(b, -1, -2) / (lengths + 1e-8)


@mistake(
    "Right for one table, but in a batch axis 1 is something else. "
    "The numbers of a vector are along the last axis. "
    "Write `axis=-1`, which counts from the back.",
)
def length_along_axis_one(a, b):
    a, b = (x / np.where((n := np.linalg.norm(x, axis=1, keepdims=True)) == 0, 1.0, n) for x in (a, b))
    return a @ np.swapaxes(b, -1, -2)


@mistake(
    "Row i of a was compared only with row i of b. "
    "The result has a row for each vector of a and a column for each vector of b. "
    "Write `a @ np.swapaxes(b, -1, -2)` instead of `np.sum(a * b, axis=-1)`.",
)
def row_with_its_own_row(a, b):
    n = min(a.shape[-2], b.shape[-2])
    a, b = (x / np.where((size := np.linalg.norm(x, axis=-1, keepdims=True)) == 0, 1.0, size) for x in (a, b))
    return (a[..., :n, :] * b[..., :n, :]).sum(axis=-1)


def multiplied_by_the_lengths(a, b):
    """Multiply each vector by its length."""
    longer_a, longer_b = (table * np.linalg.norm(table, axis=-1, keepdims=True) for table in (a, b))
    return longer_a @ np.swapaxes(longer_b, -1, -2)


EXERCISE = Exercise(
    name="cosine_similarity",
    reference=reference.cosine_similarity,
    returns=("similarity",),
    examples=(
        Case("the king, with the queen and himself", (KING, np.concatenate([QUEEN, KING]))),
        Case("three vectors and four", (THREE, FOUR)),
        Case("a vector of zeros", WITH_NOTHING, edge=True),
        Case("a batch, with leading axes", BATCH, edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(("each vector is multiplied by its length instead of divided", multiplied_by_the_lengths),),
    step=IntermediateStep(
        "dot products",
        lambda a, b: a @ np.swapaxes(b, -1, -2),
        lambda dots, a, b: dots / np.linalg.norm(a, axis=-1)[..., :, None] / np.linalg.norm(b, axis=-1)[..., None, :],
    ),
)
