"""Which keys are words, and which only fill a sentence up."""

import numpy as np

from attention.chapters import masking as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Three batches; no two of batch and padded length are equal, and lengths differ within a batch."""
    return [batch_of(rng, batch, n) for batch, n in ((3, 7), (5, 11), (2, 13))]


def batch_of(rng: np.random.Generator, batch: int, n: int) -> Case:
    """Draw the lengths of a batch, all different, between 1 and n - 1."""
    return Case(f"{batch} sentences", (1 + rng.permutation(n - 1)[:batch], n))


def edges(rng: np.random.Generator) -> list[Case]:
    """A sentence that fills its row, one without a word, and a batch of one."""
    some = int(rng.integers(2, 6))
    return [Case("a full one, and an empty one", (np.array([7, 0, some]), 7)), Case("one sentence", (np.array([3]), 5))]


@mistake(
    "The queries were masked, but padding must be masked as a key. "
    "The harm is done when words look at padding; nobody reads what padding itself looks at. "
    "The axis of length 1 is in the middle, `(batch, 1, n)`: compare `np.arange(n)` with `lengths[:, None, None]`.",
)
def queries_masked(lengths, n):
    return (np.arange(n) < lengths[:, None])[:, :, None]


@mistake(
    "The mask is inverted: True where there is padding. "
    "In this course, True means *may attend*, and only the words may be looked at. "
    "Compare the other way: key j is a word if j < length.",
)
def padding_seen(lengths, n):
    return np.arange(n) >= lengths[:, None, None]


@mistake(
    "There is no axis for the queries: the shape is `(batch, n)`. "
    "Scores are `(batch, n_q, n_k)`, and NumPy lines up shapes from the right, so it would take sentences for queries. "
    "Put an axis of length 1 in the middle: `lengths[:, None, None]`.",
)
def no_axis_for_queries(lengths, n):
    return np.arange(n) < lengths[:, None]


@mistake(
    "The first padding of each sentence may be looked at: j ≤ length. "
    "A sentence of two words has the keys 0 and 1, since counting begins at 0. "
    "Compare with <.",
)
def one_too_many(lengths, n):
    return np.arange(n) <= lengths[:, None, None]


@mistake(
    "The last word of each sentence is hidden. "
    "A sentence of two words has the keys 0 and 1, and both may be looked at. "
    "Compare `np.arange(n)`, which begins at 0, with the length as it is.",
)
def one_too_few(lengths, n):
    return np.arange(n) < lengths[:, None, None] - 1


@mistake(
    "The mask assumes that padding comes before the words. "
    "Here it comes after them: the first `length` keys are words. "
    "Compare `np.arange(n)` with the length, without n − length.",
)
def padding_in_front(lengths, n):
    return np.arange(n) >= n - lengths[:, None, None]


@mistake(
    "Padding was hidden as a query, too: its rows are all False. "
    "A row that may look at nothing gives zeros; nobody reads that row, so it need not be hidden. "
    "One row serves all queries of a sentence: keep that axis at length 1.",
)
def queries_masked_too(lengths, n):
    words = np.arange(n) < lengths[:, None]
    return words[:, None, :] & words[:, :, None]


@mistake(
    "The same row was repeated for every query. "
    "It is not wrong, only n times as large: NumPy broadcasts an axis of length 1 wherever it is needed. "
    "Keep the shape `(batch, 1, n)`.",
)
def row_for_each_query(lengths, n):
    return np.repeat(np.arange(n) < lengths[:, None, None], n, axis=1)


@mistake(
    "The causal mask was mixed in. "
    "A padding mask may still allow looking ahead, as in the encoder; to have both, combine them with &. "
    "Leave `np.tril` to `causal_mask`.",
)
def causal_too(lengths, n):
    return np.tril(np.ones((n, n), dtype=bool)) & (np.arange(n) < lengths[:, None, None])


@mistake(
    "The keys were compared with the lengths as they are, and the two rows are not equally long. "
    "There are n keys and one length for each sentence, and you must compare every key with every length. lengths "
    "has one axis; give it two more: `lengths[:, None, None]`.",
)
def lengths_in_a_row(lengths, n):
    return np.arange(n) < lengths


@mistake(
    "These are ones and zeros instead of True and False. "
    "Masks are combined with & and inverted with ~, and neither works on floats. "
    "A comparison such as j < length already gives True and False.",
)
def padding_as_numbers(lengths, n):
    return (np.arange(n) < lengths[:, None, None]).astype(float)


@mistake(
    "The mask is only as wide as the longest sentence of the batch. "
    "All sentences are padded to n, which may be more. "
    "Compare `np.arange(n)` with the lengths.",
)
def as_wide_as_the_longest(lengths, n):
    return np.arange(lengths.max()) < lengths[:, None, None]


EXERCISE = Exercise(
    name="padding_mask",
    reference=reference.padding_mask,
    returns=("mask",),
    examples=(
        Case("lengths 2 and 4, padded to 5", (np.array([2, 4]), 5)),
        Case("an empty sentence", (np.array([3, 0, 1]), 4), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
