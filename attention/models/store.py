"""The translator and its ablations: trained once, shipped in eight bits a number, read from there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

import numpy as np

from attention.chapters.grammar import PROMISED, Corpus, Pair, make_corpus, reversible_pairs
from attention.chapters.transformer import Model
from attention.chapters.translator import SEED, SETTINGS, exact_match, greedy_translations, train
from autograder.sources import code_of

from . import quantised, shipped
from .ablations import ABLATIONS
from .quantised import packed, unpacked
from .replaced import replaced, without_slopes


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
        """What is changed in this model, as text."""
        return ABLATIONS[self.name].words

    @property
    def right(self) -> int:
        """The number of held-out sentences it translates exactly."""
        return round(self.held_out * len(corpus().held_out))

    @property
    def final_loss(self) -> float:
        """The mean loss of its last ten steps, in nats per token."""
        return float(np.mean(self.record["loss"][-10:]))

    @contextmanager
    def put_in(self) -> Iterator[None]:
        """Apply this model's changes to the reference within the context.

        Without it, an ablated model runs with the translator's functions. Nothing can be differentiated
        inside, since the reference computes with plain NumPy, which is faster.
        """
        with ABLATIONS[self.name].put_in(), without_slopes():
            yield

    def translations(self, sentences: Sequence[str]) -> list[str]:
        """Translate greedily with this model's own functions, at most 12 tokens."""
        with self.put_in():
            return greedy_translations(sentences, self.model, SETTINGS.longest)


@cache
def corpus() -> Corpus:
    """Return the sentences that every model learns, and the held-out ones."""
    return make_corpus(np.random.default_rng(SEED))


@cache
def model(name: str) -> Trained:
    """Return a shipped model.

    Errors: KeyError for a name that is not in ABLATIONS; Stale if its file is not what would be made today.
    """
    if name not in ABLATIONS:
        raise KeyError(f"expected one of {', '.join(ABLATIONS)}, got {name!r}: add a row to ABLATIONS for a new one")
    return trained_in(name, shipped.read(name, made_of(name)))


def made_of(name: str) -> shipped.Provenance:
    """Return a model's provenance: the code that trains and examines it, and its row of ABLATIONS."""
    how = "\n".join(code_of(function) for function in (train_and_examine, replaced, share))
    row = shipped.digest(ABLATIONS[name].source())
    return {
        **shipped.training_code(),
        **shipped.code_in(quantised.__file__),
        "how models are trained and examined": shipped.digest(how),
        f"the row {name} of ABLATIONS": row,
    }


def train_and_examine(name: str) -> dict:
    """Train a model, quantise it, and examine the result: the content of its file.

    Errors: KeyError for a name that is not in ABLATIONS.
    """
    rng, row = np.random.default_rng(SEED), ABLATIONS[name]
    sentences = make_corpus(rng)
    with row.put_in():
        trained, record = train(sentences, rng, row.sizes(), watched=PROMISED)
        entry = packed(trained)
        reversible = [pair for couple in reversible_pairs(sentences.held_out) for pair in couple]
        shares = [share(pairs, unpacked(entry)) for pairs in (sentences.held_out, reversible)]
    return {"model": entry, "record": record, "held_out": shares[0], "reversible": shares[1]}


def share(pairs: Sequence[Pair], model: Model) -> float:
    """Return the share of sentences that a model translates exactly."""
    return exact_match(greedy_translations([source for source, _ in pairs], model, SETTINGS.longest), pairs)


def trained_in(name: str, content: dict) -> Trained:
    """Return the model in a file's content."""
    return Trained(name, unpacked(content["model"]), content["record"], content["held_out"], content["reversible"])
