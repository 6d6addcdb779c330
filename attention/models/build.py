"""Trains what is stale, on two processes, with a line for each."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any, NamedTuple

from . import consequences, games, moments, readers, reversal, runs, shipped, store, writer
from .readers import READERS

PROCESSES = 2
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # for each process


class Recipe(NamedTuple):
    """A trained file: its name, its provenance, and the function that makes its content from ``argument``."""

    file: str
    made_of: shipped.Provenance
    make: Callable[[str], dict]
    argument: str


def recipes() -> list[Recipe]:
    """Return the recipe of every trained file except the runs, and consequences, which are made from the translator."""
    return [
        Recipe(store.NAME, store.made_of(store.NAME), store.train_and_examine, store.NAME),
        *(Recipe(readers.file_of(name), readers.made_of(), readers.train_reader, name) for name in READERS),
        Recipe(reversal.NAME, reversal.made_of(), reversal.train_reversal, reversal.NAME),
        Recipe(moments.NAME, moments.made_of(), moments.train_and_keep, moments.OF),
        Recipe(games.NAME, games.made_of(), games.play_all, games.NAME),
        Recipe(writer.NAME, writer.made_of(), writer.train_writer, writer.NAME),
    ]


def why_stale() -> dict[str, str]:
    """Return the stale trained files, each with the reason."""
    stale = {one.file: why for one in recipes() if (why := shipped.why_stale(one.file, one.made_of))}
    if work := runs.stale():
        stale[runs.FILE] = f"{len(work)} runs to be made, first {work[0][0]} from seed {work[0][1]}"
    if consequences.FROM in stale:
        return stale | {consequences.FILE: "the translator that they are about is stale"}
    if why := shipped.why_stale(consequences.FILE, consequences.made_of()):
        return stale | {consequences.FILE: why}
    unknown = consequences.unknown()
    if names := [name for name, ids in consequences.stale().items() if ids != unknown.get(name)]:
        return stale | {consequences.FILE: f"mistakes changed in {', '.join(names)}"}
    return stale


def describe_unknown() -> list[str]:
    """Return a line for each exercise with a listed mistake that was not put into the translator yet."""
    return [
        f"{name}: what {', '.join(ids)} would do inside the translator is not known yet: {shipped.REMEDY}"
        for name, ids in consequences.unknown().items()
    ]


def require_fresh() -> None:
    """Check that no trained file is stale. Errors: Stale, in one line: each reason, its first file, how many more."""
    by_reason = {}
    for name, why in why_stale().items():
        by_reason.setdefault(why, []).append(f"{name}.json")
    if by_reason:
        told = "; ".join(
            f"{files[0]}{f' and {len(files) - 1} more' if files[1:] else ''} ({why})"
            for why, files in by_reason.items()
        )
        raise shipped.Stale(f"stale in attention/trained: {told}: {shipped.REMEDY}")


def make_stale() -> None:
    """Train every stale file, and report why and with which result."""
    for name, why in why_stale().items():
        print(f"{name}.json: {why}", flush=True)
    stale = [one for one in recipes() if shipped.why_stale(one.file, one.made_of)]
    for recipe, content, seconds in side_by_side(made, stale):
        shipped.write(recipe.file, recipe.made_of, content)
        print(f"made {describe(recipe.file, content)}, {seconds:.0f} s", flush=True)
    for (name, seed), entry, seconds in side_by_side(run, runs.stale()):
        runs.keep(name, seed, entry)
        print(f"made {name} from seed {seed}: held out {entry['held_out']:.1%}, {seconds:.0f} s", flush=True)
    if work := consequences.stale():
        found = {}
        by_size = sorted(work.items(), key=lambda item: -len(item[1]))
        for (name, _), results, seconds in side_by_side(found_out, by_size):
            found[name] = results
            print(f"made consequences of {name}: {describe_harm(results)}, {seconds:.0f} s", flush=True)
        consequences.write(found)
    ablations, mistakes = f"{len(runs.ABLATIONS)} ablations from {len(runs.SEEDS)} seeds", len(consequences.exercises())
    print(f"{len(recipes())} trained files, {ablations} and what {mistakes} exercises' mistakes do: up to date")


def side_by_side(task: Callable, work: list) -> Iterator[tuple[Any, dict, float]]:
    """Run a task for each piece of work on several processes, and yield (piece, result, seconds)."""
    if not work:
        return
    os.environ.update(ONE_THREAD)  # inherited by new processes before they load NumPy
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as processes:
        futures = {processes.submit(task, piece): piece for piece in work}
        for done in as_completed(futures):
            yield futures[done], *done.result()


def made(recipe: Recipe) -> tuple[dict, float]:
    """Follow a recipe; return its content and the seconds it took."""
    start = time.perf_counter()
    return recipe.make(recipe.argument), time.perf_counter() - start


def run(work: tuple[str, int]) -> tuple[dict, float]:
    """Train an ablation from a seed; return its entry and the seconds it took."""
    start = time.perf_counter()
    return runs.train_run(work), time.perf_counter() - start


def found_out(work: tuple[str, list[str]]) -> tuple[dict, float]:
    """Put an exercise's mistakes into the translator; return their consequences and the seconds it took."""
    start = time.perf_counter()
    return consequences.find_out(*work), time.perf_counter() - start


def describe(file: str, content: dict) -> str:
    """Describe in a few words what a trained file can do."""
    if "correct" in content:
        return f"{file}: correct {', '.join(f'{share:.1%} at {t}' for t, share in content['correct'].items())}"
    if "model" in content:
        return f"{file}: held out {content['held_out']:.1%}, reversible {content['reversible']:.1%}"
    if "won" in content:
        return f"{file}: right {', '.join(f'{name} {sum(won) / len(won):.1%}' for name, won in content['won'].items())}"
    if "games" in content:
        shares = [
            f"{game} among {list(rows)[-1]} {sum(right) / len(right):.1%}"
            for game, rows in content["games"].items()
            for right in [list(rows.values())[-1]["right"]]
        ]
        return f"{file}: {', '.join(shares)}"
    if "moments" in content:
        return f"{file}: loss {', '.join(f'{loss:.3f}' for loss in content['loss'])}"
    return f"{file}: held out {content['checkpoints'][-1]['held_out']:.1%}"


def describe_harm(results: dict[str, dict]) -> str:
    """Say how many mistakes change a translation."""
    return f"{sum(told['unchanged'] < 1 for told in results.values())} of {len(results)} mistakes change translations"
