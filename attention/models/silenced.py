"""Switches single heads off, and counts the translations that this costs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from attention.chapters.corpus import Pair
from attention.chapters.translator import SETTINGS, greedy_translations

from .store import Trained, corpus

W_O = {"encoder": "encoder.{}.w_o", "decoder": "decoder.{}.w_o", "cross": "decoder.{}.cross_w_o"}  # of each layer


class Silence(NamedTuple):
    """One head that is switched off: where it is, and the held-out sentences whose translation is then wrong.

    ``broken`` holds (source, wanted, said) only for those that are right with all heads.
    """

    attention: str  # a key of W_O
    layer: int
    head: int
    right: int  # held-out sentences that are still translated exactly
    broken: list[tuple[str, str, str]]


def with_silent_head(trained: Trained, attention: str, layer: int, head: int) -> Trained:
    """Return a model in which one head's columns of the concatenation are 0.

    They are multiplied only by the head's own rows of w_o, so these are set to 0.
    Errors: KeyError for an attention that is not in W_O; ValueError for a layer or head that does not exist.
    """
    name, h = W_O[attention].format(layer), trained.model.h
    if not (0 <= layer < trained.model.layers and 0 <= head < h):
        raise ValueError(
            f"expected a layer below {trained.model.layers} and a head below {h}, got {layer} and {head}: count from 0"
        )
    w_o = np.array(trained.model.parameters[name])
    d_v = len(w_o) // h
    w_o[head * d_v : (head + 1) * d_v] = 0
    return trained._replace(model=trained.model._replace(parameters={**trained.model.parameters, name: w_o}))


def silence_each(trained: Trained) -> list[Silence]:
    """Switch off every head of every attention in turn, and translate all held-out sentences each time."""
    pairs = corpus().held_out
    usual = _translated(trained, pairs)
    found = []
    for attention in W_O:
        for layer in range(trained.model.layers):
            for head in range(trained.model.h):
                said = _translated(with_silent_head(trained, attention, layer, head), pairs)
                every = list(zip(pairs, said, usual, strict=True))
                broken = [(*pair, now) for pair, now, before in every if before == pair[1] != now]
                right = sum(now == pair[1] for pair, now, _ in every)
                found.append(Silence(attention, layer, head, right, broken))
    return found


def _translated(trained: Trained, pairs: Sequence[Pair]) -> list[str]:
    """Translate the sources of pairs, in batches of an efficient size."""
    with trained.put_in():
        return greedy_translations([source for source, _ in pairs], trained.model, SETTINGS.longest)
