"""Small Transformers that learn to write letters backwards, with one line broken or none, for ``diagnose``.

``broken_runs()`` are their curves; the first five are the worked examples of chapter 10's exercise.
``python -m attention.models.broken`` trains them all, in two minutes. ``make models`` does not: they are questions with
known answers, and a question must not change where another processor or line of the training changes last digits.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from string import ascii_lowercase
from typing import Any, NamedTuple

import autograd.numpy as np
import numpy

from attention.chapters.masking import causal_mask
from attention.chapters.shapes import Array
from attention.chapters.training import learning_rate, log_softmax, shift_right
from attention.chapters.transformer import Model, decode
from attention.chapters.translator import (
    SEED,
    batch_loss,
    batches,
    checkpoint,
    checkpoint_steps,
    exact_match,
    flatten,
    greedy_translations,
    number_pairs,
    train,
)
from attention.trained import read_trained

from . import ablations, reversal, shipped
from .ablations import no_causal_mask, not_shifted
from .replaced import replaced
from .reversal import rows

NAME = "broken"
FRESH = 6  # runs of each broken line besides the worked example
LOOKS = 24  # numbers of a curve; the first is the loss of the first step
FEW, LONG = 20, 3.0


class Run(NamedTuple):
    """What one sees of a training, and what is broken in it.

    ``losses`` has the mean training loss since the look before, ``held_out`` the loss of new rows at each look, in nats
    per token; ``right`` is the share of new rows that are written exactly, ``words`` the size of the vocabulary.
    """

    cause: str
    line: str
    losses: list[float]
    held_out: list[float]
    right: float
    words: int


class Sizes(NamedTuple):
    """The task of a run, and its model."""

    letters: int = 12
    length: int = 6
    pairs: int = 1000
    d_model: int = 32
    steps: int = 400


def long_steps(step: int, d_model: int, warmup: int) -> float:
    """Take steps of one length, two hundred times too long."""
    return LONG


def few_pairs(
    rng: numpy.random.Generator, source: numpy.ndarray, target: numpy.ndarray, model: Model, size: int
) -> Iterator[tuple[numpy.ndarray, ...]]:
    """Learn the first few pairs again and again."""
    return batches(rng, source[:FEW], target[:FEW], model, size)


def shuffled_pairs(
    rng: numpy.random.Generator, source: numpy.ndarray, target: numpy.ndarray, model: Model, size: int
) -> Iterator[tuple[numpy.ndarray, ...]]:
    """Pair each source with the target of another."""
    return batches(rng, source, target[rng.permutation(len(target))], model, size)


def decode_alone(target: Array, memory: Array, *sizes: Any) -> Array:
    """Decode without what the encoder found."""
    return decode(target, 0 * memory, *sizes)


def plain_log_softmax(logits: Array) -> Array:
    """Take the logarithm of softmax without subtracting the largest logit first."""
    powers = np.exp(logits)
    return np.log(powers / np.sum(powers, axis=-1, keepdims=True))


class Broken(NamedTuple):
    """A line: what it does, as code, in which cause it results, and what is replaced to break it."""

    cause: str
    line: str
    instead: Mapping[Callable, Callable]


LINES = (
    Broken("steps too long", "rate = 3.0", {learning_rate: long_steps}),
    Broken("too few pairs", "source, target = source[:20], target[:20]", {batches: few_pairs}),
    Broken("answer leaks", "shown = target", {shift_right: not_shifted}),
    Broken("source unseen", "target = target[rng.permutation(len(target))]", {batches: shuffled_pairs}),
    Broken("nothing", "", {}),
    Broken("answer leaks", "mask = np.ones((n, n), dtype=bool)", {causal_mask: no_causal_mask}),
    Broken("source unseen", "logits = decode(target, 0 * memory)", {decode: decode_alone}),
    Broken(
        "steps too long",
        "rate = 3.0, and exp without a maximum subtracted",
        {learning_rate: long_steps, log_softmax: plain_log_softmax},
    ),
)
EXAMPLES = 5  # lines whose first run is a worked example


def learn(broken: Broken, seed: int, sizes: Sizes) -> Run:
    """Train a model with a broken line, and look at it on the way."""
    rng, seen = numpy.random.default_rng(seed), []
    corpus = rows(rng, sizes.pairs, ascii_lowercase[: sizes.letters], sizes.length)
    width, longest = sizes.d_model, sizes.length + 1
    settings = reversal.SETTINGS._replace(
        d_model=width, d_ff=width, steps=sizes.steps, rate=1.0, checkpoints=LOOKS + 1, longest=longest
    )

    def look(step: int, model: Model, *_: object) -> dict:
        if step:
            seen.append(batch_loss(flatten(model.parameters), *number_pairs(corpus.held_out, model), model))
        return {}

    with replaced({checkpoint: look, **broken.instead}), numpy.errstate(all="ignore"):
        model, record = train(corpus, rng, settings)
        said = greedy_translations([source for source, _ in corpus.held_out], model, settings.longest)
    losses = [numpy.mean(part) for part in numpy.split(record["loss"], checkpoint_steps(settings)[:-1])]
    right, words = exact_match(said, corpus.held_out), len(model.target_vocabulary)
    return Run(broken.cause, broken.line, _rounded(losses), _rounded(seen), right, words)


def _rounded(losses: list) -> list[float]:
    """Return losses with three digits each."""
    return [float(f"{loss:.3g}") for loss in losses]


def sizes_of(seed: int) -> Sizes:
    """Draw the sizes of a fresh run."""
    options = {
        "letters": (9, 11, 13, 16, 20),
        "length": (5, 6, 7),
        "pairs": (1000, 2000),
        "d_model": (24, 32, 40),
        "steps": (300, 400),
    }
    rng = numpy.random.default_rng(seed)
    return Sizes(**{name: int(rng.choice(every)) for name, every in options.items()})


def questions() -> list[tuple[Broken, int, Sizes]]:
    """Return each line with a seed and sizes: those of the worked examples, then FRESH others of every line."""
    examples = [(broken, SEED + i, Sizes()) for i, broken in enumerate(LINES[:EXAMPLES])]
    seeds = [(broken, SEED + 100 * i + k) for i, broken in enumerate(LINES, 1) for k in range(FRESH)]
    return examples + [(broken, seed, sizes_of(seed)) for broken, seed in seeds]


@cache
def broken_runs() -> tuple[Run, ...]:
    """Return all runs that are kept, the worked examples first."""
    return tuple(Run(**run) for run in read_trained(NAME)["runs"])


def made_of() -> shipped.Provenance:
    """Return what made the runs: this module's code, and all that it imports. The file keeps it for information."""
    return {**shipped.training_code(), **shipped.code_in(__file__, ablations.__file__, reversal.__file__)}


if __name__ == "__main__":
    made = [learn(*question)._asdict() for question in questions()]
    shipped.write(NAME, made_of(), {"runs": made})
    print(f"made {NAME}.json: {len(made)} runs, {shipped.path_of(NAME).stat().st_size:,} bytes")
