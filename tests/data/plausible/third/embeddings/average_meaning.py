"""Plausible wrong answers to average_meaning."""

import numpy as np


def divided_by_the_number_of_senses(senses, counts):
    """The weighted sum is divided by the number of senses and not by the number of uses."""
    return (senses * counts[:, None]).mean(axis=0)


def table_on_the_wrong_side(senses, counts):
    """senses @ counts weighs the features and not the senses, and fails where their numbers differ."""
    return senses @ (counts / counts.sum())


def average_without_an_axis(senses, counts):
    """np.average without axis=0 cannot fit one weight for each row to the whole table."""
    return np.average(senses, weights=counts)


def most_used_sense_only(senses, counts):
    """Only the most frequent sense is returned, and the rarer ones do not pull at all."""
    return senses[np.argmax(counts)].astype(float)


def softmax_of_the_counts(senses, counts):
    """The counts become shares by softmax, where each count divided by their sum is asked for."""
    powers = np.exp(counts - np.max(counts))
    return powers / powers.sum() @ senses


def used_senses_all_alike(senses, counts):
    """Every sense that is used at all gets the same weight, however often it is used."""
    return senses[counts > 0].mean(axis=0)


def shares_cut_to_whole_numbers(senses, counts):
    """The counts are cut to whole numbers, and shares between 0 and 1 become 0."""
    times = counts.astype(int)
    total = times.sum()
    return times @ senses / max(total, 1)


def whole_number_division(senses, counts):
    """// throws away what remains after the division."""
    return counts @ senses // counts.sum()


def shares_of_the_largest_count(senses, counts):
    """The counts are divided by the largest of them and not by their sum, so the shares do not add up to 1."""
    shares = counts / counts.max()
    return np.einsum("s,sd->d", shares, senses)


def callers_counts_made_shares(senses, counts):
    """counts /= ... changes the caller's counts, and whole numbers refuse it."""
    counts /= counts.sum()
    return counts @ senses


def counts_taken_for_shares(senses, counts):
    """The counts are taken to be shares already, so the sum is never divided."""
    meaning = np.zeros(senses.shape[1])
    for sense, share in zip(senses, counts, strict=True):
        meaning += share * sense
    return meaning


def loop_returns_too_early(senses, counts):
    """The return stands inside the loop, so only the first sense is weighed."""
    meaning = np.zeros(senses.shape[1])
    for i in range(len(counts)):
        meaning += counts[i] / counts.sum() * senses[i]
        return meaning
    return meaning


def sum_along_the_features(senses, counts):
    """The sum runs along the features and leaves one number for each sense."""
    shares = counts[:, None] / counts.sum()
    return (shares * senses).sum(axis=1)


def one_added_to_every_count(senses, counts):
    """1 is added to every count, as in smoothing, so a sense that is never used pulls, too."""
    smoothed = counts + 1
    return smoothed @ senses / smoothed.sum()
