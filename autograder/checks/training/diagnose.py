"""Reading a loss curve: which of three broken lines a training run has, if any."""

import numpy as np

from autograder.reference import reading as reference

from ..exercise import Case, Exercise, mistake

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
    """Each diagnosis twice, once near its limit, so that another logarithm or mean shows; and a run that two fit."""
    even = np.log(words := int(rng.choice([23, 47, 83])))
    runs = [
        (2.6 * even, 0.9 * even, 31, 0.0),  # numbers grow
        (4 * even, 0.05, 41, 0.97),
        (1.2 * even, 0.03, 37, 0.02),  # the answer leaks
        (1.1 * even, 0.08, 43, 0.4),
        (2.7 * even, 0.03, 41, 0.02),  # both: the first counts
        (1.1 * even, 0.53 * even, 29, 0.0),  # frequencies only
        (1.3 * even, 0.29 * even, 53, 0.1),
        (1.2 * even, 0.02, 47, 0.97),  # nothing
        (1.8 * even, 0.225 * even, 31, 0.3),
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


def named(losses, right, words, even=None, first=None, last=None, order=(0, 1, 2)):
    """The right diagnosis, or one with other numbers or another order."""
    even = np.log(words) if even is None else even
    first = losses[:10].mean() if first is None else first
    last = losses[-10:].mean() if last is None else last
    grows = not np.isfinite(losses).all() or first > 2 * even
    holds = (grows, last < 0.1 and right < 0.5, last > even / 4)
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
    "For *last* only the very last loss was taken. "
    "A batch may be easy or hard by chance, so one loss says little. "
    "Take the mean of the last ten: losses[-10:].mean().",
)
def single_last_loss(losses, right, words):
    return named(losses, right, words, last=losses[-1])


@mistake(
    "For *first* only the very first loss was taken. "
    "A batch may be easy or hard by chance, so one loss says little. "
    "Take the mean of the first ten: losses[:10].mean().",
)
def single_first_loss(losses, right, words):
    return named(losses, right, words, first=losses[0])


@mistake(
    "The mean of the whole curve was compared. "
    "It mixes how the run began with how it ended. "
    "Take the mean of the first ten losses and that of the last ten.",
)
def mean_of_all(losses, right, words):
    return named(losses, right, words, first=losses.mean(), last=losses.mean())


@mistake(
    "The even guess was given the loss log₂(words). The course's losses are natural logarithms. Use np.log.",
)
def logarithm_of_base_two(losses, right, words):
    return named(losses, right, words, even=np.log2(words))


@mistake(
    "The losses were compared with the number of words. "
    "An even guess gives each word 1/words, and its surprise is ln(words). "
    "Compare with np.log(words).",
)
def no_logarithm(losses, right, words):
    return named(losses, right, words, even=float(words))


@mistake(
    "`right` made no difference: a good run was called a leak. "
    "A low loss is what training is for; it is suspicious where the model then translates little. "
    "Ask for both; `right` is a share, from 0 to 1.",
)
def every_low_loss_leaks(losses, right, words):
    return named(losses, 0.0, words)


@mistake(
    "No run was called a leak. "
    "A loss near 0 of a model that translates nothing means that it read the answer. "
    "Ask for last < 0.1 and right < 0.5.",
)
def never_a_leak(losses, right, words):
    return named(losses, right, words, order=(0, 2))


@mistake(
    "A run was called a leak whatever its loss, because `right` was low. "
    "A model that has learned nothing translates nothing, too; only with a loss near 0 is that suspicious. "
    "Ask for last < 0.1 and right < 0.5.",
)
def leak_without_its_loss(losses, right, words):
    found = named(losses, right, words)
    return "answer leaks" if found != "numbers grow" and right < 0.5 else found


@mistake(
    "The leak was asked about before the high beginning. "
    "A run may begin too high and end low; the first of the four that holds counts. "
    "Ask from top to bottom.",
    sees="right, until two of the four hold",
    edge=True,
)
def leak_first(losses, right, words):
    return named(losses, right, words, order=(1, 0, 2))


