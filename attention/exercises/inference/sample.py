"""The next word, drawn with softmax(logits / temperature)."""

import numpy as np

from attention.chapters import inference as reference
from autograder.diagnosis import Case, Exercise, mistake

THREE = np.array([1.0, 2.0, 0.0])  # softmax 0.2447, 0.6652, 0.0900
DRAWS = np.array([0.1, 0.5, 0.9, 0.95])  # with 0.8, versions of NumPy search an unsorted row differently


def draws(rng: np.random.Generator, *shape) -> np.ndarray:
    """Draw evenly from 0 to 1."""
    return rng.uniform(0, 1, shape)


def unseen(rng: np.random.Generator) -> list[Case]:
    """Logits in no order, a temperature below 1 and two above, and enough draws to meet most words.

    The first is asked twice: an answer with draws of its own differs.
    """
    cases = [
        Case(f"{words} words", (rng.normal(0, 2, words), float(rng.uniform(*span)), draws(rng, 97)))
        for words, span in ((7, (0.3, 0.7)), (5, (1.3, 1.8)), (11, (2.0, 3.0)))
    ]
    return [*cases, cases[0]]


def edges(rng: np.random.Generator) -> list[Case]:
    """Greedy at 0, also in a tie, huge logits, a tiny temperature, one draw, a table of draws, draws of exactly 0."""
    logits = np.roll(np.sort(rng.normal(0, 1.5, 7)), 3)  # the likeliest is in the middle
    huge = 5000 * np.array([2.0, 1.0, 2.0]) + np.array([0, 0, 1.0])
    return [
        Case("temperature 0", (logits, 0.0, draws(rng, 5))),
        Case("a tie at temperature 0", (np.array([0.5, 2, -1, 2, 2, 1]), 0.0, draws(rng, 3))),
        Case("huge logits", (huge, 1.0, draws(rng, 31))),
        Case("a tiny temperature", (logits, 0.001, draws(rng, 5))),
        Case("one draw", (logits, 1.5, float(rng.uniform(0, 1)))),
        Case("a table of draws", (logits, 2.0, draws(rng, 3, 5))),
        Case("a draw of 0", (logits, 1.0, np.array([0.0]))),
        Case(
            "a draw of 0, and a first word that is never drawn",
            (np.array([-2000, 0.5, 2, 1]), 1.0, np.array([0.0, 0.9])),
        ),
    ]


def shares(logits):
    """Softmax, safe for large logits."""
    powers = np.exp(logits - np.max(logits))
    return powers / np.sum(powers)


def drawn(p, u):
    """The first word whose running sum exceeds u."""
    return np.searchsorted(np.cumsum(p)[:-1], u, side="right")


