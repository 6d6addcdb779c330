"""Looks inside a model: its word vectors, its encoder's output, and its state before training."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from attention.chapters.corpus import Pair, draw_sentence, pair_of
from attention.chapters.embeddings import token_ids
from attention.chapters.position import add_position
from attention.chapters.training import cross_entropy, shift_right
from attention.chapters.transformer import PAD, SOS, embed, encode, transformer
from attention.chapters.translator import (
    SEED,
    SETTINGS,
    exact_match,
    greedy_translations,
    number_pairs,
    source_mask,
    untrained,
)

from .ablations import ABLATIONS
from .attention import attention_of
from .replaced import replaced
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


def before_training(name: str) -> Trained:
    """Return a model of ABLATIONS before its first step, with its initial random numbers."""
    return Trained(name, untrained(corpus(), np.random.default_rng(SEED), ABLATIONS[name].sizes()), {}, 0.0, 0.0)


def word_vectors(trained: Trained) -> tuple[dict[str, int], Float[np.ndarray, "v d_model"]]:
    """Return a model's source vocabulary and its table of word vectors, one row per word."""
    return trained.model.source_vocabulary, np.array(trained.model.parameters["source_embedding"], dtype=float)


def with_word_vectors(trained: Trained, table: Float[np.ndarray, "v d_model"]) -> Trained:
    """Return a model with another table of word vectors, otherwise the same."""
    parameters = {**trained.model.parameters, "source_embedding": table}
    return trained._replace(model=trained.model._replace(parameters=parameters))


def first_largest_weight(name: str, sentences: int = 50) -> float:
    """Return the mean largest weight of a row before a model's first step, in the encoder and in cross-attention.

    ``name`` is a row of ABLATIONS; the first held-out sentences are used. Near 1, softmax starts saturated.
    """
    model = before_training(name)
    looks = [attention_of(model, source, target) for source, target in corpus().held_out[:sentences]]
    rows = [part.max(axis=-1).ravel() for seen in looks for part in (seen.encoder, seen.cross)]
    return float(np.concatenate(rows).mean())


def right_if_placed(
    trained: Trained, place: Callable[[np.ndarray], np.ndarray], pairs: list[Pair] | None = None
) -> int:
    """Return how many sentences a model translates exactly with ``place`` instead of ``add_position``.

    ``pairs`` are sentences with their right translations; by default all held-out ones.
    """
    pairs = corpus().held_out if pairs is None else pairs
    if not pairs:
        return 0
    with replaced({add_position: place}):
        made = greedy_translations([source for source, _ in pairs], trained.model, SETTINGS.longest)
    return round(len(pairs) * exact_match(made, pairs))


def shown_the_answers(trained: Trained) -> tuple[float, float]:
    """Return how well a model predicts the held-out sentences' words with teacher forcing.

    -> the loss in nats per word, and the share of words predicted correctly, ends of sentences included.
    """
    source, target = number_pairs(corpus().held_out, trained.model)
    parameters, _, vocabulary, h, layers = trained.model
    with trained.put_in():
        shown = shift_right(target, vocabulary[SOS])
        logits = transformer(source, shown, parameters, h, layers, source_mask(source, trained.model))
    words = target != vocabulary[PAD]
    right = logits.argmax(axis=-1) == target
    return float(cross_entropy(logits, target, vocabulary[PAD])), float(right[words].mean())
