"""A vector for each word, with a single one in it."""

import numpy as np

from attention.chapters import embeddings as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import made_up

MAT_CAT_RAT = {"mat": 0, "cat": 1, "rat": 2}
LION = {"the": 0, "tall": 1, "grass": 2, "lion": 3, "zebra": 4}


def numbered(words: list[str]) -> dict[str, int]:
    """Number words in the order in which they stand."""
    return {word: index for index, word in enumerate(words)}


def unseen(rng: np.random.Generator) -> list[Case]:
    """More words than the vocabulary has, and fewer; the last word of each vocabulary is left out."""
    return [Case(f"{n} words of {v}", drawn(rng, n, v)) for n, v in ((5, 7), (11, 3), (2, 13))]


def drawn(rng: np.random.Generator, n: int, v: int) -> tuple[list[str], dict[str, int]]:
    """Draw n words of a vocabulary of v, all but its last one, some with capitals; the order is not that of numbers."""
    words = made_up(rng, v)
    said = rng.permutation([words[v - 2], *rng.choice(words[: v - 1], n - 1)])
    return [str(word.capitalize() if rng.random() < 0.3 else word) for word in said], numbered(words)


def edges(rng: np.random.Generator) -> list[Case]:
    """A word that nobody knows, a single word, and a dictionary in another order than its numbers."""
    words, (stranger,) = made_up(rng, 5), made_up(rng, 1)
    shuffled = {word: 4 - index for index, word in enumerate(words)}
    return [
        Case("an unknown word", ([words[0], stranger.upper() * 2, words[1]], numbered(words))),
        Case("one word", ([words[3]], numbered(words))),
        Case("a vocabulary of one word", ([words[0]] * 3, {words[0]: 0})),
        Case("a vocabulary in another order", ([words[1], words[0], words[1]], shuffled)),
    ]


@mistake(
    "The vectors are in columns. "
    "Everywhere in this course, a row is a word: n words and a vocabulary of |V| give n rows and |V| columns. "
    "Put the words along the first axis.",
)
def vectors_in_columns(tokens, vocab):
    return np.eye(len(vocab))[:, [vocab[word.lower()] for word in tokens]]


@mistake(
    "These are the words' numbers, not their vectors. "
    "As numbers, *rat* would be twice *cat*; the vectors are all equally far apart. "
    "Use each number as the column of a 1 in a row of zeros.",
)
def numbers_not_vectors(tokens, vocab):
    return np.array([vocab[word.lower()] for word in tokens])


@mistake(
    "The table of the whole vocabulary was returned, with one row for each of its words. "
    "You need one row for each word in the list, in the order of the list. "
    "Pick the rows of that table by the words' numbers.",
)
def rows_of_the_vocabulary(tokens, vocab):
    return np.eye(len(vocab))


@mistake(
    "The ones are in the columns of the words' places in the sentence. "
    "A 1 says which word it is, whatever its place. "
    "Look up each word in vocab: its number is the column of the 1.",
)
def place_in_the_sentence(tokens, vocab):
    return np.eye(len(tokens), len(vocab))


@mistake(
    "Each row holds the word's number instead of a 1. "
    "Then *mat*, with the number 0, would be a row of zeros, and *rat* would be longer than *cat*. "
    "The number only says in which column the 1 is.",
)
def number_in_its_place(tokens, vocab):
    numbers = [vocab[word.lower()] for word in tokens]
    return np.eye(len(vocab))[numbers] * np.array(numbers)[:, None]


@mistake(
    "Each word has only one row. "
    "*mat* occurs twice in the first example, so its row comes twice. "
    "Go through all words, not through a set of them.",
)
def every_word_once(tokens, vocab):
    return np.eye(len(vocab))[[vocab[word] for word in dict.fromkeys(word.lower() for word in tokens)]]


@mistake(
    "Whole rows were filled with ones: the rows with the words' numbers. "
    "`x[number]` is a row of x, but a word's number is a column. "
    "Write `x[i, number] = 1`, where i counts the words.",
)
def rows_of_ones(tokens, vocab):
    x = np.zeros((len(tokens), len(vocab)))
    for word in tokens:
        x[vocab[word.lower()]] = 1
    return x


@mistake(
    "Each row holds the ones of all words. "
    "`x[:, numbers] = 1` writes into every row, and `[row] * n` is the same row n times. "
    "Write into one row at a time, `x[i, number] = 1`, in a table of zeros.",
)
def all_words_in_each_row(tokens, vocab):
    numbers = [vocab[word.lower()] for word in tokens]
    return np.zeros((len(tokens), len(vocab))) + np.eye(len(vocab))[numbers].max(axis=0)


@mistake(
    "The ones of earlier words are still there. "
    "The row was made once, before the loop, and never reset. "
    "Make a new row of zeros for each word, inside the loop.",
)
def row_not_emptied(tokens, vocab):
    return np.maximum.accumulate(np.eye(len(vocab))[[vocab[word.lower()] for word in tokens]], axis=0)


