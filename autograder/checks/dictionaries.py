"""How a dictionary that is wrong is related to the right one: seen over all cases, as other relations are."""

import numpy as np

from .compare import numbers, same
from .likeness import is_right


def like_a_dictionary(seen, returns, signature):
    """Say how wrong dictionaries are made of the right ones, where two or more are."""
    wrong = [call for call in seen if not is_right(call) and not call.answer.error]
    pairs = [(call.answer.value, call.right.value) for call in wrong]
    if len(pairs) < min(2, len(seen)) or not all(isinstance(d, dict) for pair in pairs for d in pair):
        return None
    name = returns[0]
    return next((f"`{name}` {words}" for words, fits in LIKE if all(fits(*pair) for pair in pairs)), None)


def turned_round(got, right):
    """Say whether keys and values are exchanged."""
    return same(got, {value: key for key, value in right.items()})


def moved_by(step):
    """Return a test: every value is ``step`` larger than it should be."""
    return lambda got, right: same(got, {key: value + step for key, value in right.items()})


def shuffled(got, right):
    """Say whether the keys and the values are the right ones, paired in another way; for numbers."""
    values, wanted = (numbers(list(d.values())) for d in (got, right))
    return got.keys() == right.keys() and values is not None and same(np.sort(values), np.sort(wanted))


LIKE = (
    ("is turned round: its keys should be its values, and its values its keys.", turned_round),
    ("has values that are all one too large: count from 0.", moved_by(1)),
    ("has values that are all one too small: count from 0.", moved_by(-1)),
    (
        "has the right keys and the right values, and they are paired in another order. A set keeps no order, and "
        "sorted() makes one of its own: go through the input as it comes.",
        shuffled,
    ),
    ("has the right keys, and some of their values are wrong.", lambda got, right: got.keys() == right.keys()),
    ("lacks some of its keys, and has no wrong ones.", lambda got, right: got.keys() < right.keys()),
    ("has all its keys, and others that do not belong there.", lambda got, right: got.keys() > right.keys()),
)
