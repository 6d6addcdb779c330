"""A decoder-only model that learns the Italian halves of the translator's sentences, and then writes its own.

``writer()`` is the shipped one; ``written(temperature)`` is what it writes.
"""

from functools import cache
from typing import Any, NamedTuple

import autograd
import numpy as np

from attention.chapters.decoder_only import decoder_only, write_on
from attention.chapters.embeddings import token_ids, vocabulary
from attention.chapters.gradients import adam_step
from attention.chapters.inference import Step
from attention.chapters.shapes import Array
from attention.chapters.training import cross_entropy, learning_rate, shift_right
from attention.chapters.transformer import EOS, PAD, SOS, Model, initialise, layer_parameters
from attention.chapters.translator import EPS, SEED, Settings, batches, flatten, number_pairs, unflatten
from autograder.sources import sources_of

from . import italian, quantised, shipped
from .quantised import packed, unpacked
from .store import corpus

NAME = "writer"
TEMPERATURES, EXAMINED = (0.5, 1.0, 2.0), 300  # sentences drawn at each
SETTINGS = Settings(d_model=32, d_ff=64, layers=2, steps=1500, warmup=200)


class Draw(NamedTuple):
    """A sentence that the writer drew, and whether the grammar can say it and training has shown it."""

    sentence: str
    correct: bool
    shown: bool


@cache
def writer() -> Model:
    """Return the shipped writer; its two vocabularies are one. Errors: Stale if its file is not what would be made."""
    return unpacked(shipped.read(NAME, made_of())["model"])


def made_of() -> shipped.Provenance:
    """Return the writer's provenance: this module's code, settings included, and all that it imports."""
    model = sources_of("attention.chapters.decoder_only")
    return {**shipped.training_code(), **shipped.code_in(*model, __file__, italian.__file__, quantised.__file__)}


def train_writer(name: str = NAME) -> dict:
    """Train a writer on the translator's training sentences: the file's content."""
    rng, settings = np.random.default_rng(SEED), SETTINGS
    model = untrained(rng, settings)
    _, tokens = number_pairs([(target, target) for _, target in corpus().training], model)
    supply = batches(rng, tokens, tokens, model, settings.batch)
    slope, flat = autograd.grad(batch_loss), flatten(model.parameters)
    m, v = np.zeros_like(flat), np.zeros_like(flat)
    for step in range(1, settings.steps + 1):
        _, target = next(supply)
        gradient = slope(flat, target, model)
        rate = settings.rate * learning_rate(step, settings.d_model, settings.warmup)
        flat, m, v = adam_step(flat, gradient, m, v, step, rate, eps=EPS)
    entry = packed(model._replace(parameters=unflatten(flat, model.parameters)))
    correct = {f"{t:g}": share_correct(written(t, EXAMINED, model=unpacked(entry))) for t in TEMPERATURES}
    return {"model": entry, "correct": correct}


def share_correct(drawn: list[Draw]) -> float:
    """Return the share of sentences that the grammar can say."""
    return sum(one.correct for one in drawn) / len(drawn)


def untrained(rng: np.random.Generator, settings: Settings) -> Model:
    """Return a model that knows the words and nothing else: its layers begin as an encoder's do."""
    words = vocabulary([" ".join((PAD, SOS, EOS)), *(target for _, target in corpus().training)])
    drawn = initialise(rng, 1, len(words), settings.d_model, settings.d_ff, settings.layers)
    layers = {f"layer.{name}": array for name, array in layer_parameters(drawn, "encoder.").items()}
    last = {"gamma": np.ones(settings.d_model), "beta": np.zeros(settings.d_model)}
    parameters = {"embedding": drawn["target_embedding"], **layers, **last}
    return Model(parameters, words, words, settings.h, settings.layers)


def batch_loss(flat: Array, target: np.ndarray, model: Model) -> Any:
    """Return the cross-entropy of every next word of every sentence: (size,), (B, T) -> nats per token."""
    shown = shift_right(target, model.target_vocabulary[SOS])
    logits = decoder_only(shown, unflatten(flat, model.parameters), model.h, model.layers)
    return cross_entropy(logits, target, model.target_vocabulary[PAD])


def step_of(model: Model) -> Step:
    """Return the step that gives the logits of the next word after tokens, SOS first."""
    return lambda tokens: decoder_only(np.array(tokens), model.parameters, model.h, model.layers)[-1]


def written(
    temperature: float, count: int = 1, prompt: str = "", seed: int = 0, model: Model | None = None
) -> list[Draw]:
    """Let a model write ``count`` sentences that begin with ``prompt``, with the draws of a seed.

    Errors: KeyError for a word that it does not know; ValueError for a temperature below 0.
    """
    model = model or writer()
    words, vocab, step = list(model.target_vocabulary), model.target_vocabulary, step_of(model)
    beginning = [vocab[SOS], *(token_ids(prompt.split(), vocab).tolist() if prompt else [])]
    training = {target for _, target in corpus().training}
    found = []
    for u in np.random.default_rng(seed).random((count, SETTINGS.longest)):
        tokens = write_on(step, beginning, vocab[EOS], temperature, u)
        sentence = " ".join(words[token] for token in tokens if words[token] not in (SOS, EOS))
        found.append(Draw(sentence, tokens[-1] == vocab[EOS] and italian.can_be_said(sentence), sentence in training))
    return found
