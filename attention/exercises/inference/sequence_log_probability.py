"""How likely a whole sentence is."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention.chapters import inference as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, StepTable, mistake

from ..draw import language
from . import EOS, LOUD, SOS, TREE, A, B, X, Y, step_of


def sentence(rng: np.random.Generator, words: int, length: int, end: tuple[int, ...] = (1,)) -> list[Any]:
    """Draw a sentence: SOS, words that are neither SOS nor EOS, and its end."""
    return [0, *map(int, rng.integers(2, words, length)), *end]


def unseen(rng: np.random.Generator) -> list[Case]:
    """Sentences of several lengths, words of several languages."""
    return [
        Case(f"{length} words", (language(rng, words), sentence(rng, words, length)))
        for words, length in ((5, 3), (7, 5), (6, 11))
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """EOS alone, a sentence that was cut off, logits of two thousand, and a sentence too long for a product."""
    return [
        Case("EOS alone", (language(rng, 5), [0, 1])),
        Case("cut off, without EOS", (language(rng, 5), sentence(rng, 5, 4, end=()))),
        Case("logits of two thousand", (LOUD, [0, 2, 3, *sentence(rng, 4, 3)[1:]])),
        Case("a thousand tokens", (language(rng, 5, reach=1), sentence(rng, 5, 1000))),
    ]


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Return the logarithms of softmax, for logits of any size."""
    shifted = logits - np.max(logits)
    return shifted - np.log(np.sum(np.exp(shifted)))


@mistake(
    "The probabilities were multiplied, and no logarithm was taken. "
    "For a long sentence, the product is too small for a floating-point number, and then all long sentences are "
    "alike. "
    "Add up the logarithms.",
)
def product_of_probabilities(step, tokens):
    return np.prod([np.exp(log_softmax(step(tokens[:t])))[tokens[t]] for t in range(1, len(tokens))])


@mistake(
    "EOS was left out of the sum. "
    "The model must also predict that the sentence ends here and not later. "
    "Let t run to the last token: `range(1, len(tokens))`.",
)
def eos_left_out(step, tokens):
    return float(sum(log_softmax(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens) - 1)))


@mistake(
    "The logits themselves were added up, without softmax. "
    "A logit alone says nothing: add 7 to all of them and no probability changes. "
    "Take the logarithm of softmax of each row, then look up the token.",
)
def logits_added_up(step, tokens):
    return float(sum(step(tokens[:t])[tokens[t]] for t in range(1, len(tokens))))


@mistake(
    "SOS was counted as if the model had predicted it. "
    "SOS is given, before the first prediction. "
    "Begin with `tokens[1]`.",
)
def sos_counted(step, tokens):
    return float(sum(log_softmax(step(tokens[:t]))[tokens[t]] for t in range(len(tokens))))


@mistake(
    "The sum was divided by the number of tokens. "
    "That is the log-probability per token, exercise 4; here you need the whole sentence. "
    "Leave out the division, or use sum instead of mean.",
)
def mean_log_probability(step, tokens):
    return float(np.mean([log_softmax(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))]))


@mistake(
    "Each token was looked up one place too late: step got the very token that it must predict. "
    "`step(tokens[:t])` says what follows the first t tokens, and that is `tokens[t]`. "
    "Use the same t for both.",
)
def token_already_seen(step, tokens):
    return float(sum(log_softmax(step(tokens[: t + 1]))[tokens[t]] for t in range(1, len(tokens))))


@mistake(
    "step was called once, with the whole sentence, and its one row of logits was used for every token. "
    "It returns the logits of the token after the last, so each token needs its own row. "
    "Call `step(tokens[:t])` again for every t.",
)
def one_row_for_all(step, tokens):
    log_p = log_softmax(step(tokens))
    return float(sum(log_p[token] for token in tokens[1:]))


@mistake(
    "step got only the token before. "
    "What comes next depends on all tokens before it: x after A is followed by other words than x after B. "
    "Pass `tokens[:t]`, from SOS on.",
)
def only_the_token_before(step, tokens):
    return float(sum(log_softmax(step(tokens[t - 1 : t]))[tokens[t]] for t in range(1, len(tokens))))


@mistake(
    "step got the tokens without SOS. "
    "The decoder was trained with SOS first, so it must see SOS here, too. "
    "Pass `tokens[:t]`, from the beginning.",
)
def shown_without_sos(step, tokens):
    return float(sum(log_softmax(step(tokens[1:t]))[tokens[t]] for t in range(1, len(tokens))))


