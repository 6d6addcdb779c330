"""What an explained number is made of: names, factors, terms, and the rule that puts them together."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

Direction = Float[np.ndarray, "columns"]
NAME = re.compile(r"(~?)([^~:]+):(\d+)(?::(\d+)(?:-(\d+))?)?")


class Place(NamedTuple):
    """What a name leads to: a number, the difference of two in a row (``column``, ``rival``), or a whole row."""

    array: str
    row: int
    column: int = 0
    rival: int | None = None
    is_row: bool = False


def parse(name: str) -> Place:
    """Take apart "array:row:column", "array:row:column-rival" or "~array:row".

    Errors: ValueError for what is no name.
    """
    found = NAME.fullmatch(name)
    if not found or bool(found[1]) == bool(found[4]):  # a row has no column, a number has one
        raise ValueError(f"expected array:row:column or ~array:row, got {name!r}: names are those of `nodes`")
    if found[1]:
        return Place(found[2], int(found[3]), is_row=True)
    return Place(found[2], int(found[3]), int(found[4]), int(found[5]) if found[5] else None)


@dataclass(frozen=True, eq=False)
class Factor:
    """What is multiplied in a term: a number, a row along a direction, or a fixed number, whose name is "".

    ``value`` is what multiplies: where a number divides, 1 over that number.
    """

    node: str
    value: float
    direction: Direction | None = None
    divides: bool = False


@dataclass(frozen=True, eq=False)
class Term:
    """One summand, or one key of a softmax: what it is called, its factors, and their product.

    In a softmax, ``value`` is a power of e, and in a spread a square. ``at`` counts words, heads and numbers from 0;
    a part with a name of its own has None.
    """

    label: str
    factors: tuple[Factor, ...]
    value: float
    at: int | None = None

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of those factors that have one."""
        return tuple(factor.node for factor in self.factors if factor.node)


@dataclass(frozen=True, eq=False)
class Made:
    """How a number was made.

    ``rule`` is "sum" (of the terms, divided by ``divisor``), "row" (the one term: another row, along the direction that
    leads back through a matrix or a rotation), "neuron" (a sum, or 0 if it is negative), "softmax" (of the term ``own``
    among the terms; hidden where there is no such term), "norm" (number, mean, spread, γ, β), "mean", "spread", "wave",
    "off" (0, of a head that is switched off) or "learned".
    """

    rule: str
    terms: list[Term]
    divisor: float = 1.0
    own: int = 0

    @property
    def total(self) -> float:
        """The sum of the terms."""
        return sum(term.value for term in self.terms)

    @property
    def hidden(self) -> bool:
        """Whether a softmax does not see its own term."""
        return self.own >= len(self.terms)


@dataclass(frozen=True, eq=False, kw_only=True)
class Explained(Made):
    """A number, or a row along a direction, and how it was made."""

    node: str
    value: float


Number = Callable[[int, int], Made]  # (row, column) of an array -> how that number was made


@dataclass(frozen=True)
class Rule:
    """How an array is made: each number of it, and a row along a direction, if its rows can be asked so.

    ``wholes`` (row, column) are the rows that a number was made from; else its own row is asked. ``pair`` (row, column,
    rival) makes the difference of two numbers of a row.
    """

    number: Number
    along: Callable[[int, Direction], Made] | None = None
    wholes: Callable[[int, int], list[Factor]] | None = None
    pair: Callable[[int, int, int], Made] | None = None


class Network(NamedTuple):
    """What the neurons of a feed-forward network do when its output is asked along a direction.

    ``source`` is the array whose row they read. Of each neuron: what it holds before ReLU, what it says along the
    direction, and its column of the matrix through which it reads.
    """

    source: str
    before: Float[np.ndarray, "d_ff"]
    says: Float[np.ndarray, "d_ff"]
    reads: Float[np.ndarray, "d_model d_ff"]
