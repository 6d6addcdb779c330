"""The likeliest words that together have a probability of p."""

from collections.abc import Callable

import numpy as np

from attention.chapters import gpt as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, Slips, in_part, mistake

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
    "A mask was made in sorted order and laid over the probabilities, which are in the order of the vocabulary. "
    "Its first place belongs to the likeliest word, not to word 0. "
    "Write to the places that the order names, `mask[order] = …`, or set numbers at `order[:count]`.",
)
def mask_of_the_sorted_words(probabilities, p):
    ordered = np.sort(probabilities)[::-1]
    found = np.where(np.cumsum(ordered) - ordered < p, probabilities, 0.0)
    return found / found.sum()


@mistake(
    "The order was used the wrong way round: `mask[order]` reads a number for each place in the order, and does not "
    "write to the words' places. "
    "To bring a mask in sorted order back, the order stands on the left: `mask[order] = …`; or read with its inverse, "
    "`np.argsort(order)`.",
)
def order_used_backwards(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    ordered = probabilities[order]
    found = np.where((np.cumsum(ordered) - ordered < p)[order], probabilities, 0.0)
    return found / found.sum()


@mistake(
    "Each word's place was found by its probability, as `list.index` does, which always gives the first place of a "
    "number. "
    "Of equally likely words only the first is written, again and again, and what is kept has less than p. "
    "Sort the places, not the numbers: `np.argsort`.",
)
def places_found_by_number(probabilities, p):
    found, total = np.zeros(len(probabilities)), 0.0
    for number in np.sort(probabilities)[::-1]:
        if total >= p:
            break
        found[np.flatnonzero(probabilities == number)[0]] = number
        total += number
    return found / found.sum()


@mistake(
    "Right, until rounding keeps the sum of all words below p = 1: then a loop that goes on until the sum reaches p "
    "runs past the last word. "
    "Ten times 0.1 is 0.9999999999999999 here. "
    "Stop at the last word in any case.",
)
def past_the_last_word(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    found, total, i = np.zeros(len(probabilities)), 0.0, 0
    while total < p:
        found[order[i]] = probabilities[order[i]]
        total += probabilities[order[i]]
        i += 1
    return found / found.sum()


@mistake(
    "Right, until rounding keeps the sum of all words below p = 1: then no sum reaches p, and `np.argmax` of nothing "
    "but False is 0, as if the first word were enough. "
    "Ten times 0.1 is 0.9999999999999999 here. "
    "Count the sums that are below p instead, or ask what the words before have: fewer than p.",
)
def first_true_of_none(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    last = np.argmax(np.cumsum(probabilities[order]) >= p)
    return shared_by(probabilities, order[: last + 1])


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


def stable(probabilities: np.ndarray) -> np.ndarray:
    """Return the words, likeliest first, the earlier of equal ones first."""
    return np.argsort(-probabilities, kind="stable")


def before_each(sums: np.ndarray, ordered: np.ndarray, p: float) -> np.ndarray:
    """Say of each word, likeliest first, whether those before it have less than p."""
    return np.concatenate([[0.0], sums[:-1]]) < p


def fitting(sums: np.ndarray, ordered: np.ndarray, p: float) -> np.ndarray:
    """Take each word, likeliest first, that does not go beyond p."""
    total, taken = 0.0, []
    for one in ordered:
        taken.append(total + one <= p)
        total += one if taken[-1] else 0.0
    return np.array(taken)


def reset_at(found: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Write numbers in order to the words' places."""
    back = np.zeros(len(found))
    back[places] = found
    return back


def in_parts(
    probabilities: np.ndarray,
    p: float,
    given: Callable = lambda probabilities: probabilities,
    order: Callable = stable,
    enough: Callable = lambda p: p,
    kept: Callable = before_each,
    back: Callable = reset_at,
    shared: Callable = lambda found, p: found / found.sum(),
) -> np.ndarray:
    """Keep the likeliest words, with any of the steps done in another way."""
    probabilities = given(probabilities)
    places = order(probabilities)
    ordered = probabilities[places]
    chosen = kept(np.cumsum(ordered), ordered, enough(p))
    return shared(back(np.where(chosen, ordered, 0.0), places), p)


KEEPING = Slips(
    in_parts,
    (
        ("softmax is applied to the probabilities first", {"given": softmax}),
        ("the logarithm is taken of the probabilities first", {"given": lambda found: np.log(found + (found == 0))}),
        *in_part(
            "order",
            ("the words are not sorted", lambda found: np.arange(len(found))),
            ("the words are sorted from the least likely on", lambda found: np.argsort(found, kind="stable")),
            ("of equally likely words, the later comes first", lambda found: np.argsort(found, kind="stable")[::-1]),
            ("the words are gone through from the last to the first", lambda found: np.arange(len(found))[::-1]),
        ),
        *in_part(
            "enough",
            ("sums are compared with 1 − p instead of p", lambda p: 1 - p),
            ("p is divided by 100, as a percentage", lambda p: p / 100),
            ("sums are compared with p²", lambda p: p * p),
        ),
        *in_part(
            "kept",
            ("the word that reaches p is left out", lambda sums, ordered, p: sums < p),
            ("a word is left out where it makes the sum larger than p", lambda sums, ordered, p: sums <= p),
            (
                "the word that reaches p is left out, but one word is kept at least",
                lambda sums, ordered, p: (sums < p) | (np.arange(len(sums)) == 0),
            ),
            (
                "a word is left out where it makes the sum larger than p, but one is kept at least",
                lambda sums, ordered, p: (sums <= p) | (np.arange(len(sums)) == 0),
            ),
            (
                "one word too many is kept, after the one that reaches p",
                lambda sums, ordered, p: np.concatenate([[True, True], sums[:-2] < p])[: len(sums)],
            ),
            (
                "one word more is kept where the sum is exactly p",
                lambda sums, ordered, p: np.concatenate([[0.0], sums[:-1]]) <= p,
            ),
            (
                "the words that are to be left out are kept, and the others left out",
                lambda sums, ordered, p: ~before_each(sums, ordered, p),
            ),
            ("the words from the one that reaches p on are kept", lambda sums, ordered, p: sums >= p),
            ("each word's own probability is compared with p", lambda sums, ordered, p: ordered >= p),
            ("words are kept that have less than p each", lambda sums, ordered, p: ordered < p),
            ("each word's own probability is compared with 1 − p", lambda sums, ordered, p: ordered >= 1 - p),
            ("each word is compared with p times the likeliest", lambda sums, ordered, p: ordered >= p * ordered[0]),
            (
                "a share p of the words is kept, rounded up",
                lambda sums, ordered, p: np.arange(len(sums)) < np.ceil(p * len(sums)),
            ),
            (
                "a share p of the words is kept, rounded down",
                lambda sums, ordered, p: np.arange(len(sums)) < int(p * len(sums)),
            ),
            (
                "a share p of the words is kept, rounded down, but one at least",
                lambda sums, ordered, p: np.arange(len(sums)) < max(1, int(p * len(sums))),
            ),
            ("a word that would go beyond p is passed over, and smaller ones are taken", fitting),
            ("the likeliest word alone is kept", lambda sums, ordered, p: np.arange(len(sums)) == 0),
            (
                "the word that reaches p is kept alone",
                lambda sums, ordered, p: np.arange(len(sums)) == np.argmax(sums >= p),
            ),
            ("all words are kept", lambda sums, ordered, p: sums > -1),
            (
                "words are kept that are as likely as the quantile 1 − p of all words (`np.quantile`)",
                lambda sums, ordered, p: ordered >= np.quantile(ordered, 1 - p),
            ),
            (
                "words are kept that are as likely as the quantile p of all words (`np.quantile`)",
                lambda sums, ordered, p: ordered >= np.quantile(ordered, p),
            ),
            (
                "one word too few is kept, whatever the sum",
                lambda sums, ordered, p: np.concatenate([before_each(sums, ordered, p)[1:], [False]]),
            ),
            (
                "sums are rounded to one decimal before they are compared",
                lambda sums, ordered, p: before_each(np.round(sums, 1), ordered, p),
            ),
            ("words are kept whose probability is above the mean", lambda sums, ordered, p: ordered >= ordered.mean()),
            (
                "words are kept as long as they are as likely as the last that is needed, all of them",
                lambda sums, ordered, p: ordered >= ordered[before_each(sums, ordered, p)][-1],
            ),
        ),
        *in_part(
            "back",
            ("the probabilities are returned in sorted order", lambda found, places: found),
            (
                "sorted numbers are put back with `[order]`, which reads, instead of being written there",
                lambda found, places: found[places],
            ),
            ("the kept words' probabilities are returned alone", lambda found, places: found[found > 0]),
            (
                "the kept words' probabilities are returned alone, in the order of the vocabulary",
                lambda found, places: reset_at(found, places)[reset_at(found, places) > 0],
            ),
        ),
        *in_part(
            "shared",
            ("the kept probabilities are not divided by their sum", lambda found, p: found),
            ("the kept probabilities are divided by p", lambda found, p: found / p),
            ("the kept probabilities are multiplied by their sum", lambda found, p: found * found.sum()),
            ("the kept words get equal shares", lambda found, p: (found > 0) / (found > 0).sum()),
            ("softmax is applied to the kept words", lambda found, p: softmax(np.where(found > 0, found, -np.inf))),
            ("softmax is applied to all words, with 0 for those left out", lambda found, p: softmax(found)),
            ("the kept probabilities are divided by the largest", lambda found, p: found / found.max()),
            ("the kept probabilities are divided by how many they are", lambda found, p: found / (found > 0).sum()),
            (
                "what is left over is shared out in equal parts",
                lambda found, p: found + (found > 0) * (1 - found.sum()) / (found > 0).sum(),
            ),
            (
                "what is left over is given to the likeliest word",
                lambda found, p: found + (np.arange(len(found)) == found.argmax()) * (1 - found.sum()),
            ),
            ("the number of the likeliest word is returned", lambda found, p: int(found.argmax())),
            (
                "the words left out share what is left over, instead of getting 0",
                lambda found, p: np.where(found > 0, found, (1 - found.sum()) / max((found == 0).sum(), 1)),
            ),
            ("True and False are returned in place of probabilities", lambda found, p: found > 0),
        ),
    ),
    alone=in_part(
        "kept",
        (
            "words as likely as the one that reaches p are left out with it",
            lambda sums, ordered, p: np.array([ordered[ordered >= one].sum() <= p for one in ordered]),
        ),
    ),
)


def kept_places(found: np.ndarray) -> list[int]:
    """Return the places of words that were not left out; NaN is none."""
    return np.flatnonzero(np.nan_to_num(found)).tolist()


SYMPTOMS = (
    (
        "The right words are kept, but their numbers are wrong. Each keeps its proportion to the others: divide their "
        "probabilities by the sum of those that are kept.",
        lambda answer, right, probabilities, p: kept_places(answer) == kept_places(right),
    ),
    (
        "Too few words are kept, all of them rightly. Look at what is compared with p: the word that reaches p still "
        "belongs to the set.",
        lambda answer, right, probabilities, p: {*kept_places(answer)} < {*kept_places(right)},
    ),
    (
        "Too many words are kept, the right ones among them. Look at what is compared with p: once the sum is p or "
        "more, no other word belongs to the set.",
        lambda answer, right, probabilities, p: {*kept_places(answer)} > {*kept_places(right)},
    ),
    (
        "As many words are kept as should be, but not the right ones. Look at the order in which they are taken, and "
        "at how numbers come back to the words' places.",
        lambda answer, right, probabilities, p: len(kept_places(answer)) == len(kept_places(right)),
    ),
)

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
    slips=KEEPING,
    symptoms=SYMPTOMS,
)