@mistake(
    "The logits were multiplied by the temperature. "
    "A high temperature should make the choice bolder, but multiplying makes it more predictable. "
    "Divide the logits by the temperature; if you raise probabilities to a power, use 1 / temperature.",
)
def multiplied_by_temperature(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(shares(logits * temperature), u)


@mistake(
    "The temperature was left out: these are draws from softmax(logits). "
    "It decides how bold the choice is. "
    "Divide the logits by the temperature before softmax.",
)
def temperature_left_out(logits, temperature, u):
    return drawn(shares(logits), u)


@mistake(
    "The temperature was left out: these are draws from softmax(logits). "
    "It decides how bold the choice is. "
    "Divide the logits by the temperature before softmax.",
)
def temperature_left_out_but_for_zero(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(shares(logits), u)


@mistake(
    "The probabilities were divided by the temperature, not the logits. "
    "Then they no longer sum to 1. "
    "Divide the logits by the temperature, and take softmax after that.",
)
def divided_after_softmax(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(np.cumsum(shares(logits) / temperature), u, side="right")


@mistake(
    "The probabilities were divided by the temperature, not the logits. "
    "Then they no longer sum to 1. "
    "Divide the logits by the temperature, and take softmax after that.",
)
def divided_after_softmax_and_held(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(shares(logits) / temperature, u)


@mistake(
    "The running sum is taken over the logits, without softmax. "
    "Logits may be negative and do not sum to 1. "
    "Take softmax of logits / temperature first.",
)
def no_softmax(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(logits / temperature, u)


@mistake(
    "Every draw is the likeliest word. "
    "That is greedy decoding, which only temperature 0 asks for. "
    "Compare u with the running sum of the probabilities.",
)
def always_the_likeliest(logits, temperature, u):
    return np.full(np.shape(u), np.argmax(logits))


@mistake(
    "Right from temperature 1 on, but below it every draw is the likeliest word. "
    "A temperature below 1 makes the choice more predictable, and only 0 makes it greedy. "
    "Handle only 0 separately.",
)
def greedy_below_one(logits, temperature, u):
    if temperature < 1:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(shares(logits / temperature), u)


@mistake(
    "u was compared with each probability instead of their running sum. "
    "Each word has an interval between 0 and 1, which begins where the one before ends. "
    "Use `np.cumsum`.",
)
def compared_with_each_probability(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.argmax(shares(logits / temperature) > np.asarray(u)[..., None], axis=-1)


@mistake(
    "u was compared with each probability instead of their running sum. "
    "Each word has an interval between 0 and 1, which begins where the one before ends. "
    "Use `np.cumsum`.",
)
def searched_in_the_probabilities(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(shares(logits / temperature), u, side="right")


@mistake(
    "Right, until u equals a running sum: the word before was drawn, even if its probability is 0. "
    "A word's interval includes its beginning, but not its end. "
    'Take the first running sum that is larger than u, with side="right" or `ends > u`.',
    sees="right, until a number equals a running sum",
    edge=True,
)
def end_of_the_interval_included(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return np.searchsorted(np.cumsum(shares(logits / temperature))[:-1], u, side="left")


@mistake(
    "The intervals are in another order: the likeliest word comes first. "
    "That draws each word equally often, but not for the same u. "
    "Keep the words in their order.",
)
def likeliest_word_first(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    order = np.argsort(-logits)
    return order[drawn(shares(logits / temperature)[order], u)]


@mistake(
    "The words were sorted by probability, and the place in that order was returned. "
    "A word's number is its index in `logits`. "
    "Keep the words in their order.",
)
def place_in_the_order(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(np.sort(shares(logits / temperature))[::-1], u)


@mistake(
    "u was measured from the other end, as 1 − u. "
    "That draws each word equally often, but not for the same u. "
    "Compare u itself with the running sum that begins with word 0.",
)
def from_the_other_end(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(shares(logits / temperature), 1 - np.asarray(u))


@mistake(
    "Each answer is one word too far. "
    "A word's interval ends at its own running sum. "
    "Take the first running sum that is larger than u, and don't add 1.",
)
def one_word_too_far(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(shares(logits / temperature), u) + 1


@mistake(
    "Each answer is one word too early, and the first word became −1. "
    "The number of running sums that are not larger than u already is the word's number. "
    "Don't subtract 1.",
)
def one_word_too_early(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(shares(logits / temperature), u) - 1


@mistake(
    "The answer is the word whose running sum is nearest to u. u is inside one word's interval, and the nearest "
    "end may be that of the word before. "
    "Take the first running sum that is larger than u.",
)
def nearest_end(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    ends = np.cumsum(shares(logits / temperature))
    return np.argmin(np.abs(ends - np.asarray(u)[..., None]), axis=-1)


@mistake(
    "The powers were not divided by their sum, so the running sum does not end at 1. "
    "u is drawn between 0 and 1. "
    "Take the whole softmax.",
)
def powers_not_divided(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    return drawn(np.exp((logits - np.max(logits)) / temperature), u)


@mistake(
    "The probability of the drawn word was returned instead of its number. "
    "A model goes on with the word. "
    "Return the index that `np.searchsorted` finds.",
)
def probability_of_the_word(logits, temperature, u):
    p = shares(logits / (temperature or 1e-9))
    return p[drawn(p, u)]


@mistake(
    "Right, except at temperature 0, where it divides by 0. "
    "The limit of small temperatures is greedy: all draws are the likeliest word. "
    "Handle 0 separately, with `np.argmax`.",
)
def divides_by_zero(logits, temperature, u):
    return drawn(shares(logits / np.float64(temperature)), u)


@mistake(
    "Right, until e to the power of a logit is too large for a floating-point number. "
    "Infinity divided by infinity is NaN. "
    "Subtract the largest logit first: the probabilities stay the same.",
    sees="right, until a logit is in the thousands",
    edge=True,
)
def powers_of_large_logits(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    powers = np.exp(logits / temperature)
    return drawn(powers / powers.sum(), u)


@mistake(
    "At temperature 0, one word was returned, whatever the shape of u. "
    "There, too, each number of u is a draw. "
    "Return an array of u's shape: `np.full(np.shape(u), ...)`.",
)
def one_word_at_zero(logits, temperature, u):
    if temperature == 0:
        return np.argmax(logits)
    return drawn(shares(logits / temperature), u)


@mistake(
    "Right, until two words tie at temperature 0: the last of the likeliest was returned. "
    "`np.argmax` takes the first of equal numbers. "
    "Take `np.argmax(logits)`, with the logits as they are.",
    sees="right, until two words are equally likely",
    edge=True,
)
def last_of_a_tie(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), len(logits) - 1 - np.argmax(logits[::-1]))
    return drawn(shares(logits / temperature), u)


@mistake(
    "Right for a row of draws, but u may be a table, and the words were returned in one row. "
    "Each word belongs in the place of its draw. "
    "Return an array of u's shape: leave out `np.ravel`, or end with `reshape(np.shape(u))`.",
    sees="right, until u is a table",
    edge=True,
)
def one_row_of_words(logits, temperature, u):
    if temperature == 0:
        return np.full(np.size(u), np.argmax(logits))
    return drawn(shares(logits / temperature), np.ravel(u))


@mistake(
    "Right for a row of draws, but u may be one number or a table, and then a loop over u doesn't go through single "
    "draws. "
    "`np.searchsorted` takes an array of any shape at once. "
    "Use it instead of the loop.",
    sees="right, until u is one number or a table",
    edge=True,
)
def loop_over_a_row(logits, temperature, u):
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    ends = np.cumsum(shares(logits / temperature))
    return np.array([int(np.argmax(ends > draw)) for draw in u])


@mistake(
    "Right for one draw, but u may be an array, with a word for each of its numbers. "
    "`np.searchsorted` takes a whole array at once. "
    "Return an array of u's shape.",
)
def first_draw_only(logits, temperature, u):
    first = float(np.ravel(u)[0])
    if temperature == 0:
        return int(np.argmax(logits))
    return int(drawn(shares(logits / temperature), first))


def without_powers(logits, temperature, u):
    """Draw by the scaled logits themselves."""
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))
    scaled = (logits - np.max(logits)) / temperature
    return np.searchsorted(np.cumsum(scaled / scaled.sum())[:-1], u, side="right")


EXERCISE = Exercise(
    name="sample",
    reference=reference.sample,
    returns=("words",),
    examples=(
        Case("temperature 1", (THREE, 1.0, DRAWS)),
        Case("temperature ½", (THREE, 0.5, DRAWS)),
        Case("temperature 3", (THREE, 3.0, DRAWS)),
        Case("temperature 0", (THREE, 0.0, DRAWS), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(("`np.exp` is missing, before the sum", without_powers),),
)
