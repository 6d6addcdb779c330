"""Every number of a translation: its value, the rule that made it, and the numbers that went in.

    numbers = numbers_of(shipped_translator(), "i love you very much")
    numbers.explain("d0.cw.0:0:2")  # how much head 0 looks at "you" before the first word is written

Names are those of the page *Every number explained*: array:row:column, see ``Numbers``.
"""

import numpy as np

from attention.chapters.masking import causal_mask, masked_softmax
from attention.chapters.transformer import EOS, SOS, embed

from .graph import Graph, Rows, entry, in_row
from .store import Trained


class Numbers(Graph):
    """All numbers of one translation by a model with one layer, each by its name.

    e.x word vectors of the source, e.q.0 e.k.0 e.v.0 queries, keys and values of head 0, e.s.0 scores, e.w.0 weights,
    e.o.0 what the head finds, e.a attention's answer, e.r1 e.m1 e.d1 e.n1 the sum with the residual connection, its
    mean and spread and the norm, e.h neurons, e.f the feed-forward network, e.r2 … e.n2; d0.x … the same of the decoder
    when it writes word 0, with d0.cq.0 … d0.ca for cross-attention, and d0.l d0.p logits and probabilities; pos the
    positional encoding; L.encoder.0.w_q a learned matrix.
    """

    example = "d0.cw.0:0:2"

    def __init__(self, trained: Trained, sentence: str):
        self.model = trained.model
        if trained.model.layers != 1:
            raise ValueError(f"expected a model with one layer, got {trained.model.layers}: nodes name no layer")
        super().__init__(trained.model.parameters)
        self.source = [trained.model.source_vocabulary[word] for word in sentence.split()]
        self.keep_positions(self.parameters["source_embedding"].shape[1])
        self._encode()
        words, self.tokens = list(trained.model.target_vocabulary), [trained.model.target_vocabulary[SOS]]
        while len(self.tokens) < 13 and words[self.tokens[-1]] != EOS:
            self.tokens.append(self._decode(len(self.tokens) - 1))

    def size(self) -> str:
        """Say how large this run is, for messages."""
        return f"this translation has {len(self.source)} words and writes {len(self.tokens) - 1}"

    def _encode(self) -> None:
        """Compute and keep the encoder's numbers."""
        layer, h = "encoder.0.", self.model.h
        self._embed("e.x", self.source, "source_embedding")
        self.keep_attention("e.", "e.x", "e.x", layer, h, None)
        self._add_and_norm("e", "1", "e.x", "e.a", layer)
        self.keep_feed_forward("e", "e.n1", layer)
        self._add_and_norm("e", "2", "e.n1", "e.f", layer)

    def _decode(self, turn: int) -> int:
        """Compute and keep the decoder's numbers when it writes a word, and return the word."""
        d, layer, h = f"d{turn}", "decoder.0.", self.model.h
        self._embed(f"{d}.x", self.tokens.copy(), "target_embedding")
        self.keep_attention(f"{d}.", f"{d}.x", f"{d}.x", layer, h, causal_mask(turn + 1))
        self._add_and_norm(d, "1", f"{d}.x", f"{d}.a", layer)
        self.keep_attention(f"{d}.c", f"{d}.n1", "e.n2", f"{layer}cross_", h, None)
        self._add_and_norm(d, "2", f"{d}.n1", f"{d}.ca", layer)
        self.keep_feed_forward(d, f"{d}.n2", layer)
        rows = self._add_and_norm(d, "3", f"{d}.n2", f"{d}.f", layer)
        made = self.product(in_row(f"{d}.n3"), entry("w_out"), rows.shape[1], "b_out")
        logits = self.keep(f"{d}.l", rows @ self.parameters["w_out"] + self.parameters["b_out"], made)
        self.keep(f"{d}.p", masked_softmax(logits, np.ones_like(logits, dtype=bool)), self.softmax(f"{d}.l"))
        return int(logits[-1].argmax())

    def _embed(self, name: str, tokens: list[int], table: str) -> None:
        """Compute and keep word vectors with their positions."""
        vectors = self.parameters[table]
        self.keep(name, embed(np.array(tokens), vectors), self.embedded(tokens, table, vectors.shape[1], position=True))

    def _add_and_norm(self, side: str, n: str, before: str, found: str, layer: str) -> Rows:
        """Keep the sum with the residual connection and its norm, and return the norm."""
        self.keep(f"{side}.r{n}", self.arrays[before] + self.arrays[found], self.sum(before, found))
        return self.keep_norm(side, n, f"{side}.r{n}", layer)


def numbers_of(trained: Trained, sentence: str) -> Numbers:
    """Return all numbers of a model's translation of a sentence.

    Errors: KeyError for a word that the model does not know; ValueError for a model with more than one layer.
    """
    return Numbers(trained, sentence)
