"""Alters an exercise's inputs, its intermediate step or its formula, one thing at a time.

This module calls the reference, so it stays on the trusted side; the self-check works without it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from typing import Any

import numpy as np

from .altered_answers import diagonal, softened
from .compare import ask, same
from .difference import plural, written
from .exercise import Exercise, IntermediateStep
from .likeness import Call
from .misreadings import entries_mistaken, is_mask, masks_mistaken


@dataclass(frozen=True)
class Alteration:
    """An altered question: its description, the function that asks it for one call, and its kind.

    ``is_formula``: it alters the formula, not an input. ``is_factor``: it flips a sign.
    """

    words: str
    ask: Callable
    is_formula: bool = False
    is_factor: bool = False

    def __str__(self) -> str:
        """Describe the alteration: the right formula with another input, or a formula with one thing wrong."""
        return f"you get when {self.words}" if self.is_formula else f"the right formula gives for {self.words}"


def negated(a: np.ndarray) -> np.ndarray:
    """Flip all signs."""
    return -a


def rows(form: Callable) -> Callable:
    """Return a form that applies to arrays with rows and leaves single rows alone."""
    return lambda a: form(a) if a.ndim > 1 else None


def spread(a: np.ndarray) -> np.ndarray:
    """Return the standard deviation of each row, or 1 where it is 0."""
    found = a.std(axis=-1, keepdims=True)
    return np.where(found > 0, found, 1.0)


def added_up(a: np.ndarray) -> np.ndarray:
    """Replace each row by its sum followed by zeros, so that a product sees only the sums."""
    sums = np.zeros(a.shape)
    sums[..., 0] = a.sum(axis=-1)
    return sums


def without(index: int, axis: int) -> Callable:
    """Return a form that sets one place along an axis to 0."""

    def form(a: Any) -> Any:
        if a.ndim < -axis:
            return None
        kept = np.array(a, dtype=float)
        np.moveaxis(kept, axis, -1)[..., index] = 0
        return kept

    return form


def without_largest(a: np.ndarray) -> np.ndarray:
    """Replace each row's largest number by -inf, if the row has more than one."""
    return np.where(a == a.max(axis=-1, keepdims=True), -np.inf, a) if a.shape[-1] > 1 else a


