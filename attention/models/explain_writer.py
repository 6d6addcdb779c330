"""Every number of the writer, our small GPT: its value, the rule that made it, and the numbers that went in.

numbers = numbers_of_writer("la ragazza")
numbers.explain("g1.w.0:2:1")  # how much head 0 of the second layer looks at "la" from "ragazza"
numbers_of_own_text("FILE.gpt.json", "how it begins")  # the same of a model that own_text has trained
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from attention.chapters.gpt import encode_bpe
from attention.chapters.masking import causal_mask, masked_softmax
from attention.chapters.transformer import SOS, Model

from .layer_graph import LayerGraph
from .made import Rule
from .own_text import START
from .quantised import unpacked
from .writer import writer


class WriterNumbers(LayerGraph):
    """All numbers that a decoder-only model computes of a text, the start included, each by its name.

    g.x word vectors, SOS first; g0.m1 g0.d1 g0.n1 mean, spread and norm of what comes into the first layer, g0.uq.0
    g0.uk.0 its queries and keys in head 0, g0.q.0 g0.k.0 the same rotated, g0.v.0 values, g0.s.0 scores, g0.w.0
    weights, g0.o.0 what the head finds, g0.a attention's answer, g0.r1 the sum with the residual connection, g0.n2 its
    norm, g0.h neurons, g0.f the feed-forward network, g0.r2 the sum that leaves the layer; g1.… the second layer; g.n
    the last norm, g.l g.p logits and probabilities of the next word; pos sines and cosines of the angles.
    """

    example = "g1.w.0:0:0"

    def __init__(self, model: Model, words: Sequence[str]):
        super().__init__(model.parameters, model.h)
        vocabulary, table = model.target_vocabulary, self.parameters["embedding"]
        self.text = [*words]
        self.tokens = [vocabulary[word] for word in self.text]
        width, mask = table.shape[1], causal_mask(len(self.tokens))
        self.keep_positions(width // model.h)
        last, made = "g.x", self.embedded(self.tokens, "embedding", width, position=False)
        self.keep(last, np.sqrt(width) * table[self.tokens], made)
        for i in range(model.layers):
            side, layer = f"g{i}", f"layer.{i}."
            self.keep_norm(side, "1", last, layer)
            self.keep_attention(f"{side}.", f"{side}.n1", f"{side}.n1", layer, mask, rotated=True)
            self._add(f"{side}.r1", last, f"{side}.a", "self-attention")
            self.keep_norm(side, "2", f"{side}.r1", layer)
            self.keep_feed_forward(side, f"{side}.n2", layer)
            self._add(last := f"{side}.r2", f"{side}.r1", f"{side}.f", "feed-forward")
        rows = self.keep_norm("g", "", last, "")
        votes = self.votes("g.n", table.T, lambda c, word: f"L.embedding:{word}:{c}")
        logits = self.keep("g.l", rows @ table.T, votes)
        shares = masked_softmax(logits, np.ones_like(logits, dtype=bool))
        self.keep("g.p", shares, Rule(self.softmax("g.l", list(vocabulary))))

    def size(self) -> str:
        """Say how large this run is, for messages."""
        return f"this text has {len(self.tokens)} rows, the start included"

    def words(self, array: str) -> list[str]:
        """Return the words whose rows an array has: the text's."""
        return self.text

    def _add(self, name: str, before: str, found: str, label: str) -> None:
        """Keep a sum with the residual connection."""
        self.keep(name, self.arrays[before] + self.arrays[found], self.sum({before: "what came in", found: label}))


def numbers_of_writer(text: str) -> WriterNumbers:
    """Return all numbers that the writer computes of a text. Errors: KeyError for a word that it does not know."""
    return WriterNumbers(writer(), [SOS, *text.split()])


def numbers_of_own_text(file: Path | str, text: str) -> WriterNumbers:
    """Return all numbers that a model of ``own_text`` computes of a text.

    Errors: KeyError for a letter that was not in the text that it has read.
    """
    content = json.loads(Path(file).read_text(encoding="utf-8"))
    model = unpacked({**content, "source": content["tokens"], "target": content["tokens"]})
    symbols = encode_bpe(text, [(first, second) for first, second in content["merges"]])
    return WriterNumbers(model, [START, *symbols])
