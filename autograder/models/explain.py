"""Every number of a translation: its value, the rule that made it, and the numbers that went in.

    numbers = numbers_of(model("translator"), "i love you very much")
    numbers.explain("d0.cw.0:0:2")  # how much head 0 looks at "you" before the first word is written

Names are those of the page *Every number explained*: array:row:column, see ``Numbers``.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from autograder.reference.layer_norm import feed_forward, layer_norm
from autograder.reference.masking import causal_mask, masked_softmax
from autograder.reference.multi_head import merge_heads, split_heads
from autograder.reference.position import positional_encoding
from autograder.reference.scaling import scaled_scores
from autograder.reference.shapes import Array
from autograder.reference.transformer import EOS, SOS, embed, layer_parameters

from .store import Trained

EPS = 1e-5
SUMS = {("e", "1"): "x a", ("e", "2"): "n1 f", ("d", "1"): "x a", ("d", "2"): "n1 ca", ("d", "3"): "n2 f"}


class Term(NamedTuple):
    """One summand, or one key of a softmax: the nodes whose values were multiplied, and their product."""

    nodes: tuple[str, ...]
    value: float


class Explained(NamedTuple):
    """A number and how it was made.

    ``rule`` is "sum" (of the terms, divided by ``divisor``), "neuron" (a sum, or 0 if it is negative), "softmax" (of
    the term ``own`` among the terms), "norm" (number, mean, spread, γ, β), "mean", "spread", "wave" or "learned".
    """

    node: str
    value: float
    rule: str
    terms: list[Term]
    divisor: float = 1.0
    own: int = 0


class Numbers:
    """All numbers of one translation by a model with one layer, each by its name.

    e.x word vectors of the source, e.q.0 e.k.0 e.v.0 queries, keys and values of head 0, e.s.0 scores, e.w.0 weights,
    e.o.0 what the head finds, e.a attention's answer, e.r1 e.m1 e.d1 e.n1 the sum with the residual connection, its
    mean and spread and the norm, e.h neurons, e.f the feed-forward network, e.r2 … e.n2; d0.x … the same of the decoder
    when it writes word 0, with d0.cq.0 … d0.ca for cross-attention, and d0.l d0.p logits and probabilities; pos the
    positional encoding; L.encoder.0.w_q a learned matrix.
    """

    def __init__(self, trained: Trained, sentence: str):
        self.model, self.arrays = trained.model, {}
        if trained.model.layers != 1:
            raise ValueError(f"expected a model with one layer, got {trained.model.layers}: nodes name no layer")
        p = {name: np.asarray(value) for name, value in trained.model.parameters.items()}
        self.arrays |= {f"L.{name}": value if value.ndim == 2 else value[None] for name, value in p.items()}
        self.source = [trained.model.source_vocabulary[word] for word in sentence.split()]
        self.arrays["pos"] = positional_encoding(64, p["source_embedding"].shape[1])
        memory = self._encode(p)
        words, self.tokens = list(trained.model.target_vocabulary), [trained.model.target_vocabulary[SOS]]
        while len(self.tokens) < 13 and words[self.tokens[-1]] != EOS:
            self.tokens.append(self._decode(len(self.tokens) - 1, p, memory))

    def _encode(self, p: dict) -> Float[np.ndarray, "S d_model"]:
        """Compute and keep the encoder's numbers."""
        own = layer_parameters(p, "encoder.0.")
        x = self._keep("e.x", embed(np.array(self.source), p["source_embedding"]))
        n1 = self._norm("e", 1, x, self._attend("e.", x, x, own, "", None), own)
        return self._norm("e", 2, n1, self._think("e", n1, own), own)

    def _decode(self, turn: int, p: dict, memory: Float[np.ndarray, "S d_model"]) -> int:
        """Compute and keep the decoder's numbers when it writes a word, and return the word."""
        own, d = layer_parameters(p, "decoder.0."), f"d{turn}"
        x = self._keep(f"{d}.x", embed(np.array(self.tokens), p["target_embedding"]))
        n1 = self._norm(d, 1, x, self._attend(f"{d}.", x, x, own, "", causal_mask(turn + 1)), own)
        n2 = self._norm(d, 2, n1, self._attend(f"{d}.c", n1, memory, own, "cross_", None), own)
        n3 = self._norm(d, 3, n2, self._think(d, n2, own), own)
        logits = self._keep(f"{d}.l", n3 @ p["w_out"] + p["b_out"])
        self._keep(f"{d}.p", masked_softmax(logits, np.ones_like(logits, dtype=bool)))
        return int(logits[-1].argmax())

    def _keep(self, name: str, array: Float[np.ndarray, "rows columns"]) -> Float[np.ndarray, "rows columns"]:
        """Keep an array under its name, and return it."""
        self.arrays[name] = array
        return array

    def _attend(
        self, name: str, x: Array, memory: Array, own: dict, prefix: str, mask: Array | None
    ) -> Float[np.ndarray, "rows d_model"]:
        """Keep each step of each head, and return what attention adds."""
        query, key, value = (
            split_heads(rows @ own[f"{prefix}w_{letter}"], self.model.h)
            for rows, letter in ((x, "q"), (memory, "k"), (memory, "v"))
        )
        scores = scaled_scores(query, key)
        weights = masked_softmax(scores, np.ones(scores.shape[-2:], dtype=bool) if mask is None else mask)
        for letter, parts in zip("qkvswo", (query, key, value, scores, weights, weights @ value), strict=True):
            for head, part in enumerate(parts):
                self._keep(f"{name}{letter}.{head}", part)
        return self._keep(f"{name}a", merge_heads(weights @ value) @ own[f"{prefix}w_o"])

    def _norm(self, side: str, n: int, x: Array, found: Array, own: dict) -> Float[np.ndarray, "rows d_model"]:
        """Keep the sum with the residual connection and its norm, and return the norm."""
        total = self._keep(f"{side}.r{n}", x + found)
        self._keep(f"{side}.m{n}", total.mean(axis=-1, keepdims=True))
        self._keep(f"{side}.d{n}", np.sqrt(total.var(axis=-1, keepdims=True) + EPS))
        return self._keep(f"{side}.n{n}", layer_norm(total, own[f"gamma{n}"], own[f"beta{n}"]))

    def _think(self, side: str, x: Array, own: dict) -> Float[np.ndarray, "rows d_model"]:
        """Keep the neurons, and return what the feed-forward network adds."""
        self._keep(f"{side}.h", np.maximum(0, x @ own["w1"] + own["b1"]))
        return self._keep(f"{side}.f", feed_forward(x, own["w1"], own["b1"], own["w2"], own["b2"]))

    def value(self, node: str) -> float:
        """Return a number by its name. Errors: KeyError for a name that this translation does not have."""
        try:
            array, row, column = node.split(":")
            return float(self.arrays[array][int(row), int(column)])
        except (ValueError, KeyError, IndexError) as error:
            raise KeyError(
                f"expected array:row:column such as d0.cw.0:0:2, got {node!r}: this translation has "
                f"{len(self.source)} words and writes {len(self.tokens) - 1}"
            ) from error

    def nodes(self) -> Iterator[str]:
        """Yield the name of every number of this translation, learned ones included."""
        for name, array in self.arrays.items():
            yield from (f"{name}:{row}:{column}" for row, column in np.ndindex(array.shape))

    def explain(self, node: str) -> Explained:
        """Return how a number was made. Errors: KeyError for a name that this translation does not have."""
        value = self.value(node)
        array, row, column = node.split(":")
        if array == "pos" or array.startswith("L."):
            return Explained(node, value, "wave" if array == "pos" else "learned", [])
        return self._rule(node, value, array, int(row), int(column))

    def _rule(self, node: str, value: float, array: str, row: int, column: int) -> Explained:
        """Explain a number that was computed."""
        side, key, *head = array.split(".")
        layer = "encoder.0." if side == "e" else "decoder.0."
        across = key[0] == "c"
        letter, c, cross = (key[1:], f"{side}.c", "cross_") if across else (key, f"{side}.", "")
        keys = "e.n2" if across else f"{side}.x"
        width = self.arrays[f"{side}.q.0"].shape[1]
        d_model = self.arrays[f"{side}.x"].shape[1]
        if letter in ("p", "w"):
            scores = f"{side}.l" if letter == "p" else f"{c}s.{head[0]}"
            seen = row + 1 if letter == "w" and side != "e" and not across else self.arrays[scores].shape[1]
            parts = [self.value(f"{scores}:{row}:{j}") for j in range(seen)]
            terms = [Term((f"{scores}:{row}:{j}",), float(np.exp(s - max(parts)))) for j, s in enumerate(parts)]
            return Explained(node, value, "softmax", terms, own=column)
        if letter == "s":
            products = [(f"{c}q.{head[0]}:{row}:{i}", f"{c}k.{head[0]}:{column}:{i}") for i in range(width)]
            return Explained(node, value, "sum", self._products(products), divisor=float(np.sqrt(width)))
        if letter == "o":
            count = self.arrays[f"{c}v.{head[0]}"].shape[0]
            products = [(f"{c}w.{head[0]}:{row}:{j}", f"{c}v.{head[0]}:{j}:{column}") for j in range(count)]
            return Explained(node, value, "sum", self._products(products))
        if letter in ("q", "k", "v"):
            rows = (f"{side}.n1" if across else f"{side}.x") if letter == "q" else keys
            at = int(head[0]) * width + column
            products = [(f"{rows}:{row}:{i}", f"L.{layer}{cross}w_{letter}:{i}:{at}") for i in range(d_model)]
            return Explained(node, value, "sum", self._products(products))
        if letter == "a":
            pieces = (f"{c}o.{i // width}:{row}:{i % width}" for i in range(d_model))
            products = [(piece, f"L.{layer}{cross}w_o:{i}:{column}") for i, piece in enumerate(pieces)]
            return Explained(node, value, "sum", self._products(products))
        if key[0] in "rnmd":
            return self._norm_rule(node, value, side, key, row, column)
        if key == "x":
            token, table = (self.source, "source_embedding") if side == "e" else (self.tokens, "target_embedding")
            vector, wave = f"L.{table}:{token[row]}:{column}", f"pos:{row}:{column}"
            scaled = Term((vector,), float(np.sqrt(d_model)) * self.value(vector))
            return Explained(node, value, "sum", [scaled, Term((wave,), self.value(wave))])
        rows, matrix, bias, rule = {
            "h": (f"{side}.{'n1' if side == 'e' else 'n2'}", f"{layer}w1", f"{layer}b1", "neuron"),
            "f": (f"{side}.h", f"{layer}w2", f"{layer}b2", "sum"),
            "l": (f"{side}.n3", "w_out", "b_out", "sum"),
        }[key]
        count = self.arrays[f"L.{matrix}"].shape[0]
        products = [(f"{rows}:{row}:{i}", f"L.{matrix}:{i}:{column}") for i in range(count)]
        return Explained(node, value, rule, self._products([*products, (f"L.{bias}:0:{column}",)]))

    def _norm_rule(self, node: str, value: float, side: str, key: str, row: int, column: int) -> Explained:
        """Explain a sum with the residual connection, its mean, its spread, or its norm."""
        n, d_model = key[1], self.arrays[f"{side}.x"].shape[1]
        if key[0] == "r":
            return Explained(
                node,
                value,
                "sum",
                self._products([(f"{side}.{part}:{row}:{column}",) for part in SUMS[side[0], n].split()]),
            )
        if key[0] == "n":
            layer = "encoder.0." if side == "e" else "decoder.0."
            places = [f"{side}.r{n}:{row}:{column}", f"{side}.m{n}:{row}:0", f"{side}.d{n}:{row}:0"]
            places += [f"L.{layer}gamma{n}:0:{column}", f"L.{layer}beta{n}:0:{column}"]
            return Explained(node, value, "norm", self._products([(place,) for place in places]))
        row_of = [f"{side}.r{n}:{row}:{i}" for i in range(d_model)]
        if key[0] == "m":
            return Explained(node, value, "mean", self._products([(one,) for one in row_of]))
        middle = self.value(f"{side}.m{n}:{row}:0")
        return Explained(node, value, "spread", [Term((one,), (self.value(one) - middle) ** 2) for one in row_of])

    def _products(self, products: Iterable[tuple[str, ...]]) -> list[Term]:
        """Multiply the values of nodes."""
        return [Term(nodes, float(np.prod([self.value(node) for node in nodes]))) for nodes in products]


def numbers_of(trained: Trained, sentence: str) -> Numbers:
    """Return all numbers of a model's translation of a sentence.

    Errors: KeyError for a word that the model does not know; ValueError for a model with more than one layer.
    """
    return Numbers(trained, sentence)


def recompute(explained: Explained) -> float | None:
    """Return a number once more, from its operands alone; None for what was learned and for positions."""
    total = sum(term.value for term in explained.terms)
    match explained.rule:
        case "sum":
            return total / explained.divisor
        case "neuron":
            return max(0.0, total)
        case "softmax":
            hidden = explained.own >= len(explained.terms)
            return 0.0 if hidden else explained.terms[explained.own].value / total
        case "mean":
            return total / len(explained.terms)
        case "spread":
            return float(np.sqrt(total / len(explained.terms) + EPS))
        case "norm":
            number, mean, spread, gamma, beta = (term.value for term in explained.terms)
            return gamma * (number - mean) / spread + beta
    return None