def without_powers(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return softmax as it would be without its powers: the scores minus the largest, divided by their sum."""
    less = scores - scores.max(axis=axis, keepdims=True)
    return less / less.sum(axis=axis, keepdims=True)


def lengths_beside(step: Any, given: dict[str, np.ndarray]) -> Any:
    """Return the squared lengths of the two vectors behind each dot product, or None if they are unknown."""
    tables = [np.asarray(v, dtype=float) for v in given.values() if isinstance(v, np.ndarray) and v.ndim]
    one, other = tables[0], tables[min(1, len(tables) - 1)]
    left, right = (one**2).sum(axis=-1), (other**2).sum(axis=-1)
    left = left[..., None] if one.ndim > 1 and step.ndim == one.ndim else left
    right = right[..., None, :] if step.ndim == one.ndim and one.ndim > 1 else right
    return (left, right) if np.broadcast_shapes(left.shape, right.shape) == step.shape else None


DOT_PRODUCTS = (
    ("as negative squared distances instead of dot products", lambda s, q, k: 2 * s - q - k),
    ("as distances with a minus instead of dot products", lambda s, q, k: -np.sqrt(np.maximum(q + k - 2 * s, 0))),
    ("as cosines instead of dot products", lambda s, q, k: s / np.sqrt(q * k)),
    ("divided by the length of the first vector", lambda s, q, k: s / np.sqrt(q)),
    ("divided by the length of the second vector", lambda s, q, k: s / np.where(k > 0, np.sqrt(k), 1)),
)


ALTERED = (
    ("with 0 everywhere", np.zeros_like),
    ("with 1 everywhere", np.ones_like),
    ("summed over all rows", lambda a: np.full_like(a, a.sum())),
    ("truncated to whole numbers", np.trunc),
    ("rounded down to whole numbers", np.floor),
    ("without minus signs", np.abs),
    ("with 0 in place of negative numbers", lambda a: np.maximum(a, 0)),
    ("with the opposite sign", negated),
    ("with rows and columns swapped", rows(lambda a: np.swapaxes(a, -1, -2))),
    ("after softmax", lambda a: softened(a) if a.ndim else None),
    ("after softmax down its columns", rows(lambda a: np.swapaxes(softened(np.swapaxes(a, -1, -2)), -1, -2))),
    ("with each row divided by its length", lambda a: a / np.linalg.norm(a, axis=-1, keepdims=True)),
    ("with each row divided by its sum", lambda a: a / a.sum(axis=-1, keepdims=True)),
    (
        "with each row divided by its largest number",
        lambda a: a / np.where(a.max(axis=-1, keepdims=True) == 0, 1.0, np.abs(a).max(axis=-1, keepdims=True)),
    ),
    ("with each row minus its largest number", lambda a: a - a.max(axis=-1, keepdims=True)),
    ("with each column minus its largest number", rows(lambda a: a - a.max(axis=-2, keepdims=True))),
    ("with each row minus its mean", lambda a: a - a.mean(axis=-1, keepdims=True)),
    (
        "with each row minus its mean, divided by its standard deviation",
        lambda a: (a - a.mean(axis=-1, keepdims=True)) / spread(a),
    ),
    ("minus its mean, divided by its standard deviation", lambda a: (a - a.mean()) / a.std()),
    ("divided by its standard deviation", lambda a: a / a.std()),
    ("with the numbers of each row sorted", lambda a: np.sort(a, axis=-1)),
    ("with 1 added to each number", lambda a: a + 1),
    ("squared", np.square),
    ("under a square root", np.sqrt),
    ("under a logarithm", np.log),
    ("inverted (inv, pinv) where it should be transposed",
     lambda a: np.swapaxes(np.linalg.pinv(a), -1, -2) if a.ndim == 2 and np.isfinite(a).all() else None),
    ("without the largest number of each row", without_largest),
    ("with e to the power of each number", lambda a: np.power(np.e, a)),
    ("without its last row", without(-1, -2)),
    ("without its first row", without(0, -2)),
    ("without its last column", without(-1, -1)),
    ("without its first column", without(0, -1)),
    ("with only its last column", lambda a: a * (np.arange(a.shape[-1]) == a.shape[-1] - 1)),
    ("with only its first column", lambda a: a * (np.arange(a.shape[-1]) == 0)),
    ("with each row summed to one number before the product", added_up),
    ("with its numbers read in order into the other shape (reshape, where axes should be swapped)",
     rows(lambda a: np.swapaxes(a.reshape(*a.shape[:-2], a.shape[-1], a.shape[-2]), -1, -2))),
    ("with its rows in reverse order", rows(lambda a: a[..., ::-1, :])),
    ("with 0 on its diagonal", rows(lambda a: np.where(diagonal(a), 0.0, a))),
    ("with -inf on its diagonal", rows(lambda a: np.where(diagonal(a), -np.inf, a)),),
    ("with -inf above its diagonal", rows(lambda a: np.where(np.tri(*a.shape[-2:], dtype=bool), a, -np.inf))),
    ("with -inf below its diagonal",
     rows(lambda a: np.where(np.tril(np.ones(a.shape[-2:], dtype=bool), -1), -np.inf, a))),
    ("in half precision (float16)", lambda a: a.astype(np.float16).astype(float)),
    ("rounded to whole numbers", np.round),
    *((f"rounded to {plural(digits, 'decimal')}", lambda a, digits=digits: np.round(a, digits))
      for digits in (1, 2, 3, 4)),
)  # fmt: skip

# A squared size or limit may exceed memory or time, so only small numbers are squared.
NUMBERS = (
    ("truncated to a whole number", np.trunc),
    ("squared", lambda n: n**2 if abs(n) < 100 else None),
    ("under a square root", np.sqrt),
    ("doubled", lambda n: 2 * n),
    ("halved", lambda n: n / 2),
    ("one larger", lambda n: n + 1),
    ("one smaller", lambda n: n - 1),
    ("upside down", lambda n: 1 / n),
    ("under a logarithm", np.log),
    ("subtracted from 1", lambda n: 1 - n),
)


def alterations(exercise: Exercise, seen: list[Call]) -> Iterator:
    """Yield Alterations; each ``ask`` returns the answer to one altered call, or None."""
    given, found = seen[0].given, exercise.reference
    masks = dict.fromkeys(name for call in seen for name, value in call.given.items() if is_mask(value))
    tables = [name for name, value in given.items() if isinstance(value, np.ndarray) and value.ndim]
    tables = [name for name in tables if name not in masks]
    sizes = [name for name, value in given.items() if type(value) in (int, float) and name != "axis"]
    for words, formula in exercise.wrong_formulas:
        yield Alteration(words, lambda call, formula=formula: formula(**call.given), is_formula=True)
    if exercise.step:
        yield from altered_steps(exercise.step, tables)
    for name in masks:
        yield from starmap(Alteration, masks_mistaken(found, name))
    yield from altered_tables(found, tables)
    yield from altered_sizes(found, seen, sizes)
    for name in (name for name, value in given.items() if isinstance(value, str)):
        yield from starmap(Alteration, every_time(found, seen, name, {call.given[name] for call in seen}))
    yield from starmap(Alteration, exchanges(found, tables))
    yield from starmap(Alteration, exchanges(found, [name for name in sizes if type(given[name]) is float]))
    for name in (name for name, value in given.items() if isinstance(value, dict)):
        yield from starmap(Alteration, entries_mistaken(found, given[name], name))


def altered_steps(on_the_way: IntermediateStep, tables: list[str]) -> Iterator[Alteration]:
    """Yield alterations of the intermediate step."""
    for words, form in ALTERED:
        yield Alteration(
            f"the intermediate {on_the_way.name} {words}",
            lambda call, form=form: on_the_way.altered(call.given, form),
            is_factor=form is negated,
        )
    yield from starmap(Alteration, other_steps(on_the_way, tables))


def altered_tables(found: Callable, tables: list[str]) -> Iterator[Alteration]:
    """Yield alterations of each array among the arguments, and of all of them together."""
    for names in [*([name] for name in tables), *([tables] if len(tables) > 1 else [])]:
        called = " and ".join(f"`{name}`" for name in names)
        for words, form in ALTERED:
            words = words.replace(" its ", " their ") if len(names) > 1 else words
            yield Alteration(
                f"{called} {words}",
                lambda call, names=names, form=form: altered(found, call, names, form),
                is_factor=form is negated,
            )


def altered_sizes(found: Callable, seen: list[Call], sizes: list[str]) -> Iterator[Alteration]:
    """Yield alterations of each number among the arguments."""
    for name in sizes:
        worked = {call.given[name] for call in seen if call.worked}
        yield from starmap(Alteration, every_time(found, seen, name, worked))
        if 1 not in worked:
            yield Alteration(f"`{name}` = 1 every time", lambda call, name=name: found(**{**call.given, name: 1}))
        for words, form in NUMBERS:
            yield Alteration(f"`{name}` {words}", partial(altered_number, found, name=name, form=form))


def every_time(found: Callable, seen: list[Call], name: str, values: set[str]) -> Iterator[tuple[str, Callable]]:
    """Yield alterations that fix an argument to one value."""
    for value in sorted(values):
        yield (
            f"`{name}` = {written(value)} every time, as in a worked example",
            lambda call, value=value: found(**{**call.given, name: value}),
        )


def other_steps(on_the_way: IntermediateStep, tables: list[str]) -> Iterator[tuple[str, Callable]]:
    """Yield alterations that replace the dot product, or an argument, by another step."""
    for words, form in DOT_PRODUCTS:

        def question(call: Any, form: Any = form) -> Any:
            step = np.asarray(on_the_way.first(**call.given), dtype=float)
            beside = lengths_beside(step, call.given)
            return beside and on_the_way.then(form(step, *beside), **call.given)

        yield f"the intermediate {on_the_way.name} {words}", question
    for name in tables:
        yield (
            f"`{name}` itself in place of the {on_the_way.name}",
            lambda call, name=name: on_the_way.then(np.asarray(call.given[name], dtype=float), **call.given),
        )


def exchanges(found: Callable, names: list[str]) -> Iterator[tuple[str, Callable]]:
    """Yield alterations that swap two arguments, or pass one in place of another, or of both others of attention."""
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            yield (
                f"`{one}` and `{other}` swapped",
                lambda call, a=one, b=other: found(**{**call.given, a: call.given[b], b: call.given[a]}),
            )
    for one in names:
        for other in names:
            if one != other:
                yield (
                    f"`{other}` in place of `{one}`",
                    lambda call, a=one, b=other: found(**{**call.given, a: call.given[b]}),
                )
    if {*names} >= {"query", "key", "value"}:
        for one in ("query", "key", "value"):
            yield (
                f"`{one}` in place of the other two, as in self-attention",
                lambda call, one=one: found(**call.given | dict.fromkeys(("query", "key", "value"), call.given[one])),
            )


def altered(found: Callable, call: Call, names: list[str], form: Callable) -> Any:
    """Ask with some arguments altered by a form; None if the form does not apply to one of them."""
    changed = {name: form(np.asarray(call.given[name], dtype=float)) for name in names}
    if any(value is None for value in changed.values()):
        return None
    return found(**{**call.given, **{name: as_given(value, call.given[name]) for name, value in changed.items()}})


def altered_number(found: Callable, call: Call, name: str, form: Callable) -> Any:
    """Ask with one number altered by a form; None if any other fraction in place of a whole number does the same.

    A padding token of ln 2 is no token, and neither is one of 1.37: that an answer treats it so explains nothing.
    """
    answer, given = altered(found, call, [name], form), call.given[name]
    if answer is None or not isinstance(given, int) or float(form(np.float64(given))).is_integer():
        return answer
    control = ask(found, (), {**call.given, name: given + 0.37})
    return None if control.error is None and same(answer, control.value) else answer


def as_given(value: Any, given: Any) -> Any:
    """Return a number as a Python number, an int if the argument was one and the value is still whole."""
    if np.ndim(value):
        return value
    return int(value) if isinstance(given, int) and float(value).is_integer() else float(value)
