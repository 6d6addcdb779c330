"""What makes long and short sentences comparable."""

import numpy as np

from attention.chapters import inference as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: np.random.Generator) -> list[Case]:
    """Unlikely and likely sentences of several lengths, α between 0 and 1."""
    return [
        Case(f"{length} tokens", (-float(rng.uniform(*span)), length, float(rng.uniform(0.3, 0.9))))
        for length, span in ((7, (2, 4)), (13, (6, 9)), (3, (0.5, 1)))
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """No normalisation, nats per token, a single token, more than per token, and a sentence that is certain."""
    total = -float(rng.uniform(3, 8))
    return [
        Case("α = 0", (total, 11, 0.0)),
        Case("α = 1", (total, 11, 1.0)),
        Case("one token", (total, 1, 0.6)),
        Case("α above 1", (total, 5, 1.7)),
        Case("a certain sentence", (0.0, 5, 0.6)),
    ]


@mistake(
    "The log-probability was multiplied by length^α. "
    "It is a sum with one term for each token, so it already grows with their number. "
    "Divide by length^α.",
)
def normalised_by_multiplying(log_probability, length, alpha):
    return log_probability * length**alpha


@mistake(
    "alpha was ignored: this is the log-probability per token. α says how much the length counts, from 0, not at "
    "all, to 1, fully. "
    "Divide by `length**alpha`, not by length.",
)
def alpha_ignored(log_probability, length, alpha):
    return log_probability / length


@mistake(
    "The length was multiplied by alpha. α is an exponent: at α = 0 the divisor must be 1, but 0 · length is 0. "
    "Divide by `length**alpha`.",
)
def alpha_times_length(log_probability, length, alpha):
    return log_probability / (alpha * length)


@mistake(
    "Base and exponent are swapped: this is `alpha**length`. "
    "The length is raised to the power α. "
    "Write `length**alpha`.",
)
def alpha_to_the_length(log_probability, length, alpha):
    return log_probability / alpha**length


@mistake(
    "The length includes SOS. SOS is given, not predicted, and `length` already leaves it out. Use length as it is.",
)
def length_with_sos(log_probability, length, alpha):
    return log_probability / (length + 1) ** alpha


@mistake(
    "One token was subtracted from the length. "
    "EOS is predicted like every other token, so it counts. "
    "Use length as it is.",
)
def length_without_eos(log_probability, length, alpha):
    return log_probability / max(length - 1, 1) ** alpha


@mistake(
    "This is the divisor (5 + length)^α / 6^α, which Google's translator used in the end. "
    "It is gentler on short sentences; here you need the plain length^α. "
    "Leave out the 5 and the 6.",
)
def divisor_of_gnmt(log_probability, length, alpha):
    return log_probability * 6**alpha / (5 + length) ** alpha


@mistake(
    "The whole quotient, or its size, was raised to the power α: |log P / length|^α. "
    "Only the length is raised to α. "
    "Write `log_probability / length**alpha`; in Python, `**` comes before `/`.",
)
def power_of_the_whole(log_probability, length, alpha):
    return -((-log_probability / length) ** alpha)


@mistake(
    "The square root of length was taken, whatever alpha is. "
    "That is right only for α = 0.5. "
    "Divide by `length**alpha`.",
)
def always_the_square_root(log_probability, length, alpha):
    return log_probability / length**0.5


@mistake(
    "The probability itself was divided, and then the logarithm taken: ln P − α ln length. "
    "Then a long sentence is not compensated for its length; it loses even more. "
    "Divide the log-probability, which is negative: that brings it closer to 0.",
)
def probability_divided_first(log_probability, length, alpha):
    return log_probability - alpha * np.log(length)


@mistake(
    "length^α was subtracted instead of divided by. α = 0 should change nothing, and length^0 is 1: dividing by 1 "
    "changes nothing, but subtracting 1 does. "
    "Write `log_probability / length**alpha`.",
)
def power_subtracted(log_probability, length, alpha):
    return log_probability - length**alpha


@mistake(
    "The probability was divided by length^α, instead of its logarithm. "
    "For long sentences, the probability is rounded to 0, and then they are all alike. "
    "Leave out `np.exp`: `log_probability / length**alpha`.",
)
def probability_divided(log_probability, length, alpha):
    return np.exp(log_probability) / length**alpha


@mistake(
    "The sum and the mean were mixed, in the proportions 1 − α and α. "
    "That is right for α = 0 and for α = 1, but in between α is an exponent. "
    "Write `log_probability / length**alpha`.",
)
def sum_and_mean_mixed(log_probability, length, alpha):
    return (1 - alpha) * log_probability + alpha * log_probability / length


EXERCISE = Exercise(
    name="length_normalised",
    reference=reference.length_normalised,
    returns=("score",),
    examples=(
        Case("nine tokens, α = ½", (-6.0, 9, 0.5)),
        Case("sixteen tokens, α = ¾", (-4.0, 16, 0.75)),
        Case("α = 0", (-6.0, 9, 0.0), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        (
            "α · length is subtracted, where length^α should divide",
            lambda log_probability, length, alpha: log_probability - alpha * length,
        ),
        (
            "1/α is the power instead of α",
            lambda log_probability, length, alpha: log_probability / length ** (1 / alpha),
        ),
    ),
)
