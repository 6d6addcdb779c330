"""How often each sentence says each word."""

import numpy as np

from attention.chapters import embeddings as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import made_up, text
from .one_hot import MAT_CAT_RAT, numbered
from .vocabulary import NOTE

DOG_AND_MAN = ["Dog bites man", "man bites dog", "the dog"]
THE_DOG = {"the": 0, "dog": 1, "bites": 2, "man": 3, "cat": 4}
WITHIN = ["the theatre", "rat crate rat"]
THEATRE = {"the": 0, "theatre": 1, "rat": 2, "crate": 3, "cat": 4}

LETTERS_COUNTED = (
    "Words were also found within other words: *the* in *theatre*, *rat* in *crate*. "
    "`sentence.count(word)` looks for letters anywhere. "
    "Split first, then count in the list: `sentence.split().count(word)`."
)


def unseen(rng: np.random.Generator) -> list[Case]:
    """Sentences that repeat words, of unequal length; the vocabulary holds words that nobody says."""
    return [
        Case(f"{len(lengths)} sentences, {v} words", drawn(rng, v, *lengths))
        for v, lengths in ((5, (7, 4, 9)), (11, (6, 13)), (3, (5, 8, 3, 7, 2)))
    ]


def drawn(rng: np.random.Generator, v: int, *lengths) -> tuple[list[str], dict[str, int]]:
    """Draw sentences and a vocabulary of their words and one more, not in the order in which they appear."""
    words = made_up(rng, v)
    first, *others = text(rng, words[: v - 1], *lengths)
    return [f"{first} {first.split()[0]}", *others], numbered(words)


def edges(rng: np.random.Generator) -> list[Case]:
    """A word nobody knows, one sentence, words within words, spaces, and a dictionary in another order."""
    words, (stranger,) = made_up(rng, 5), made_up(rng, 1)
    longer = numbered([*words, words[0] + words[1]])
    shuffled = {word: 4 - index for index, word in enumerate(words)}
    return [
        Case("an unknown word", ([f"{words[0]} {words[1]}", f"{words[2]} {stranger * 2}"], numbered(words))),
        Case("one sentence", (text(rng, words, 13), numbered(words))),
        Case("a word within a word", ([f"{words[0] + words[1]} {words[2]}", words[0]], longer)),
        Case("spaces and tabs", ([f" {words[0]}   {words[0]}", f"{words[4]}\t{words[1]} "], numbered(words))),
        Case("a vocabulary in another order", ([f"{words[1]} {words[1]} {words[0]}", *text(rng, words, 7)], shuffled)),
    ]


@mistake(
    "A word that occurs twice counts once. "
    "*mat cat mat* is more about the mat than about the cat, and the counts should say so. "
    "Add 1 each time instead of setting a 1.",
)
def presence_not_counts(sentences, vocab):
    return np.stack([np.eye(len(vocab))[[vocab[w] for w in s.lower().split()]].max(axis=0) for s in sentences])


@mistake(
    "The sentences are in columns. "
    "A row is a sentence and a column is a word of the vocabulary: N × |V|. "
    "Make a row for each sentence.",
)
def sentences_in_columns(sentences, vocab):
    return np.stack([np.eye(len(vocab))[[vocab[w] for w in s.lower().split()]].sum(axis=0) for s in sentences], axis=1)


@mistake(
    "The counts were divided by the number of words in the sentence. "
    "That is the *tf* of the next exercise; here the counts stay whole numbers. "
    "Leave out the division: use sum, not mean.",
)
def shares_not_counts(sentences, vocab):
    return np.stack([np.eye(len(vocab))[[vocab[w] for w in s.lower().split()]].mean(axis=0) for s in sentences])


@mistake(
    "Each sentence also counts the words of the sentences before it. "
    "The row of counts was not reset to zeros. "
    "Make a new row of zeros inside the loop over the sentences.",
)
def counted_on(sentences, vocab):
    rows, row = [], np.zeros(len(vocab))
    for sentence in sentences:
        for word in sentence.lower().split():
            row[vocab[word]] += 1
        rows.append(row.copy())
    return np.stack(rows)


@mistake(
    "The vectors of the words were returned one below the other, without adding them up. "
    "A bag forgets the order: a sentence is one row, however many words it has. "
    "Add up the rows of each sentence, `axis=0`.",
)
def words_not_added_up(sentences, vocab):
    return np.eye(len(vocab))[[vocab[word] for sentence in sentences for word in sentence.lower().split()]]


@mistake(
    "The sum ran along the vocabulary, and each word came out as 1. "
    "A one-hot row holds a single 1, so its sum says nothing. "
    "Sum over the words of the sentence, `axis=0`, and keep the columns.",
)
def summed_over_the_vocabulary(sentences, vocab):
    return np.stack([np.eye(len(vocab))[[vocab[w] for w in s.lower().split()]].sum(axis=1) for s in sentences])


