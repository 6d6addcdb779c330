"""The parts of a layer in a graph of numbers: attention, the feed-forward network and the norm, each with its steps."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from attention.chapters.layer_norm import feed_forward, layer_norm
from attention.chapters.masking import masked_softmax
from attention.chapters.multi_head import merge_heads, split_heads
from attention.chapters.position import rotary
from attention.chapters.scaling import scaled_scores
from attention.chapters.shapes import Array
from attention.chapters.transformer import layer_parameters

from .graph import EPS, Graph, Mask, Rows, entry, in_row
from .made import Direction, Factor, Made, Network, Rule, Term

OFF = Rule(lambda row, column: Made("off", []), along=lambda row, direction: Made("off", []))


class LayerGraph(Graph):
    """A graph of a model with ``h`` heads, and perhaps without a part: "scaling", "norm", or a head ("cross.0.2")."""

    def __init__(self, parameters: Mapping[str, Array], h: int, without: str | None = None):
        super().__init__(parameters)
        self.h, self.without = h, without

    def keep_attention(
        self, prefix: str, x: str, memory: str, layer: str, mask: Mask | None, rotated: bool = False
    ) -> Rows:
        """Keep each step of each head, and return attention's answer.

        Queries come from the array ``x``, keys and values from ``memory``.
        """
        query = self._keep_projected(prefix, "q", x, layer, rotated)
        key = self._keep_projected(prefix, "k", memory, layer, rotated)
        value = self._keep_projected(prefix, "v", memory, layer)
        scaled = self.without != "scaling"
        scores = scaled_scores(query, key) if scaled else query @ np.swapaxes(key, -1, -2)
        weights = masked_softmax(scores, np.ones(scores.shape[-2:], dtype=bool) if mask is None else mask)
        found = weights @ value
        for i in range(self.h):
            q, k, s, w, o = (f"{prefix}{letter}.{i}" for letter in "qkswo")
            self.keep(s, scores[i], self.scores(q, k, float(np.sqrt(query.shape[-1])) if scaled else 1.0))
            self.keep(w, weights[i], Rule(self.softmax(s, self.words(memory), mask)))
            rule = self._mixture(prefix, i, memory, layer)
            if head_name(layer, i) == self.without:
                found[i], rule = 0, OFF
            self.keep(o, found[i], rule)
        return self._keep_merged(prefix, found, layer)

    def _keep_projected(
        self, prefix: str, letter: str, rows: str, layer: str, rotated: bool = False
    ) -> Float[np.ndarray, "h rows d_k"]:
        """Keep the queries, keys or values of all heads; where they are rotated, from before, too."""
        parts = split_heads(self.arrays[rows] @ self.parameters[f"{layer}w_{letter}"], self.h)
        turned, d_k = rotary(parts, np.arange(parts.shape[-2])) if rotated else parts, parts.shape[-1]
        for i in range(self.h):
            name, before = f"{prefix}{letter}.{i}", f"{prefix}u{letter}.{i}"
            rule = self.projection(rows, f"{layer}w_{letter}", slice(i * d_k, (i + 1) * d_k))
            if rotated:
                self.keep(before, parts[i], rule)
            self.keep(name, turned[i], self.rotation(before) if rotated else rule)
        return turned

    def _mixture(self, prefix: str, head: int, memory: str, layer: str) -> Rule:
        """Add up the rows of a head's values, each times its weight.

        Along a direction, what a word offers is asked of its row in ``memory``: the matrix is in the direction.
        """
        weights, values, words = f"{prefix}w.{head}", f"{prefix}v.{head}", self.words(memory)
        w_v = np.split(self.parameters[f"{layer}w_v"], self.h, axis=1)[head]  # (d_model, d_v)

        def mixed(row: int, offers: Iterable[str | Factor]) -> Made:
            parts = enumerate(zip(words, offers, strict=True))
            return Made("sum", [self.term(word, f"{weights}:{row}:{j}", offer, at=j) for j, (word, offer) in parts])

        return Rule(
            lambda row, column: mixed(row, (f"{values}:{j}:{column}" for j in range(len(words)))),
            lambda row, direction: mixed(row, (self.along(memory, j, w_v @ direction) for j in range(len(words)))),
        )

    def _keep_merged(self, prefix: str, found: Float[np.ndarray, "h rows d_v"], layer: str) -> Rows:
        """Keep what all heads found, through w_o."""
        w_o, d_v = self.parameters[f"{layer}w_o"], found.shape[-1]

        def piece(row: int, c: int) -> str:
            return f"{prefix}o.{c // d_v}:{row}:{c % d_v}"

        def along(row: int, direction: Direction) -> Made:
            asked = enumerate(np.split(w_o @ direction, self.h))
            terms = (self.term(f"head {i}", self.along(f"{prefix}o.{i}", row, part), at=i) for i, part in asked)
            return Made("sum", list(terms))

        rule = Rule(self.product(piece, entry(f"{layer}w_o"), len(w_o)), along)
        return self.keep(f"{prefix}a", merge_heads(found) @ w_o, rule)

    def keep_feed_forward(self, side: str, x: str, layer: str) -> Rows:
        """Keep the neurons, and return what the feed-forward network adds."""
        own, rows, neurons = layer_parameters(self.parameters, layer), self.arrays[x], f"{side}.h"
        (d_model, d_ff), before = own["w1"].shape, rows @ own["w1"] + own["b1"]

        def woken(row: int, direction: Direction) -> Made:
            """Of a row of neurons, one is asked."""
            neuron = int(direction.argmax())
            came = self.along(x, row, own["w1"][:, neuron])
            return Made("neuron", [self.term("the row", came), self.term("bias", f"L.{layer}b1:0:{neuron}")])

        def said(row: int, direction: Direction) -> Made:
            says = enumerate(own["w2"] @ direction)
            terms = self.numbered((f"{neurons}:{row}:{c}", Factor("", float(value))) for c, value in says)
            return Made("sum", [*terms, self.term("bias", self.along(f"L.{layer}b2", 0, direction))])

        def network(row: int, direction: Direction) -> Network:
            return Network(x, before[row], own["w2"] @ direction, own["w1"])

        number = self.product(in_row(x), entry(f"{layer}w1"), d_model, f"{layer}b1", "neuron")
        self.keep(neurons, np.maximum(0, before), Rule(number, woken))
        self.networks[f"{side}.f"] = network
        rule = Rule(self.product(in_row(neurons), entry(f"{layer}w2"), d_ff, f"{layer}b2"), said)
        return self.keep(f"{side}.f", feed_forward(rows, own["w1"], own["b1"], own["w2"], own["b2"]), rule)

    def keep_norm(self, side: str, n: str, x: str, layer: str) -> Rows:
        """Keep the mean and the spread of each row of an array, and return its norm ``n``."""
        gamma, beta, rows = f"{layer}gamma{n}", f"{layer}beta{n}", self.arrays[x]
        mean, spread, output = f"{side}.m{n}", f"{side}.d{n}", f"{side}.n{n}"

        def row_of(row: int) -> list[Term]:
            return self.numbered((f"{x}:{row}:{c}",) for c in range(rows.shape[1]))

        def squared(row: int, column: int) -> Made:
            middle = self.value(f"{mean}:{row}:0")
            return Made("spread", [replace(one, value=(one.value - middle) ** 2) for one in row_of(row)])

        def number(row: int, column: int) -> Made:
            places = {"the sum": f"{x}:{row}:{column}", "mean": f"{mean}:{row}:0", "spread": f"{spread}:{row}:0"}
            learned = {"γ": f"L.{gamma}:0:{column}", "β": f"L.{beta}:0:{column}"}
            return Made("norm", [self.term(label, node) for label, node in (places | learned).items()])

        def along(row: int, direction: Direction) -> Made:
            """Ask the parts of the sum that the norm received, each divided by the spread."""
            stretched = self.parameters[gamma] * direction
            centred = stretched - stretched.mean()  # what takes the mean out of the direction takes it out of the row
            over = Factor(f"{spread}:{row}:0", 1 / self.value(f"{spread}:{row}:0"), divides=True)
            parts = self.rules[x].along(row, centred).terms
            terms = [self.term(part.label, *part.factors, over, at=part.at) for part in parts]
            return Made("sum", [*terms, self.term("β", self.along(f"L.{beta}", 0, direction))])

        self.keep(mean, rows.mean(axis=-1, keepdims=True), Rule(lambda row, column: Made("mean", row_of(row))))
        self.keep(spread, np.sqrt(rows.var(axis=-1, keepdims=True) + EPS), Rule(squared))
        if self.without == "norm":
            return self.keep(output, rows, Rule(self.sum({x: "the sum"}).number, self.rules[x].along))
        return self.keep(output, layer_norm(rows, self.parameters[gamma], self.parameters[beta]), Rule(number, along))


def head_name(layer: str, head: int) -> str:
    """Name a head as the page does: "encoder.0.2", and in the decoder's layer "decoder.0.2" or "cross.0.2"."""
    return re.sub(r"decoder\.(\d+)\.cross_", r"cross.\1.", layer) + str(head)
