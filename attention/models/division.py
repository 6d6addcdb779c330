"""Which operand makes how much of the difference between two runs: a share for each, and they add up exactly.

a sum      by its terms; a product by what each factor's change does, averaged over all orders of changing them
           (of two factors: Δ(ab) = ā Δb + b̄ Δa)
a softmax  by its log-odds: how far its own score rose, and the others, all stretched to the change of the share
ReLU       by its secant: the change of what comes in, stretched to the change of what comes out
a norm     as the product (x - mean) · 1/spread · γ, plus β
"""

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from .made import Explained, Term

Values = Float[np.ndarray, "pairs"]


class Share(NamedTuple):
    """A term on both sides, and its share of the difference; None on a side that does not have the term.

    ``parts`` are the shares of its factors, and ``scaled`` that of a divisor which is not the same on both sides:
    value = Σ parts + scaled.
    """

    now: Term | None
    was: Term | None
    value: float
    parts: tuple[float, ...]
    scaled: float = 0.0


Pairs = list[tuple[Term | None, Term | None]]  # of now and was


def division(now: Explained, was: Explained) -> list[Share]:
    """Divide now - was among the terms of both: Σ shares = now.value - was.value."""
    if "norm" in (now.rule, was.rule):
        return _of_norm(now, was)
    pairs = _pairs(now.terms, was.terms)
    if now.rule == "softmax":
        return _single(pairs, _of_softmax(pairs, now, was))
    if now.rule == "mean":
        count = len(now.terms)
        return _by_factors(pairs, count, len(was.terms) or count)
    if now.rule == "neuron":
        slope = _secant(now.value, was.value, now.total, was.total, float(now.total > 0))
        return _by_factors(pairs, stretch=slope)
    if now.rule == "spread":
        slope = _secant(now.value, was.value, now.total, was.total, 0.5 / (now.value * len(now.terms)))
        return _single(pairs, slope * (_values(pairs, 0) - _values(pairs, 1)))
    return _by_factors(pairs, now.divisor, was.divisor)


def of_product(now: Float[np.ndarray, "*batch n"], was: Float[np.ndarray, "*batch n"]) -> Float[np.ndarray, "*batch n"]:
    """Return how much each factor contributes to Π now - Π was, averaged over all orders of changing them.

    Shapes: now (..., n), was (..., n) -> (..., n), with Σ_i out_i = Π now - Π was.
    Source: Shapley (1953), A value for n-person games.
    """
    parts, orders = np.zeros(now.shape), list(permutations(range(now.shape[-1])))
    for order in orders:
        changed = np.array(was, dtype=float)
        for i in order:
            before = changed.prod(axis=-1)
            changed[..., i] = now[..., i]
            parts[..., i] += changed.prod(axis=-1) - before
    return parts / len(orders)


def _pairs(now: Sequence[Term], was: Sequence[Term]) -> Pairs:
    """Give each term its partner: a word, head or number by its place, a part by its name."""
    partners = {_key(term): term for term in was}
    pairs: Pairs = [(term, partners.pop(_key(term), None)) for term in now]
    return pairs + [(None, term) for term in partners.values()]


def _key(term: Term) -> int | str:
    """Return what a term and its partner share."""
    return term.label if term.at is None else term.at


def _values(pairs: Pairs, side: int) -> Values:
    """Return one side's terms, 0 for what is missing."""
    return np.array([term.value if term else 0.0 for term in _side(pairs, side)])


def _side(pairs: Pairs, side: int) -> list[Term | None]:
    """Return the terms of one side, now (0) or was (1)."""
    return [pair[side] for pair in pairs]


def _single(pairs: Pairs, shares: Values) -> list[Share]:
    """Give each term's share to its one factor."""
    return [Share(*pair, float(share), (float(share),)) for pair, share in zip(pairs, shares, strict=True)]


