"""Reading a training run: which line is broken, if any. The runs are real; ``attention.models.broken`` made them."""

from typing import Any, NamedTuple

import numpy as np

from attention.chapters import reading as reference
from attention.trained import read_trained
from autograder.diagnosis import Case, Exercise, mistake


class Run(NamedTuple):
    """A stored run: the name of what is broken, the broken line, and the arguments of ``diagnose``."""

    cause: str
    line: str
    args: tuple[np.ndarray, np.ndarray, float, int]


def stored(run: dict[str, Any]) -> Run:
    """Return a run of the file."""
    curves = np.array(run["losses"]), np.array(run["held_out"])
    return Run(run["cause"], run["line"], (*curves, run["right"], run["words"]))


RUNS = [stored(run) for run in read_trained("broken")["runs"]]
CAUSES = list(dict.fromkeys(run.cause for run in RUNS))
SHOWN, FRESH = RUNS[: len(CAUSES)], RUNS[len(CAUSES) :]  # one of each cause is a worked example
NOT_A_NUMBER = [run for run in FRESH if np.isnan(run.args[0]).any()]
FINITE = [run for run in FRESH if not np.isnan(run.args[0]).any()]
EACH = 2  # fresh runs of each cause


def unseen(rng: np.random.Generator) -> list[Case]:
    """Fresh runs of each cause, from other lines too, in any order."""
    drawn = [run for cause in CAUSES for run in some_of(rng, [run for run in FINITE if run.cause == cause])]
    return [
        Case(f"fresh run {number}", drawn[place].args) for number, place in enumerate(rng.permutation(len(drawn)), 1)
    ]


def some_of(rng: np.random.Generator, runs: list[Run]) -> list[Run]:
    """Draw EACH runs, of two broken lines where there are two."""
    order = [runs[place] for place in rng.permutation(len(runs))]
    one_a_line = {run.line: run for run in order}
    return [*one_a_line.values(), *order][:EACH]


def edges(rng: np.random.Generator) -> list[Case]:
    """Runs whose losses become NaN."""
    return [
        Case(f"losses that become NaN, run {number}", NOT_A_NUMBER[place].args)
        for number, place in enumerate(rng.permutation(len(NOT_A_NUMBER))[:EACH], 1)
    ]


def named(losses, held_out, right, words, even=None, seen=None, new=None, by_heart=None):
    """The right diagnosis, or one with another anchor, other losses of the end, or another sign of too few pairs."""
    even = np.log(words) if even is None else even
    seen = losses[-1] if seen is None else seen
    new = held_out[-1] if new is None else new
    if not seen < even:
        return "steps too long"
    if new >= even if by_heart is None else by_heart:
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    return "answer leaks" if new < even / 2 else "source unseen"


@mistake(
    "Only the training loss was looked at. "
    "A model that knows its few pairs by heart has a training loss near 0, and so has one that reads the answer. "
    "Compare it with the held-out loss: by heart, the two end far apart.",
)
def training_alone(losses, held_out, right, words):
    return named(losses, losses, right, words)


@mistake(
    "Only the held-out loss was looked at. "
    "It is high where the steps are too long, and where pairs are known by heart. "
    "Look at the training loss as well: it tells the two apart.",
)
def held_out_alone(losses, held_out, right, words):
    return named(held_out, held_out, right, words)


@mistake(
    "A low loss was called good. "
    "A model that reads the answer has a low held-out loss, too, and writes nothing right by itself. "
    "Nothing is broken only if `right` is high as well.",
)
def every_low_loss_is_good(losses, held_out, right, words):
    found = named(losses, held_out, right, words)
    return "nothing" if found == "answer leaks" else found


@mistake(
    "`right` was not used: every run that is neither of the first two was called sound. "
    "It is a share, from 0 to 1, and the only number here that comes from what the model writes by itself. "
    "Ask for it before you say that nothing is broken.",
)
def right_not_used(losses, held_out, right, words):
    return named(losses, held_out, 1.0, words)


@mistake(
    "Every run that writes little was called a leak. "
    "A model that never hears of the source writes nothing right, either, but its loss stops far above 0. "
    "Only a loss near 0 together with a low `right` is a leak.",
)
def leak_without_its_loss(losses, held_out, right, words):
    found = named(losses, held_out, right, words)
    return "answer leaks" if found == "source unseen" else found


