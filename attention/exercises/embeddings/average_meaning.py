"""The one vector of a word that has several senses."""

import numpy as np

from attention.chapters import embeddings as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

APPLE = (np.eye(2), np.array([9000, 1000]))  # Note 2: fruit and company
THREE_SENSES = (np.array([[4, 0], [0, 2], [1, 1]]), np.array([1, 1, 2]))
NEVER_USED = (np.array([[1, 2, 3], [5, 5, 5]]), np.array([7, 0]))


def unseen(rng: np.random.Generator) -> list[Case]:
    """More senses than numbers in a vector, and fewer; uses that differ much."""
    return [Case(f"{s} senses of width {d}", drawn(rng, s, d)) for s, d in ((3, 5), (7, 2), (2, 11))]


def drawn(rng: np.random.Generator, s: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw senses and how often each is used; no two alike."""
    return uniform(rng, 3, s, d), rng.permutation(np.arange(1, 40))[:s] * rng.integers(2, 9)


def edges(rng: np.random.Generator) -> list[Case]:
    """One sense, senses that nobody uses, a single number, and shares instead of counts."""
    senses, counts = drawn(rng, 5, 3)
    counts[[0, 3]] = 0
    return [
        Case("one sense", (uniform(rng, 3, 1, 5), np.array([13]))),
        Case("senses that are never used", (senses, counts)),
        Case("vectors of one number", drawn(rng, 3, 1)),
        Case("shares that sum to one", (uniform(rng, 3, 3, 2), np.array([0.5, 0.125, 0.375]))),
    ]


@mistake(
    "Every sense counts the same, however often it is used. "
    "There are nine sentences on the fruit for each one on the company, and each of them pulls at the vector. "
    "Multiply each sense by its count before you add up.",
)
def unweighted_mean(senses, counts):
    return senses.mean(axis=0)


@mistake(
    "The senses were weighted and added up, but not divided by the total number of uses. "
    "A word that is used ten times as often does not mean ten times as much. "
    "Divide by `counts.sum()`.",
)
def not_divided(senses, counts):
    return counts @ senses


@mistake(
    "The sum was divided by the number of senses. "
    "But you added up 10,000 uses, not two senses. "
    "Divide by `counts.sum()` instead of using mean or len.",
)
def divided_by_the_number_of_senses(senses, counts):
    return counts @ senses / len(senses)


@mistake(
    "Only the most frequent sense was kept. "
    "One vector for all uses is between the senses, and the company pulls at it too. "
    "Weight every sense by its share instead of choosing one.",
)
def most_frequent_sense(senses, counts):
    return senses[np.argmax(counts)] * 1.0


@mistake(
    "The counts went through softmax. "
    "Softmax turns scores into weights, and e to the power of 9000 leaves nothing for the other sense. "
    "Divide each count by the sum of all counts: those are the shares.",
)
def softmax_of_counts(senses, counts):
    return softmax(1.0 * counts) @ senses


@mistake(
    "The counts were divided by the largest of them. "
    "Shares have to sum to one, so that the vector is between the senses. "
    "Divide by their sum.",
)
def divided_by_the_largest_count(senses, counts):
    return counts @ senses / counts.max()


@mistake(
    "The vector was scaled to length one. "
    "An average of unit vectors is shorter than one: it has moved inwards, and that is the point. "
    "Divide by the total number of uses, not by the length of the result.",
)
def brought_to_length_one(senses, counts):
    total = counts @ senses
    return total / np.linalg.norm(total)


@mistake(
    "The senses were weighted, but not added up. "
    "A static word has one vector, not one for each sense. "
    "Sum over the senses, `axis=0`, or let `@` multiply and add at once.",
)
def senses_not_added_up(senses, counts):
    return counts[:, None] * senses / counts.sum()


@mistake(
    "The sum runs along the numbers of each sense instead of over the senses. "
    "The result has to be a vector like the senses, with as many numbers. "
    "Sum with `axis=0`, or write `counts @ senses`.",
)
def summed_along_each_sense(senses, counts):
    return (counts[:, None] * senses).sum(axis=1) / counts.sum()


@mistake(
    "The counts were multiplied by the numbers of each sense instead of by the senses. "
    "`*` lines up shapes from the right, so counts `(s,)` meets the d columns of senses `(s, d)`. "
    "Make the counts a column, `counts[:, None] * senses`, or write `counts @ senses`.",
)
def counts_along_each_sense(senses, counts):
    return (senses * counts).sum(axis=0) / counts.sum()


@mistake(
    "Only the first sense was weighted and returned. "
    "A `return` inside the loop ends the function in its first round. "
    "Return after the loop, with one level of indentation less.",
)
def first_sense_only(senses, counts):
    for sense, count in zip(senses, counts, strict=True):
        return count * sense / counts.sum()


@mistake(
    "The sum was divided by the sum of the senses' numbers, column by column. "
    "You added up uses, so divide by their number to get a mean. "
    "Divide by `counts.sum()`.",
)
def divided_by_the_senses_added_up(senses, counts):
    total = senses.sum(axis=0)
    return counts @ senses / np.where(total == 0, 1, total)


@mistake(
    "After each sense, the earlier uses were forgotten: only those of the last one were kept. "
    "Then the third sense is weighted against the second alone instead of against both before it. "
    "Add up the uses, too: `used += count`.",
)
def uses_so_far_forgotten(senses, counts):
    mean, used = senses[0], counts[0]
    for sense, count in zip(senses[1:], counts[1:], strict=True):
        mean, used = (used * mean + count * sense) / max(used + count, 1e-300), count
    return mean * 1.0


@mistake(
    "Each sense was repeated as often as it is used, which fails for shares. "
    "The counts may also be shares, such as 0.5, and nothing can be repeated half a time. "
    "Multiply each sense by its count: `counts @ senses`.",
    sees="right on the examples, whose counts are whole",
    edge=True,
)
def senses_repeated(senses, counts):
    return np.repeat(senses, counts, axis=0).mean(axis=0)


@mistake(
    "The counts were truncated to whole numbers, so shares below 1 became 0. "
    "The counts may also be shares, such as 0.5. "
    "Leave out int and astype.",
    sees="right on the examples, whose counts are whole",
    edge=True,
)
def shares_cut_off(senses, counts):
    counts = counts.astype(int)
    return counts @ senses / max(counts.sum(), 1)


@mistake(
    "The counts were divided by their sum with `//`, which leaves whole numbers. "
    "Each share is below 1, so it became 0. "
    "Divide with `/`.",
)
def whole_division(senses, counts):
    return (counts // counts.sum()) @ senses * 1.0


EXERCISE = Exercise(
    name="average_meaning",
    reference=reference.average_meaning,
    returns=("vector",),
    examples=(
        Case("apple", APPLE),
        Case("three senses", THREE_SENSES),
        Case("a sense that is never used", NEVER_USED, edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
