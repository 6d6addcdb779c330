"""Every number of a model's run: its value, the rule that made it, and the numbers that went in.

A number's name is array:row:column. Which arrays a model has is said where they are made: ``explain``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from attention.chapters.layer_norm import feed_forward, layer_norm
from attention.chapters.masking import masked_softmax
from attention.chapters.multi_head import merge_heads, split_heads
from attention.chapters.position import positional_encoding, rotary
from attention.chapters.scaling import scaled_scores
from attention.chapters.shapes import Array
from attention.chapters.transformer import layer_parameters

EPS = 1e-5
Rows = Float[np.ndarray, "rows columns"]
Mask = Bool[np.ndarray, "rows columns"]  # True where a row sees


class Term(NamedTuple):
    """One summand, or one key of a softmax: the nodes whose values were multiplied, and their product."""

    nodes: tuple[str, ...]
    value: float


@dataclass(frozen=True)
class Made:
    """How a number was made.

    ``rule`` is "sum" (of the terms, divided by ``divisor``), "neuron" (a sum, or 0 if it is negative), "softmax" (of
    the term ``own`` among the terms), "norm" (number, mean, spread, γ, β), "mean", "spread", "wave" or "learned".
    """

    rule: str
    terms: list[Term]
    divisor: float = 1.0
    own: int = 0


@dataclass(frozen=True, kw_only=True)
class Explained(Made):
    """A number and how it was made."""

    node: str
    value: float


Rule = Callable[[int, int], Made]  # (row, column) of an array -> how that number was made
Naming = Callable[[int, int], str]  # (row, c) -> the node of what comes in; (c, column) -> of what multiplies it


def in_row(array: str) -> Naming:
    """Name the numbers of an array's row."""
    return lambda row, c: f"{array}:{row}:{c}"


def entry(matrix: str, first: int = 0) -> Naming:
    """Name the numbers of a learned matrix's column, counted from the column ``first``."""
    return lambda c, column: f"L.{matrix}:{c}:{first + column}"


