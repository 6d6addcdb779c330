"""Trains models anew and compares their behaviour with what is shipped.

Training differs between processors in the last bits of its sums, and long training amplifies this. So figures are
compared, not numbers, each with a tolerance that covers what was seen on several processors.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from attention.chapters.translator import SEED
from attention.trained import read_trained

from . import build, consequences, runs, store

HELD_OUT, REVERSIBLE, LOSS_FACTOR, SMALL_LOSS, MISTAKES = 0.05, 0.1, 4.0, 0.02, 0.05
UNSTEADY = {"reader_rnn": 0.3}  # models whose training ends anywhere in a wide range
SAMPLE = ("static_encoder", "one_head_unscaled", "no_residual")  # of the ablations, those that are always made


class Figure(NamedTuple):
    """One figure of one trained file, as shipped and as retrained."""

    file: str
    figure: str
    shipped: float
    anew: float
    tolerance: str
    holds: bool


def prove(everything: bool = False) -> bool:
    """Train the translator and three of its ablations anew, or everything; print a table, and say whether all agrees.

    Errors: Stale if a shipped file is stale.
    """
    build.require_fresh()
    files = [one for one in build.recipes() if everything or one.file == store.NAME]
    work = (
        [(name, seed) for name in runs.ABLATIONS for seed in runs.SEEDS] if everything else [(n, SEED) for n in SAMPLE]
    )
    good, made = True, {}
    print(f"{'file':22}{'figure':34}{'shipped':>9}{'anew':>9}  tolerance", flush=True)
    for recipe, content, _ in build.side_by_side(build.made, files):
        made[recipe.file] = content
        good &= show(compare(recipe.file, read_trained(recipe.file), content))
    for (name, seed), entry, _ in build.side_by_side(build.run, [one for one in work if one != (store.NAME, SEED)]):
        good &= show([compare_run(name, seed, entry)])
    if everything:
        good &= show(compare_mistakes(store.trained_in(consequences.FROM, made[consequences.FROM])))
    print("every figure holds" if good else "figures marked ✗ differ by more than their tolerance")
    return good


def compare_run(name: str, seed: int, entry: Mapping) -> Figure:
    """Compare the share that an ablation gets right with those of its five seeds."""
    every = runs.runs_of(name)
    before = next(run.held_out for run in every if run.seed == seed)
    low, high = min(run.held_out for run in every) - HELD_OUT, max(run.held_out for run in every) + HELD_OUT
    holds = low <= entry["held_out"] <= high
    return Figure(runs.FILE, f"{name} from seed {seed}", before, entry["held_out"], f"{low:.2f} to {high:.2f}", holds)


def show(figures: Iterable[Figure]) -> bool:
    """Print rows of the table; say whether every figure agrees."""
    good = True
    for one in figures:
        mark = "" if one.holds else "  ✗"
        print(
            f"{one.file:22}{one.figure:34}{one.shipped:9.4g}{one.anew:9.4g}  {one.tolerance}{mark}",
            flush=True,
        )
        good &= one.holds
    return good


def compare(file: str, before: Mapping, now: Mapping) -> list[Figure]:
    """Compare the figures of one file."""
    if "correct" in now:
        shares = zip(now["correct"], before["correct"].values(), now["correct"].values(), strict=True)
        return [_share(file, f"correct at temperature {t}", *pair, REVERSIBLE) for t, *pair in shares]
    if "model" in now:
        loss = [float(np.mean(content["record"]["loss"][-10:])) for content in (before, now)]
        return [
            _share(file, "held out", before["held_out"], now["held_out"], HELD_OUT),
            _share(file, "reversible", before["reversible"], now["reversible"], REVERSIBLE),
            _loss(file, *loss),  # type: ignore[arg-type]
        ]
    if "won" in now:
        shares = {name: [float(np.mean(content["won"][name])) for content in (before, now)] for name in now["won"]}
        return [_share(file, name, *pair, HELD_OUT) for name, pair in shares.items()]
    if "games" in now:
        return [
            _share(file, f"{game} among {n}", *(_mean_right(content, game, n) for content in (before, now)), HELD_OUT)
            for game, rows in now["games"].items()
            for n in map(int, rows)
        ]
    if "moments" in now:
        losses = zip(now["steps"], before["loss"], now["loss"], strict=True)
        return [_loss(file, *pair, f"loss at step {step}") for step, *pair in losses]
    return [_share(file, "held out", *(one["checkpoints"][-1]["held_out"] for one in (before, now)), HELD_OUT)]


def _mean_right(content: Mapping, game: str, n: int) -> float:
    """Return a reader's mean share of right answers over its runs; JSON has turned lengths into text."""
    rows = {int(length): row for length, row in content["games"][game].items()}
    return float(np.mean(rows[n]["right"]))


def _share(file: str, figure: str, before: float, now: float, tolerance: float) -> Figure:
    """Compare two shares."""
    tolerance = UNSTEADY.get(file, tolerance)
    return Figure(file, figure, before, now, f"± {tolerance:g}", abs(before - now) <= tolerance)


def _loss(file: str, before: float, now: float, figure: str = "loss of the last steps") -> Figure:
    """Compare two losses by their size; all below SMALL_LOSS are equal."""
    low, high = sorted((before, now))
    holds = high <= max(LOSS_FACTOR * low, SMALL_LOSS)
    return Figure(file, figure, before, now, f"× {LOSS_FACTOR:g}, or below {SMALL_LOSS:g}", holds)


def compare_mistakes(trained: store.Trained) -> list[Figure]:
    """Put every mistake into a retrained translator, and compare which of them change translations."""
    shipped_harm = {(name, id): told["unchanged"] < 1 for name, id, told in _told(read_trained(consequences.FILE))}
    work = [(name, ids, trained.model) for name, ids in _ids(shipped_harm).items()]
    harm = {
        (name, id): told["unchanged"] < 1
        for (name, *_), results, _ in build.side_by_side(build.found_out, work)
        for id, told in results.items()
    }
    other = sum(harm[key] != shipped_harm[key] for key in harm)
    figures = sum(shipped_harm.values()), sum(harm.values())
    tolerance = f"{MISTAKES:.0%} otherwise, got {other} of {len(harm)}"
    return [Figure(consequences.FILE, "mistakes that do harm", *figures, tolerance, other <= MISTAKES * len(harm))]


def _told(content: Mapping) -> Iterator[tuple[str, str, dict]]:
    """Yield each exercise, mistake and consequence of a file."""
    return ((name, id, told) for name, mistakes in content["exercises"].items() for id, told in mistakes.items())


def _ids(keys: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the mistakes of each exercise."""
    found = {}
    for name, id in keys:
        found.setdefault(name, []).append(id)
    return found
