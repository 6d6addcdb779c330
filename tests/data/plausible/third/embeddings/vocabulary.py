"""Plausible wrong answers to vocabulary."""

import numpy as np


def words_in_the_order_of_the_alphabet(sentences):
    """np.unique sorts the words, so they are numbered by the alphabet and not by their first appearance."""
    words = " ".join(sentences).lower().split()
    unique, numbers = np.unique(words, return_inverse=True)
    return {str(unique[number]): int(number) for number in numbers}


def tab_not_seen(sentences):
    """The empty words are thrown away, but words that a tab parts stay glued together."""
    vocab = {}
    for sentence in sentences:
        for word in [w for w in sentence.lower().split(" ") if w]:
            vocab.setdefault(word, len(vocab))
    return vocab


def counter_runs_on_at_known_words(sentences):
    """The counter goes up at every word, known or new, which leaves gaps in the numbers."""
    vocab = {}
    number = 0
    for sentence in sentences:
        for word in sentence.lower().split():
            vocab.setdefault(word, number)
            number += 1
    return vocab


def begins_anew_in_each_sentence(sentences):
    """The dictionary is emptied for each sentence, so only the words of the last one are left."""
    for sentence in sentences:
        vocab = {}
        for word in sentence.lower().split():
            if word not in vocab:
                vocab[word] = len(vocab)
    return vocab


def position_in_its_own_sentence(sentences):
    """A new word gets its place within its sentence, so words of different sentences share a number."""
    vocab = {}
    for sentence in sentences:
        for place, word in enumerate(sentence.lower().split()):
            if word not in vocab:
                vocab[word] = place
    return vocab


def lower_case_only_when_asking(sentences):
    """The word is looked up in lower case but stored as it was written."""
    vocab = {}
    for sentence in sentences:
        for word in sentence.split():
            if word.lower() not in vocab:
                vocab[word] = len(vocab)
    return vocab


def letters_only(sentences):
    """Words with a digit, a hyphen or a full stop are dropped, though a word is all that stands between spaces."""
    vocab = {}
    for sentence in sentences:
        for word in sentence.lower().split():
            if word.isalpha() and word not in vocab:
                vocab[word] = len(vocab)
    return vocab


def callers_list_put_in_lower_case(sentences):
    """The sentences are put in lower case in the caller's own list."""
    vocab = {}
    for i in range(len(sentences)):
        sentences[i] = sentences[i].lower()
        for word in sentences[i].split():
            if word not in vocab:
                vocab[word] = len(vocab)
    return vocab


def stops_at_an_empty_sentence(sentences):
    """break ends the whole loop at an empty sentence, so the sentences behind it are never read."""
    vocab = {}
    for sentence in sentences:
        words = sentence.lower().split()
        if not words:
            break
        for word in words:
            vocab.setdefault(word, len(vocab))
    return vocab


def sentences_glued_together(sentences):
    """The sentences are joined without a space, so the last word of one and the first of the next become one word."""
    vocab = {}
    for word in "".join(sentences).lower().split():
        if word not in vocab:
            vocab[word] = len(vocab)
    return vocab


def number_looked_up_as_word(sentences):
    """The dictionary is the wrong way round: number → word."""
    seen = []
    for sentence in sentences:
        seen += [word for word in sentence.lower().split() if word not in seen]
    return dict(enumerate(dict.fromkeys(seen)))
