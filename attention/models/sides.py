"""A question with two sides: a number in one run of a model, now, and in another, was; or now alone.

    sides = Sides(numbers_of(trained, sentence), numbers_of(trained, other, said))
    sides.follow("d0.l:0:82-149")  # the way down to where the difference comes in

A trail leads down from a number. Each of its steps is a pair, since the other side may have another word there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .division import Share, division, of_product
from .graph import Graph
from .made import Direction, Explained, Factor, Term, parse

NOTHING = 1e-12  # what only rounding leaves


class Pair(NamedTuple):
    """A number, or a row along a direction, on both sides; None where the other side does not have it."""

    now: Factor
    was: Factor | None

    @property
    def change(self) -> float:
        """How much more it is now: of a missing row, all of it."""
        return self.now.value - (self.was.value if self.was else 0.0)


@dataclass(frozen=True, eq=False)
class Compared:
    """A pair explained: ``was`` is None and there are no shares where nothing is compared."""

    now: Explained
    was: Explained | None
    shares: list[Share]

    @property
    def difference(self) -> float:
        """How much more it is now."""
        return self.now.value - (self.was.value if self.was else 0.0)


class Sides:
    """Two runs of a model, or one."""

    def __init__(self, now: Graph, was: Graph | None = None):
        self.now, self.was = now, was

    def pair(self, node: str) -> Pair:
        """Return a number on both sides by its name. Errors: KeyError for a name that this side does not have."""
        theirs = Factor(node, self.was.value(node)) if self.was and self.was.has(node) else None
        return Pair(Factor(node, self.now.value(node)), theirs)

    def explain(self, pair: Pair) -> Compared:
        """Say what a pair is made of; where the other side does not have it, it was 0."""
        now = self.now.explain(pair.now)
        if self.was is None:
            return Compared(now, None, [])
        was = self.was.explain(pair.was) if pair.was else replace(now, value=0.0, terms=[])
        return Compared(now, was, division(now, was))

    def wholes(self, pair: Pair) -> list[Pair]:
        """Return the rows that a pair of numbers is of, or was made from, with one direction for both sides.

        A feed-forward network that is asked along a direction is one of the row that it read.
        """
        if pair.now.direction is not None:
            return self._before_network(pair)
        mine = self.now.wholes(pair.now.node)
        if not (self.was and pair.was):
            return [self._projected(Pair(one, None)) for one in mine]
        theirs = self.was.wholes(pair.was.node)
        directions = [one.direction for one in mine]
        if len(mine) == 2:  # a score is of two rows
            directions = _middles(self.now.explain(pair.now), self.was.explain(pair.was))
        rows = zip(mine, theirs, directions, strict=True)
        return [self._projected(self._along(one.node, other.node, direction)) for one, other, direction in rows]

    def resolve(self, trail: Iterable[str]) -> list[Pair]:
        """Return the pairs of a trail, as far as there are such numbers: a row only below a number."""
        pairs: list[Pair] = []
        for node in trail:
            below = self._below(pairs[-1], node) if pairs else None
            if not below and not self.now.has(node):
                break
            pairs.append(below or self.pair(node))
        return pairs

    def largest(self, pair: Pair) -> tuple[Pair, float] | None:
        """Return the next step down, where most of the difference comes in, and its share; None at the bottom.

        A number that a whole row made is followed by the row: by single numbers, most would be left behind. Where
        nothing is compared, the largest term leads on.
        """
        made = self.explain(pair)
        if made.now.rule == "learned":
            return None
        if row := _most(self.wholes(pair)):
            steps = [(row, row.change)]
        elif self.was:
            steps = list(operands(made.shares))
        else:
            steps = [(Pair(factor, None), size) for term in made.now.terms for factor, size in _own(term, made.now)]
        most = max(steps, key=lambda step: abs(step[1]), default=None)
        return most if most and abs(most[1]) > NOTHING else None

    def follow(self, node: str, longest: int = 40) -> list[Pair]:
        """Follow the largest change down to the bottom. Errors: KeyError for a name that this side does not have."""
        pairs = [self.pair(node)]
        while len(pairs) < longest and (step := self.largest(pairs[-1])):
            pairs.append(step[0])
        return pairs

    def _below(self, pair: Pair, node: str) -> Pair | None:
        """Find an operand of a pair, or a row that it is of, by its name."""
        made = self.explain(pair)
        below = [one for one, _ in operands(made.shares)]
        if not self.was:
            below = [Pair(factor, None) for term in made.now.terms for factor in term.factors]
        named = [one for one in below if one.now.node == node]
        rows = [one for one in self.wholes(pair) if one.now.node == node]  # a word that looks at itself has two
        return named[0] if named else _most(rows)

    def _along(self, now: str, was: str | None, direction: Direction | None) -> Pair:
        """Ask a row of both sides along one direction."""

        def ask(graph: Graph, row: str) -> Factor:
            place = parse(row)
            return graph.along(place.array, place.row, direction)  # type: ignore[arg-type]  # of rows, it is not None

        return Pair(ask(self.now, now), ask(self.was, was) if self.was and was else None)

    def _projected(self, pair: Pair) -> Pair:
        """Ask of a query's or a key's row that from which it was made."""
        made = self.explain(pair)
        if made.now.rule != "row":
            return pair
        row = made.now.terms[0].factors[0]
        other = made.was.terms[0].factors[0].node if made.was and made.was.terms else None
        return self._projected(self._along(row.node, other, row.direction))

    def _before_network(self, pair: Pair) -> list[Pair]:
        """Ask a whole feed-forward network as a direction of the row that it read.

        Each neuron's slope is 1 where it was awake on both sides, 0 where it slept on both, and else the secant.
        """
        mine = self.now.network(pair.now)
        if not mine:
            return []
        theirs = self.was.network(pair.was) if self.was and pair.was else None
        a, b = mine.before, (theirs or mine).before
        apart = np.where(a == b, 1, a - b)
        slopes = np.where(a == b, a > 0, (np.maximum(0, a) - np.maximum(0, b)) / apart)
        row = f"~{mine.source}:{parse(pair.now.node).row}"
        return [self._along(row, row if theirs else None, mine.reads @ (mine.says * slopes))]


def _middles(now: Explained, was: Explained) -> list[Direction | None]:
    """Return what a change of a score's query by 1 does to it, number by number, and a change of its key.

    That is the other one divided, in the middle of both sides: as ``of_product`` has it.
    """
    sides = [np.array([[factor.value for factor in term.factors] for term in side.terms]) for side in (now, was)]
    found: list[Direction | None] = []
    for i in (0, 1):
        changed = [
            np.stack([np.full(len(side), change), side[:, 1 - i], np.full(len(side), 1 / made.divisor)], axis=-1)
            for side, made, change in zip(sides, (now, was), (1.0, 0.0), strict=True)
        ]
        found.append(of_product(*changed)[:, 0])
    return found


def operands(shares: Sequence[Share]) -> Iterator[tuple[Pair, float]]:
    """Yield the operands of this side that have a name, each with its part of the difference.

    A spread is in several terms; where the other side does not have one of them, it has the spread in another.
    """
    partners: dict[str, Factor] = {}
    for share in shares:
        if share.now and share.was:
            pairs = zip(share.now.factors, share.was.factors, strict=False)
            partners |= {now.node: was for now, was in pairs}
    for share in shares:
        for factor, part in zip(share.now.factors if share.now else (), share.parts, strict=False):
            if factor.node:
                yield Pair(factor, partners.get(factor.node)), part


def _most(rows: Iterable[Pair]) -> Pair | None:
    """Return the row that changes most, of equals the last: a score on one side alone is all of either row."""
    best = None
    for row in rows:
        best = best if best and abs(row.change) < abs(best.change) - NOTHING else row
    return best


def _own(term: Term, made: Explained) -> Iterator[tuple[Factor, float]]:
    """Yield what was computed rather than learned, and a row before the number that it is multiplied with."""
    named = [factor for factor in term.factors if factor.node and not factor.divides]
    named.sort(key=lambda factor: (factor.direction is None, factor.node.startswith(("L.", "~L."))))
    size = np.inf if made.rule == "softmax" and term.at == made.own else term.value
    yield from ((factor, size) for factor in named[:1])
