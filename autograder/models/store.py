"""Trained models, each made once and then kept by the hash of what made it."""

import fcntl
import hashlib
import io
import json
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

import autograder
from autograder.reference.grammar import PROMISED, Corpus, Pair, make_corpus, reversible_pairs
from autograder.reference.transformer import Model, pack, unpack
from autograder.reference.translator import (
    SEED,
    SETTINGS,
    exact_match,
    greedy_translations,
    train,
    write_whole,
)
from autograder.sources import code_of, digest_of, sources_of

from .ablations import ABLATIONS, Ablation
from .replaced import replaced

FOLDER = "COURSE_MODELS"  # the environment variable that says where files are kept
NOT_A_MODEL = (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error)


class Trained(NamedTuple):
    """A trained model: its row in ABLATIONS, the model, its record, and what it translates exactly.

    ``record`` is what ``translator.train`` returns beside the model: settings, the loss of each step, checkpoints.
    ``held_out`` is the share of all held-out sentences, ``reversible`` that of those in reversible pairs.
    """

    name: str
    model: Model
    record: dict
    held_out: float
    reversible: float

    @property
    def words(self) -> str:
        """What is changed in this model, in words."""
        return ABLATIONS[self.name].words

    def put_in(self):
        """Change the reference's functions into those that this model was trained with, as long as the context lasts.

        Without it, a model whose functions were changed runs with those of the translator.
        """
        return ABLATIONS[self.name].put_in()

    def translations(self, sentences: Sequence[str]) -> list[str]:
        """Translate as this model was trained, the likeliest word each time, at most 12 tokens."""
        with self.put_in():
            return greedy_translations(sentences, self.model, SETTINGS.longest)


def folder() -> Path:
    """Return where models are kept: ``_build/models`` of the course, or what COURSE_MODELS says."""
    return Path(os.environ.get(FOLDER) or Path(autograder.__file__).parents[1] / "_build" / "models")


@cache
def corpus() -> Corpus:
    """Return the sentences that every model learns, and those that it is examined on."""
    return make_corpus(np.random.default_rng(SEED))


def model(name: str, kept: Path | None = None) -> Trained:
    """Return a trained model, out of its file if there is one that fits, or else trained now and kept.

    While another process trains the same model, this one waits for it.
    A file that is damaged is made anew, with a line on the standard error: it can be made again, and nothing is lost.
    Errors: KeyError for a name that is not in ABLATIONS.
    """
    if name not in ABLATIONS:
        raise KeyError(f"expected one of {', '.join(ABLATIONS)}, got {name!r}: add a row to ABLATIONS for a new one")
    return _read_or_made(name, place_of(name, kept))


@cache
def _read_or_made(name, path):
    """Return the model of a file, which is made first where there is none that fits; once in a process."""
    if found := found_in(path):
        return found
    with alone(path.parent, name):
        if found := found_in(path):  # made while we waited
            return found
        if path.exists():
            print(f"{path}: damaged, so {name} is trained anew", file=sys.stderr, flush=True)
        keep(path, file_of(path.stem, *examined(ABLATIONS[name])))
    return trained_in(path)


def place_of(name: str, kept: Path | None = None) -> Path:
    """Return the file in which a model is kept; its name holds the hash of what makes the model."""
    return (kept or folder()) / f"{name}-{recipe_of(ABLATIONS[name])}.npz"


def recipe_of(ablation: Ablation) -> str:
    """Return the hash of all that a model is made of: code, row of the table, settings, versions of the packages."""
    how = [code_of(function) for function in (examined, replaced)]
    parts = [training_code(), *how, ablation.source(), *map(version, ("numpy", "autograd"))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@cache
def training_code() -> str:
    """Return the hash of the modules that training imports."""
    return digest_of(sources_of("autograder.reference.translator"))


def examined(ablation: Ablation) -> tuple[Model, dict, float, float]:
    """Train a model and examine it as it will be read from its file, in single precision."""
    rng = np.random.default_rng(SEED)
    sentences = make_corpus(rng)
    with ablation.put_in():
        model, record = train(sentences, rng, ablation.sizes(), watched=PROMISED)
        model = unpack(pack(rounded(model)))
        reversible = [pair for couple in reversible_pairs(sentences.held_out) for pair in couple]
        return model, record, share(sentences.held_out, model), share(reversible, model)


def rounded(model: Model) -> Model:
    """Return a model with numbers in single precision, half as large and as good."""
    return model._replace(parameters={name: array.astype(np.float32) for name, array in model.parameters.items()})


def share(pairs: Sequence[Pair], model: Model) -> float:
    """Return the share of sentences that a model translates exactly."""
    return exact_match(greedy_translations([source for source, _ in pairs], model, SETTINGS.longest), pairs)


def file_of(stem: str, trained: Model, record: dict, held_out: float, reversible: float) -> bytes:
    """Return what a model's file holds: the arrays of ``pack`` in single precision, and all else as JSON."""
    about = {"stem": stem, "record": record, "held_out": held_out, "reversible": reversible}
    file = io.BytesIO()
    np.savez_compressed(file, about=np.array(json.dumps(about)), **pack(rounded(trained)))
    return file.getvalue()


def found_in(path: Path) -> Trained | None:
    """Read a model's file, if it is there and what its name says."""
    try:
        return trained_in(path)
    except NOT_A_MODEL:
        return None


def trained_in(path: Path) -> Trained:
    """Read a model's file. Errors: one of NOT_A_MODEL where it is not what its name says."""
    with np.load(path, allow_pickle=False) as arrays:
        about = json.loads(str(arrays["about"]))
        if about["stem"] != path.stem:
            raise ValueError(f"expected the file of {path.stem}, got that of {about['stem']}: remove it")
        model = unpack({key: arrays[key] for key in arrays if key != "about"})
    return Trained(path.stem.rpartition("-")[0], model, about["record"], about["held_out"], about["reversible"])


def keep(path: Path, content: bytes):
    """Write a file whole, and remove those of the same name that something else had made."""
    write_whole(path, content)
    name = path.stem.rpartition("-")[0]
    for other in path.parent.glob(f"{name}-*{path.suffix}"):
        if other != path and re.fullmatch(rf"{name}-[0-9a-f]{{16}}", other.stem):
            other.unlink(missing_ok=True)


@contextmanager
def alone(place: Path, name: str) -> Iterator[None]:
    """Let one process at a time make what is called ``name``; the others wait. The end of a process ends its turn."""
    place.mkdir(parents=True, exist_ok=True)
    with (place / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
