"""The translator: trained once, shipped in eight bits a number, read from there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

import numpy as np

from attention.chapters.corpus import PROMISED, Corpus, make_corpus, reversible_pairs
from attention.chapters.transformer import Model
from attention.chapters.translator import SEED, exact_match, greedy_translations, train
from autograder.sources import code_of

from . import quantised, shipped
from .ablations import ABLATIONS
from .quantised import packed, unpacked
from .replaced import replaced, without_slopes

NAME = "translator"
WATCHED = PROMISED[:3]


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
    def right(self) -> int:
        """The number of held-out sentences it translates exactly."""
        return round(self.held_out * len(corpus().held_out))

    @property
    def longest(self) -> int:
        """The most tokens that a translation may have."""
        return ABLATIONS[self.name].sizes().longest

    @contextmanager
    def put_in(self) -> Iterator[None]:
        """Apply this model's changes to the reference within the context.

        Without it, an ablated model runs with the translator's functions. Nothing can be differentiated
        inside, since the reference computes with plain NumPy, which is faster.
        """
        with ABLATIONS[self.name].put_in(), without_slopes():
            yield

    def translations(self, sentences: Sequence[str]) -> list[str]:
        """Translate greedily with this model's own functions."""
        with self.put_in():
            return greedy_translations(sentences, self.model, self.longest)


@cache
def corpus() -> Corpus:
    """Return the sentences that every model learns, and the held-out ones."""
    return make_corpus(np.random.default_rng(SEED))


@cache
def shipped_translator() -> Trained:
    """Return the translator. Errors: Stale if its file is not what would be made today."""
    return trained_in(NAME, shipped.read(NAME, made_of(NAME)))


def made_of(name: str) -> shipped.Provenance:
    """Return a model's provenance: the code that trains and examines it, and its row of ABLATIONS."""
    how = "\n".join(code_of(function) for function in (train_and_examine, examined, replaced))
    row = shipped.digest(ABLATIONS[name].source())
    return {
        **shipped.training_code(),
        **shipped.code_in(quantised.__file__),
        "how models are trained and examined": shipped.digest(how),
        f"the row {name} of ABLATIONS": row,
    }


def train_and_examine(name: str, seed: int = SEED) -> dict:
    """Train a model, quantise it, and examine the result: the content of the translator's file.

    Errors: KeyError for a name that is not in ABLATIONS.
    """
    row = ABLATIONS[name]
    with row.put_in():
        model, record = train(corpus(), np.random.default_rng(seed), row.sizes(), watched=WATCHED)
        entry = packed(model)
    return {"model": entry, "record": record, **examined(Trained(name, unpacked(entry), {}, 0.0, 0.0))}


def examined(trained: Trained) -> dict:
    """Return what a model says of the held-out sentences, and which shares of it are right.

    -> {held_out, reversible: shares, said: every translation that is wrong, by the number of its sentence}
    """
    held_out = corpus().held_out
    said = dict(zip(held_out, trained.translations([source for source, _ in held_out]), strict=True))
    reversible = [pair for couple in reversible_pairs(held_out) for pair in couple]
    shares = [exact_match([said[pair] for pair in pairs], pairs) for pairs in (held_out, reversible)]
    wrong = {str(i): said[pair] for i, pair in enumerate(held_out) if said[pair] != pair[1]}
    return {"held_out": shares[0], "reversible": shares[1], "said": wrong}


def trained_in(name: str, content: dict) -> Trained:
    """Return the model in a file's content."""
    return Trained(name, unpacked(content["model"]), content["record"], content["held_out"], content["reversible"])
