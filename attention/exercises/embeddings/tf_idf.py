"""Counts weighed by how rare a word is."""

import numpy as np

from attention.chapters import embeddings as reference
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

# the cat sat / the dog sat / the cat ate the fish; columns: the, cat, sat, dog, ate, fish
THE_CAT = np.array([[1, 1, 1, 0, 0, 0], [1, 0, 1, 1, 0, 0], [2, 1, 0, 0, 1, 1]])
NOTE_COUNTS = np.array([[2, 1, 0], [0, 1, 2]])
NOTHING_SAID = np.array([[0, 0, 0, 0], [2, 0, 1, 1], [1, 0, 0, 0]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """More documents than words, and fewer; every document says something, and every word is said."""
    return [Case(f"{n} documents, {v} words", (counted(rng, n, v),)) for n, v in ((5, 7), (11, 3), (3, 13))]


def counted(rng: np.random.Generator, n: int, v: int) -> np.ndarray:
    """Draw counts from 0 to 4; one word is in all documents, and one in a single one, three times."""
    while True:
        counts = rng.integers(0, 5, (n, v)) * (rng.random((n, v)) < 0.7)
        counts[:, 0], counts[:, -1] = rng.integers(1, 4, n), 0
        counts[rng.integers(n), -1] = 3
        counts[rng.integers(n), 1] += 1
        if (counts.sum(axis=0) > 0).all() and (counts.sum(axis=1) > 1).all():
            return counts


def edges(rng: np.random.Generator) -> list[Case]:
    """A document without words, a word in no document, both, a document of one word, and a single document."""
    empty, unsaid, both, short = counted(rng, 5, 7), counted(rng, 7, 5), counted(rng, 11, 7), counted(rng, 5, 3)
    empty[2], unsaid[:, 3], both[4], both[:, 2] = 0, 0, 0, 0
    short[1], short[1:, 2] = [0, 0, 1], [1, 0, 0, 0]
    return [
        Case("an empty document", (empty,)),
        Case("a word in no document", (unsaid,)),
        Case("an empty document and a word in no document", (both,)),
        Case("a document of one word", (short,)),
        Case("one document", (counted(rng, 1, 5),)),
    ]


@mistake(
    "The idf is smoothed, ln((1 + N) / (1 + df)) + 1, as in scikit-learn. "
    "Then a word that is in every document still counts; here it should count 0. "
    "Use ln(N / df).",
)
def smoothed_idf(counts):
    n, df = len(counts), (counts > 0).sum(axis=0)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * (np.log((1 + n) / (1 + df)) + 1)


@mistake(
    "The counts were not divided by the number of words in the document. "
    "Then a long document counts more for every word. tf is count / words in the document: divide each row by its "
    "own sum.",
)
def raw_counts(counts):
    return counts * np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1))


@mistake(
    "The number of times the word occurs in the document was ignored. "
    "The idf says how rare a word is, and the tf how much this document is about it. "
    "Multiply by count / words in the document, not by 1 where the word occurs.",
)
def presence_times_idf(counts):
    return (counts > 0) * np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1))


@mistake(
    "This is the idf alone, the same in every row. "
    "It depends only on the word, not on the document; a word that is not in a document must get 0. "
    "Multiply it by the tf of each document.",
)
def idf_alone(counts):
    return np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1)) * np.ones(counts.shape)


@mistake(
    "This is the tf alone: each row sums to one. "
    "Then *the* counts most, although it is in every document. "
    "Multiply by the idf of each word, ln(N / df).",
)
def tf_alone(counts):
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@mistake(
    "The logarithm is missing: tf was multiplied by N / df. "
    "Then a word that is in all documents still counts, since N / N is 1; ln 1 is 0. "
    "Take `np.log` of N / df.",
)
def no_logarithm(counts):
    return (
        counts
        / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        * len(counts)
        / np.maximum((counts > 0).sum(axis=0), 1)
    )


@mistake(
    "The counts were divided by the number of different words in the document. "
    "*the cat ate the fish* has five words, of which four are different. "
    "Divide by the sum of the row.",
)
def divided_by_different_words(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / np.maximum((counts > 0).sum(axis=1, keepdims=True), 1) * np.log(len(counts) / df)


@mistake(
    "The df counts uses instead of documents. "
    "A word that occurs ten times in one document is still in one document. "
    "Count the rows that contain the word: `(counts > 0).sum(axis=0)`.",
)
def df_over_words(counts):
    df = np.maximum(counts.sum(axis=0), 1)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(len(counts) / df)


@mistake(
    "1 was added to the df. "
    "That avoids dividing by 0, but a word that is in every document gets a negative idf. "
    "Divide by df as it is, and handle only a df of 0 separately.",
)
def one_more_document(counts):
    df = (counts > 0).sum(axis=0) + 1
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(len(counts) / df)


@mistake(
    "1 was added to N and to df. "
    "That changes every idf a little, most of all for rare words. "
    "Use ln(N / df), and handle only a df of 0 separately.",
)
def one_added_to_both(counts):
    df = (counts > 0).sum(axis=0) + 1
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log((len(counts) + 1) / df)


@mistake(
    "1 was added to the idf. "
    "Then a word that is in every document still counts, although it says nothing about any of them. "
    "Use ln(N / df); ln 1 is 0, and should be.",
)
def one_added_to_the_idf(counts):
    idf = np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1)) + 1
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * idf


