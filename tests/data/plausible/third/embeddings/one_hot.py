"""Plausible wrong answers to one_hot."""

import numpy as np


def place_in_the_dictionary(tokens, vocab):
    """The column is the word's place in the dictionary and not the number that the dictionary gives it."""
    column = {word: place for place, word in enumerate(vocab)}
    table = np.zeros((len(tokens), len(vocab)))
    for i, token in enumerate(tokens):
        table[i, column[token.lower()]] = 1
    return table


def unknown_word_counts_from_the_end(tokens, vocab):
    """A -1 for unknown words is a valid index in NumPy: the last column."""
    ids = np.array([vocab.get(t.lower(), -1) for t in tokens])
    out = np.zeros((len(ids), len(vocab)))
    out[np.arange(len(ids)), ids] = 1.0
    return out


def width_is_the_largest_number(tokens, vocab):
    """The largest number is one less than the number of words, so the last column is missing."""
    width = max(vocab.values())
    table = np.zeros((len(tokens), width))
    for i, token in enumerate(tokens):
        table[i, vocab[token.lower()]] = 1
    return table


def every_row_the_same_list(tokens, vocab):
    """[row] * n repeats one and the same list, so every row gets the ones of all words."""
    rows = [[0.0] * len(vocab)] * len(tokens)
    for i, token in enumerate(tokens):
        rows[i][vocab[token.lower()]] = 1.0
    return np.array(rows)


def row_not_emptied(tokens, vocab):
    """The row is made once before the loop, so the ones of earlier words stay in it."""
    row = np.zeros(len(vocab))
    rows = []
    for token in tokens:
        row[vocab[token.lower()]] = 1
        rows.append(row.copy())
    return np.array(rows)


def all_columns_for_all_rows(tokens, vocab):
    """table[:, ids] takes these columns of every row, where one column for each row is wanted."""
    ids = [vocab[token.lower()] for token in tokens]
    table = np.zeros((len(tokens), len(vocab)))
    table[:, ids] = 1
    return table


def unknown_words_learned(tokens, vocab):
    """Unknown words are added to the caller's vocabulary in place of raising a KeyError."""
    for token in tokens:
        vocab.setdefault(token.lower(), len(vocab))
    return np.eye(len(vocab))[[vocab[token.lower()] for token in tokens]]


def number_in_place_of_one(tokens, vocab):
    """The word's number is written into its column in place of a one."""
    table = np.zeros((len(tokens), len(vocab)))
    for i, token in enumerate(tokens):
        number = vocab[token.lower()]
        table[i][number] = number
    return table


def value_error_for_unknown_words(tokens, vocab):
    """list.index raises a ValueError for an unknown word, where the text asks for a KeyError."""
    words = sorted(vocab, key=vocab.get)
    return np.array([np.eye(len(words))[words.index(token.lower())] for token in tokens])


def capitals_unknown(tokens, vocab):
    """The words are looked up as they are written, so a capital makes a known word unknown."""
    return np.stack([np.arange(len(vocab)) == vocab[token] for token in tokens]).astype(float)


def different_words_only(tokens, vocab):
    """A word that comes again gets no row of its own, because the list is freed of doubles first."""
    different = list(dict.fromkeys(token.lower() for token in tokens))
    return np.eye(len(vocab))[[vocab[word] for word in different]]


def words_in_the_columns(tokens, vocab):
    """np.stack with axis=1 puts the words side by side as columns, where they should be rows."""
    identity = np.eye(len(vocab))
    return np.stack([identity[vocab[token.lower()]] for token in tokens], axis=1)
