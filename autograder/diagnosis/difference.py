"""Describes how an answer differs from the right one, in words."""

from typing import Any

import numpy as np

from .compare import both_as_numbers, close, same

TEXT = 100  # characters of a text that is not right
# What an array holds, by the kind of its dtype; all others hold objects.
HELD = {"U": "text", "S": "text", "c": "complex numbers", **dict.fromkeys("fiub", "numbers")}


def several(positions: list[Any], most: int = 4) -> str:
    """Join a list of numbers for a sentence: ``3``, ``0 and 2``, ``0, 1, 2, 3 and 5 more``."""
    shown = [str(position) for position in positions[:most]]
    rest = len(positions) - len(shown)
    if rest:
        return f"{', '.join(shown)} and {rest} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def written(value: Any) -> str:
    """Format an argument's value: floats with four digits, whole numbers in full, text as Python shows it."""
    return f"{value:.4g}" if type(value) is float and not value.is_integer() else repr(value)


def plural(count: int, word: str) -> str:
    """Format ``1 row`` or ``3 rows``."""
    return f"{count} {word}" + ("" if count == 1 else "s")


def where(wrong: np.ndarray) -> str:
    """Describe which rows or entries of a boolean array are True."""
    if wrong.ndim == 0:
        return "its only entry"
    if wrong.ndim == 1:
        places, word = np.flatnonzero(wrong), "entry"
    else:
        places, word = np.flatnonzero(wrong.any(axis=-1).reshape(-1)), "row"
    count = wrong.size if wrong.ndim == 1 else wrong.any(axis=-1).size
    noun = {"entry": "entries"}.get(word, word + "s") if len(places) > 1 else word
    return f"{noun} {several([int(place) for place in places])} (of {count})"


def difference(answer: np.ndarray, expected: np.ndarray, name: str, visible: bool = False) -> str | None:
    """Describe how one value differs from another; None if they agree.

    Numbers, shapes and places appear only if the expected value is ``visible``, that of a worked example. About unseen
    inputs, only fixed sentences are used: anything that a student's function can choose could leak them.
    """
    if same(answer, expected):
        return None
    wanted, got = both_as_numbers(expected, answer)
    if answer is None:
        return f"{name} is None: is a `return` missing?"
    if isinstance(answer, dict) and isinstance(expected, dict):
        same_keys, (keys, values) = answer.keys() == expected.keys(), kinds_in(expected)
        return f"{name} has {f'the right {keys}, but other {values}' if same_keys else f'other {keys}'}"
    if isinstance(answer, str) and isinstance(expected, str):
        return f"{name} is {answer[:TEXT]!r}, expected {expected!r}" if visible else f"{name} is the wrong text"
    if isinstance(expected, list) and (wanted is None or not expected) and isinstance(answer, (list, tuple)):
        return difference_in_items(answer, expected, name) if visible else f"{name} is not the expected list"
    if wanted is None or (isinstance(expected, list) and not expected):
        return f"{name} is {a_kind_of(answer)}, expected {a_kind_of(expected)}"
    if got is None:
        what, look = without_numbers(answer, wanted)
        return f"{name} is {what}, expected {describe_kind(wanted) if visible else 'numbers'}: {look}"
    if got.shape != wanted.shape:
        return difference_in_shape(got, wanted, name, visible)
    if (got.dtype.kind == "b") != (wanted.dtype.kind == "b"):
        return f"{name} {'holds' if got.ndim else 'is'} {holding(got)}, expected {holding(wanted)}"
    return difference_in_entries(got, wanted, name, visible)


def difference_in_items(answer: Any, expected: list[Any], name: str) -> str:
    """Describe the first item in which a list, of no numbers, differs from the expected one."""
    pairs = zip(answer, expected, strict=False)
    place = next((i for i, pair in enumerate(pairs) if not same(*pair)), min(len(answer), len(expected)))
    item = f"{name.removesuffix('`')}[{place}]`"
    if place == len(answer):
        return f"{name} has {plural(place, 'item')}, expected {len(expected)}: {item} should be {expected[place]!r}"
    got = shortened(repr(answer[place])) if isinstance(answer[place], (str, tuple, list)) else a_kind_of(answer[place])
    if place == len(expected):
        return f"{name} has {plural(len(answer), 'item')}, expected {place}: {item} is {got}"
    return f"{item} is {got}, expected {expected[place]!r}"


def shortened(text: str) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= TEXT else f"{text[:TEXT]}…"


def kinds_in(dictionary: dict[str, int]) -> tuple:
    """Return what the keys and what the values of a dictionary are called."""
    names = {str: "words", int: "numbers"}
    keys, values = ({names.get(type(item)) for item in items} for items in (dictionary, dictionary.values()))
    return (keys.pop() if len(keys) == 1 else None) or "keys", (values.pop() if len(values) == 1 else None) or "values"


def difference_in_shape(got: np.ndarray, wanted: np.ndarray, name: str, visible: bool) -> str:
    """Describe how a shape differs; with numbers only if the right one is visible."""
    one = "True or False" if wanted.dtype.kind == "b" else "number"
    hint = "follow the shapes line by line"
    if not wanted.ndim:
        hint = f"return one {one}, not an array"
    elif not got.ndim:
        hint = "a sum, a maximum or `argmax` without its axis leaves one number"
    if visible:
        return f"{name} has shape `{got.shape}`, expected {describe_kind(wanted)}: {hint}"
    if got.ndim != wanted.ndim:
        return f"{name} has too {'many' if got.ndim > wanted.ndim else 'few'} axes: {hint}"
    return f"{name} has the right number of axes, but not all of the right length: {hint}"