@mistake(
    "The end was compared with the beginning: a run counts as growing if its last losses are higher. "
    "Numbers that grow show at once, in losses far above those of an even guess. "
    "Compare *first* with 2 ln(words).",
    sees="right, until a run begins too high and falls",
    edge=True,
)
def last_compared_with_first(losses, right, words):
    first = np.inf if losses[-10:].mean() > losses[:10].mean() else 0.0
    return named(losses, right, words, first=first)


@mistake(
    "Every run that is neither of the first two was called the third. "
    "A model that has learned ends with a loss far below ln(words) / 4, and nothing is broken. "
    "Ask for last > ln(words) / 4 before you say so.",
)
def never_nothing(losses, right, words):
    found = named(losses, right, words)
    return "frequencies only" if found == "nothing" else found


@mistake(
    "ln 20 was used for every run: the 20 words of the example are written in. "
    "Another model chooses from another number of words. "
    "Use np.log(words).",
    sees="right, until words is another number than 20",
    edge=True,
)
def words_of_the_example(losses, right, words):
    return named(losses, right, words, even=np.log(20))


@mistake(
    "The limit for the last losses was ln(words / 4), the loss of a guess among a quarter of the words. "
    "Division and logarithm may not change places: ln(words / 4) = ln(words) − ln 4. "
    "Compare with ln(words) / 4.",
)
def logarithm_of_a_quarter(losses, right, words):
    found = named(losses, right, words)
    return "nothing" if found == "frequencies only" and losses[-10:].mean() < np.log(words / 4) else found


@mistake(
    "The high end was asked about before the high beginning. "
    "A run whose numbers grow often ends high too, and that is not its cause. "
    "Name the first that holds, from top to bottom.",
)
def frequencies_first(losses, right, words):
    return named(losses, right, words, order=(2, 1, 0))


@mistake(
    "Half of ln(words) was the limit for the last losses. "
    "Knowing how often words occur already saves more than half. "
    "Compare with ln(words) / 4.",
)
def limit_of_a_half(losses, right, words):
    found = named(losses, right, words)
    return "nothing" if found == "frequencies only" and losses[-10:].mean() < np.log(words) / 2 else found


@mistake(
    "The limit for the first losses was ln(words), not twice that. "
    "An untrained model is often sure of a wrong word, so a sound run may begin above an even guess. "
    "Compare with 2 ln(words).",
)
def limit_of_one_guess(losses, right, words):
    return "numbers grow" if losses[:10].mean() > np.log(words) else named(losses, right, words)


@mistake(
    "Right, until a loss is NaN or infinite: it was not asked for. "
    "NaN is neither larger nor smaller than anything, so no comparison finds it. "
    "Begin with np.isfinite(losses).all().",
    sees="right, until a loss is NaN",
    edge=True,
)
def nan_not_asked_for(losses, right, words):
    found = named(np.nan_to_num(losses, nan=0.0, posinf=0.0), right, words)
    return found if np.isfinite(losses).all() else named(losses[-10:], right, words, first=0.0)


@mistake(
    "Right, until a loss is NaN, though an infinite one is found. "
    "NaN equals nothing, itself included, so == never finds it. "
    "Ask np.isfinite(losses).all(), which is false for both.",
    sees="right, until a loss is NaN",
    edge=True,
)
def nan_by_equality(losses, right, words):
    return named(np.nan_to_num(losses, nan=0.0, posinf=np.inf), right, words)


@mistake(
    "Right, until a loss is infinite, though NaN is found. "
    "Between the first ten losses and the last ten, no mean notices it. "
    "Ask np.isfinite(losses).all(), which is false for both.",
    sees="right, until a loss is infinite",
    edge=True,
)
def infinite_overlooked(losses, right, words):
    return named(np.nan_to_num(losses, nan=np.nan, posinf=0.0), right, words)


@mistake(
    "Right, until there are fewer than ten losses: their sum was divided by ten. "
    "A slice takes what is there. "
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
        Case("1.3 in the end", (np.array([3.0] * 10 + [1.3] * 11), 0.1, 20)),
        Case("1.55 in the end, 8 at first", (np.array([8.0] + [3.0] * 9 + [1.55] * 11), 0.1, 20)),
        Case("0.048 in the end, nearly all translated", (FALLING, 0.97, 20)),
    ),
    unseen=unseen,
    edges=edges,
)