@mistake(
    "These are the probabilities of the likeliest tokens, not of the given ones. "
    "The probability of a sentence depends on its own words. "
    "Look up entry `tokens[t]` of each row instead of its maximum.",
)
def likeliest_instead(step, tokens):
    return float(sum(np.max(log_softmax(step(tokens[:t]))) for t in range(1, len(tokens))))


@mistake(
    "The probabilities were multiplied first, and the logarithm taken at the end. "
    "The product of a thousand probabilities is rounded to 0, whose logarithm is −inf. "
    "Take the logarithm of each, and add.",
)
def logarithm_of_the_product(step, tokens):
    return float(np.log(np.prod([np.exp(log_softmax(step(tokens[:t])))[tokens[t]] for t in range(1, len(tokens))])))


@mistake(
    "Only the last token was counted. "
    "The probability of a sentence depends on all its tokens, each after those before it. "
    "Go through all t from 1 to the end, and add: `total += …`, beginning at 0.",
)
def only_the_last_counted(step, tokens):
    return float(log_softmax(step(tokens[:-1]))[tokens[-1]])


@mistake(
    "The logarithms were returned side by side, without adding them up. "
    "The answer is one number: the log-probability of the whole sentence. "
    "Return their sum.",
)
def not_added_up(step, tokens):
    return np.array([log_softmax(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))])


@mistake(
    "exp was taken of the logits as they are, and e to the power of a thousand is infinite. "
    "The logarithm of softmax doesn't change if you subtract the same number from all logits. "
    "Subtract the largest before exp, as in chapter 3.",
    sees="right, until logits of a thousand give `NaN`",
    edge=True,
)
def logits_not_shifted(step, tokens):
    total = 0.0
    for t in range(1, len(tokens)):
        powers = np.exp(step(tokens[:t]))
        total += float(np.log(powers[tokens[t]] / powers.sum()))
    return total


@mistake(
    "Only the first token was counted. "
    "A `return` inside the loop ends it in the first round. "
    "Return the sum after the loop.",
)
def first_token_alone(step, tokens):
    return float(log_softmax(step(tokens[:1]))[tokens[1]])


@mistake(
    "Each token was looked up one place too early: the row belongs to `tokens[t]`, but `tokens[t − 1]` was looked up. "
    "`step(tokens[:t])` says what follows the first t tokens, and that is `tokens[t]`. "
    "Use the same t for both.",
)
def token_before_looked_up(step, tokens):
    return float(sum(log_softmax(step(tokens[:t]))[tokens[t - 1]] for t in range(1, len(tokens))))


@mistake(
    "The largest logit was subtracted only inside exp, and not outside as well. "
    "It cancels only if you subtract it in both places. ln p = logits − largest − ln Σ exp(logits − largest).",
)
def largest_inside_alone(step, tokens):
    total = 0.0
    for t in range(1, len(tokens)):
        logits = step(tokens[:t])
        total += float(logits[tokens[t]] - np.log(np.sum(np.exp(logits - np.max(logits)))))
    return total


EVEN = StepTable(((),), ((0.0,) * 100,))  # a hundred words, all alike


def with_sum(of_sum: Callable) -> Callable:
    """Return a sum of logits minus the largest, from each of which ``of_sum(powers)`` is taken."""

    def total(step, tokens):
        rows = [(step(tokens[:t]), tokens[t]) for t in range(1, len(tokens))]
        shifted = [(logits - np.max(logits), token) for logits, token in rows]
        return float(sum(row[token] - of_sum(np.exp(row)) for row, token in shifted))

    return total


EXERCISE = Exercise(
    name="sequence_log_probability",
    reference=reference.sequence_log_probability,
    returns=("log_probability",),
    examples=(
        Case("A y on the tree", (step_of(TREE), [SOS, A, Y, EOS])),
        Case("B x on the tree", (step_of(TREE), [SOS, B, X, EOS])),
        Case("two hundred tokens", (EVEN, [SOS] + [7] * 200), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        (
            "probabilities are added instead of their logarithms",
            lambda step, tokens: sum(softmax(step(tokens[:t]))[tokens[t]] for t in range(1, len(tokens))),
        ),
        ("the logarithm of the sum is missing", with_sum(np.sum)),
        (
            "the logarithm of the sum is added instead of subtracted",
            with_sum(lambda powers: -np.log(np.sum(powers))),
        ),
        (
            "the logarithm is taken of the mean instead of the sum",
            with_sum(lambda powers: np.log(np.mean(powers))),
        ),
    ),
)
