"""The likeliest words that together have a probability of p."""

import numpy as np

from attention.chapters import gpt as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

EIGHTHS = np.array([1, 4, 2, 1]) / 8  # sums of these are exact
FLAT = np.array([3, 1, 5, 2, 3, 2]) / 16
TENTHS = np.full(10, 0.1)  # whose sum, rounded at every step, stays below 1


def shares(rng: np.random.Generator, words: int, spread: float) -> np.ndarray:
    """Draw probabilities in no order."""
    return softmax(rng.normal(0, spread, words))


def between(rng: np.random.Generator, probabilities: np.ndarray, kept: int) -> float:
    """Draw a p that needs so many words, and not one less."""
    sums = np.cumsum(np.sort(probabilities)[::-1])
    before = sums[kept - 2] if kept > 1 else 0.0
    return float(before + rng.uniform(0.2, 0.8) * (sums[kept - 1] - before))


def unseen(rng: np.random.Generator) -> list[Case]:
    """Probabilities in no order, of which two to six words are kept."""
    found = [(shares(rng, words, spread), kept) for words, spread, kept in ((7, 1.0, 3), (11, 0.7, 6), (5, 1.5, 2))]
    return [Case(f"{kept} of {len(one)} words", (one, between(rng, one, kept))) for one, kept in found]


def edges(rng: np.random.Generator) -> list[Case]:
    """All words, one, a tie at the border, a sum that reaches p exactly, words that are never said, one word."""
    seven, many = shares(rng, 7, 1.0), shares(rng, 97, 2.0)
    alike = rng.permutation(np.repeat([1, 2, 3], (29, 31, 37)) / 202)
    tie = np.array([1, 5, 1, 1, 5, 1, 2]) / 16
    return [
        Case("p = 1", (seven, 1.0)),
        Case("p = 1, and rounding keeps the sum below it", (rng.permutation([0.1, 0.2, 0.3, 0.4]), 1.0)),
        Case("a tiny p", (seven, 0.001)),
        Case("a tie", (tie, 0.25)),
        Case("a tie at the border", (tie, 13 / 16)),
        Case("a sum that reaches p exactly", (np.array([0.125, 0.25, 0.5, 0.0625, 0.0625]), 0.75)),
        Case("words that are never said", (np.array([0.0, 0.3, 0.0, 0.6, 0.1]), 0.95)),
        Case("one word", (np.array([1.0]), 0.5)),
        Case("all alike", (np.full(8, 1 / 8), 0.5)),
        Case("many words", (many, between(rng, many, 31))),
        Case("many equal words", (alike, between(rng, alike, 41))),
    ]


def kept_of(probabilities, p):
    """Return the numbers of the words that are kept, likeliest first."""
    order = np.argsort(-probabilities, kind="stable")
    before = np.concatenate([[0.0], np.cumsum(probabilities[order])[:-1]])
    return order[before < p]


def shared_by(probabilities, places):
    """Return the probabilities of these words, which sum to 1, and 0 for all others."""
    found = np.zeros(len(probabilities))
    found[places] = probabilities[places]
    return found / found.sum()


