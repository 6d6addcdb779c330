"""The attention weights of every head of a trained model, for one sentence and its translation."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from attention.chapters import layer_norm
from attention.chapters.training import shift_right
from attention.chapters.transformer import EOS, SOS, transformer
from attention.chapters.translator import number_pairs

from .replaced import replaced
from .store import Trained


class Attention(NamedTuple):
    """The weights of every layer and head; rows sum to one, in the encoder's for each word of the source.

    In ``decoder`` and ``cross``, row t is where the decoder looks after being shown ``shown[: t + 1]`` when it
    writes ``target[t]``; in ``decoder`` the columns are ``shown``, in ``cross`` they are ``source``.
    """

    source: list[str]  # S words
    shown: list[str]  # T words, SOS first
    target: list[str]  # T words, EOS last
    encoder: Float[np.ndarray, "layers h S S"]
    decoder: Float[np.ndarray, "layers h T T"]
    cross: Float[np.ndarray, "layers h T S"]


def attention_of(trained: Trained, source: str, target: str | None = None) -> Attention:
    """Return a model's attention while it reads a sentence and writes ``target``, or its own translation.

    Errors: KeyError for a word that the model does not know; ValueError for an empty sentence.
    """
    target = trained.translations([source])[0] if target is None else target
    (numbers,), (wanted,) = number_pairs([(source, target)], trained.model)
    seen = []
    with trained.put_in():
        attend = layer_norm.multi_head_attention  # whichever is there

        def watched(*arguments: Any) -> tuple[np.ndarray, np.ndarray]:
            output, weights = attend(*arguments)
            seen.append(weights)
            return output, weights

        with replaced({attend: watched}):
            shown = shift_right(wanted, trained.model.target_vocabulary[SOS])
            transformer(numbers, shown, trained.model.parameters, trained.model.h, trained.model.layers)
    layers, words = trained.model.layers, [*target.split(), EOS]  # each decoder layer looks back, then across
    maps = (np.stack(part) for part in (seen[:layers], seen[layers::2], seen[layers + 1 :: 2]))
    return Attention(source.split(), [SOS, *words[:-1]], words, *maps)
