"""Every number of a model's run: its value, the rule that made it, and the numbers that went in.

A number's name is array:row:column. Which arrays a model has is said where they are made: ``explain``.

A row may be asked as a whole, along a direction: ~array:row is the sum of its numbers, each times the direction's. The
direction comes from what was asked before, such as the column of a matrix, and a step down carries it along: whatever
multiplies it is a factor of a term. So a row along a direction is a sum of a few terms with names (a part of a layer, a
head, a word) and not of 64 without. d1.l:1:82-149 is the logit of word 82 less that of word 149.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod

import numpy as np
from jaxtyping import Bool, Float

from attention.chapters.position import positional_encoding
from attention.chapters.shapes import Array

from .made import Direction, Explained, Factor, Made, Network, Number, Place, Rule, Term, parse

EPS = 1e-5
Rows = Float[np.ndarray, "rows columns"]
Mask = Bool[np.ndarray, "rows columns"]  # True where a row sees
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
        self.rules = {name: self.learned(name) for name in self.arrays}
        self.networks: dict[str, Callable[[int, Direction], Network]] = {}

    def value(self, node: str) -> float:
        """Return a number by its name. Errors: KeyError for a name that this run does not have."""
        place = self.place(node)
        row = self.arrays[place.array][place.row]
        return float(row[place.column] - (0 if place.rival is None else row[place.rival]))

    def place(self, node: str) -> Place:
        """Return where a number is. Errors: KeyError for a name that this run does not have."""
        if not self.has(node):
            raise KeyError(f"expected array:row:column such as {self.example}, got {node!r}: {self.size()}")
        return parse(node)

    def has(self, node: str) -> bool:
        """Say whether this run has a number of that name."""
        try:
            array, row, column, rival, is_row = parse(node)
        except ValueError:
            return False
        if is_row or array not in self.arrays or (rival is not None and not self.rules[array].pair):
            return False
        rows, columns = self.arrays[array].shape
        return row < rows and max(column, rival or 0) < columns

    def size(self) -> str:
        """Say how large this run is, for messages."""
        raise NotImplementedError

    def words(self, array: str) -> list[str]:
        """Return the words whose rows an array has."""
        raise NotImplementedError

    def nodes(self) -> Iterator[str]:
        """Yield the name of every number of this run, learned ones included."""
        for name, array in self.arrays.items():
            yield from (f"{name}:{row}:{column}" for row, column in np.ndindex(array.shape))

    def explain(self, node: str | Factor) -> Explained:
        """Return how a number was made, by its name, or a factor: a row along its direction, for instance.

        Errors: KeyError for a name that this run does not have.
        """
        if isinstance(node, Factor) and node.direction is not None:
            place = parse(node.node)
            made = self.rules[place.array].along(place.row, node.direction)
            return Explained(node=node.node, value=node.value, **vars(made))
        name = node if isinstance(node, str) else node.node
        array, row, column, rival, _ = self.place(name)
        rule = self.rules[array]
        made = rule.number(row, column) if rival is None else rule.pair(row, column, rival)
        return Explained(node=name, value=self.value(name), **vars(made))

    def along(self, array: str, row: int, direction: Direction) -> Factor:
        """Ask a row along a direction: Σ_c row_c direction_c.

        Errors: KeyError for an array whose rows are no sum, such as weights.
        """
        if not self.rules[array].along:
            raise KeyError(f"expected an array with a vector in each row, got {array!r}: ask for one of its numbers")
        return Factor(f"~{array}:{row}", float(self.arrays[array][row] @ direction), direction)

    def wholes(self, node: str) -> list[Factor]:
        """Return the rows that a number is of, or was made from, each along the direction in which it is that number.

        A score has two: its query along the key, and its key along the query. What was learned has none.
        Errors: KeyError for a name that this run does not have.
        """
        array, row, column, rival, _ = self.place(node)
        rule = self.rules[array]
        if array.startswith("L.") or rival is not None:
            return []
        if rule.wholes:
            return rule.wholes(row, column)
        return [self.along(array, row, np.eye(self.arrays[array].shape[1])[column])] if rule.along else []

    def network(self, asked: Factor) -> Network | None:
        """Return the feed-forward network whose output is asked along a direction; None for any other factor."""
        array, row, *_ = parse(asked.node)
        if asked.direction is None or array not in self.networks:
            return None
        return self.networks[array](row, asked.direction)

    def keep(self, name: str, array: Rows, rule: Rule) -> Rows:
        """Keep an array under its name with the rule that made it, and return it."""
        self.arrays[name], self.rules[name] = array, rule
        return array

    def keep_positions(self, width: int) -> None:
        """Keep the positional encoding of 64 positions."""
        wave = Made("wave", [])
        self.keep("pos", positional_encoding(64, width), Rule(lambda row, column: wave, lambda row, direction: wave))

    # --- terms ---

    def term(self, label: str, *factors: str | Factor, at: int | None = None) -> Term:
        """Multiply factors, of which a number may be given by its name."""
        known = tuple(Factor(one, self.value(one)) if isinstance(one, str) else one for one in factors)
        return Term(label, known, prod(factor.value for factor in known), at)

    def numbered(self, products: Iterable[tuple[str | Factor, ...]]) -> list[Term]:
        """Multiply factors, product by product."""
        return [self.term(f"no. {c + 1}", *factors, at=c) for c, factors in enumerate(products)]

    # --- rules ---

    def learned(self, name: str) -> Rule:
        """Make nothing: what was learned is there. A row along a direction is still a sum."""

        def along(row: int, direction: Direction) -> Made:
            weights = enumerate(direction)
            terms = self.numbered((f"{name}:{row}:{c}", Factor("", float(weight))) for c, weight in weights)
            return Made("learned", [term for term in terms if term.factors[1].value])

        return Rule(lambda row, column: Made("learned", []), along)

    def product(self, piece: Naming, weight: Naming, count: int, bias: str = "", rule: str = "sum") -> Number:
        """Make each number of a matrix product, with the bias of its column if there is one."""

        def made(row: int, column: int) -> Made:
            terms = self.numbered((piece(row, c), weight(c, column)) for c in range(count))
            return Made(rule, [*terms, self.term("bias", f"L.{bias}:0:{column}")] if bias else terms)

        return made

    def projection(self, rows: str, matrix: str, columns: slice) -> Rule:
        """Multiply an array's rows with some columns of a learned matrix: a head's queries, keys or values."""
        own = self.parameters[matrix][:, columns]  # (d_model, d_k)

        def along(row: int, direction: Direction) -> Made:
            return Made("row", [self.term("the row", self.along(rows, row, own @ direction))])

        number = self.product(in_row(rows), entry(matrix, columns.start), len(own))
        return Rule(number, along, wholes=lambda row, column: [self.along(rows, row, own[:, column])])

    def rotation(self, before: str) -> Rule:
        """Rotate a pair of columns by its position's angle, whose sine and cosine the positional encoding has."""

        def made(row: int, column: int) -> Made:
            even = column - column % 2
            a, b = f"{before}:{row}:{even}", f"{before}:{row}:{even + 1}"
            sine, cosine = f"pos:{row}:{even}", f"pos:{row}:{even + 1}"
            if column % 2:
                return Made("sum", [self.term("first", a, sine), self.term("second", b, cosine)])
            return Made("sum", [self.term("first", a, cosine), self.term("less second", b, sine, Factor("", -1.0))])

        def along(row: int, direction: Direction) -> Made:
            """Ask the row before, along the direction rotated back."""
            angles, back = self.arrays["pos"][row], np.empty_like(direction)
            sine, cosine = angles[::2], angles[1::2]
            back[::2] = direction[::2] * cosine + direction[1::2] * sine
            back[1::2] = direction[1::2] * cosine - direction[::2] * sine
            return Made("row", [self.term("the row", self.along(before, row, back))])

        return Rule(made, along)

    def votes(self, rows: str, towards: Float[np.ndarray, "d_model words"], weight: Naming, bias: str = "") -> Rule:
        """Make each word's logit from a row and the word's column of ``towards``, and the difference of two of them."""

        def pair(row: int, column: int, rival: int) -> Made:
            terms = self.explain(self.along(rows, row, towards[:, column] - towards[:, rival])).terms
            if not bias:
                return Made("sum", terms)
            apart = np.eye(towards.shape[1])[[column, rival]]
            return Made("sum", [*terms, self.term("biases", self.along(f"L.{bias}", 0, apart[0] - apart[1]))])

        return Rule(
            self.product(in_row(rows), weight, len(towards), bias),
            wholes=lambda row, column: [self.along(rows, row, towards[:, column])],
            pair=pair,
        )

    def softmax(self, scores: str, words: Sequence[str], mask: Mask | None = None) -> Number:
        """Make each share of a row's softmax over what it may see; what is hidden comes last in a row."""

        def made(row: int, column: int) -> Made:
            seen = self.arrays[scores][row, : None if mask is None else mask[row].sum()]
            powers = np.exp(seen - seen.max())
            terms = [
                Term(words[j], (Factor(f"{scores}:{row}:{j}", float(score)),), float(power), at=j)
                for j, (score, power) in enumerate(zip(seen, powers, strict=True))
            ]
            return Made("softmax", terms, own=column)

        return made

    def sum(self, parts: Mapping[str, str]) -> Rule:
        """Add the numbers at one place of several arrays, each with what it is called."""

        def along(row: int, direction: Direction) -> Made:
            terms = (self.term(label, self.along(part, row, direction)) for part, label in parts.items())
            return Made("sum", list(terms))

        def number(row: int, column: int) -> Made:
            return Made("sum", [self.term(label, f"{part}:{row}:{column}") for part, label in parts.items()])

        return Rule(number, along)

    def embedded(self, tokens: list[int], table: str, width: int, position: bool) -> Rule:
        """Scale a word's learned vector; add its position's if it has one."""
        root = Factor("", float(np.sqrt(width)))

        def number(row: int, column: int) -> Made:
            terms = [self.term("learned vector", f"L.{table}:{tokens[row]}:{column}", root)]
            return Made("sum", [*terms, self.term("position", f"pos:{row}:{column}")] if position else terms)

        def along(row: int, direction: Direction) -> Made:
            terms = [self.term("learned vector", self.along(f"L.{table}", tokens[row], direction), root)]
            added = [self.term("position", self.along("pos", row, direction))] if position else []
            return Made("sum", terms + added)

        return Rule(number, along)

    def scores(self, query: str, key: str, divisor: float) -> Rule:
        """Multiply a row of the queries with one of the keys, and divide, as a rule by the root of their width."""
        queries, keys = self.arrays[query], self.arrays[key]

        def number(row: int, column: int) -> Made:
            products = ((f"{query}:{row}:{c}", f"{key}:{column}:{c}") for c in range(queries.shape[1]))
            return Made("sum", self.numbered(products), divisor)

        def wholes(row: int, column: int) -> list[Factor]:
            return [self.along(query, row, keys[column] / divisor), self.along(key, column, queries[row] / divisor)]

        return Rule(number, wholes=wholes)


def recompute(explained: Explained) -> float | None:
    """Return a number once more, from its operands alone; None for what was learned and for positions."""
    terms, total = explained.terms, explained.total
    match explained.rule:
        case "sum" | "row":
            return total / explained.divisor
        case "neuron":
            return max(0.0, total)
        case "softmax":
            return 0.0 if explained.hidden else terms[explained.own].value / total
        case "mean":
            return total / len(terms)
        case "spread":
            return float(np.sqrt(total / len(terms) + EPS))
        case "norm":
            number, mean, spread, gamma, beta = (term.value for term in terms)
            return gamma * (number - mean) / spread + beta
        case "off":
            return 0.0
    return None