@mistake(
    "Every run that writes little was called blind to its source. "
    "With a loss near 0, a model knows each next word nearly for certain; that it writes nothing by itself shows that "
    "it reads the answer. "
    "Look at how low the losses end.",
)
def unseen_without_its_loss(losses, held_out, right, words):
    found = named(losses, held_out, right, words)
    return "source unseen" if found == "answer leaks" else found


@mistake(
    "The two are swapped: a leak was called a source that is not seen, and the other way round. "
    "A leak lets the model know each next word, so its losses end near 0. "
    "A model without its source can at best guess, and its losses stop on the way.",
)
def leak_and_unseen_swapped(losses, held_out, right, words):
    other = {"answer leaks": "source unseen", "source unseen": "answer leaks"}
    found = named(losses, held_out, right, words)
    return other.get(found, found)


@mistake(
    "`right` was taken for a percentage. "
    "It is a share, from 0 to 1: 1.0 means that every sentence is right. "
    "Compare it with numbers between 0 and 1.",
)
def right_as_a_percentage(losses, held_out, right, words):
    return named(losses, held_out, right / 100, words)


@mistake(
    "The loss of an even guess was computed as log₁₀(words). The course's losses use natural logarithms. Use `np.log`.",
)
def logarithm_of_base_ten(losses, held_out, right, words):
    return named(losses, held_out, right, words, even=np.log10(words))


@mistake(
    "The losses were compared with the number of words. "
    "An even guess gives each word 1/words, so its loss is ln(words). "
    "Compare with `np.log(words)`.",
)
def no_logarithm(losses, held_out, right, words):
    return named(losses, held_out, right, words, even=float(words))


@mistake(
    "Every run was called one of steps that are too long, because some loss of it lies above ln(words). "
    "An untrained model is often sure of a wrong word, so even a sound run begins a little above an even guess. "
    "Judge by how a run ends: `losses[-1]`.",
)
def every_beginning_counts(losses, held_out, right, words):
    return named(losses, held_out, right, words, seen=losses.max())


@mistake(
    "Pairs were said to be too few wherever the held-out loss ends a little above the training loss. "
    "No two sets of sentences are equally hard, so the two losses always differ a little. "
    "By heart, the held-out loss is many times as high as the training loss, and worse than an even guess.",
)
def any_gap_is_by_heart(losses, held_out, right, words):
    return named(losses, held_out, right, words, by_heart=held_out[-1] > losses[-1])


@mistake(
    "The held-out loss was judged first: runs of steps that are too long were said to have too few pairs. "
    "Both make the held-out loss rise, but only a model that knows its pairs by heart has a training loss near 0. "
    "Ask about the training loss first.",
)
def held_out_first(losses, held_out, right, words):
    return "too few pairs" if held_out[-1] >= np.log(words) else named(losses, held_out, right, words)


@mistake(
    "Right, until a loss is NaN, which was not noticed. "
    "No comparison with NaN is true: neither `>` nor `==`, not even with itself. "
    "Use `np.isfinite(losses).all()`, or ask what a sound loss is: `not losses[-1] < even`.",
    sees="right, until losses become NaN",
    edge=True,
)
def nan_not_noticed(losses, held_out, right, words):
    even, seen, new = np.log(words), losses[-1], held_out[-1]
    if seen >= even:
        return "steps too long"
    return named(losses, held_out, right, words, seen=0.0, by_heart=bool(new >= even))


@mistake(
    "Right, until a loss is NaN: then nothing was found broken. "
    "No comparison with NaN is true, so such a run comes through all of them to the last line. "
    "Begin with `np.isfinite(losses).all()`, or ask what a sound loss is: `not losses[-1] < even`.",
    sees="right, until losses become NaN",
    edge=True,
)
def nan_called_sound(losses, held_out, right, words):
    return named(losses, held_out, right, words) if np.isfinite(losses).all() else "nothing"


@mistake(
    "Right, until a loss is NaN: then it was called a leak. "
    "No comparison with NaN is true, so such a run comes through all of them to the last line. "
    "Begin with `np.isfinite(losses).all()`, or ask what a sound loss is: `not losses[-1] < even`.",
    sees="right, until losses become NaN",
    edge=True,
)
def nan_called_a_leak(losses, held_out, right, words):
    return named(losses, held_out, right, words) if np.isfinite(losses).all() else "answer leaks"


EXERCISE = Exercise(
    name="diagnose",
    reference=reference.diagnose,
    returns=("diagnosis",),
    examples=tuple(Case(f"run {letter}", run.args) for letter, run in zip("ABCDE", SHOWN, strict=True)),
    unseen=unseen,
    edges=edges,
)
