"""Plausible wrong answers to bag_of_words."""

import numpy as np

from attention.chapters.embeddings import one_hot


def repeated_columns_counted_once(sentences, vocab):
    """`row[ids] += 1` adds once for each different number, so a word said twice counts once."""
    table = np.zeros((len(sentences), len(vocab)))
    for i, sentence in enumerate(sentences):
        ids = [vocab[word] for word in sentence.lower().split()]
        table[i, ids] += 1
    return table


def largest_in_place_of_the_sum(sentences, vocab):
    """The one-hot rows are joined by their largest value, which says whether a word is there and not how often."""
    return np.stack([one_hot(sentence.split(), vocab).max(axis=0) for sentence in sentences])


def strange_words_passed_over(sentences, vocab):
    """Only the words of the vocabulary are asked for, so an unknown word is passed over without a KeyError."""
    columns = sorted(vocab, key=vocab.get)
    return np.array([[sentence.lower().split().count(word) for word in columns] for sentence in sentences])


def columns_in_the_order_of_the_dictionary(sentences, vocab):
    """The columns follow the order of the dictionary and not its numbers."""
    rows = []
    for sentence in sentences:
        counts = dict.fromkeys(vocab, 0)
        for word in sentence.lower().split():
            counts[word] = counts[word] + 1
        rows.append(list(counts.values()))
    return np.array(rows)


def shares_in_place_of_counts(sentences, vocab):
    """The rows are averaged and not added, which gives shares of the sentence in place of counts."""
    return np.stack([one_hot(sentence.split(), vocab).mean(axis=0) for sentence in sentences])


def sum_along_the_words_own_row(sentences, vocab):
    """Summing over axis 1 adds up the columns of each word, which gives a one for every word of the sentence."""
    return np.stack([one_hot(sentence.split(), vocab).sum(axis=1) for sentence in sentences])


def rows_of_different_length(sentences, vocab):
    """np.bincount stops at the largest number it meets, so without minlength the rows differ in length."""
    return np.stack([np.bincount([vocab[w] for w in s.lower().split()]) for s in sentences])


def one_piece_too_many(sentences, vocab):
    """np.split cuts behind the last sentence, too, which leaves an empty piece and a row of zeros at the end."""
    words = [sentence.split() for sentence in sentences]
    all_rows = one_hot([word for sentence in words for word in sentence], vocab)
    pieces = np.split(all_rows, np.cumsum([len(w) for w in words]))
    return np.stack([piece.sum(axis=0) for piece in pieces])


def counts_in_the_order_of_the_alphabet(sentences, vocab):
    """np.unique gives the counts in the order of the alphabet, and they are written from column 0 on."""
    table = np.zeros((len(sentences), len(vocab)))
    for i, sentence in enumerate(sentences):
        words = sentence.lower().split()
        if any(word not in vocab for word in words):
            raise KeyError(sentence)
        _, counts = np.unique(words, return_counts=True)
        table[i, : len(counts)] = counts
    return table


def one_row_for_all_sentences(sentences, vocab):
    """The counts of all sentences end up in a single row, which is returned as a table of one row."""
    return one_hot(" ".join(sentences).split(), vocab).sum(axis=0, keepdims=True)


def bag_as_words_by_sentences(sentences, vocab):
    """The rows are words and the columns sentences, since the last axis of np.stack was chosen."""
    return np.stack([one_hot(sentence.split(), vocab).sum(axis=0) for sentence in sentences], axis=-1)


def counts_as_true_and_false(sentences, vocab):
    """The table holds True and False, and a True to which one is added stays True."""
    table = np.zeros((len(sentences), len(vocab)), dtype=bool)
    for i, sentence in enumerate(sentences):
        for word in sentence.lower().split():
            table[i, vocab[word]] += 1
    return table.astype(int)
