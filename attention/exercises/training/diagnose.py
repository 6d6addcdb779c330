"""Reading a loss curve: which of three broken lines a training run has, if any."""

import numpy as np

from attention.chapters import reading as reference
from autograder.diagnosis import Case, Exercise, mistake

GROWING = np.array([9.5, 8.5] * 5 + [9.6] * 2)  # ends a little higher than it begins
FALLING = np.array([4.0] * 5 + [3.0] * 5 + [0.5] * 3 + [0.02] * 9 + [0.3])  # the last ten have the mean 0.048
STUCK = np.array([3.0] * 6 + [2.0] * 6 + [1.0] * 9 + [0.5])  # the last ten have the mean 0.95, the very last is 0.5


def curve(rng: np.random.Generator, first: float, last: float, steps: int) -> np.ndarray:
    """Draw a curve from a plateau of ten losses to another; the very first and last lie far below their means."""
    losses = np.geomspace(first, last, steps)
    losses[:10], losses[-10:] = first, last
    losses *= rng.uniform(0.97, 1.03, steps)
    losses[[0, -1]] *= 0.4
    return losses


def unseen(rng: np.random.Generator) -> list[Case]:
    """Each diagnosis twice or more, also near its limit, so that another limit shows; and a run that two fit."""
    even = np.log(words := int(rng.choice([23, 47, 83])))
    runs = [
        (2.6 * even, 0.9 * even, 31, 0.0),  # numbers grow
        (4 * even, 0.05, 41, 0.97),
        (1.2 * even, 0.03, 37, 0.02),  # the answer leaks
        (1.1 * even, 0.08, 43, 0.4),
        (2.7 * even, 0.03, 41, 0.02),  # both: the first counts
        (1.1 * even, 0.53 * even, 29, 0.0),  # frequencies only
        (1.4 * even, 0.9 * even, 37, 0.0),
        (1.3 * even, 0.29 * even, 53, 0.1),
        (1.2 * even, 0.02, 47, 0.97),  # nothing
        (1.8 * even, 0.225 * even, 31, 0.3),
        (0.94 * even, 0.02, 43, 0.97),
    ]
    return [
        Case(f"run {number}", (curve(rng, first, last, steps), right, words))
        for number, (first, last, steps, right) in enumerate(runs, 1)
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Short runs, NaN and infinity amid good losses, one half, a tenth and an eleventh loss that would decide."""
    good = curve(rng, 4.0, 0.02, 31)
    broken, endless = good.copy(), good.copy()
    broken[17], endless[13] = np.nan, np.inf
    return [
        Case("a short run", (np.array([2.1, 1.6, 1.5]), 0.4, 23)),
        Case("a single loss", (np.array([0.02]), 0.9, 23)),
        Case("a loss that is NaN", (broken, 0.97, 47)),
        Case("a loss that is infinite", (endless, 0.97, 47)),
        Case("half of the sentences", (good, 0.5, 47)),
        Case("a high tenth loss", (np.array([5.0] * 9 + [40.0] + [0.02] * 13), 0.9, 23)),
        Case("a high eleventh loss", (np.array([6.0] * 10 + [30.0] + [0.02] * 11), 0.9, 23)),
        Case("a high tenth loss from the end", (np.array([3.0] * 13 + [5.0] + [0.05] * 9), 0.0, 23)),
        Case("a high eleventh loss from the end", (np.array([3.0] * 13 + [9.0] + [0.05] * 10), 0.0, 23)),
        Case("close to a quarter of ln 23", (np.full(12, 0.79), 0.2, 23)),
    ]


def named(losses, right, words, even=None, first=None, last=None, limit=None, order=(0, 1, 2)):
    """The right diagnosis, or one with other numbers, another limit for the last losses, or another order."""
    even = np.log(words) if even is None else even
    first = losses[:10].mean() if first is None else first
    last = losses[-10:].mean() if last is None else last
    grows = not np.isfinite(losses).all() or first > 2 * even
    holds = (grows, last < 0.1 and right < 0.5, last > (even / 4 if limit is None else limit))
    names = ("numbers grow", "answer leaks", "frequencies only")
    return next((names[place] for place in order if holds[place]), "nothing")


@mistake(
    "Only the first and the last loss were compared. "
    "A batch may be easy or hard by chance, so one loss says little. "
    "Take the mean of ten.",
)
def single_losses(losses, right, words):
    return named(losses, right, words, first=losses[0], last=losses[-1])


@mistake(
    "Only the very last loss was used for *last*. "
    "A batch may be easy or hard by chance, so one loss says little. "
    "Take the mean of the last ten: `losses[-10:].mean()`.",
)
def single_last_loss(losses, right, words):
    return named(losses, right, words, last=losses[-1])


@mistake(
    "Only the very first loss was used for *first*. "
    "A batch may be easy or hard by chance, so one loss says little. "
    "Take the mean of the first ten: `losses[:10].mean()`.",
)
def single_first_loss(losses, right, words):
    return named(losses, right, words, first=losses[0])


@mistake(
    "The mean of the whole curve was compared. "
    "It mixes the beginning of the run with its end. "
    "Take the mean of the first ten losses and that of the last ten.",
)
def mean_of_all(losses, right, words):
    return named(losses, right, words, first=losses.mean(), last=losses.mean())


@mistake(
    "The loss of equal probabilities was computed as log₂(words). "
    "The course's losses use natural logarithms. "
    "Use `np.log`.",
)
def logarithm_of_base_two(losses, right, words):
    return named(losses, right, words, even=np.log2(words))


@mistake(
    "The loss of equal probabilities was computed as log₁₀(words). "
    "The course's losses use natural logarithms. "
    "Use `np.log`.",
)
def logarithm_of_base_ten(losses, right, words):
    return named(losses, right, words, even=np.log10(words))


@mistake(
    "The losses were compared with the number of words. "
    "Equal probabilities are 1/words each, so the loss is ln(words). "
    "Compare with `np.log(words)`.",
)
def no_logarithm(losses, right, words):
    return named(losses, right, words, even=float(words))


@mistake(
    "`right` was ignored: a good run was called a leak. "
    "A low loss is the aim of training; it is suspicious only if the model then translates little. "
    "Check both; `right` is a share, from 0 to 1.",
)
def every_low_loss_leaks(losses, right, words):
    return named(losses, 0.0, words)


@mistake(
    "No run was called a leak. "
    "If a model has a loss near 0 but translates nothing, it has read the answer. "
    "Check for last < 0.1 and right < 0.5.",
)
def never_a_leak(losses, right, words):
    return named(losses, right, words, order=(0, 2))


@mistake(
    "A run was called a leak because `right` was low, whatever its loss. "
    "A model that has learned nothing translates nothing, either; that is suspicious only with a loss near 0. "
    "Check for last < 0.1 and right < 0.5.",
)
def leak_without_its_loss(losses, right, words):
    found = named(losses, right, words)
    return "answer leaks" if found != "numbers grow" and right < 0.5 else found


@mistake(
    "One sign of a leak was enough, a low loss or a low `right`. "
    "A good run has the first, and a run that learned nothing has the second; only both together show a leak. "
    "Join the two with `and`.",
)
def one_sign_of_a_leak(losses, right, words):
    found = named(losses, right, words)
    return "answer leaks" if found != "numbers grow" and (losses[-10:].mean() < 0.1 or right < 0.5) else found


@mistake(
    "The leak was checked before the high beginning. "
    "A run may begin too high and end low; the first of the four that holds counts. "
    "Check them from top to bottom.",
    sees="right, until two of the four hold",
    edge=True,
)
def leak_first(losses, right, words):
    return named(losses, right, words, order=(1, 0, 2))


@mistake(
    "The end was compared with the beginning: a run counts as growing if its last losses are higher. "
    "Growing numbers show at once, in losses far above that of equal probabilities. "
    "Compare *first* with 2 ln(words).",
    sees="right, until a run begins too high and falls",
    edge=True,
)
def last_compared_with_first(losses, right, words):
    first = np.inf if losses[-10:].mean() > losses[:10].mean() else 0.0
    return named(losses, right, words, first=first)


@mistake(
    "Every run that is neither of the first two was called the third. "
    "A model that has learned ends with a loss far below ln(words) / 4, and there is nothing wrong. "
    "Check for last > ln(words) / 4 first.",
)
def never_nothing(losses, right, words):
    found = named(losses, right, words)
    return "frequencies only" if found == "nothing" else found


@mistake(
    "ln 20 was used for every run, from the example's 20 words. "
    "Another model may choose from another number of words. "
    "Use `np.log(words)`.",
    sees="right, until words is not 20",
    edge=True,
)
def words_of_the_example(losses, right, words):
    return named(losses, right, words, even=np.log(20))


@mistake(
    "The limit for the last losses was ln(words / 4), the loss of a guess among a quarter of the words. "
    "You can't swap division and logarithm: ln(words / 4) = ln(words) − ln 4. "
    "Compare with ln(words) / 4.",
)
def logarithm_of_a_quarter(losses, right, words):
    return named(losses, right, words, limit=np.log(words / 4))


@mistake(
    "The high end was checked before the high beginning. "
    "A run whose numbers grow often ends high too, but that is not its cause. "
    "Return the first that holds, from top to bottom.",
)
def frequencies_first(losses, right, words):
    return named(losses, right, words, order=(2, 1, 0))


@mistake(
    "The limit for the last losses was half of ln(words). "
    "Knowing how often words occur already saves more than half. "
    "Compare with ln(words) / 4.",
)
def limit_of_a_half(losses, right, words):
    return named(losses, right, words, limit=np.log(words) / 2)


@mistake(
    "The limit for the last losses was ln(words) instead of a quarter of it. "
    "Knowing how often words occur already saves more than half. "
    "Compare with ln(words) / 4.",
)
def limit_without_a_quarter(losses, right, words):
    return named(losses, right, words, limit=np.log(words))


@mistake(
    "The limit for the first losses was ln(words) instead of twice that. "
    "An untrained model is often sure of a wrong word, so a good run may begin above the loss of equal "
    "probabilities. "
    "Compare with 2 ln(words).",
)
def limit_of_one_guess(losses, right, words):
    return "numbers grow" if losses[:10].mean() > np.log(words) else named(losses, right, words)


@mistake(
    "Right, until a loss is NaN or infinite, which was not checked. "
    "NaN is neither larger nor smaller than anything, so no comparison finds it. "
    "Begin with `np.isfinite(losses).all()`.",
    sees="right, until a loss is NaN",
    edge=True,
)
def nan_not_asked_for(losses, right, words):
    found = named(np.nan_to_num(losses, nan=0.0, posinf=0.0), right, words)
    return found if np.isfinite(losses).all() else named(losses[-10:], right, words, first=0.0)


@mistake(
    "Right, until a loss is NaN, although an infinite one is found. "
    "NaN equals nothing, not even itself, so `==` never finds it. "
    "Use `np.isfinite(losses).all()`, which is false for both.",
    sees="right, until a loss is NaN",
    edge=True,
)
def nan_by_equality(losses, right, words):
    return named(np.nan_to_num(losses, nan=0.0, posinf=np.inf), right, words)


@mistake(
    "Right, until a loss is infinite, although NaN is found. "
    "Between the first ten losses and the last ten, no mean notices it. "
    "Use `np.isfinite(losses).all()`, which is false for both.",
    sees="right, until a loss is infinite",
    edge=True,
)
def infinite_overlooked(losses, right, words):
    return named(np.nan_to_num(losses, nan=np.nan, posinf=0.0), right, words)


@mistake(
    "Right, until there are fewer than ten losses: their sum was divided by ten. "
    "A slice takes as many as there are. "
    "Use .mean(), which divides by their number.",
    sees="right, until a run has fewer than ten losses",
    edge=True,
)
def divided_by_ten(losses, right, words):
    return named(losses, right, words, first=losses[:10].sum() / 10, last=losses[-10:].sum() / 10)


EXERCISE = Exercise(
    name="diagnose",
    reference=reference.diagnose,
    returns=("diagnosis",),
    examples=(
        Case("9 at first", (GROWING, 0.0, 20)),
        Case("0.048 in the end, nothing translated", (FALLING, 0.0, 20)),
        Case("0.95 in the end", (STUCK, 0.1, 20)),
        Case("2.8 at first, 2.5 in the end", (np.array([2.8] * 10 + [2.5] * 11), 0.0, 20)),
        Case("1.3 in the end", (np.array([3.0] * 10 + [1.3] * 11), 0.1, 20)),
        Case("1.55 in the end, 8 at first", (np.array([8.0] + [3.0] * 9 + [1.55] * 11), 0.1, 20)),
        Case("0.048 in the end, nearly all translated", (FALLING, 0.97, 20)),
    ),
    unseen=unseen,
    edges=edges,
)
