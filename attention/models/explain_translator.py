"""Every number of a translation: its value, the rule that made it, and the numbers that went in.

    numbers = numbers_of(shipped_translator(), "i love you very much")
    numbers.explain("d0.cw.0:0:2")  # how much head 0 looks at "you" before the first word is written

    numbers_of(shipped_translator(), "i love you very much", without="cross.0.3")  # the same without that head

Names are those of the page *Every number explained*: array:row:column, see ``Numbers``.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import numpy as np

from attention.chapters.masking import causal_mask, masked_softmax
from attention.chapters.transformer import EOS, SOS, embed

from .graph import Rows, entry
from .layer_graph import LayerGraph
from .made import Rule
from .silenced import W_O
from .store import Trained

SWITCHES = ("scaling", "positions", "residual", "norm", "mask")  # and heads: parts that can be switched off
ADDED = {"a": "self-attention", "ca": "cross-attention", "f": "feed-forward"}  # to what came in


class Numbers(LayerGraph):
    """All numbers of one translation by a model with one layer, each by its name.

    e.x word vectors of the source, e.q.0 e.k.0 e.v.0 queries, keys and values of head 0, e.s.0 scores, e.w.0 weights,
    e.o.0 what the head finds, e.a attention's answer, e.r1 e.m1 e.d1 e.n1 the sum with the residual connection, its
    mean and spread and the norm, e.h neurons, e.f the feed-forward network, e.r2 … e.n2; d0.x … the same of the decoder
    when it writes word 0, with d0.cq.0 … d0.ca for cross-attention, and d0.l d0.p logits and probabilities; pos the
    positional encoding; L.encoder.0.w_q a learned matrix.

    ``source`` and ``tokens`` are the numbers of the words read, and of those that the decoder has been shown and has
    written, SOS first.
    """

    example = "d0.cw.0:0:2"

    def __init__(self, trained: Trained, sentence: str, said: Sequence[int | str] | None, without: str | None):
        self.model, vocabulary = trained.model, trained.model.target_vocabulary
        if self.model.layers != 1:
            raise ValueError(f"expected a model with one layer, got {self.model.layers}: nodes name no layer")
        if without not in (None, *(parts := parts_of(trained))):
            raise ValueError(
                f"expected a part that can be switched off, got {without!r}: choose from {', '.join(parts)}"
            )
        super().__init__(self.model.parameters, self.model.h, without)
        self.source_words, self.target_words = sentence.split(), list(vocabulary)
        self.source, self.tokens = tokens_of(self.source_words, self.model.source_vocabulary), [vocabulary[SOS]]
        self.keep_positions(self.parameters["source_embedding"].shape[1])
        self._encode()
        if said is None:
            while len(self.tokens) <= trained.longest and self.tokens[-1] != vocabulary[EOS]:
                self.tokens.append(self._decode(len(self.tokens) - 1))
        else:
            for turn, token in enumerate(tokens_of(said, vocabulary)):
                self._decode(turn)
                self.tokens.append(token)

    def size(self) -> str:
        """Say how large this run is, for messages."""
        return f"this translation has {len(self.source)} words and writes {len(self.tokens) - 1}"

    def words(self, array: str) -> list[str]:
        """Return the words whose rows an array has: the sentence's, or those that the decoder is shown."""
        if array.startswith("e."):
            return self.source_words
        shown = self.tokens[: len(self.arrays[array])]
        return [self.target_words[token] for token in shown]

    def _encode(self) -> None:
        """Compute and keep the encoder's numbers."""
        layer = "encoder.0."
        self._embed("e.x", self.source, "source_embedding")
        self.keep_attention("e.", "e.x", "e.x", layer, None)
        self._add_and_norm("e", "1", "e.x", "e.a", layer)
        self.keep_feed_forward("e", "e.n1", layer)
        self._add_and_norm("e", "2", "e.n1", "e.f", layer)

    def _decode(self, turn: int) -> int:
        """Compute and keep the decoder's numbers when it writes a word, and return the word."""
        d, layer = f"d{turn}", "decoder.0."
        mask = None if self.without == "mask" else causal_mask(turn + 1)
        self._embed(f"{d}.x", self.tokens.copy(), "target_embedding")
        self.keep_attention(f"{d}.", f"{d}.x", f"{d}.x", layer, mask)
        self._add_and_norm(d, "1", f"{d}.x", f"{d}.a", layer)
        self.keep_attention(f"{d}.c", f"{d}.n1", "e.n2", f"{layer}cross_", None)
        self._add_and_norm(d, "2", f"{d}.n1", f"{d}.ca", layer)
        self.keep_feed_forward(d, f"{d}.n2", layer)
        rows = self._add_and_norm(d, "3", f"{d}.n2", f"{d}.f", layer)
        w_out = self.parameters["w_out"]
        rule = self.votes(f"{d}.n3", w_out, entry("w_out"), "b_out")
        logits = self.keep(f"{d}.l", rows @ w_out + self.parameters["b_out"], rule)
        probabilities = masked_softmax(logits, np.ones_like(logits, dtype=bool))
        self.keep(f"{d}.p", probabilities, Rule(self.softmax(f"{d}.l", self.target_words)))
        return int(logits[-1].argmax())

    def _embed(self, name: str, tokens: list[int], table: str) -> None:
        """Compute and keep word vectors with their positions."""
        vectors, has_position = self.parameters[table], self.without != "positions"
        width = vectors.shape[1]
        rows = embed(np.array(tokens), vectors) if has_position else np.sqrt(width) * vectors[tokens]
        self.keep(name, rows, self.embedded(tokens, table, width, has_position))

    def _add_and_norm(self, side: str, n: str, before: str, found: str, layer: str) -> Rows:
        """Keep the sum with the residual connection and its norm, and return the norm."""
        came = {} if self.without == "residual" else {before: "what came in"}
        parts = {**came, found: ADDED[found.partition(".")[2]]}
        self.keep(f"{side}.r{n}", sum(self.arrays[part] for part in parts), self.sum(parts))
        return self.keep_norm(side, n, f"{side}.r{n}", layer)


def parts_of(trained: Trained) -> list[str]:
    """Return the parts of a model that can be switched off, by their names."""
    return [*SWITCHES, *(f"{attention}.0.{head}" for attention in W_O for head in range(trained.model.h))]


def tokens_of(words: Sequence[int | str], vocabulary: Mapping[str, int]) -> list[int]:
    """Look words up; a number is one already.

    Errors: KeyError for a word that the vocabulary does not have; ValueError for no word, or a sentence that is not
    split.
    """
    if isinstance(words, str) or not len(words):
        raise ValueError(f"expected words, at least one, got {words!r}: split the sentence first")
    for word in words:
        if isinstance(word, str) and word not in vocabulary:
            near = get_close_matches(word, vocabulary, n=3, cutoff=0)
            raise KeyError(f"expected words that the model knows, got {word!r}: the nearest are {', '.join(near)}")
    return [vocabulary[word] if isinstance(word, str) else int(word) for word in words]


def numbers_of(
    trained: Trained, sentence: str, said: Sequence[int | str] | None = None, without: str | None = None
) -> Numbers:
    """Return all numbers of a model's translation of a sentence.

    ``said`` are words, or their numbers, that the decoder is shown instead of those that it would choose itself; it
    writes as many. ``without`` is a part that is switched off: ``parts_of`` names them.
    Errors: KeyError for a word that the model does not know; ValueError for a sentence without words, a part that
    there is not, or a model with more than one layer.
    """
    return Numbers(trained, sentence, said, without)
