"""Describes how wrong dictionaries differ from the right ones, over all cases."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .compare import numbers, same
from .difference import kinds_in, several
from .likeness import Call, Signature, is_right


def like_a_dictionary(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Describe how wrong dictionaries derive from the right ones, if two or more do."""
    wrong = [call for call in seen if not is_right(call) and not call.answer.error]
    pairs = [(call.answer.value, call.right.value) for call in wrong]
    if len(pairs) < min(2, len(seen)) or not all(isinstance(d, dict) for pair in pairs for d in pair):
        return None
    found = next((one for one in LIKE if all(one.fits(*pair) for pair in pairs)), None)
    if not found:
        return None
    keys, values = kinds_in(pairs[0][1])
    missing = lacking(wrong) if found.lacks_keys else ""
    return f"`{returns[0]}` {found.words.format(keys=keys, values=values)}{missing}"


def lacking(wrong: list[Call]) -> str:
    """Name what is missing in the first worked example that lacks something; from unseen ones nothing may be named."""
    missing = ([key for key in call.right.value if key not in call.answer.value] for call in wrong if call.worked)
    found = next(filter(None, missing), None)
    return f" In a worked example {several([repr(key) for key in found])} should be there." if found else ""


def turned_round(got: Any, right: Any) -> bool:
    """Say whether keys and values are swapped."""
    return same(got, {value: key for key, value in right.items()})


def moved_by(step: int) -> Callable:
    """Return a test: every value is ``step`` too large."""
    return lambda got, right: same(got, {key: value + step for key, value in right.items()})


def shuffled(got: Any, right: Any) -> bool:
    """Say whether the keys and values are right but paired differently; for numbers."""
    values, wanted = (numbers(list(d.values())) for d in (got, right))
    return got.keys() == right.keys() and values is not None and same(np.sort(values), np.sort(wanted))


def letters_for_words(got: Any, right: Any) -> bool:
    """Say whether every key is a single letter, where longer words should be."""
    return all(isinstance(key, str) and len(key) == 1 for key in got) and any(len(str(key)) > 1 for key in right)


@dataclass(frozen=True)
class Likeness:
    """A way in which a dictionary can derive from the right one: description, test, and whether keys may be missing."""

    words: str
    fits: Callable
    lacks_keys: bool = False


LIKE = (
    Likeness(
        "is inverted: it maps {values} to {keys}, and should map {keys} to {values}. The key comes before the colon.",
        turned_round,
    ),
    Likeness("has {values} that are all too large by one: count from 0.", moved_by(1)),
    Likeness("has {values} that are all too small by one: count from 0.", moved_by(-1)),
    Likeness(
        "has the right {keys} and the right {values}, but they are paired differently. A set has no order, and "
        "`sorted()` makes its own: go through the input in its own order.",
        shuffled,
    ),
    Likeness(
        "has the right {keys}, but some of their {values} are wrong.", lambda got, right: got.keys() == right.keys()
    ),
    Likeness("lacks some of its {keys}, but has no wrong ones.", lambda got, right: got.keys() < right.keys(), True),
    Likeness(
        "has all its {keys}, but also others that do not belong there.", lambda got, right: got.keys() > right.keys()
    ),
    Likeness(
        "has letters as its keys. A loop over a text goes letter by letter: use `text.split()`.", letters_for_words
    ),
    Likeness("has the wrong {keys}.", lambda got, right: got.keys() != right.keys(), True),
)