@mistake(
    "A new vocabulary was made from these sentences, and vocab was not used. "
    "Then a word that does not occur here has no column, and columns mean something else in each call. "
    "Look up every word in the given vocab.",
)
def own_vocabulary(sentences, vocab):
    lines = [sentence.lower().split() for sentence in sentences]
    own = list(dict.fromkeys(word for line in lines for word in line))
    return np.array([[line.count(word) for word in own] for line in lines])


@mistake(
    "Letters were looked up instead of words. "
    "A loop over a sentence goes letter by letter. "
    "Split the sentence first: `sentence.split()`.",
)
def sentence_not_split(sentences, vocab):
    return np.stack([np.eye(len(vocab))[[vocab[w] for w in s.lower()]].sum(axis=0) for s in sentences])


@mistake(
    "A word with a capital was not found. "
    "The vocabulary is in lower case, and *Dog* is *dog*. "
    "Convert each sentence to lower case before you split it.",
)
def capital_raises(sentences, vocab):
    return np.stack([np.eye(len(vocab))[[vocab[w] for w in s.split()]].sum(axis=0) for s in sentences])


@mistake(
    "A word with a capital was not counted. "
    "*Dog bites man* has a dog as much as *man bites dog*. "
    "Convert each sentence to lower case before you count.",
)
def capital_not_counted(sentences, vocab):
    return np.array([[sentence.split().count(word) for word in vocab] for sentence in sentences])


@mistake(
    LETTERS_COUNTED,
)
def words_within_words(sentences, vocab):
    return np.array([[sentence.lower().count(word) for word in vocab] for sentence in sentences])


@mistake(
    LETTERS_COUNTED,
)
def counted_in_the_text(sentences, vocab):
    rows = np.zeros((len(sentences), len(vocab)))
    for i, sentence in enumerate(sentences):
        for word in sentence.lower().split():
            rows[i, vocab[word]] = sentence.lower().count(word)
    return rows


@mistake(
    "The counts are in alphabetical order, starting at the first column. "
    "`np.unique` and sorted put words in that order, and skip those that are not in the sentence. "
    "Put each count into the column that the vocabulary gives: `row[vocab[word]]`.",
)
def in_the_order_of_the_alphabet(sentences, vocab):
    rows = np.zeros((len(sentences), len(vocab)))
    for i, sentence in enumerate(sentences):
        ids = [vocab[word] for word in sentence.lower().split()]
        rows[i, : len(set(ids))] = np.unique(sentence.lower().split(), return_counts=True)[1]
    return rows


@mistake(
    "A word that is not in the vocabulary was skipped. "
    "The bag then looks as if the sentence were shorter, without any error. "
    "Look up each word with `vocab[word]`, which raises a KeyError that names it.",
)
def unknown_word_passed_over(sentences, vocab):
    rows = np.zeros((len(sentences), len(vocab)))
    for i, sentence in enumerate(sentences):
        for word in sentence.lower().split():
            if word in vocab:
                rows[i, vocab[word]] += 1
    return rows


@mistake(
    "Right, until there are two spaces in a row, or a tab: then the empty word '' is looked up. "
    "`split(' ')` cuts at each single space, and between two of them there is nothing. "
    "`split()` without an argument cuts at any run of spaces, tabs and line breaks.",
    sees="right on the examples, which have single spaces",
    edge=True,
)
def cut_at_single_spaces(sentences, vocab):
    return np.stack([np.eye(len(vocab))[[vocab[w] for w in s.lower().split(" ")]].sum(axis=0) for s in sentences])


@mistake(
    "A word's position in the dictionary was used as its number. "
    "The two are the same only if the dictionary was filled in the order of its numbers. "
    "The column is the value that belongs to the word: `vocab[word]`.",
    sees="right, until a dictionary is in another order than its numbers",
    edge=True,
)
def columns_in_dictionary_order(sentences, vocab):
    places = {word: place for place, word in enumerate(vocab)}
    return np.stack([np.eye(len(vocab))[[places[w] for w in s.lower().split()]].sum(axis=0) for s in sentences])


EXERCISE = Exercise(
    name="bag_of_words",
    reference=reference.bag_of_words,
    returns=("counts",),
    examples=(
        Case("mat cat mat, cat rat rat", (NOTE, MAT_CAT_RAT)),
        Case("dog bites man, and back", (DOG_AND_MAN, THE_DOG)),
        Case("words within words", (WITHIN, THEATRE), edge=True),
        Case("an unknown word", (["the cat", "the mat"], THE_DOG), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
