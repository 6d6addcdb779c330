"""Among how many equally likely words a model hesitates."""

from collections.abc import Callable

import numpy as np

from attention.chapters import gpt as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, Slips, in_part, mistake

from ..draw import on_grid, uniform

# The right words have the probabilities 1/2, 1/4, 1/8 and 1/4, together 1/256; 1 is added to every logit.
HALVES = np.log(np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.125, 0.75], [0.25, 0.25, 0.5]])) + 1.0
RIGHT = np.array([0, 2, 1, 0])
SURE = np.array([[4.0, 0.0, 1.0, 0.0, -1.0], [0.0, 3.0, 0.0, 1.0, 0.0]])
FAR = np.array([[60.0, 0.0, 0.0], [0.0, 0.0, 0.0]])  # e^−60 is far below any small number that is added


def unseen(rng: np.random.Generator) -> list[Case]:
    """Guesses of all kinds; the first word of the vocabulary is among the right ones."""
    return [
        Case("five tokens", (uniform(rng, 3, 5, 7), targets(rng, 5, 7))),
        Case("three tokens, many words", (uniform(rng, 2, 3, 13), targets(rng, 3, 13))),
        Case("eleven tokens", (uniform(rng, 4, 11, 5), targets(rng, 11, 5))),
    ]


def targets(rng: np.random.Generator, n: int, words: int) -> np.ndarray:
    """Draw n right words; one of them is word 0, one is the last."""
    return rng.permutation([0, words - 1, *rng.integers(words, size=n - 2)])


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, all words alike, logits in the thousands, a long text whose probability is no float."""
    far = on_grid(uniform(rng, 2, 3, 5))
    far += np.array([[2000.0], [-2000.0], [1500.0]])
    far[0, 2] += 2000.0  # far ahead of the others, and right
    return [
        Case("one token", (uniform(rng, 3, 1, 7), np.array([3]))),
        Case("all words equally likely", (np.full((3, 11), float(rng.uniform(-2, 2))), targets(rng, 3, 11))),
        Case("logits in the thousands", (far, np.array([2, 4, 0]))),
        Case("so sure of a wrong word that e to that power is 0", (surprised(rng, 1500), np.array([1, 0, 2, 1, 0]))),
        Case("so sure of a wrong word that no small number helps", (surprised(rng, 900), np.array([2, 0, 1, 1, 0]))),
        Case("quite sure of a wrong word", (surprised(rng, 90), np.array([1, 0, 2, 1, 0]))),
        Case("a very long text", (uniform(rng, 3, 1501, 5), targets(rng, 1501, 5))),
        Case("the first word is always right", (uniform(rng, 3, 5, 3), np.zeros(5, dtype=int))),
    ]


def surprised(rng: np.random.Generator, far: float) -> np.ndarray:
    """Draw logits of five tokens; word 0 is so far ahead in the first row that no other counts."""
    logits = on_grid(uniform(rng, 2, 5, 3))
    logits[0, 0] += far
    return logits


def log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def at_the_right_words(table, targets):
    """Return of each row the number at its right word."""
    return table[np.arange(len(targets)), targets]


@mistake(
    "This is the mean of 1/p over the tokens. "
    "One word that the model thought impossible would decide it alone; the mean is taken of ln p, and the power after "
    "that. "
    "Average first, then `np.exp`.",
)
def mean_of_perplexities(logits, targets):
    return float(np.mean(np.exp(-at_the_right_words(log_softmax(logits), targets))))


@mistake(
    "This is 1 divided by the mean probability of the right words. "
    "The probability of a text is a product, so the logarithms are averaged, not the probabilities. "
    "Take the logarithm before the mean.",
)
def of_the_mean_probability(logits, targets):
    return float(1 / np.mean(np.exp(at_the_right_words(log_softmax(logits), targets))))


@mistake(
    "The cross-entropy itself was returned, in nats. "
    "Perplexity says it as a number of words: e to that power. "
    "Take `np.exp` of it.",
)
def cross_entropy_returned(logits, targets):
    return float(-np.mean(at_the_right_words(log_softmax(logits), targets)))


@mistake(
    "2 was raised to the cross-entropy in nats. "
    "2 belongs to bits, to the logarithm with base 2; the natural logarithm belongs to e. "
    "Use `np.exp` with `np.log`, or 2 with `np.log2`.",
)
def two_to_the_nats(logits, targets):
    return float(2 ** -np.mean(at_the_right_words(log_softmax(logits), targets)))


@mistake(
    "e was raised to the cross-entropy in bits. "
    "The logarithm with base 2 belongs to powers of 2. "
    "Use `np.log` with `np.exp`.",
)
def e_to_the_bits(logits, targets):
    return float(np.exp(-np.mean(at_the_right_words(log_softmax(logits), targets)) / np.log(2)))


@mistake(
    "The logarithms were added up, not averaged. "
    "Then a longer text has a larger perplexity, whatever the model knows. "
    "Divide by the number of tokens before you take the power.",
)
def sum_instead_of_mean(logits, targets):
    return float(np.exp(-np.sum(at_the_right_words(log_softmax(logits), targets))))


@mistake(
    "The minus is missing: this is the geometric mean of the probabilities, at most 1. "
    "Perplexity is 1 divided by it, and grows as the model gets worse. "
    "Put a minus before the mean.",
)
def minus_missing(logits, targets):
    return float(np.exp(np.mean(at_the_right_words(log_softmax(logits), targets))))


@mistake(
    "Softmax is missing: the logits themselves were averaged at the right words. "
    "Adding 5 to all logits of a row changes no probability, but this. "
    "Use ln softmax(logits).",
)
def logits_without_softmax(logits, targets):
    return float(np.exp(-np.mean(at_the_right_words(logits, targets))))


@mistake(
    "Softmax was taken over the tokens instead of the words. "
    "In each row, the probabilities of all words sum to 1. "
    "Use the last axis.",
)
def softmax_over_tokens(logits, targets):
    return float(np.exp(-np.mean(at_the_right_words(log_softmax(logits.T).T, targets))))


@mistake(
    "Softmax was applied twice. "
    "The second one makes all words nearly equally likely. "
    "Apply softmax once, then take the logarithm.",
)
def softmax_of_probabilities(logits, targets):
    return float(np.exp(-np.mean(at_the_right_words(log_softmax(softmax(logits)), targets))))


@mistake(
    "The likeliest words were counted instead of the right ones. "
    "A model that is sure of the wrong word would look perfect. "
    "Pick each row's number at its target.",
)
def likeliest_words(logits, targets):
    return float(np.exp(-np.mean(log_softmax(logits).max(axis=-1))))


@mistake(
    "All words of a row were averaged, not the right one alone. "
    "What counts is the probability that the model gave to what came next. "
    "Pick each row's number at its target.",
)
def all_words(logits, targets):
    return float(np.exp(-np.mean(log_softmax(logits))))


@mistake(
    "`log_p[:, targets]` picks the columns of all targets in every row, n times n numbers. "
    "Each row has one target. "
    "Use two indices, `log_p[np.arange(n), targets]`.",
)
def all_targets_in_every_row(logits, targets):
    return float(np.exp(-np.mean(log_softmax(logits)[:, targets])))


@mistake(
    "This is the model's own uncertainty, e to the entropy of its probabilities, and the right words are not in it. "
    "A model that is sure of the wrong word would look good. "
    "Pick each row's ln p at its target.",
)
def own_uncertainty(logits, targets):
    log_p = log_softmax(logits)
    return float(np.exp(-np.mean(np.sum(np.exp(log_p) * log_p, axis=-1))))


@mistake(
    "Word 0 was taken for padding and left out. "
    "`cross_entropy` leaves out its third argument wherever it is the target; here no token is padding. "
    "Give it a number that no word has, such as −1.",
)
def word_0_left_out(logits, targets):
    real = targets != 0
    return float(np.exp(-np.mean(at_the_right_words(log_softmax(logits), targets)[real])))


@mistake(
    "One number for each token was returned. "
    "A perplexity is one number for the whole text. "
    "Average the logarithms before you take the power.",
)
def one_for_each_token(logits, targets):
    return np.exp(-at_the_right_words(log_softmax(logits), targets))


@mistake(
    "The root with the number of words was taken, not with the number of tokens. "
    "There is one factor for each token of the text. "
    "Divide by `len(targets)`.",
)
def divided_by_the_words(logits, targets):
    return float(np.exp(-np.sum(at_the_right_words(log_softmax(logits), targets)) / logits.shape[-1]))


@mistake(
    "The targets were shifted by one: row t was compared with the target of row t + 1. "
    "Row t of the logits already says what comes after token t, and `targets[t]` is that token. "
    "Compare them row by row.",
)
def shifted_by_one(logits, targets):
    return float(np.exp(-np.mean(at_the_right_words(log_softmax(logits[:-1]), targets[1:]))))


@mistake(
    "`product ** -1 / n` is (1/product)/n: the power comes before the division. "
    "The n-th root of 1/product is meant, and its exponent is −1/n. "
    "Put brackets around it, `product ** (-1 / n)`; or, since a product becomes too small, use the mean of logarithms.",
)
def power_before_division(logits, targets):
    product = np.prod(np.exp(at_the_right_words(log_softmax(logits), targets)))
    return float(product**-1 / len(targets))


@mistake(
    "Right, until the model is so sure of another word that softmax gives the right one 0: its logarithm is −∞. "
    "e to −1500 is too small for a number, but its logarithm, −1500, is not. "
    "Compute the logarithm from the logits: the logit minus ln of the sum of all powers, the largest subtracted first.",
    sees="right, until a right word is nearly impossible",
    edge=True,
)
def logarithm_of_zero(logits, targets):
    return float(np.exp(-np.mean(np.log(at_the_right_words(softmax(logits), targets)))))


@mistake(
    "Right, until a logit is in the thousands: e to that power is no number. "
    "Softmax stays the same if the largest logit of a row is subtracted from all. "
    "Subtract it first.",
    sees="right, until a logit is in the thousands",
    edge=True,
)
def powers_without_shift(logits, targets):
    powers = np.exp(logits)
    p = at_the_right_words(powers / powers.sum(axis=-1, keepdims=True), targets)
    return float(np.exp(-np.mean(np.log(p))))


@mistake(
    "Right, until the text is long: its probabilities were multiplied, and the product is too small for a number. "
    "A sum of logarithms says the same and is never too small. "
    "Add logarithms instead.",
    sees="right, until the text is long",
    edge=True,
)
def product_too_small(logits, targets):
    p = np.exp(at_the_right_words(log_softmax(logits), targets))
    return float(np.prod(p) ** (-1 / len(targets)))


def in_parts(
    logits: np.ndarray,
    targets: np.ndarray,
    rows: Callable = lambda logits, targets: (logits, targets),
    logs: Callable = log_softmax,
    picked: Callable = at_the_right_words,
    mean: Callable = lambda logs, logits: np.mean(logs),
    power: Callable = lambda mean: np.exp(-mean),
) -> float:
    """Return the perplexity, with any of the steps done in another way."""
    logits, targets = rows(logits, targets)
    return power(mean(picked(logs(logits), targets), logits))


def added_to(small: float) -> Callable:
    """Return ln(p + a small number)."""
    return lambda logits: np.log(softmax(logits) + small)


def at_least(small: float) -> Callable:
    """Return ln p, of a p that was kept from falling below a small number."""
    return lambda logits: np.log(np.maximum(softmax(logits), small))


SMALL = tuple((f"1e-{digits}", 10.0**-digits) for digits in (12, 10, 9, 8, 7, 6, 5, 4, 15, 16, 20, 30, 100, 300))
HESITATING = Slips(
    in_parts,
    (
        *(
            (
                f"{name} is added to the probabilities, or takes the place of smaller ones (`clip`), so that no word "
                "can be less likely",
                {"logs": added_to(small)},
            )
            for name, small in SMALL
        ),
        *(
            (f"{name} takes the place of smaller probabilities (`clip`, `maximum`)", {"logs": at_least(small)})
            for name, small in SMALL
            if small > 1e-8
        ),
        *in_part(
            "logs",
            ("softmax runs over the tokens (axis 0)", lambda logits: log_softmax(logits.T).T),
            (
                "softmax is taken over the whole table",
                lambda logits: log_softmax(logits.reshape(1, -1)).reshape(logits.shape),
            ),
            ("softmax is missing, and the logits are averaged", lambda logits: logits),
            ("softmax is missing, and the logarithm is taken of the logits", np.log),
            ("softmax is applied twice", lambda logits: log_softmax(softmax(logits))),
            ("the logarithm is missing: probabilities are averaged", softmax),
            ("the logarithm has the base 2, and the power e", lambda logits: log_softmax(logits) / np.log(2)),
            ("the logarithm has the base 10, and the power e", lambda logits: log_softmax(logits) / np.log(10)),
            (
                "the logits are divided by their sum, without powers",
                lambda logits: np.log(logits / logits.sum(axis=-1, keepdims=True)),
            ),
            (
                "the largest logit is subtracted, but the sum of powers is not divided by",
                lambda logits: logits - logits.max(axis=-1, keepdims=True),
            ),
        ),
        *in_part(
            "picked",
            (
                "the likeliest word of each row is taken instead of the right one",
                lambda logs, targets: logs.max(axis=-1),
            ),
            ("the least likely word of each row is taken", lambda logs, targets: logs.min(axis=-1)),
            ("all words of a row are averaged, not the right one alone", lambda logs, targets: logs),
            ("all words of a row are added up", lambda logs, targets: logs.sum(axis=-1)),
            ("the columns of all targets are taken in every row", lambda logs, targets: logs[:, targets]),
            ("the first row is used for every target, as by `np.take` without an axis", np.take),
            (
                "word 0 is left out, as if it were padding",
                lambda logs, targets: at_the_right_words(logs, targets)[targets != 0],
            ),
            (
                "word 0 counts as 0 in the sum, but is counted among the tokens",
                lambda logs, targets: at_the_right_words(logs, targets) * (targets != 0),
            ),
            (
                "the entropy of each row is taken, in which the right words are not",
                lambda logs, targets: (np.exp(logs) * logs).sum(axis=-1),
            ),
            (
                "each right word's ln p is multiplied by p",
                lambda logs, targets: at_the_right_words(np.exp(logs) * logs, targets),
            ),
            (
                "the word after the right one is taken",
                lambda logs, targets: at_the_right_words(logs, (targets + 1) % logs.shape[-1]),
            ),
            ("the word before the right one is taken", lambda logs, targets: at_the_right_words(logs, targets - 1)),
        ),
        *in_part(
            "rows",
            ("row t is compared with the target of row t + 1", lambda logits, targets: (logits[:-1], targets[1:])),
            ("row t + 1 is compared with the target of row t", lambda logits, targets: (logits[1:], targets[:-1])),
            ("the last token is left out", lambda logits, targets: (logits[:-1], targets[:-1])),
            ("the first token is left out", lambda logits, targets: (logits[1:], targets[1:])),
        ),
        *in_part(
            "mean",
            ("the logarithms are added up instead of averaged", lambda logs, logits: np.sum(logs)),
            (
                "the sum is divided by the number of words, not of tokens",
                lambda logs, logits: np.sum(logs) / logits.shape[-1],
            ),
            ("the sum is divided by the size of the whole table", lambda logs, logits: np.sum(logs) / logits.size),
            (
                "the sum is divided by the number of tokens less 1",
                lambda logs, logits: np.sum(logs) / max(len(logits) - 1, 1),
            ),
            (
                "the sum is divided by the number of tokens plus 1",
                lambda logs, logits: np.sum(logs) / (len(logits) + 1),
            ),
            (
                "the last token is left out of the sum, but counted",
                lambda logs, logits: np.sum(logs[:-1]) / len(logits),
            ),
            (
                "the first token is left out of the sum, but counted",
                lambda logs, logits: np.sum(logs[1:]) / len(logits),
            ),
            ("the square root is taken instead of the n-th", lambda logs, logits: np.sum(logs) / 2),
            ("the median is taken instead of the mean", lambda logs, logits: np.median(logs)),
            (
                "the mean of the probabilities is taken, and its logarithm",
                lambda logs, logits: np.log(np.mean(np.exp(logs))),
            ),
            ("the mean of 1/p is taken", lambda logs, logits: -np.log(np.mean(np.exp(-logs)))),
            ("the square root is taken of the mean of squares", lambda logs, logits: -np.sqrt(np.mean(logs**2))),
            ("the last token alone counts", lambda logs, logits: np.ravel(logs)[-1]),
            ("the first token alone counts", lambda logs, logits: np.ravel(logs)[0]),
            ("there is one number for each token, no mean", lambda logs, logits: logs),
        ),
        *in_part(
            "power",
            ("the cross-entropy is returned, without the power", lambda mean: -mean),
            ("the cross-entropy is returned in bits, without the power", lambda mean: -mean / np.log(2)),
            ("the minus is missing", np.exp),
            ("the minus is missing, and 2 is raised to a power that was measured with ln", lambda mean: 2.0**mean),
            ("2 is raised to a power that was measured with ln", lambda mean: 2.0**-mean),
            ("10 is raised to a power that was measured with ln", lambda mean: 10.0**-mean),
            ("the mean is returned with its minus missing, without the power", lambda mean: mean),
            ("1 is subtracted from the power, as by `np.expm1`", lambda mean: np.expm1(-mean)),
        ),
    ),
)

SYMPTOMS = (
    (
        "The perplexity is below 1, but no model can choose among less than one word. Look for a missing minus, "
        "for a fraction turned over, or for probabilities that were never divided by their sum.",
        lambda answer, right, logits, targets: 0 <= answer < 1 or np.abs(logits).max() > 50,
    ),
)

EXERCISE = Exercise(
    name="perplexity",
    reference=reference.perplexity,
    returns=("perplexity",),
    examples=(
        Case("1/2, 1/4, 1/8 and 1/4", (HALVES, RIGHT)),
        Case("sure, and once of the wrong word", (SURE, np.array([0, 3]))),
        Case("three words equally likely", (np.full((2, 3), 5.0), np.array([1, 0]))),
        Case("sure of the wrong word", (FAR, np.array([1, 0])), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    slips=HESITATING,
    symptoms=SYMPTOMS,
)
