"""What each ablation comes to, trained from five seeds: figures and translations, all in one file.

``runs_of("no_positions")`` are its five runs; the first one has the seed of the translator that is shipped.

A hundred trainings take most of an hour. So a run is made once, and again only when its task changes: its row of
ABLATIONS, its settings or its sentences. Other changes of the code are left to ``make proof``; ``code`` in an entry is
the digest of the code that made it.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from attention.chapters import corpus, which_bank
from attention.chapters.translator import SEED
from attention.trained import read_trained

from . import shipped, store
from .ablations import ABLATIONS

FILE = "runs"
SEEDS = tuple(range(SEED, SEED + 5))
EVERY = 10  # steps whose mean loss is one number of a curve


class Run(NamedTuple):
    """One training of one ablation.

    ``held_out`` and ``reversible`` are shares of sentences translated exactly, ``curve`` the mean loss of each ten
    steps in nats per token, ``said`` the translations of the held-out sentences.
    """

    name: str
    seed: int
    held_out: float
    reversible: float
    curve: list[float]
    said: list[str]

    @property
    def right(self) -> int:
        """The number of held-out sentences translated exactly."""
        return round(self.held_out * len(self.said))

    @property
    def loss(self) -> float:
        """The mean loss of the last ten steps."""
        return self.curve[-1]


@cache
def runs_of(name: str) -> tuple[Run, ...]:
    """Return an ablation's five runs.

    Errors: KeyError for a name that is not in ABLATIONS; Stale if they are not what would be made today.
    """
    if name not in ABLATIONS:
        raise KeyError(f"expected one of {', '.join(ABLATIONS)}, got {name!r}: add a row to ABLATIONS for a new one")
    if missing := [seed for seed in SEEDS if not _is_fresh(name, seed)]:
        which = f"{FILE}.json ({name} from seed {missing[0]})"
        raise shipped.Stale(f"stale in attention/trained: {which}: {shipped.REMEDY}")
    return tuple(_run(name, seed, _kept(name, seed)) for seed in SEEDS)


def shares(name: str) -> np.ndarray:
    """Return the share of held-out sentences that each of an ablation's runs translates exactly."""
    return np.array([run.held_out for run in runs_of(name)])


def train_run(work: tuple[str, int]) -> dict:
    """Train an ablation from a seed and examine it: an entry of the file."""
    return entry_of(store.train_and_examine(*work))


def entry_of(content: Mapping) -> dict:
    """Return what the file keeps of a trained model's content."""
    losses = np.array(content["record"]["loss"])
    curve = [round(float(np.mean(part)), 4) for part in np.split(losses, range(EVERY, len(losses), EVERY))]
    return {name: content[name] for name in ("held_out", "reversible", "said")} | {"curve": curve}


def stale() -> list[tuple[str, int]]:
    """Return the ablations and seeds whose run is not what would be made today, seed by seed."""
    every = [(name, seed) for seed in SEEDS for name in ABLATIONS if (name, seed) != (store.NAME, SEED)]
    return [one for one in every if not _is_fresh(*one)]


def keep(name: str, seed: int, entry: dict) -> None:
    """Write one run into the file, and leave out what is no longer asked for."""
    every = _every() | {f"{name} {seed}": {"task": _task(name), "code": _code(), **entry}}
    wanted = [f"{name} {seed}" for name in ABLATIONS for seed in SEEDS]
    shipped.write(FILE, {}, {"runs": {key: every[key] for key in wanted if key in every}})
    _every.cache_clear()
    runs_of.cache_clear()


def _is_fresh(name: str, seed: int) -> bool:
    """Say whether a run is what would be made today."""
    return _kept(name, seed).get("task") == _task(name)


def _kept(name: str, seed: int) -> Mapping:
    """Return a run's entry, empty where there is none; the translator's first is that of the one that is shipped."""
    if (name, seed) == (store.NAME, SEED):
        return _of_the_shipped()
    return _every().get(f"{name} {seed}", {})


@cache
def _of_the_shipped() -> Mapping:
    """Return the run of the translator that is shipped; empty where its file is stale."""
    if shipped.why_stale(store.NAME, store.made_of(store.NAME)):
        return {}
    return {"task": _task(store.NAME), **entry_of(read_trained(store.NAME))}


@cache
def _every() -> dict:
    """Return all entries of the file."""
    return dict(read_trained(FILE)["runs"]) if shipped.path_of(FILE).exists() else {}


def _task(name: str) -> str:
    """Return a short hash of what an ablation is and of the sentences that it learns."""
    sentences = shipped.code_in(which_bank.__file__, corpus.__file__)
    return shipped.digest(ABLATIONS[name].source() + repr(sorted(sentences.items())))


def _code() -> str:
    """Return a short hash of all code that trains and examines."""
    return shipped.digest(repr(sorted(store.made_of(store.NAME).items())))


def _run(name: str, seed: int, entry: Mapping) -> Run:
    """Return the run in an entry."""
    held_out = store.corpus().held_out
    said = [entry["said"].get(str(i), wanted) for i, (_, wanted) in enumerate(held_out)]
    return Run(name, seed, entry["held_out"], entry["reversible"], entry["curve"], said)