@mistake(
    "N is the number of words in the vocabulary instead of the number of documents. df counts documents, so N must "
    "too. "
    "N is the number of rows: `len(counts)`.",
)
def words_for_documents(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(counts.shape[1] / df)


@mistake(
    "The counts were divided by those of all documents together. "
    "The tf is the word's share of this document, not this document's share of the word's uses. "
    "Divide each row by its own sum: `axis=1`, `keepdims=True`.",
)
def divided_by_columns(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / np.maximum(counts.sum(axis=0), 1) * np.log(len(counts) / df)


@mistake(
    "Each count was divided by the number of words in all documents. "
    "Then the tf of one document depends on the length of the others. "
    "Divide each row by its own sum: `axis=1`, `keepdims=True`.",
)
def divided_by_all(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / max(counts.sum(), 1) * np.log(len(counts) / df)


@mistake(
    "Each count was divided by the largest count of its document. "
    "That is another way to make documents comparable; here tf is count / words in the document. "
    "Divide by the sum of the row, not by its maximum.",
)
def divided_by_the_largest(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / np.maximum(counts.max(axis=1, keepdims=True), 1) * np.log(len(counts) / df)


@mistake(
    "The counts were divided by the number of columns, |V|. "
    "That is the number of words in the vocabulary, not in this document. "
    "Divide each row by its own sum: `counts.sum(axis=1, keepdims=True)`, not `len(row)` or mean.",
)
def divided_by_the_vocabulary(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / counts.shape[1] * np.log(len(counts) / df)


@mistake(
    "1 was added to the number of words of each document. "
    "That avoids dividing by 0, but makes every share too small. "
    "Divide by the sum of the row, and handle only a sum of 0 separately: `np.maximum(words, 1)`.",
)
def one_more_word(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / (counts.sum(axis=1, keepdims=True) + 1) * np.log(len(counts) / df)


@mistake(
    "The bracket of the logarithm closes too early: ln(N) / df. "
    "A word that is in every document should get ln 1 = 0. "
    "Divide first: `np.log(N / df)`.",
)
def bracket_too_early(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * (np.log(len(counts)) / df)


@mistake(
    "The count was dampened to 1 + ln(count). "
    "Search engines do that, so that the tenth mention counts less than the first; here tf is count / words. "
    "Divide the count as it is.",
)
def dampened_counts(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    damped = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0)
    return damped / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(len(counts) / df)


@mistake(
    "Documents without words were left out of N. They are documents too, so N includes them. Use `len(counts)`.",
)
def empty_documents_not_counted(counts):
    df, words = np.maximum((counts > 0).sum(axis=0), 1), counts.sum(axis=1, keepdims=True)
    return counts / np.maximum(words, 1) * np.log(max(np.count_nonzero(words), 1) / df)


@mistake(
    "All documents after an empty one were left at 0. "
    "`break` and `return` end the whole loop at the first document without words. "
    "Go on with the next one: `continue`, or divide by at least 1.",
)
def ended_at_an_empty_document(counts):
    df = np.maximum((counts > 0).sum(axis=0), 1)
    before = np.cumprod(counts.sum(axis=1, keepdims=True) > 0, axis=0)
    return before * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(len(counts) / df)


@mistake(
    "Right, but NaN for a document without words and for a word that is in no document. "
    "The first is 0 / 0, the second 0 · ln(N / 0), which is 0 · inf. "
    "Divide by at least 1 in both places: `np.maximum(…, 1)`.",
)
def nothing_over_nothing(counts):
    return counts / counts.sum(axis=1, keepdims=True) * np.log(len(counts) / (counts > 0).sum(axis=0))


@mistake(
    "Right, but NaN for a word that is in no document: its df is 0, and 0 · ln(N / 0) is 0 · inf. "
    "Its count is 0 everywhere, so its column should be zeros. "
    "Divide by `np.maximum(df, 1)`.",
)
def unsaid_word_is_nan(counts):
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(len(counts) / (counts > 0).sum(axis=0))


@mistake(
    "Right, but NaN for a document without words: 0 / 0. "
    "All its counts are 0, so its row should be zeros. "
    "Divide by `np.maximum(words in the document, 1)`.",
)
def empty_document_is_nan(counts):
    return counts / counts.sum(axis=1, keepdims=True) * np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1))


def share_of_documents(counts):
    """Take a share of the documents for df."""
    df = (counts > 0).mean(axis=0)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(len(counts) / np.where(df == 0, 1, df))


def unsmoothed_idf(counts):
    """Return ln(N / df), with 1 for a df of 0."""
    return np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1))


EXERCISE = Exercise(
    name="tf_idf",
    reference=reference.tf_idf,
    returns=("table",),
    examples=(
        Case("the cat, the dog, the cat and the fish", (THE_CAT,)),
        Case("mat cat mat, cat rat rat", (NOTE_COUNTS,)),
        Case("an empty document, a word in no document", (NOTHING_SAID,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("df is a share of the documents instead of their number", share_of_documents),
        (
            "the shares (tf) are truncated to whole numbers, as `//` does",
            lambda counts: counts // np.maximum(counts.sum(axis=1, keepdims=True), 1) * unsmoothed_idf(counts),
        ),
        (
            "each word of a document counts once, however often it occurs",
            lambda counts: reference.tf_idf((counts > 0).astype(float)),
        ),
        ("tf is ln(1 + count)", lambda counts: np.log1p(counts) * unsmoothed_idf(counts)),
    ),
    step=IntermediateStep(
        "shares (tf)",
        lambda counts: counts / np.maximum(counts.sum(axis=1, keepdims=True), 1),
        lambda tf, counts: tf * unsmoothed_idf(counts),
    ),
)
