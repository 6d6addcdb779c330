"""What makes long and short sentences comparable."""

import numpy as np

from autograder.reference import inference as reference

from ..exercise import Case, Exercise, mistake


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
    "It is a sum with one term for each token, and it grows with their number already. "
    "Divide by length^α.",
)
def normalised_by_multiplying(log_probability, length, alpha):
    return log_probability * length**alpha


@mistake(
    "alpha was ignored: this is the log-probability per token. "
    "α says how much of the length counts, from 0, nothing, to 1, all of it. "
    "Divide by length**alpha, not by length.",
)
def alpha_ignored(log_probability, length, alpha):
    return log_probability / length


@mistake(
    "The length was multiplied by alpha. "
    "α is an exponent: at α = 0 the divisor must be 1, and 0 · length is 0. "
    "Divide by length**alpha.",
)
def alpha_times_length(log_probability, length, alpha):
    return log_probability / (alpha * length)


@mistake(
    "Base and exponent changed places: this is alpha**length. "
    "It is the length that is raised to the power α, and not the other way round. "
    "Write length**alpha.",
)
def alpha_to_the_length(log_probability, length, alpha):
    return log_probability / alpha**length


@mistake(
    "The length counts SOS as well. "
    "SOS is given and not guessed, and `length` leaves it out already. "
    "Use length as it comes.",
)
def length_with_sos(log_probability, length, alpha):
    return log_probability / (length + 1) ** alpha


@mistake(
    "One token was taken off the length. EOS is guessed like every other token, and it counts. Use length as it comes.",
)
def length_without_eos(log_probability, length, alpha):
    return log_probability / max(length - 1, 1) ** alpha


@mistake(
    "This is the divisor (5 + length)^α / 6^α, with which Google's translator ended. "
    "It treats short sentences more gently; asked for is the plain one, length^α. "
    "Leave out the 5 and the 6.",
)
def divisor_of_gnmt(log_probability, length, alpha):
    return log_probability * 6**alpha / (5 + length) ** alpha


@mistake(
    "The power was taken of the log-probability per token, or of its size: |log P / length|^α. "
    "Only the length is raised to the power α. "
    "Write log_probability / length**alpha; in Python ** comes before /.",
)
def power_of_the_whole(log_probability, length, alpha):
    return -((-log_probability / length) ** alpha)


@mistake(
    "The square root of length was taken, whatever alpha is. That is right for α = ½ alone. Divide by length**alpha.",
)
def always_the_square_root(log_probability, length, alpha):
    return log_probability / length**0.5


@mistake(
    "The probability itself was divided, and the logarithm taken after that: ln P − α ln length. "
    "Then a long sentence is not made up for its length, but loses still more by it. "
    "Divide the log-probability, which is negative: that brings it nearer to 0.",
)
def probability_divided_first(log_probability, length, alpha):
    return log_probability - alpha * np.log(length)


@mistake(
    "length^α was subtracted, and not divided by. "
    "At α = 0 nothing is to change, and length^0 is 1: dividing by 1 does that, subtracting it does not. "
    "Write log_probability / length**alpha.",
)
def power_subtracted(log_probability, length, alpha):
    return log_probability - length**alpha


@mistake(
    "The probability was divided by length^α, and its logarithm is meant. "
    "Of long sentences the probability is rounded to 0, and then all are alike. "
    "Leave np.exp out: log_probability / length**alpha.",
)
def probability_divided(log_probability, length, alpha):
    return np.exp(log_probability) / length**alpha


@mistake(
    "Sum and mean were mixed, with the shares 1 − α and α. "
    "That is right for α = 0 and for α = 1, and α is an exponent in between. "
    "Write log_probability / length**alpha.",
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
)