@mistake(
    "A word that occurs again has a row of zeros. "
    "`tokens.index(word)` always finds the first of several equal words. "
    "Count the words as you go: `for i, word in enumerate(tokens)`.",
)
def row_of_the_first_appearance(tokens, vocab):
    x = np.zeros((len(tokens), len(vocab)))
    for word in tokens:
        x[tokens.index(word), vocab[word.lower()]] = 1
    return x


@mistake(
    "The table is as wide as the list of words is long. "
    "The columns are the words of the vocabulary, whether they occur or not. "
    "Make it `len(vocab)` wide, not `len(tokens)`.",
)
def as_wide_as_the_list(tokens, vocab):
    return np.eye(len(tokens))[[vocab[word.lower()] for word in tokens]]


@mistake(
    "There is one column too few: the width is the largest number. "
    "The numbers begin at 0, so |V| words have the numbers 0 to |V| − 1. "
    "Make the table `len(vocab)` wide.",
)
def one_column_too_few(tokens, vocab):
    x = np.zeros((len(tokens), max(vocab.values())))
    for i, word in enumerate(tokens):
        x[i, vocab[word.lower()]] = 1
    return x


@mistake(
    "The words were numbered again, and vocab was not used. "
    "Then a column means something else in each sentence. "
    "Look up every word in the given vocab.",
)
def numbered_anew(tokens, vocab):
    words = [word.lower() for word in tokens]
    own = list(dict.fromkeys(words))
    return np.eye(len(own))[[own.index(word) for word in words]]


@mistake(
    "The table is only as wide as these words need. "
    "It must have a column for each word of the vocabulary, or two sentences can't be compared. "
    "Make it `len(vocab)` wide, not `max(numbers) + 1`.",
)
def as_wide_as_needed(tokens, vocab):
    numbers = [vocab[word.lower()] for word in tokens]
    return np.eye(max(numbers) + 1)[numbers]


@mistake(
    "A word with a capital was not found. "
    "The vocabulary is in lower case, and *Grass* is *grass*. "
    "Look up `word.lower()`.",
)
def capitals_not_found(tokens, vocab):
    return np.eye(len(vocab))[[vocab[word] for word in tokens]]


@mistake(
    "An unknown word was dropped silently. "
    "The rows after it move up, and nobody can tell which word a row belongs to. "
    "Let `vocab[word]` raise its KeyError, which names the word.",
)
def unknown_word_dropped(tokens, vocab):
    return np.eye(len(vocab))[[vocab[word.lower()] for word in tokens if word.lower() in vocab]]


@mistake(
    "An unknown word got a row of zeros. "
    "A row of zeros says that there is no word, and the mistake is found much later, if at all. "
    "Let `vocab[word]` raise its KeyError, which names the word.",
)
def unknown_word_is_zeros(tokens, vocab):
    out = np.zeros((len(tokens), len(vocab)))
    for i, word in enumerate(tokens):
        if word.lower() in vocab:
            out[i, vocab[word.lower()]] = 1
    return out


@mistake(
    "An unknown word became the last word of the vocabulary. "
    "To NumPy, the number −1 means the last column. "
    "Use `vocab[word]`, which raises a KeyError, instead of `get(word, -1)` or find.",
)
def unknown_word_is_the_last(tokens, vocab):
    return np.eye(len(vocab))[[vocab.get(word.lower(), -1) for word in tokens]]


@mistake(
    "An unknown word became the first word of the vocabulary. "
    "`get(word, 0)` returns the number 0, which belongs to another word. "
    "Use `vocab[word]`, which raises a KeyError.",
)
def unknown_word_is_the_first(tokens, vocab):
    return np.eye(len(vocab))[[vocab.get(word.lower(), 0) for word in tokens]]


@mistake(
    "An unknown word was added to the vocabulary. "
    "The table is then wider than all others, and the caller's dictionary has changed. "
    "Only read vocab; let `vocab[word]` raise its KeyError.",
)
def unknown_word_added(tokens, vocab):
    numbers = [vocab.setdefault(word.lower(), len(vocab)) for word in tokens]
    return np.eye(len(vocab))[numbers]


@mistake(
    "A word's position in the dictionary was used as its number. "
    "The two are the same only if the dictionary was filled in the order of its numbers. "
    "The number is the value that belongs to the word: `vocab[word]`.",
    sees="right, until a dictionary is in another order than its numbers",
    edge=True,
)
def place_in_the_dictionary(tokens, vocab):
    places = {word: place for place, word in enumerate(vocab)}
    return np.eye(len(vocab))[[places[word.lower()] for word in tokens]]


EXERCISE = Exercise(
    name="one_hot",
    reference=reference.one_hot,
    returns=("vectors",),
    examples=(
        Case("mat cat rat mat", (["mat", "cat", "rat", "mat"], MAT_CAT_RAT)),
        Case("tall Grass", (["tall", "Grass"], LION)),
        Case("an unknown word", (["mat", "dog"], MAT_CAT_RAT), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(("all tokens share one row", lambda tokens, vocab: reference.one_hot(tokens, vocab).max(axis=0)),),
)