def _by_factors(pairs: Pairs, now: float = 1.0, was: float = 1.0, stretch: float = 1.0) -> list[Share]:
    """Divide terms by their factors, and by the divisors of both sides, each share times ``stretch``."""
    counts = [max(len(term.factors) for term in pair if term) for pair in pairs]

    def filled(side: int, divisor: float) -> Float[np.ndarray, "pairs factors"]:
        """Put the factors into rows; what a term does not have is 1, and the factors of a missing term are 0."""
        rows = np.ones((len(pairs), max(counts, default=0) + 1))
        rows[:, -1] = 1 / divisor
        for row, term, count in zip(rows, _side(pairs, side), counts, strict=True):
            values = [factor.value for factor in term.factors] if term else [0.0] * count
            row[: len(values)] = values
        return rows

    parts = stretch * of_product(filled(0, now), filled(1, was))
    return [
        Share(*pair, float(own.sum()), tuple(own[:count].tolist()), float(own[-1]))
        for pair, own, count in zip(pairs, parts, counts, strict=True)
    ]


def _secant(now: float, was: float, x: float, y: float, slope: float) -> float:
    """Return the slope between two points of a curve; where they are one, ``slope``."""
    return slope if x == y else (now - was) / (x - y)


def _of_softmax(pairs: Pairs, now: Explained, was: Explained) -> Values:
    """Divide the change of the log-odds, s_own - log Σ_others e^s, and stretch it to that of the share."""
    if now.hidden or was.hidden or min(len(now.terms), len(was.terms)) < 2:
        return _of_quotient(pairs, now, was)
    own = _is_own(pairs, now)
    scores = [[term.factors[0].value if term else -np.inf for term in _side(pairs, side)] for side in (0, 1)]
    a, b = np.array(scores)  # (pairs,) each
    top = max(a[~own].max(), b[~own].max())  # one for both sides, so that their powers can be compared
    powers_a, powers_b = (np.exp(np.where(own, -np.inf, side) - top) for side in (a, b))
    sum_a, sum_b = powers_a.sum(), powers_b.sum()
    if not (sum_a and sum_b):  # the others' scores are too far apart for one largest
        return _of_quotient(pairs, now, was)
    odds_a, odds_b = a[own][0] - top - np.log(sum_a), b[own][0] - top - np.log(sum_b)
    rise = _secant(np.log(sum_a), np.log(sum_b), sum_a, sum_b, 1 / sum_a)
    stretch = _secant(now.value, was.value, odds_a, odds_b, now.value * (1 - now.value))
    return stretch * np.where(own, a[own][0] - b[own][0], -rise * (powers_a - powers_b))


def _of_quotient(pairs: Pairs, now: Explained, was: Explained) -> Values:
    """Divide where there are no odds, since one side hides the word or has no other: e^s_own / Σ e^s."""
    own = _is_own(pairs, now)
    if not now.terms or not was.terms:  # the whole row is missing
        return np.where(own, now.value - was.value, 0.0)
    a, b = (0.0 if side.hidden else side.terms[side.own].value for side in (now, was))
    by_sums = -(a + b) / 2 / (now.total * was.total) * (_values(pairs, 0) - _values(pairs, 1))
    return by_sums + np.where(own, (a - b) * (1 / now.total + 1 / was.total) / 2, 0.0)


def _is_own(pairs: Pairs, now: Explained) -> np.ndarray:
    """Mark the term whose share of the softmax is asked: (pairs,) boolean."""
    return np.array([next(filter(None, pair)).at == now.own for pair in pairs], dtype=bool)


def _of_norm(now: Explained, was: Explained) -> list[Share]:
    """Divide γ (x - mean) / spread + β among its five operands; a norm that is switched off leaves x as it is."""
    five = [_five(side) for side in (now, was)]
    products = [np.array([[x, 1 / spread, gamma], [-mean, 1 / spread, gamma]]) for x, mean, spread, gamma, _ in five]
    (number, over, gamma), (mean, over_mean, gamma_mean) = of_product(*products)
    shares = (number, mean, over + over_mean, gamma + gamma_mean, five[0][-1] - five[1][-1])
    sides = [side.terms + [None] * (5 - len(side.terms)) for side in (now, was)]
    return _single(list(zip(*sides, strict=True)), np.array(shares))


def _five(side: Explained) -> Sequence[float]:
    """Return number, mean, spread, γ and β: what a norm is made of."""
    if not side.terms:  # the whole row is missing
        return 0.0, 0.0, np.inf, 0.0, 0.0
    if side.rule == "norm":
        return [term.value for term in side.terms]
    return side.terms[0].value, 0.0, 1.0, 1.0, 0.0
