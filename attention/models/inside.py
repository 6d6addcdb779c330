"""Looks inside a model: its word vectors, its encoder's output, and its state before training."""

import numpy as np
from jaxtyping import Float

from attention.chapters.corpus import draw_sentence, pair_of
from attention.chapters.embeddings import token_ids
from attention.chapters.transformer import embed, encode
from attention.chapters.translator import (
    SEED,
    untrained,
)

from .ablations import ABLATIONS
from .attention import attention_of
from .runs import SEEDS
from .store import Trained, corpus


def encoder_rows(
    trained: Trained, sentence: str
) -> tuple[Float[np.ndarray, "n d_model"], Float[np.ndarray, "n d_model"]]:
    """Return a sentence's rows before the encoder (with positions added) and after it.

    Errors: KeyError for a word that the model does not know.
    """
    parameters, vocabulary, _, h, layers = trained.model
    tokens = token_ids(sentence.split(), vocabulary)
    with trained.put_in():
        return embed(tokens, parameters["source_embedding"]), encode(tokens, parameters, h, layers)


def rows_of(
    trained: Trained, word: str, count: int, seed: int = 1
) -> tuple[Float[np.ndarray, "n d_model"], Float[np.ndarray, "n d_model"], list[str]]:
    """Return a word's rows before the encoder and after it in ``count`` new sentences, with their translations.

    The sentences are drawn; each names the word once, and none is a training sentence.
    Errors: KeyError for a word that the model does not know.
    """
    token_ids([word], trained.model.source_vocabulary)
    rng, known, found = np.random.default_rng(seed), {source for source, _ in corpus().training}, {}
    while len(found) < count:
        source, target = pair_of(draw_sentence(rng))
        if source.split().count(word) == 1 and source not in known:
            found[source] = target
    rows = [[side[source.split().index(word)] for side in encoder_rows(trained, source)] for source in found]
    before, after = np.swapaxes(rows, 0, 1)
    return before, after, list(found.values())


def before_training(name: str, seed: int = SEED) -> Trained:
    """Return a model of ABLATIONS before its first step, with its initial random numbers."""
    return Trained(name, untrained(corpus(), np.random.default_rng(seed), ABLATIONS[name].sizes()), {}, 0.0, 0.0)


def word_vectors(trained: Trained) -> tuple[dict[str, int], Float[np.ndarray, "v d_model"]]:
    """Return a model's source vocabulary and its table of word vectors, one row per word."""
    return trained.model.source_vocabulary, np.array(trained.model.parameters["source_embedding"], dtype=float)


def first_largest_weights(name: str, sentences: int = 20) -> Float[np.ndarray, " rows"]:
    """Return each row's largest weight before the first step, in encoder and cross-attention, of models from all seeds.

    ``name`` is a row of ABLATIONS; the first held-out sentences are used. Near 1, softmax starts saturated.
    """
    models = [before_training(name, seed) for seed in SEEDS]
    looks = [attention_of(model, *pair) for model in models for pair in corpus().held_out[:sentences]]
    return np.concatenate([part.max(axis=-1).ravel() for seen in looks for part in (seen.encoder, seen.cross)])