@mistake(
    "The word that reaches p was left out. "
    "The words that are kept must have p together, and without it they have less; if the first word alone has more, "
    "none is left. "
    "Keep a word if those before it have less than p.",
)
def crossing_word_left_out(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    return shared_by(probabilities, order[np.cumsum(probabilities[order]) <= p])


@mistake(
    "The word that reaches p was left out, but at least one word was kept. "
    "The words that are kept must have p together, and without it they have less. "
    "Keep a word if those before it have less than p.",
)
def crossing_word_left_out_but_one_kept(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    places = order[np.cumsum(probabilities[order]) <= p]
    return shared_by(probabilities, places if len(places) else order[:1])


@mistake(
    "One word too many was kept: the words before it reach p already. "
    "The set is the smallest that reaches p. "
    "Stop with the word that reaches it.",
)
def one_word_more(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    return shared_by(probabilities, order[: len(kept_of(probabilities, p)) + 1])


@mistake(
    "The probabilities of the kept words were not divided by their sum. "
    "What is drawn from must sum to 1. "
    "Divide by what the kept words have together.",
)
def not_shared_anew(probabilities, p):
    found = np.zeros(len(probabilities))
    places = kept_of(probabilities, p)
    found[places] = probabilities[places]
    return found


@mistake(
    "The kept words were divided by p instead of their sum. "
    "Together they have p or a little more, since the last word goes beyond it. "
    "Divide by what they really have.",
)
def divided_by_p(probabilities, p):
    found = np.zeros(len(probabilities))
    places = kept_of(probabilities, p)
    found[places] = probabilities[places]
    return found / p


@mistake(
    "Softmax shared the probability among the kept words. "
    "Softmax is for logits; of probabilities it makes nearly equal ones. "
    "Divide by the sum.",
)
def shared_by_softmax(probabilities, p):
    found, places = np.zeros(len(probabilities)), kept_of(probabilities, p)
    found[places] = softmax(probabilities[places])
    return found


@mistake(
    "The kept words got equal shares. "
    "A word that was twice as likely as another must stay so. "
    "Divide their probabilities by the sum.",
)
def equal_shares(probabilities, p):
    found, places = np.zeros(len(probabilities)), kept_of(probabilities, p)
    found[places] = 1 / len(places)
    return found


@mistake(
    "The least likely words were kept. "
    "`np.sort` and `np.argsort` begin with the smallest. "
    "Go through the words from the likeliest on.",
)
def least_likely_words_kept(probabilities, p):
    order = np.argsort(probabilities, kind="stable")
    before = np.concatenate([[0.0], np.cumsum(probabilities[order])[:-1]])
    return shared_by(probabilities, order[before < p])


@mistake(
    "The words were not sorted: those at the beginning of the vocabulary were kept. "
    "The set must be the smallest that reaches p, so the likeliest words come first. "
    "Sort before you sum.",
)
def not_sorted(probabilities, p):
    before = np.concatenate([[0.0], np.cumsum(probabilities)[:-1]])
    return shared_by(probabilities, np.flatnonzero(before < p))


@mistake(
    "The probabilities came back in sorted order. "
    "A word is known by its place in the vocabulary. "
    "Put each probability back where it was.",
)
def sorted_order_returned(probabilities, p):
    return np.sort(shared_by(probabilities, kept_of(probabilities, p)))[::-1]


@mistake(
    "The probabilities of the kept words came back alone, sorted. "
    "A word is known by its place in the vocabulary, so there must be as many numbers as words. "
    "Put each probability back where it was, and 0 in the other places.",
)
def kept_ones_alone(probabilities, p):
    found = probabilities[kept_of(probabilities, p)]
    return found / found.sum()


@mistake(
    "The numbers of the kept words were returned. "
    "To draw from them, one needs their probabilities. "
    "Return one probability for each word of the vocabulary.",
)
def numbers_of_the_words(probabilities, p):
    return kept_of(probabilities, p)


@mistake(
    "Every word was kept that has a probability of p or more. "
    "p is what the kept words have together, not each alone. "
    "Sort the words, and compare running sums with p.",
)
def each_at_least_p(probabilities, p):
    return shared_by(probabilities, np.flatnonzero(probabilities >= p))


@mistake(
    "Every word was kept that is at least p times as likely as the likeliest. "
    "That is called min-p, another way to cut off the tail. "
    "Sort the words, and compare running sums with p.",
)
def share_of_the_likeliest(probabilities, p):
    return shared_by(probabilities, np.flatnonzero(probabilities >= p * probabilities.max()))


@mistake(
    "Every word with a probability of 1 − p or more was kept. "
    "1 − p limits what the omitted words have together, not what each has. "
    "Sort the words, and compare running sums with p.",
)
def each_at_least_the_rest(probabilities, p):
    return shared_by(probabilities, np.flatnonzero(probabilities >= 1 - p))


@mistake(
    "A share p of the words was kept, the likeliest ones. "
    "p is a share of the probability, however many words have it. "
    "Compare running sums of the probabilities with p.",
)
def share_of_the_words(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    return shared_by(probabilities, order[: max(1, round(p * len(probabilities)))])


@mistake(
    "Softmax was applied first, but the arguments are probabilities already. "
    "Softmax of them is nearly even, and too many words are kept. "
    "Use them as they are.",
)
def logits_expected(probabilities, p):
    probabilities = softmax(probabilities)
    return shared_by(probabilities, kept_of(probabilities, p))


@mistake(
    "The likeliest word alone was kept. "
    "That is greedy: only where it reaches p is no other needed. "
    "Go on until the kept words have p together.",
)
def likeliest_alone(probabilities, p):
    return shared_by(probabilities, np.array([np.argmax(probabilities)]))


@mistake(
    "Right, until two words are equally likely at the border: both were kept, or neither. "
    "Comparing with the probability of the last kept word cannot tell them apart. "
    "Keep words by their places in the order, the earlier of equal ones first.",
)
def both_of_a_tie(probabilities, p):
    least = probabilities[kept_of(probabilities, p)[-1]]
    return shared_by(probabilities, np.flatnonzero(probabilities >= least))


@mistake(
    "Of two equally likely words at the border, the later was kept. "
    "Reversing a sorted order puts the later of equal words first. "
    'Sort by `-probabilities` with kind="stable".',
)
def later_of_a_tie(probabilities, p):
    order = np.argsort(probabilities, kind="stable")[::-1]
    before = np.concatenate([[0.0], np.cumsum(probabilities[order])[:-1]])
    return shared_by(probabilities, order[before < p])


@mistake(
    "Right, until the kept words have exactly p: then one more was kept. "
    "A set that reaches p is large enough. "
    "Keep a word if those before it have less than p, not p or less.",
)
def exactly_p_is_not_enough(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    before = np.concatenate([[0.0], np.cumsum(probabilities[order])[:-1]])
    return shared_by(probabilities, order[before <= p])


@mistake(
    "Right for few words, but among many, of equally likely ones at the border, others than the first were kept. "
    "`np.argsort` leaves equal numbers in their order only if it is told to. "
    'Sort with kind="stable".',
    sees="right, until many words are equally likely",
    edge=True,
)
def sorted_without_order_of_equals(probabilities, p):
    order = np.argsort(-probabilities)
    before = np.concatenate([[0.0], np.cumsum(probabilities[order])[:-1]])
    return shared_by(probabilities, order[before < p])


EXERCISE = Exercise(
    name="nucleus",
    reference=reference.nucleus,
    returns=("kept",),
    examples=(
        Case("four words, p = 0.7", (EIGHTHS, 0.7)),
        Case("six words, p = 0.65", (FLAT, 0.65)),
        Case("p below the likeliest word", (EIGHTHS, 0.3)),
        Case("p exactly reached", (EIGHTHS, 0.75), edge=True),
        Case("a tie at the border", (FLAT, 0.45), edge=True),
        Case("ten words alike, p = 1", (TENTHS, 1.0), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