def difference_in_entries(got: np.ndarray, wanted: np.ndarray, name: str, visible: bool) -> str:
    """Describe where two arrays of one shape differ, both of numbers or both of True and False."""
    truths = wanted.dtype.kind == "b"
    noun, nouns = ("entry", "entries") if truths else ("number", "numbers")
    got, wanted = got.astype(float), wanted.astype(float)
    if np.isnan(got).any():
        place = f" in {where(np.isnan(got))}" if visible else ""
        return f"{name} holds NaN{place}: look for 0/0, inf/inf, inf - inf or 0 · inf"
    wrong = ~close(got, wanted)
    zeros_kept = not (wrong & (wanted == 0)).any()  # rounding changes no 0
    if zeros_kept and np.allclose(got, wanted, rtol=1e-3, atol=1e-3):
        return f"{name} is right only to a few decimals: look for rounding, or for a small number that is added"
    if not visible and wanted.ndim == 0:
        return f"{name} is not the expected {'answer' if truths else noun}"
    if not visible:
        return f"{name} differs in {f'every {noun}' if wrong.all() else f'some of its {nouns}'}"
    most = farthest(got, wanted, wrong)
    pair = got[most], wanted[most]
    entry = f"{name.removesuffix('`')}[{', '.join(map(str, most))}]`" if most else name
    values = [str(bool(one)) for one in pair] if truths else told_apart(*pair)
    said = f"{entry} is {', expected '.join(values)}"
    return said if wanted.ndim == 0 else f"{name} differs in {where(wrong)}: {said}"


def farthest(got: np.ndarray, wanted: np.ndarray, wrong: np.ndarray) -> tuple[int, ...]:
    """Return the place of the entry that differs most, the first of several; rounding does not decide."""
    with np.errstate(invalid="ignore"):
        apart = np.where(wrong, np.abs(got - wanted), 0.0)
    largest = apart.max()
    chosen = apart == largest if np.isinf(largest) else apart >= largest * (1 - 1e-6)
    return tuple(int(index) for index in np.argwhere(chosen & wrong)[0])


def told_apart(got: Any, wanted: Any) -> tuple[str, str]:
    """Format two unequal numbers with enough decimals to show the difference: none for whole ones, else 4 or more."""
    near = round(float(got), 12), round(float(wanted), 12)  # the last bit depends on the machine
    if near[0] != near[1] and near[0].is_integer() and near[1].is_integer():
        return f"{near[0] + 0:.0f}", f"{near[1] + 0:.0f}"
    pairs = ((f"{got:.{digits}f}", f"{wanted:.{digits}f}") for digits in (4, 6, 8, 10, 12))
    return next((pair for pair in pairs if pair[0] != pair[1]), (repr(float(got)), repr(float(wanted))))


# What may be returned in place of what it would give, by the names of types.
UNCALLED = {"function", "builtin_function_or_method", "method", "_ArrayFunctionDispatcher", "ufunc", "type"}
UNCOLLECTED = {"generator", "map", "filter", "zip", "range", "set", "dict_keys", "dict_values", "dict_items"}

OF_A_NEGATIVE = "a negative number to the power of a fraction is complex; do brackets put too much under the power?"


def without_numbers(answer: Any, wanted: np.ndarray) -> tuple[str, str]:
    """Name an answer that holds no real numbers, and say what to do."""
    if kind_of(answer) in UNCALLED:
        return "a function that was not called", "are its parentheses missing?"
    if kind_of(answer) in UNCOLLECTED:
        return a_kind_of(answer), "make it an array, `np.array(list(…))`" if wanted.ndim else "return its one number"
    if is_complex(answer):
        return a_kind_of(answer), OF_A_NEGATIVE
    if wanted.dtype.kind != "b":
        return a_kind_of(answer), "return real numbers that NumPy can hold"
    quoted = a_kind_of(answer) in ("a str", "an array of text")
    return a_kind_of(answer), f"return True or False{', without quotation marks' if quoted else ''}"


def is_complex(value: Any) -> bool:
    """Say whether a value is a complex number, or an array of them."""
    return getattr(value, "dtype", np.dtype(object)).kind == "c" or kind_of(value).startswith("complex")


def kind_of(value: Any) -> str:
    """Name what a value is; what could not leave the sandbox carries its own description."""
    return getattr(value, "kind", type(value).__name__)


def a_kind_of(value: Any) -> str:
    """Name what a value is, with its article: "a list", "an array of text"."""
    if isinstance(value, np.ndarray):
        return f"an array of {HELD.get(value.dtype.kind, 'objects')}"
    return "a complex number" if is_complex(value) else with_article(kind_of(value))


def with_article(noun: str) -> str:
    """Put "a" or "an" before a noun, by its first letter."""
    return f"{'an' if noun.lower().startswith(('a', 'e', 'i', 'o', 'unb')) else 'a'} {noun}"


def holding(array: np.ndarray) -> str:
    """Name what an array contains, or what a single value is."""
    if array.ndim == 0:
        return "True or False" if array.dtype.kind == "b" else "a number"
    return "True and False" if array.dtype.kind == "b" else "numbers"


def describe_kind(array: np.ndarray) -> str:
    """Describe an array: one number, True or False, or its shape."""
    if array.ndim:
        return f"shape `{array.shape}`"
    return "True or False" if array.dtype.kind == "b" else "one number"