class Graph:
    """The arrays of one run of a model, by their names, and the rule of each."""

    example: str  # the name of a number, for messages

    def __init__(self, parameters: Mapping[str, Array]):
        self.parameters = {name: np.asarray(value) for name, value in parameters.items()}
        self.arrays = {f"L.{name}": np.atleast_2d(value) for name, value in self.parameters.items()}
        self.rules: dict[str, Rule] = {name: lambda row, column: Made("learned", []) for name in self.arrays}

    def value(self, node: str) -> float:
        """Return a number by its name. Errors: KeyError for a name that this run does not have."""
        try:
            array, row, column = node.split(":")
            return float(self.arrays[array][int(row), int(column)])
        except (ValueError, KeyError, IndexError) as error:
            raise KeyError(f"expected array:row:column such as {self.example}, got {node!r}: {self.size()}") from error

    def size(self) -> str:
        """Say how large this run is, for messages."""
        raise NotImplementedError

    def nodes(self) -> Iterator[str]:
        """Yield the name of every number of this run, learned ones included."""
        for name, array in self.arrays.items():
            yield from (f"{name}:{row}:{column}" for row, column in np.ndindex(array.shape))

    def explain(self, node: str) -> Explained:
        """Return how a number was made. Errors: KeyError for a name that this run does not have."""
        value = self.value(node)
        array, row, column = node.split(":")
        return Explained(node=node, value=value, **vars(self.rules[array](int(row), int(column))))

    def keep(self, name: str, array: Rows, rule: Rule) -> Rows:
        """Keep an array under its name with the rule that made it, and return it."""
        self.arrays[name], self.rules[name] = array, rule
        return array

    def keep_positions(self, width: int) -> None:
        """Keep the positional encoding of 64 positions."""
        self.keep("pos", positional_encoding(64, width), lambda row, column: Made("wave", []))

    # --- rules ---

    def products(self, products: Iterable[tuple[str, ...]]) -> list[Term]:
        """Multiply the values of nodes."""
        return [Term(nodes, float(np.prod([self.value(node) for node in nodes]))) for nodes in products]

    def product(self, piece: Naming, weight: Naming, count: int, bias: str = "", rule: str = "sum") -> Rule:
        """Make each number of a matrix product, with the bias of its column if there is one."""

        def made(row: int, column: int) -> Made:
            products: list[tuple[str, ...]] = [(piece(row, c), weight(c, column)) for c in range(count)]
            return Made(rule, self.products([*products, (f"L.{bias}:0:{column}",)] if bias else products))

        return made

    def softmax(self, scores: str, mask: Mask | None = None) -> Rule:
        """Make each share of a row's softmax over what it may see; what is hidden comes last in a row."""

        def made(row: int, column: int) -> Made:
            seen = self.arrays[scores].shape[1] if mask is None else int(mask[row].sum())
            nodes = [f"{scores}:{row}:{j}" for j in range(seen)]
            values = [self.value(node) for node in nodes]
            terms = [Term((node,), float(np.exp(s - max(values)))) for node, s in zip(nodes, values, strict=True)]
            return Made("softmax", terms, own=column)

        return made

    def sum(self, *parts: str) -> Rule:
        """Add the numbers at one place of several arrays."""
        return lambda row, column: Made("sum", self.products((f"{part}:{row}:{column}",) for part in parts))

    def embedded(self, tokens: list[int], table: str, width: int, position: bool) -> Rule:
        """Scale a word's learned vector; add its position's if it has one."""

        def made(row: int, column: int) -> Made:
            vector, wave = f"L.{table}:{tokens[row]}:{column}", f"pos:{row}:{column}"
            scaled = Term((vector,), float(np.sqrt(width)) * self.value(vector))
            return Made("sum", [scaled, Term((wave,), self.value(wave))] if position else [scaled])

        return made

    def scores(self, query: str, key: str, width: int) -> Rule:
        """Multiply a row of the queries with one of the keys, and divide by the root of their width."""

        def made(row: int, column: int) -> Made:
            products = [(f"{query}:{row}:{c}", f"{key}:{column}:{c}") for c in range(width)]
            return Made("sum", self.products(products), divisor=float(np.sqrt(width)))

        return made

    def mixture(self, weights: str, values: str) -> Rule:
        """Add up the rows of the values, each times its weight."""

        def made(row: int, column: int) -> Made:
            count = self.arrays[values].shape[0]
            return Made("sum", self.products((f"{weights}:{row}:{j}", f"{values}:{j}:{column}") for j in range(count)))

        return made

    def rotation(self, before: str) -> Rule:
        """Rotate a pair of columns by its position's angle, whose sine and cosine the positional encoding has."""

        def made(row: int, column: int) -> Made:
            even = column - column % 2
            a, b = f"{before}:{row}:{even}", f"{before}:{row}:{even + 1}"
            sine, cosine = f"pos:{row}:{even}", f"pos:{row}:{even + 1}"
            if column % 2:
                return Made("sum", self.products([(a, sine), (b, cosine)]))
            ((_, kept), (_, lost)) = self.products([(a, cosine), (b, sine)])
            return Made("sum", [Term((a, cosine), kept), Term((b, sine), -lost)])

        return made

    # --- parts of a layer: each keeps its steps, and returns its output ---

    def keep_attention(
        self, prefix: str, x: str, memory: str, layer: str, h: int, mask: Mask | None, rotated: bool = False
    ) -> Rows:
        """Keep each step of each head: queries come from the array ``x``, keys and values from ``memory``."""
        own, d_model = layer_parameters(self.parameters, layer), self.arrays[x].shape[1]
        d_k = d_model // h

        def projected(letter: str, rows: str) -> Float[np.ndarray, "h rows d_k"]:
            """Keep the queries, keys or values of all heads; where they are rotated, from before, too."""
            parts = split_heads(self.arrays[rows] @ own[f"w_{letter}"], h)
            turned = rotary(parts, np.arange(parts.shape[-2])) if rotated and letter != "v" else parts
            for i in range(h):
                name, before = f"{prefix}{letter}.{i}", f"{prefix}u{letter}.{i}"
                rule = self.product(in_row(rows), entry(f"{layer}w_{letter}", i * d_k), d_model)
                if turned is not parts:
                    self.keep(before, parts[i], rule)
                self.keep(name, turned[i], rule if turned is parts else self.rotation(before))
            return turned

        query, key, value = projected("q", x), projected("k", memory), projected("v", memory)
        scores = scaled_scores(query, key)
        weights = masked_softmax(scores, np.ones(scores.shape[-2:], dtype=bool) if mask is None else mask)
        found = weights @ value
        for i in range(h):
            q, k, v, s, w, o = (f"{prefix}{letter}.{i}" for letter in "qkvswo")
            self.keep(s, scores[i], self.scores(q, k, d_k))
            self.keep(w, weights[i], self.softmax(s, mask))
            self.keep(o, found[i], self.mixture(w, v))

        def piece(row: int, c: int) -> str:
            return f"{prefix}o.{c // d_k}:{row}:{c % d_k}"

        return self.keep(
            f"{prefix}a", merge_heads(found) @ own["w_o"], self.product(piece, entry(f"{layer}w_o"), d_model)
        )

    def keep_feed_forward(self, side: str, x: str, layer: str) -> Rows:
        """Keep the neurons, and what the feed-forward network adds."""
        own, rows = layer_parameters(self.parameters, layer), self.arrays[x]
        d_model, d_ff = own["w1"].shape
        weights, last = entry(f"{layer}w1"), entry(f"{layer}w2")
        neurons = self.product(in_row(x), weights, d_model, f"{layer}b1", "neuron")
        self.keep(f"{side}.h", np.maximum(0, rows @ own["w1"] + own["b1"]), neurons)
        output = feed_forward(rows, own["w1"], own["b1"], own["w2"], own["b2"])
        return self.keep(f"{side}.f", output, self.product(in_row(f"{side}.h"), last, d_ff, f"{layer}b2"))

    def keep_norm(self, side: str, n: str, x: str, layer: str) -> Rows:
        """Keep the norm ``n`` of an array, with the mean and the spread of each row."""
        own, rows = layer_parameters(self.parameters, layer), self.arrays[x]
        mean, spread, columns = f"{side}.m{n}", f"{side}.d{n}", range(rows.shape[1])

        def spread_of(row: int, column: int) -> Made:
            middle, nodes = self.value(f"{mean}:{row}:0"), [f"{x}:{row}:{c}" for c in columns]
            return Made("spread", [Term((node,), (self.value(node) - middle) ** 2) for node in nodes])

        def norm(row: int, column: int) -> Made:
            places = (f"{x}:{row}:{column}", f"{mean}:{row}:0", f"{spread}:{row}:0")
            learned = (f"L.{layer}gamma{n}:0:{column}", f"L.{layer}beta{n}:0:{column}")
            return Made("norm", self.products((place,) for place in (*places, *learned)))

        self.keep(
            mean,
            rows.mean(axis=-1, keepdims=True),
            lambda row, _: Made("mean", self.products((f"{x}:{row}:{c}",) for c in columns)),
        )
        self.keep(spread, np.sqrt(rows.var(axis=-1, keepdims=True) + EPS), spread_of)
        return self.keep(f"{side}.n{n}", layer_norm(rows, own[f"gamma{n}"], own[f"beta{n}"]), norm)


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
