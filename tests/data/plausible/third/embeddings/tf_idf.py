"""Plausible wrong answers to tf_idf."""

import numpy as np


def smoothed_like_scikit_learn(counts):
    """The idf is scikit-learn's smoothed one, with a one added above, below and behind."""
    n = counts.shape[0]
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    df = np.count_nonzero(counts, axis=0)
    return tf * (np.log((1 + n) / (1 + df)) + 1)


def share_of_the_word_in_the_collection(counts):
    """The count is divided by how often all documents say the word, and not by the words of its document."""
    totals = np.maximum(counts.sum(axis=0, keepdims=True), 1)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / totals * np.log(counts.shape[0] / df)


def words_counted_as_documents(counts):
    """N is taken from the columns, so it is the size of the vocabulary and not the number of documents."""
    _, number = counts.shape
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return tf * np.log(number / df)


def mentions_counted_as_documents(counts):
    """df adds up how often a word is said, where it should count the documents that hold it."""
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    df = np.maximum(counts.sum(axis=0), 1)
    return tf * np.log(counts.shape[0] / df)


def lengths_laid_across_the_columns(counts):
    """Without keepdims the lengths of the documents lie along the columns, so a square table divides wrongly."""
    lengths = np.maximum(counts.sum(axis=1), 1)
    df = np.maximum(np.sum(counts > 0, axis=0), 1)
    return counts / lengths * np.log(counts.shape[0] / df)


def empty_documents_not_counted(counts):
    """Documents without words are left out of N, though N is the number of all documents."""
    lengths = counts.sum(axis=1, keepdims=True)
    n = np.count_nonzero(lengths)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return counts / np.maximum(lengths, 1) * np.log(max(n, 1) / df)


def different_words_of_the_document(counts):
    """The count is divided by the number of different words of the document, and repetitions are forgotten."""
    different = np.maximum((counts > 0).sum(axis=1, keepdims=True), 1)
    df = np.maximum((counts > 0).sum(axis=0, keepdims=True), 1)
    return counts / different * np.log(counts.shape[0] / df)


def bracket_of_the_logarithm(counts):
    """The bracket closes too early: ln(N) / df in place of ln(N / df)."""
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return tf * (np.log(counts.shape[0]) / df)


def divided_by_the_largest_count(counts):
    """The count is divided by the largest count of the document and not by all its words."""
    tf = counts / np.maximum(np.max(counts, axis=1, keepdims=True), 1)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return np.einsum("nv,v->nv", tf, np.log(len(counts) / df))


def one_added_to_every_length(counts):
    """1 is added to the length of every document and not only where it is 0, so all shares are too small."""
    tf = counts / (counts.sum(axis=1, keepdims=True) + 1)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return tf * np.log(counts.shape[0] / df)


def loop_ends_at_an_empty_document(counts):
    """break leaves the loop at the first document without words, and all documents behind it stay zero."""
    n_docs, n_words = counts.shape
    result = np.zeros((n_docs, n_words))
    for i in range(n_docs):
        length = counts[i].sum()
        if length == 0:
            break
        for j in range(n_words):
            df = sum(1 for d in range(n_docs) if counts[d, j] > 0)
            if counts[i, j] > 0:
                result[i, j] = counts[i, j] / length * np.log(n_docs / df)
    return result


def df_of_more_than_one_mention(counts):
    """The test is > 1 and not > 0, so a document that says the word once is not counted."""
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    holds = counts > 1
    idf = np.log(counts.shape[0] / np.maximum(holds.sum(axis=0), 1))
    return tf * idf


def silent_words_cut_out(counts):
    """The columns of words that nobody says are cut out, so the table is narrower than the one that came in."""
    used = counts[:, counts.sum(axis=0) > 0]
    tf = used / np.maximum(used.sum(axis=1, keepdims=True), 1)
    return tf * np.log(len(used) / (used > 0).sum(axis=0))


def shares_in_whole_numbers(counts):
    """The shares are written back into a copy of the counts, and whole numbers cut every share down to 0."""
    tf = counts.copy()
    for i, row in enumerate(counts):
        tf[i] = row / max(row.sum(), 1)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return tf * np.log(counts.shape[0] / df)


def counts_divided_in_place(counts):
    """counts /= ... divides in the caller's own array, and a table of whole numbers refuses it."""
    df = np.maximum((counts > 0).sum(axis=0), 1)
    counts /= np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return counts * np.log(counts.shape[0] / df)


def zero_over_zero_kept(counts):
    """A document without words is divided by its length of 0, and its row becomes NaN."""
    with np.errstate(all="ignore"):
        tf = counts / counts.sum(axis=1, keepdims=True)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return tf * np.log(counts.shape[0] / df)


def infinite_times_zero(counts):
    """A word that no document holds has an infinite idf, and 0 times infinity is NaN."""
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    with np.errstate(all="ignore"):
        idf = -np.log((counts > 0).mean(axis=0))
        return tf * idf


def rows_brought_to_length_one(counts):
    """Each row is divided by its length at the end, which the text does not ask for."""
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    table = tf * np.log(counts.shape[0] / np.maximum((counts > 0).sum(axis=0), 1))
    norm = np.linalg.norm(table, axis=1, keepdims=True)
    return table / np.where(norm == 0, 1, norm)


def logarithm_of_the_count(counts):
    """The count is dampened to 1 + ln(count), a formula from search engines, before it is weighed."""
    damped = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0)
    tf = damped / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return tf * np.log(counts.shape[0] / np.maximum((counts > 0).sum(axis=0), 1))
