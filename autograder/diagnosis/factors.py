"""Constant factors between wrong and right answers, and the sizes that explain them."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

TOLERANCE = 1e-5  # between a factor that was measured and a size that it may be


CONSTANTS = (
    *((2.0, "2"), (0.5, "1/2"), (3.0, "3"), (4.0, "4"), (0.25, "1/4"), (8.0, "8"), (1 / 8, "1/8"), (10.0, "10")),
    *((0.1, "1/10"), (-1.0, "−1"), (np.log(2), "ln 2"), (1 / np.log(2), "1/ln 2, from log2"), (np.log(10), "ln 10")),
    *((1 / np.log(10), "1/ln 10, from log10"), (np.log(3), "ln 3"), (1 / np.log(3), "1/ln 3"), (100.0, "100")),
    *((0.01, "1/100"), (np.sqrt(2), "√2"), (np.sqrt(0.5), "1/√2"), (np.sqrt(8), "√8"), (np.sqrt(1 / 8), "1/√8")),
    *((np.sqrt(512), "√512"), (np.sqrt(1 / 512), "1/√512"), (np.pi, "π"), (np.e, "e"), (1 / np.e, "1/e")),
)
LOGARITHMS = {"1/ln 2, from log2": ("1/ln 2", "`np.log2`"), "1/ln 10, from log10": ("1/ln 10", "`np.log10`")}
POWERS = (
    *((lambda n: n, "{}"), (lambda n: 1 / n, "1/{}"), (np.sqrt, "√{}"), (lambda n: 1 / np.sqrt(n), "1/√{}")),
    *((lambda n: n**2, "{}²"), (lambda n: n**-2.0, "1/{}²"), (lambda n: n - 1, "({} − 1)"), (np.log, "ln {}")),
    *((lambda n: 1 / (n - 1), "1/({} − 1)"), (lambda n: 1 / np.log(n), "1/ln {}"), (lambda n: n**-0.25, "1/∜{}")),
    *((lambda n: n**0.25, "∜{}"), (lambda n: n**1.5, "{}·√{}"), (lambda n: n**-1.5, "1/({}·√{})")),
    *((lambda n: (n - 1) / n, "({0} − 1)/{0}"), (lambda n: n / (n - 1), "{0}/({0} − 1)")),
    *(
        (lambda n: (n - 1) ** 2, "({} − 1)²"),
        (lambda n: (n - 1) ** -2.0, "1/({} − 1)²"),
        (lambda n: np.log(n) ** -2.0, "1/(ln {})²"),
    ),
)


def candidates(sizes: dict) -> Iterator[tuple[str, float]]:
    """Yield ``(words, value)`` for everything that a factor may be, given these named sizes; the simplest first."""
    yield from ((words, value) for value, words in CONSTANTS)
    for power, words in POWERS:
        for name, size in sizes.items():
            yield words.format(name, name), power(size)
    for name, size in sizes.items():
        for other, length in sizes.items():
            if name != other:
                yield f"{name}/{other}", size / length
                yield f"√({name}/{other})", np.sqrt(size / length)
                yield f"√({name} · {other})", np.sqrt(size * length)
                yield f"1/√({name} · {other})", 1 / np.sqrt(size * length)
    for value, constant in ((2.0, "2"), (0.5, "1/2"), (np.sqrt(8), "√8")):
        for power, words in POWERS[:6]:
            for name, size in sizes.items():
                yield f"{constant} · {words.format(name)}", value * power(size)


def named(measured: Any) -> str:
    """Name factors; ``measured`` holds ``(factor, call)`` for each case. "" if no size explains them all.

    If two or three explanations fit every case, each is named; if there are more, only the number itself.
    """
    factors = np.array([factor for factor, _ in measured])
    if np.isclose(factors, 1, rtol=TOLERANCE).all():
        return ""
    with np.errstate(all="ignore"):
        by_case = [dict(candidates(call.sizes)) for _, call in measured]
    everywhere = [words for words in by_case[0] if all(words in found for found in by_case)]
    values = np.array([[found[words] for words in everywhere] for found in by_case])
    explains = np.isclose(values, factors[:, None], rtol=TOLERANCE, atol=0).all(axis=0)
    words = [everywhere[index] for index in np.flatnonzero(explains)]
    told_apart = len(factors) > 1 and not np.isclose(factors, factors[0], rtol=TOLERANCE).all()
    if told_apart or len(words) < 4:
        return " or ".join(words[:1] if told_apart else words)
    simple = Fraction(factors[0]).limit_denominator(100)
    is_simple = np.isclose(float(simple), factors[0], rtol=TOLERANCE)
    return (str(simple) if is_simple else f"{factors[0]:.4g}").replace("-", "−")


def factor_of(got: np.ndarray, right: np.ndarray) -> float | None:
    """Return the one number by which the right answers were multiplied, or None."""
    counts = np.abs(right) > 1e-12
    if not counts.any() or np.abs(got[~counts]).max(initial=0.0) > 1e-8:
        return None
    ratios = got[counts] / right[counts]
    return float(ratios.flat[0]) if np.isclose(ratios, ratios.flat[0], rtol=1e-6, atol=0).all() else None


def measured_factors(pairs: Any, needed: int) -> Any:
    """Return ``(factor, call)`` for every case, if each answer is the right one times one factor, else None."""
    measured = []
    for pair in pairs:
        if pair.got.shape != pair.right.shape:
            if pair.seen.leading or pair.right.size == 1:
                continue
            return None
        if not np.isfinite(pair.got).all() or not np.any(pair.right):
            continue
        factor = factor_of(pair.got, pair.right)
        if not factor:
            return None
        measured.append((factor, pair.seen))
    return measured if differ(measured, needed) else None


def differ(measured: Any, needed: int) -> bool:
    """Say whether enough factors differ from 1, one of them on a worked example.

    Worked examples are asked first, so a factor that was chosen there cannot reveal anything about unseen inputs.
    """
    others = [call.worked for factor, call in measured if not np.isclose(factor, 1, rtol=TOLERANCE)]
    return len(others) >= max(needed, 1) and any(others)


def times_a_factor(name: str, pairs: Any, needed: int) -> str | None:
    """Say that every answer is the right one times a factor, and which size the factor is."""
    measured = measured_factors(pairs, needed)
    what = measured and named(measured)
    if what in LOGARITHMS:
        factor, called = LOGARITHMS[what]
        return f"`{name}` is the right answer times {factor}: you used {called}. Use `np.log`, base e."
    return what and (
        f"`{name}` is the right answer times {what}. Look for a factor or a divisor that is missing, "
        f"superfluous, or wrong."
    )


def times_some_factor(name: str, pairs: Any, needed: int) -> str | None:
    """Say that tables are right except a factor that no size explains."""
    tables = [pair for pair in pairs if pair.right.size > 1]
    if len(tables) < needed or not measured_factors(tables, needed):
        return None
    return f"`{name}` is right except for one factor in all its numbers. Look at what you divide or multiply by."
