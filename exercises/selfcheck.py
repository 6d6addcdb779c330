"""Try your functions on the worked examples, and read what a wrong answer means.

    from selfcheck import check
    check("attention", attention)

Needs NumPy only. The examples are in examples.json beside this file.
"""

# Made by `autograder release` from the grader's own rules: it speaks in the same words as the grader.

import sys

if sys.version_info < (3, 10):
    raise ImportError(
        "This notebook needs Python 3.10 or newer, and this is Python " + sys.version.split()[0] + ". "
        "Make an environment with a newer one, or open the assignment in the browser: its page has the link."
    )

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import wraps
from html import escape
from io import StringIO
from itertools import combinations, islice
from numbers import Number
from pathlib import Path
from typing import Any, NamedTuple, TypedDict
import ast
import builtins
import copy
import dis
import functools
import inspect
import json
import linecache
import os
import re
import symtable
import sys
import textwrap
import types
import warnings

import numpy as np

if tuple(int(part) for part in np.__version__.split(".")[:2]) < (1, 23):
    raise ImportError(
        f"This notebook needs NumPy 1.23 or newer, and this is NumPy {np.__version__}. "
        "Update it, for example with: pip install --upgrade numpy"
    )

@dataclass(frozen=True)
class StepTable:
    """Logits of the next token, by the last tokens so far: the row of the longest known ending.

    ``endings`` are tuples of whole numbers, the empty one included; ``rows`` are their logits, one per word. Called
    with the tokens so far, it returns new logits (words,) every time.
    Errors: ValueError without the empty ending; TypeError if it is not called with one row of whole numbers.
    """

    endings: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if () not in self.endings or len(self.endings) != len(self.rows):
            raise ValueError("expected a row for each ending, and one for (): add what is said after anything else")
        # Called a thousand times for a sentence of a thousand tokens.
        object.__setattr__(self, "_known", dict(zip(self.endings, self.rows, strict=True)))
        object.__setattr__(self, "_longest", max(map(len, self.endings)))

    def __call__(self, tokens: list[int]) -> np.ndarray:
        """Return the logits (words,) of the token after these."""
        try:
            row = tuple(map(int, tokens))
        except (TypeError, ValueError):
            got = f"an array of shape {tokens.shape}" if isinstance(tokens, np.ndarray) else f"{tokens!r:.40}"
            raise TypeError(f"step takes all tokens so far in one list, such as [1, 5]; it got {got}") from None
        known: dict = vars(self)["_known"]
        starts = range(max(0, len(row) - vars(self)["_longest"]), len(row) + 1)
        return np.array(next(known[row[start:]] for start in starts if row[start:] in known), dtype=float)

    def as_lists(self) -> list[Any]:
        """Return the table as plain lists, which ``table_from`` reads."""
        return [[list(ending) for ending in self.endings], [list(row) for row in self.rows]]


def table_from(lists: Any) -> StepTable:
    """Return the table that ``as_lists`` converted."""
    endings, rows = lists
    return StepTable(tuple(map(tuple, endings)), tuple(tuple(map(float, row)) for row in rows))


def as_numeric(array: np.ndarray) -> np.ndarray:
    """Return an array of numbers that NumPy has no type for as floats, and any other array as it is.

    These are fractions, decimals and complex numbers with no imaginary part. Python's whole numbers in an array of
    objects become int64, and Python's True and False become booleans.
    """
    if array.dtype.kind == "c":
        return array if array.imag.any() else array.real
    items = list(array.flat) if array.dtype == object else []
    if not items or not all(isinstance(one, Number) for one in items):
        return array
    kind = next((kind for kind in (bool, int) if all(isinstance(one, kind) for one in items)), float)
    try:
        return array.astype(kind)
    except (TypeError, ValueError, OverflowError):  # a complex number among fractions, or a number of many digits
        return array


def as_text(value: Any, depth: int = 2) -> Any:
    """Return a text of NumPy as a str, such as ``np.where(high, "yes", "no")``, and anything else as it is.

    So are those in a list of texts, or of pairs of texts.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return value.item() if value.ndim == 0 and value.dtype.kind == "U" else value
    if depth and type(value) in (list, tuple) and value and isinstance(value[0], (str, list, tuple)):
        items = [as_text(one, depth - 1) for one in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else type(value)(items)
    return value


# Honest float32 arithmetic stays within half of these; the inputs ensure that any rounding, limit or small number
# that was added lies far outside on some case (tests/autograder/diagnosis/tolerance_table.py).
RELATIVE_TOLERANCE = 3e-6  # relative to the array's largest number, whose rounding affects the small ones
ABSOLUTE_TOLERANCE = 2e-7  # for remainders when numbers near 1 cancel: float32 has steps of 1.2e-7 there
LENGTH = "([0-9]{1,18})"  # in an error's text, which a student may have written: Python refuses to read endless numbers
SINCE_NUMPY_2 = {  # an error of NumPy 1: the same error since NumPy 2
    r"^TypeError: 1D weights expected when shapes of a and weights differ\.$": (
        "ValueError: Shape of weights must be consistent with shape of a along specified axis."
    ),
    rf"along dimension {LENGTH}; dimension is {LENGTH} but corresponding boolean dimension is {LENGTH}$": (
        r"along axis \1; size of axis is \2 but size of corresponding boolean axis is \3"
    ),
}
MOST_RESULTS = 100  # a longer list is one result, of many numbers


@dataclass(frozen=True)
class Answer:
    """What one call gave: a value, or the type and the message of the error it raised, with the file and the line.

    The type is one of Python's own; ``raised`` is the name of the type that was raised, which may be a subclass.
    """

    value: Any = None
    error: tuple[str, str] | None = None
    line: tuple[str, int] | None = None
    raised: str = ""


def ask(function: Callable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answer:
    """Call ``function`` and return its Answer, whatever happens (Ctrl-C still stops the caller)."""
    try:
        with np.errstate(all="ignore"):  # NaN and inf are judged; a warning would only confuse
            return Answer(value=as_text(function(*args, **kwargs)))
    except (Exception, SystemExit) as error:
        kind = next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
        return Answer(None, (kind, str(error)), last_line(error.__traceback__), type(error).__name__)


def last_line(trace: Any) -> tuple[str, int] | None:
    """Return the last line that an error passed in the file of the function that was called; None if it never began."""
    here, found = trace.tb_next, None
    while here is not None:
        file, number = here.tb_frame.f_code.co_filename, here.tb_lineno
        found = (file, number) if found is None or file == found[0] else found
        here = here.tb_next
    return found


def numbers(value: Any) -> np.ndarray | None:
    """Return ``value`` as an array of numbers or booleans, or None if it cannot be one."""
    if not holds_numbers(value):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):  # rows of unequal length
        return None
    array = as_numeric(array)
    return array if array.dtype.kind in "biuf" else None


def both_as_numbers(expected: Any, answer: Any) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return both as arrays, or None; a (possibly long) answer is converted only if numbers are expected."""
    wanted = numbers(expected)
    return wanted, None if wanted is None else numbers(answer)


def holds_numbers(value: np.ndarray) -> bool:
    """Say whether a value is a number, an array, or lists of them; NumPy would make huge arrays of other things."""
    if isinstance(value, (list, tuple)):
        return all(map(holds_numbers, value))
    return isinstance(value, (Number, np.ndarray, np.generic))


def holds_texts(value: Any) -> bool:
    """Say whether a value is a list or a tuple of texts, or of pairs of texts."""
    if not isinstance(value, (list, tuple)):
        return False
    items = [item if isinstance(item, (list, tuple)) else [item] for item in value]
    return bool(items) and all(isinstance(text, str) for item in items for text in item)


def close(answer: np.ndarray, expected: np.ndarray, nan_equal: bool = False) -> np.ndarray:
    """Compare two arrays of one shape entry by entry. NaN equals nothing, except when naming a wrong answer."""
    answer, expected = np.asarray(answer, dtype=float), np.asarray(expected, dtype=float)
    finite = np.isfinite(expected)
    largest = np.max(np.abs(expected), where=finite, initial=0.0)
    with np.errstate(invalid="ignore", over="ignore"):
        # NaN makes both comparisons false, so a NaN never passes as right.
        near = np.abs(answer - expected) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * largest
    near = (near & finite) | (answer == expected)
    return near | (np.isnan(answer) & np.isnan(expected)) if nan_equal else near


def same(answer: Any, expected: Any, nan_equal: bool = False) -> bool:
    """Say whether two values agree in structure, shape and every number."""
    if isinstance(expected, tuple):
        alike = isinstance(answer, (tuple, list)) and len(answer) == len(expected)
        return alike and all(same(a, e, nan_equal) for a, e in zip(answer, expected, strict=True))
    if isinstance(expected, dict):
        alike = isinstance(answer, dict) and answer.keys() == expected.keys()
        return alike and all(same(answer[key], expected[key], nan_equal) for key in expected)
    wanted, got = both_as_numbers(expected, answer)
    if wanted is None and isinstance(expected, list):
        alike = isinstance(answer, (list, tuple)) and len(answer) == len(expected)
        return alike and all(same(a, e, nan_equal) for a, e in zip(answer, expected, strict=True))
    if wanted is None and isinstance(expected, np.ndarray):  # of text or objects
        return isinstance(answer, np.ndarray) and np.array_equal(answer, expected)
    if wanted is None:
        return type(answer) is type(expected) and answer == expected
    if got is None or got.shape != wanted.shape or (got.dtype.kind == "b") != (wanted.dtype.kind == "b"):
        return False
    equal = got == wanted  # most right answers are equal to the last bit
    return bool(equal.all() or close(got, wanted, nan_equal).all())


PRODUCT = "remapped"  # NumPy's word where axes in front of a product do not line up


def same_answer(answer: Answer, wrong: Answer) -> bool:
    """Say whether an answer is exactly this wrong answer: the same numbers, or the same kind of error.

    Errors agree by type and by the lengths that did not match; by message if no lengths are named.
    """
    if answer.error and wrong.error:
        met = mismatch(answer.error)
        where = [PRODUCT in said for _, said in (answer.error, wrong.error)]
        return worded(answer.error) == worded(wrong.error) or (
            met is not None and where[0] == where[1] and met == mismatch(wrong.error)
        )
    return not (answer.error or wrong.error) and same(answer.value, wrong.value, nan_equal=True)


def counts_as(answer: Answer, right: Answer) -> bool:
    """Say whether an answer is right: the expected value, or an error of the expected type, whatever its message."""
    if answer.error or right.error:
        return bool(answer.error and right.error and answer.error[0] == right.error[0])
    return same(answer.value, right.value)


def worded(error: tuple[str, str]) -> str:
    """Return an error's type and message without what differs between platforms and versions of Python and NumPy."""
    kind, said = error
    if kind == "ZeroDivisionError":
        return kind
    text = re.sub(r"(?<=\bint)(32|64)\b|, got [0-9]+(?=\)$)", "", f"{kind}: {said}")
    for before, since in SINCE_NUMPY_2.items():
        text = re.sub(before, since, text)
    return text


def mismatch(error: tuple[str, str]) -> tuple[str, int, int] | None:
    """Return which two lengths did not match, and in which operation, from NumPy's error; None if it names none.

    ``("product", 3, 4)``: rows of length 3 met columns of length 4; ``("line up", 2, 5)``: an axis of 2 met one of 5.
    """
    kind, said = error
    if kind != "ValueError":
        return None
    if found := re.search(rf"mismatch in its core dimension 0.*\(size {LENGTH} is different from {LENGTH}\)", said):
        return ("product", int(found[2]), int(found[1]))
    if found := re.search(rf"not aligned: {LENGTH} \(dim \d+\) != {LENGTH} \(dim \d+\)", said):
        return ("product", int(found[1]), int(found[2]))
    if "broadcast" not in said:
        return None
    shapes = [[int(n) for n in re.findall(LENGTH, shape)] for shape in re.findall(r"\(([0-9, ]*)\)", said)]
    for left, right in zip(*(shape[::-1] for shape in shapes[:2]), strict=False) if len(shapes) > 1 else ():
        if left != right and 1 not in (left, right):
            return ("line up", *sorted((left, right)))
    return None


def recognise(answers: list[Answer], wrong_versions: list[tuple[str, list[Answer]]]) -> Any:
    """Return the first wrong version that gives exactly these answers, or None.

    ``wrong_versions`` holds ``(version, its Answers to the same questions)``, or to the first of them that matter.
    """
    for version, wrong_answers in wrong_versions:
        if all(same_answer(answer, wrong) for answer, wrong in zip(answers, wrong_answers, strict=False)):
            return version
    return None


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
    if isinstance(expected, list) and (wanted is None or not expected) and kind_of(answer) in ("list", "tuple"):
        shown = visible and isinstance(answer, (list, tuple))
        return difference_in_items(answer, expected, name) if shown else f"{name} is not the expected list"
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


ATTENTION_WANTED = 0.49  # the weight on each of the two keys that `attends_to_both` asks for


def equals(
    answer: np.ndarray,
    expected: np.ndarray,
    args: tuple[np.ndarray | str, ...],
    names: tuple[str, ...],
    visible: bool = False,
) -> str | None:
    """Rule: the answer equals the expected value. Return None, or the difference."""
    if not isinstance(expected, tuple):
        return difference(answer, expected, f"`{names[0]}`", visible)
    if not isinstance(answer, (tuple, list)) or len(answer) != len(expected):
        return f"gives {how_many(answer, len(expected), visible)}: return `{', '.join(names)}`, in this order"
    if same(answer, expected):
        return None
    if same(tuple(answer)[::-1], expected):
        return f"gives the right results in the wrong order: return `{', '.join(names)}`"
    problems = (difference(a, e, f"`{name}`", visible) for a, e, name in zip(answer, expected, names, strict=True))
    return next((problem for problem in problems if problem), None)


def how_many(answer: Any, wanted: int, visible: bool) -> str:
    """Describe how many results came, if ``wanted`` were expected."""
    if not isinstance(answer, (tuple, list)) or len(answer) > MOST_RESULTS:
        return f"one result, expected {wanted}"
    if visible:
        return f"{plural(len(answer), 'result')}, expected {wanted}"
    return f"{'more' if len(answer) > wanted else 'fewer'} than the {wanted} results that are expected"


def attends_to_both(
    answer: np.ndarray,
    expected: np.ndarray,
    args: tuple[np.ndarray, int, int],
    names: tuple[str, ...],
    visible: bool = False,
) -> str | None:
    """Rule: judged by effect. Whatever its numbers, the query gives keys a and b a weight of 0.49 or more each."""
    keys, a, b = args
    query = numbers(answer)
    if query is None or query.shape != keys.shape[-1:]:
        found = difference(answer, np.zeros(keys.shape[-1]), f"`{names[0]}`", visible)
        turned = query is not None and query.shape == keys.shape[:1]
        return f"{found}; one number per key means columns were taken, but keys are rows" if turned else found
    with np.errstate(invalid="ignore", over="ignore"):
        scores = keys @ query.astype(float)
        share = np.exp(scores[[a, b]] - np.logaddexp.reduce(scores))
    if (share >= ATTENTION_WANTED).all():  # False for NaN
        return None
    if not np.isfinite(share).all():
        return "the scores of this query are NaN: an infinite factor times 0 is not a number; use a finite one"
    given = "one key gets too little weight"
    if visible:
        given = f"key {a} gets weight {share[0]:.4f} and key {b} gets {share[1]:.4f}"
    return f"{given}, and each must get {ATTENTION_WANTED} or more: {why_not_both(scores, a, b)}"


def why_not_both(scores: np.ndarray, a: int, b: int) -> str:
    """Explain what keeps a query from attending to keys a and b alone, from its scores."""
    largest, others = np.abs(scores).max(), np.delete(scores, [a, b])
    if largest == 0:
        return "all scores are 0, so the query points nowhere"
    if largest > 1e6:
        return "the query is so long that rounding errors decide; take a smaller factor"
    if np.isclose(scores[a], scores[b], rtol=1e-6) and scores[a] > others.max() + 1e-6 * largest:
        return "both have the largest score, but it is not large enough; make the query longer"
    if np.isclose(others, scores[[a, b]].min(), rtol=1e-6).any() and scores[a] != scores[b]:
        return "one of the two has no larger score than another key"
    if scores[a] == scores[b] < 0 and np.all(others == 0):
        return "both scores are below 0, and the others are 0; the largest score gets the most weight"
    if np.isclose(others.max(), scores[[a, b]].max(), rtol=1e-6):
        return "another key has the same score, so the query looks at it, too"
    if others.max() > scores[[a, b]].max():
        return "another key has a larger score than both; a and b number the keys, which are rows, not the entries"
    return "the two should have the same score, and all others 0"


RULES = {"equals": equals, "attends_to_both": attends_to_both}


def problem(
    answer: Answer,
    expected: Answer,
    args: tuple[Any, ...],
    rule: str,
    names: tuple[str, ...],
    visible: bool = False,
) -> str | None:
    """Return None if an Answer is right, else one sentence about what is wrong.

    ``visible`` marks a worked example, whose expected numbers may be printed, and the name of an error's own type.
    """
    raised = answer.raised if visible and answer.raised else (answer.error or ("",))[0]
    if expected.error:
        if answer.error and answer.error[0] == expected.error[0]:
            return None
        kind = expected.error[0]
        if not answer.error and kind_of(answer.value) == kind:
            return f"returns {with_article(kind)} instead of raising it: write `raise {kind}(…)` instead of `return`"
        got = f"raises {raised}" if answer.error else "returns normally"
        return f"{got}, expected {with_article(kind)} for an input like this"
    if answer.error:
        said = answer.error[1]
        joint = " " if said.startswith("in line ") else ": "
        return f"raises {raised}{joint if said else ''}{said}"
    if answer.value is None:
        return "returns nothing: is a `return` missing?"
    return RULES[rule](answer.value, expected.value, args, names, visible)


def sentence(text: str, where: str = "") -> str:
    """Turn a problem into a sentence that says where it was seen."""
    text = text.rstrip()  # some errors of NumPy's end with a blank
    end = "" if text.endswith(("?", ".")) and not where else "."
    return f"{text[:1].upper()}{text[1:]}{f' ({where})' if where else ''}{end}"


KINDS = {
    np.ndarray: ("an array", "`+=`, `-=`, `/=`, `out=` or an assignment to a slice; work on a new array instead"),
    list: ("a list", "`append`, `pop`, `sort` or an assignment by index; make a new list instead"),
    dict: ("a dictionary", "`setdefault`, `pop`, `update` or an assignment by key; make a new dictionary instead"),
}


def copied_arguments(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies of arguments, safe to modify."""
    return tuple(copy.deepcopy(arg) if isinstance(arg, tuple(KINDS)) else arg for arg in args)


def identical(before: Any, after: Any) -> bool:
    """Say whether an argument is unchanged, bit for bit; a dictionary with all its contents."""
    if isinstance(before, np.ndarray):
        return (
            isinstance(after, np.ndarray)
            and (before.dtype, before.shape) == (after.dtype, after.shape)
            and before.tobytes() == after.tobytes()
        )
    if type(before) is not type(after):
        return False
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(identical, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(identical(before[key], after[key]) for key in before)
    return before == after


def changed_argument(before: tuple, after: tuple) -> tuple[str, str] | None:
    """Return the kind of the first modified argument, and where to look; None if all are unchanged."""
    for one, other in zip(before, after, strict=True):
        if not identical(one, other):
            return next((words for kind, words in KINDS.items() if isinstance(one, kind)), KINDS[np.ndarray])
    return None


@dataclass(frozen=True)
class Fault:
    """A part of the checks that raised an error, and the error's type.

    The part is the name of a relation, a mistake or a function. Nothing of the answer is quoted.
    """

    part: str
    error: str


def attempt(part: str, faults: list[Fault], look: Callable, *args: Any) -> Any:
    """Return what ``look`` makes of its arguments; if it raises an error, add a Fault to the list and return None."""
    try:
        return look(*args)
    except Exception as error:
        faults.append(Fault(part, type(error).__name__))
        return None


@dataclass(frozen=True)
class Cause:
    """Why answers are wrong, in words; ``told_by`` as in a Verdict, and the id of the listed mistake if it is one."""

    words: str
    told_by: str = "relation"
    mistake: str | None = None


class Diagnosis(ABC):
    """What is known of why the answers to one exercise are wrong; a cause is None where it is not known."""

    def in_order(self) -> tuple[Callable[[], Cause | None], ...]:
        """Return what looks for each cause; the first that is known is told."""
        return self.listed_mistake, self.gives_another, self.related

    @abstractmethod
    def listed_mistake(self) -> Cause | None:
        """Return the listed mistake that gives the same answers."""

    def gives_another(self) -> Cause | None:
        """Say that a function answers one question in two ways.

        The notebook asks a second time and compares. The grader compares nothing that it asked twice: where its
        questions hold one twice, a relation sees it (relations.at_random).
        """
        return None

    @abstractmethod
    def related(self) -> Cause | None:
        """Describe how the answers relate to the right ones."""

    @abstractmethod
    def raised_in(self) -> str:
        """Say where the first wrong answer's error was raised, "" if it is no error."""


class Remarks(ABC):
    """What the grader adds about the notebook, "" for nothing."""

    def in_order(self) -> tuple[Callable[[], str], ...]:
        """Return what makes each remark; all that are made are added."""
        return self.fault_above, self.definition_below, self.passed_over, self.prerequisite

    @abstractmethod
    def fault_above(self) -> str:
        """Name the first wrong function above that this one calls."""

    @abstractmethod
    def definition_below(self) -> str:
        """Say that the function is defined below its test, or again there."""

    @abstractmethod
    def passed_over(self) -> str:
        """Say what was passed over in its cell, and what that cell has left that does nothing."""

    @abstractmethod
    def prerequisite(self) -> str:
        """Say what is wrong with the first function of another chapter that it calls."""


def first_cause(diagnosis: Diagnosis, faults: list[Fault]) -> Cause | None:
    """Return the first cause that is known, with the line that raised the error; None if none is.

    Whatever raises an error is added to ``faults``, and costs its sentence alone.
    """
    for look in diagnosis.in_order():
        cause = attempt(look.__name__, faults, look)
        if cause:
            place = attempt("raised_in", faults, diagnosis.raised_in) or ""
            return Cause(f"{cause.words}{place}", cause.told_by, cause.mistake)
    return None


def softened(scores: np.ndarray) -> np.ndarray:
    """Turn the last axis into weights; what the course calls softmax, for what is shown here alone."""
    powers = np.power(np.e, scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def diagonal(right: Any) -> Any:
    """Return a mask of the diagonal of the last two axes."""
    return np.eye(right.shape[-2], right.shape[-1], dtype=bool) if right.ndim > 1 else None


def rolled(shift: Any, axis: int, is_table: bool) -> Callable:
    """Return a form that moves the rows, the columns, or the numbers of a vector along by one place."""
    return lambda r, s: np.roll(r, shift, axis) if r.ndim and (r.ndim > 1) is is_table and r.shape[axis] > 2 else None


def only(keep: Any) -> Callable:
    """Return a form that puts zeros where ``keep`` is False in a table."""
    return lambda r, s: np.where(keep(r), r, 0.0) if r.ndim > 1 else None


def table(form: Callable) -> Callable:
    """Return a form for tables alone."""
    return lambda r, s: form(r) if r.ndim > 1 else None


def last_zero(count: Any) -> Callable:
    """Return a form that puts zeros in the last rows of a table."""
    return table(lambda r: np.concatenate([r[..., :-count, :], np.zeros_like(r[..., -count:, :])], axis=-2))


def only_first(axis: int) -> Callable:
    """Return a form that puts zeros everywhere but in the first place of an axis."""
    return lambda r, s: np.where(np.indices(r.shape)[axis] == 0, r, 0.0) if r.ndim >= -axis else None


# What the answer is, what to look at, and what makes it of the right answer. The more specific come first.
ENDED_EARLY = "If a `return` is inside a loop, it ends the loop in the first iteration."
OVERWRITTEN = "A loop that overwrites its result keeps the last one only: collect them all."

FORMS = (
    ("right except for the decimals: each number is truncated to a whole one",
     "An array of whole numbers (`zeros_like`, `astype(int)`, `dtype=int`), `int` and `//` keep no fraction.",
     lambda r, s: np.trunc(r)),
    ("right except for the decimals: each number is rounded down to a whole one",
     "`//` and `np.floor` do that; `/` keeps the fraction.",
     lambda r, s: np.floor(r)),
    *((f"the right answer rounded to {plural(digits, 'decimal') if digits else 'a whole number'}",
       "Return the number as it is: do not round.",
       lambda r, s, digits=digits: np.round(r, digits)) for digits in range(7)),
    ("the right answer in half precision (float16)", "Leave out astype, or compute in float64.",
     lambda r, s: r.astype(np.float16)),
    ("transposed: rows and columns are swapped",
     "Look for a missing or superfluous transpose, or for factors in the wrong order.",
     table(lambda r: np.swapaxes(r, -1, -2))),
    ("right except for the diagonal, which is 0", "Include each one's pair with itself.",
     lambda r, s: np.where(diagonal(r), 0.0, r) if r.ndim > 1 and r.shape[-1] == r.shape[-2] else None),
    ("right except for the diagonal, which is twice what it should be", "The diagonal is counted twice.",
     lambda r, s: np.where(diagonal(r), 2 * r, r) if r.ndim > 1 and r.shape[-1] == r.shape[-2] else None),
    ("right on the diagonal only, and 0 everywhere else", "The entries off the diagonal are wanted too.",
     only(diagonal)),
    ("right on and below the diagonal only, and 0 above it", "Let both loops run over all rows.",
     only(lambda r: np.tri(*r.shape[-2:], dtype=bool))),
    ("right below the diagonal only, and 0 elsewhere", "Let both loops run over all rows.",
     only(lambda r: np.tril(np.ones(r.shape[-2:], dtype=bool), -1))),
    ("right on and above the diagonal only, and 0 below it", "Let both loops run over all rows.",
     only(lambda r: ~np.tril(np.ones(r.shape[-2:], dtype=bool), -1))),
    ("right above the diagonal only, and 0 elsewhere", "Let both loops run over all rows.",
     only(lambda r: ~np.tri(*r.shape[-2:], dtype=bool))),
    ("right except for its sign", "Look for a missing or superfluous minus.", lambda r, s: -r),
    ("right except for the signs: what should be negative came out positive",
     "Look for abs, or for a square and its root.", lambda r, s: np.abs(r)),
    ("right where it is positive, and 0 where it should be negative",
     "Negative numbers are right answers here: look for a maximum with 0, or a search that starts at 0.",
     lambda r, s: np.maximum(r, 0)),
    ("right where it is negative, and 0 where it should be positive",
     "Positive numbers are right answers here: find those that were left at 0.",
     lambda r, s: np.minimum(r, 0)),
    ("right except for the last row, which was left at 0",
     "Let the loop run to the end: `range(n)`, not `range(n - 1)`.",
     last_zero(1)),
    ("right except for the last two rows, which were left at 0", "Let the loop run to the end: it stops too early.",
     last_zero(2)),
    ("the average of the right answer and its transpose",
     "The two halves answer different questions: do not make the table symmetric.",
     table(lambda r: (r + np.swapaxes(r, -1, -2)) / 2)),
    ("right, but all its numbers are in one row", "Give them the shape of the question again.",
     table(np.ravel)),
    ("right except for an axis of length 1 at the end", "Leave `keepdims=True` out of the last sum, or drop the axis.",
     lambda r, s: r[..., None]),
    ("right except for a superfluous axis of length 1",
     "It was inserted for the computation; remove it before you return.",
     lambda r, s: r[..., None, :]),
    ("right except for an axis of length 1 in front", "It was inserted for the computation; remove it again.",
     lambda r, s: r[None]),
    ("right except for its axes of length 1, which are missing",
     "`np.squeeze` removes every such axis, even one that belongs to the result.",
     lambda r, s: np.squeeze(r)),
    ("only the first row of the right answer", ENDED_EARLY,
     table(lambda r: r[..., 0, :])),
    ("only the first row of the right answer", ENDED_EARLY,
     table(lambda r: r[..., :1, :])),
    ("only the last row of the right answer", OVERWRITTEN,
     table(lambda r: r[..., -1, :])),
    ("only the last row of the right answer", OVERWRITTEN,
     table(lambda r: r[..., -1:, :])),
    ("only the first of the right numbers", ENDED_EARLY,
     lambda r, s: r[..., 0]),
    ("only the last of the right numbers", OVERWRITTEN,
     lambda r, s: r[..., -1]),
    ("the sum of all right numbers, as one number", "A sum without an axis adds up everything: name the axis.",
     lambda r, s: r.sum()),
    *(("the sum of the right rows", "One sum too many: keep the rows separate.",
       table(lambda r, keep=keep: r.sum(axis=-2, keepdims=keep))) for keep in (False, True)),
    ("right except for one row of zeros too many at the end", "The loop runs once too often.",
     table(lambda r: np.concatenate([r, np.zeros_like(r[..., :1, :])], axis=-2))),
    ("the sum of each right row", "One sum too many.", lambda r, s: r.sum(axis=-1)),
    ("softmax of the right answer", "Softmax was applied once too often.",
     lambda r, s: softened(r) if r.ndim else None),
    ("the natural logarithm of the right answer", "Look for a superfluous logarithm, or a missing `np.exp`.",
     lambda r, s: np.log(r)),
    ("e to the power of the right answer", "Take the logarithm of what you have, or leave `np.exp` out.",
     lambda r, s: np.power(np.e, r)),
    ("ln(1 + e^β), where β is the right answer", "`np.log1p` adds 1 to its argument: use `np.log`.",
     lambda r, s: np.logaddexp(0, r) if r.ndim == 0 else None),
    ("the logarithm of e^β truncated to a whole number, where β is the right answer",
     "Look for `//` or int inside the logarithm.",
     lambda r, s: np.log(np.floor(np.power(np.e, r) * (1 + 1e-12))) if r.ndim == 0 else None),
    ("one over the right answer", "The fraction is inverted.", lambda r, s: 1 / r),
    ("the square of the right answer", "Look for a superfluous square, or a missing root.", lambda r, s: r**2),
    ("the square root of the right answer", "Look for a superfluous root, or a missing square.",
     lambda r, s: np.sqrt(r)),
    ("one minus the right answer", "Look for `1 -` where it does not belong.", lambda r, s: 1 - r),
    *((f"the right answer {word} 1, everywhere", "Look for a count that begins at the wrong number.",
       lambda r, s, step=step: r + step) for word, step in (("plus", 1), ("minus", -1))),
    ("the running sum of the right rows, from the top", "A sum is not reset to 0 before the next row.",
     table(lambda r: np.cumsum(r, axis=-2))),
    ("the right answer with each row's largest number subtracted",
     "That is a step inside softmax; return the numbers before it.",
     lambda r, s: r - r.max(axis=-1, keepdims=True)),
    ("the right answer minus its own mean, divided by its own standard deviation",
     "That depends on the other inputs in the batch: leave mean and std out.",
     lambda r, s: (r - r.mean()) / r.std() if r.ndim > 1 else None),
    ("the right answer divided by its own standard deviation",
     "That depends on the other inputs in the batch: leave std out.",
     lambda r, s: r / r.std() if r.ndim > 1 else None),
    ("the right answer with each row divided by its sum", "Remove that division.",
     lambda r, s: r / r.sum(axis=-1, keepdims=True)),
    ("the right answer with each row divided by its length", "Remove that division.",
     lambda r, s: r / np.linalg.norm(r, axis=-1, keepdims=True) if r.ndim else None),
    ("the right answer with the numbers of each row sorted",
     "Sorting loses the order of the numbers: use `max` if only the largest is needed.",
     lambda r, s: np.sort(r, axis=-1)),
    ("the right answer with its rows in reverse order", "Look for `[::-1]`, or a loop that runs backwards.",
     table(lambda r: r[..., ::-1, :])),
    ("the right answer with each row in reverse order", "Look for `[::-1]`, or a loop that runs backwards.",
     table(lambda r: r[..., ::-1])),
    ("the right answer with its numbers in reverse order", "Look for `[::-1]`, or a loop that runs backwards.",
     lambda r, s: r[::-1] if r.ndim == 1 else None),
    *((f"the right answer with its {word} shifted by one place", "An index is off by one.", rolled(shift, *which))
      for shift in (1, -1)
      for word, which in (("columns", (-1, True)), ("rows", (-2, True)), ("numbers", (-1, False)))),
)  # fmt: skip


class Signature(TypedDict, total=False):
    """What an exercise takes and returns: ``name``, ``[name, axes, default]`` of each argument, the results' axes.

    Axes read like ``*batch n_q d_k``, "" if none are named. ``optional`` names the arguments whose default is None.
    ``powers`` says that the right function uses exp.
    """

    name: str
    arguments: list[Any]
    results: list[str]
    optional: list[str]
    powers: bool


@dataclass(frozen=True)
class Call:
    """One call: its arguments by name, the answer, the right answer, and the length of each named axis.

    ``leading`` counts the axes before those that the signature names; ``worked`` marks a worked example;
    ``changed`` says that an argument was modified.
    """

    given: dict
    answer: Answer
    right: Answer
    sizes: dict
    leading: int = 0
    worked: bool = False
    changed: bool = False


@dataclass(frozen=True)
class Pair:
    """One result of one call, as numbers: the answer, the right answer, and the call."""

    got: Any
    right: Any
    seen: Call


def values_of(value: np.ndarray | tuple[np.ndarray, np.ndarray] | None) -> tuple[Any, ...]:
    """Return an answer's results, one or several, as a tuple."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def holds_nan(value: Any) -> bool:
    """Say whether a value contains NaN."""
    found = [numbers(item) for item in values_of(value)]
    return any(array is not None and array.dtype.kind == "f" and np.isnan(array).any() for array in found)


def agrees(answer: np.ndarray, expected: np.ndarray) -> bool:
    """Say whether two arrays have one shape and the same numbers; NaN equals nothing."""
    return answer.shape == expected.shape and bool(close(answer, expected).all())


def error_of(call: Call) -> tuple[str, str]:
    """Return the type and the message of the error that a call raised; ("", "") for none."""
    return call.answer.error or ("", "")


def is_right(call: Call) -> bool:
    """Say whether a call was answered correctly."""
    return counts_as(call.answer, call.right)


def first_wrong_example(seen: list[Call]) -> Call | None:
    """Return the first worked example that was answered wrongly, or None."""
    return next((call for call in seen if call.worked and not is_right(call)), None)


def names_of(length: int, call: Call) -> set[str]:
    """Return the names of the axes of this length."""
    return {name for name, size in call.sizes.items() if size == length}


def expected_by(form: Callable, pair: Pair) -> np.ndarray | None:
    """Return a right answer altered by a form, or None if the form does not apply."""
    try:
        with np.errstate(all="ignore"):
            expected = form(pair.right, pair.seen)
    except (ValueError, IndexError, TypeError, KeyError, np.linalg.LinAlgError):
        return None
    expected = None if expected is None else numbers(expected)
    return None if expected is None or not np.isfinite(expected).all() else expected.astype(float)


def fits(form: Callable, pairs: list[Pair], needed: int) -> bool:
    """Say whether every answer is the right one altered by ``form``, with two or more of them informative.

    A right answer is informative only if the form would have changed it. NaN and errors never are.
    """
    verdicts, values = [], set()
    for pair in pairs:
        expected = expected_by(form, pair)
        if expected is None or not np.isfinite(pair.got).all():
            continue
        if agrees(pair.got, expected):
            values.update(np.round(expected.ravel()[:9], 9))
            if not agrees(pair.got, pair.right):
                verdicts.append(True)
        elif pair.got.shape == expected.shape or not pair.seen.leading:
            return False  # with leading axes, another shape may have another cause
    return verdicts.count(True) >= needed and len(values) > 1


def like_a_form(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Describe the known form by which the right answer was altered."""
    for what, hint, form in FORMS:
        if fits(form, pairs, needed):
            return f"`{name}` is {what}. {hint}"
    return None


def left_at_zero(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that an answer is 0 everywhere, or right in its first place and 0 in the others."""
    rows = [pair for pair in pairs if pair.right.ndim > 1 or pair.seen.leading]
    for what, axis in (("row", -2), ("row", 0), ("number", -1)):
        if bool(rows) == (what == "row") and fits(only_first(axis), pairs, 1) and are_left(pairs):
            return f"`{name}` is right in the first {what}, and 0 in the others. {ENDED_EARLY}"
    if not all(agrees(pair.got, np.zeros_like(pair.right)) for pair in pairs):
        return None
    if sum(pair.right.any() for pair in pairs) < needed:
        return None
    zero = "False" if getattr(pairs[0].seen.answer.value, "dtype", "") == "bool" else "0"
    everywhere = f"{zero} everywhere" if any(pair.right.ndim for pair in pairs) else f"always {zero}"
    why = "the line that computes it is missing, is never reached, has a 0 as a factor, or rounds down (`//`)"
    if not any(np.trunc(pair.right).any() for pair in pairs):
        why += "; or an array of whole numbers (`dtype=int`) cut off the fractions"
    return f"`{name}` is {everywhere}: {why}."


def are_left(pairs: list[Pair]) -> bool:
    """Say whether zeros are more than chance: where answers are whole numbers, such as indices, a few are not."""
    lost = sum(
        np.count_nonzero((pair.got == 0) & (pair.right != 0)) for pair in pairs if pair.got.shape == pair.right.shape
    )
    return bool(lost > 3) or any((pair.right % 1 != 0).any() for pair in pairs)


def like_an_argument(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that an argument was returned, added, or appended."""
    for argument in pairs[0].seen.given:

        def at_hand(seen: Call, argument: Any = argument) -> Any:
            return numbers(seen.given[argument])

        forms = (
            (f"`{argument}` as it was given", "", lambda r, s: at_hand(s)),
            (f"`{argument}` in every place",
             "A loop that reads what it has just written passes one number on to the end: read the input instead.",
             lambda r, s: np.full(r.shape, at_hand(s)) if r.ndim and not np.ndim(at_hand(s)) else None),
            (f"the right answer plus `{argument}`", f"Do not add `{argument}` to it.",
             lambda r, s: r + at_hand(s) if np.ndim(at_hand(s)) and r.ndim else None),
            (f"the right answer plus the first row of `{argument}`",
             "A sum that should begin at zeros began in that row.",
             lambda r, s: r + at_hand(s)[0] if np.ndim(at_hand(s)) > 1 else None),
            (f"the right answer with `{argument}` appended", "Return only the first part.",
             lambda r, s: np.concatenate([r, at_hand(s)], axis=-1)),
            (f"the right answer multiplied by `{argument}`, number by number", "Remove that product.",
             lambda r, s: r * at_hand(s) if np.ndim(at_hand(s)) and r.ndim else None),
        )  # fmt: skip
        for what, hint, form in forms:
            if fits(form, pairs, needed):
                return f"`{name}` is {what}. {hint}".rstrip()
    return None


def like_another_result(name: str, pairs: list[Pair], needed: int, rights: dict[str, list[np.ndarray]]) -> str | None:
    """Say that a result is the right answer for another result; ``rights`` holds those as ``{name: results}``."""
    for other, values in rights.items():
        by_call = {id(pair.seen): value for pair, value in zip(pairs, values, strict=True)}
        if fits(lambda r, s, by_call=by_call: by_call[id(s)], pairs, needed):
            return f"`{name}` is what `{other}` should be. Each result has its own input: check which one it uses."
    return None


UNLIKELY = 0.01  # a probability; what is less likely is not taken for chance
PLACES = (
    ("on the diagonal", lambda n, m: np.eye(n, m, dtype=bool)),
    ("in the first row", lambda n, m: (np.arange(n) == 0)[:, None]),
    ("in the last row", lambda n, m: (np.arange(n) == n - 1)[:, None]),
    ("in the first column", lambda n, m: np.arange(m) == 0),
    ("in the last column", lambda n, m: np.arange(m) == m - 1),
    ("in columns 0, 2, 4, …", lambda n, m: np.arange(m) % 2 == 0),
    ("in columns 1, 3, 5, …", lambda n, m: np.arange(m) % 2 == 1),
    ("above the diagonal", lambda n, m: ~np.tri(n, m, dtype=bool)),
    ("below the diagonal", lambda n, m: np.tri(n, m, -1, dtype=bool)),
    ("off the diagonal", lambda n, m: ~np.eye(n, m, dtype=bool)),
)


def wrong_places(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that only the diagonal, the last row or the last column is wrong, or right, unless that may be chance."""
    tables = [pair for pair in pairs if pair.got.shape == pair.right.shape and pair.right.ndim > 1]
    tables = [pair for pair in tables if np.isfinite(pair.got).all() and min(pair.right.shape[-2:]) > 1]
    if any(pair.got.shape != pair.right.shape and not pair.seen.leading for pair in pairs):
        return None
    wrong = [(pair, ~close(pair.got, pair.right)) for pair in tables]
    wrong = [(pair, places) for pair, places in wrong if places.any()]
    for words, inside in PLACES:
        masks = [np.broadcast_to(inside(*pair.right.shape[-2:]), pair.right.shape) for pair, _ in wrong]
        found = [(places, m) for (_, places), m in zip(wrong, masks, strict=True)]
        chance = np.prod([m.mean() ** places.sum() for places, m in found])  # that all wrong entries fall there
        if len(wrong) >= needed and chance < UNLIKELY and not any((places & ~m).any() for places, m in found):
            return f"`{name}` is wrong only {words}. Look at what is different there."
    return None


def nearly(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that all numbers are close to the right ones, but not equal."""
    pairs = [pair for pair in pairs if np.isfinite(pair.got).all() and pair.right.size]
    if any(pair.got.shape != pair.right.shape for pair in pairs):
        return None
    if all((pair.got % 1 == 0).all() for pair in pairs):  # counts are not rounded
        return None
    size = max((np.abs(pair.right).max() for pair in pairs), default=0.0)
    near = [
        np.allclose(pair.got, pair.right, rtol=0.03, atol=1e-3 * size) and not near_an_argument(pair) for pair in pairs
    ]
    if not all(near) or sum(not agrees(pair.got, pair.right) for pair in pairs) < needed:
        return None
    return (
        f"`{name}` is close to the right numbers, but not equal to them. Something small is off: a constant, "
        f"rounding, a type with few digits, a number that is added, a search in steps. The formula is exact."
    )


def near_an_argument(pair: Pair) -> bool:
    """Say whether an answer misses a good part of what the right one adds to an argument of its shape.

    Where little is added to rows, every answer that adds something is close to the right one.
    """
    error = np.abs(pair.got - pair.right).max()
    alike = (numbers(value) for value in pair.seen.given.values())
    added = (np.abs(pair.right - one).max() for one in alike if one is not None and one.shape == pair.right.shape)
    return any(error > 0.03 * part > 0 for part in added)


def all_alike(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that all rows, or all numbers of a row, are the same when they should differ."""
    found = [pair for pair in pairs if pair.got.shape == pair.right.shape and pair.right.ndim]
    axis = -2 if all(pair.right.ndim > 1 for pair in found) else -1
    found = [pair for pair in found if pair.right.shape[axis] > 1]
    differing = [np.ptp(pair.right, axis=axis).max() > 0 for pair in found]
    if sum(differing) < needed or not all(np.ptp(pair.got, axis=axis).max() == 0 for pair in found):
        return None
    if axis == -1:
        return f"All numbers of `{name}` are the same, but they should differ."
    return (
        f"All rows of `{name}` are the same, but they should differ. Is a mean, a sum or a maximum taken over rows? "
        "Or is one array put into a list again and again? It is not copied: writing to it later changes them all."
    )


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


def like_a_list(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Describe how wrong lists derive from the right ones, if two or more do in the same way."""
    wrong = [call for call in seen if not is_right(call) and not call.answer.error]
    if len(wrong) < min(2, len(seen)) or not all(holds_texts(call.right.value) for call in wrong):
        return None
    pairs = [(call.answer.value, list(call.right.value)) for call in wrong]
    words = next((words for words, form in _FORMS if all(is_altered(*pair, form) for pair in pairs)), None)
    return words and f"`{returns[0]}` {words}"


def is_altered(got: Any, right: list[Any], form: Callable) -> bool:
    """Say whether an answer is the right list altered by a form; some apply to texts alone."""
    try:
        return same(got, form(right))
    except TypeError:
        return False


def _turned(items: list[Any]) -> list[Any]:
    """Return each pair turned round, and each text as it is."""
    return [item[::-1] if isinstance(item, (list, tuple)) else item for item in items]


def _flat(items: list[Any]) -> list[Any]:
    """Return the texts of all pairs in one list."""
    return [text for item in items for text in (item if isinstance(item, (list, tuple)) else [item])]


def _of_texts(change: Callable) -> Callable:
    """Return a form that changes each text of a list, and leaves pairs as they are."""
    return lambda items: [change(item) if isinstance(item, str) else item for item in items]


_FORMS: tuple[tuple[str, Callable], ...] = (
    ("has the right items in reverse order: the first must come first.", lambda right: right[::-1]),
    ("lacks its last item: does a loop end one step early?", lambda right: right[:-1]),
    ("lacks its first item: does a loop begin with the second?", lambda right: right[1:]),
    ("holds pairs that are turned round: the left one comes first.", _turned),
    ("holds the texts of all pairs in one list: keep the two of each pair together.", _flat),
    ("is right, but joined into one text: return the list.", "".join),
    ("is right, but joined into one text with spaces: return the list.", " ".join),
    ("has lost the spaces at the beginning of its texts.", _of_texts(str.lstrip)),
    ("is right, but for spaces: some of its texts lost them.", lambda right: [*filter(None, map(str.strip, right))]),
    ("is right, but in small letters.", _of_texts(str.lower)),
    ("has each text once: one that occurs again must be there again.", lambda right: list(dict.fromkeys(right))),
    ("has the right items, but sorted: keep them in their order.", sorted),
    ("has only the first of its items: is the `return` inside the loop?", lambda right: right[:1]),
    ("is the first of its items alone: return the list.", lambda right: right[0] if right else None),
    ("holds another list for each of its items: put them into one list.", lambda right: [[item] for item in right]),
)


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


def logarithms(pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of both weights, NaN where one of them is too small to compare."""
    tells = (pair.got > 1e-250) & (pair.right > 1e-250)
    with np.errstate(all="ignore"):
        return np.where(tells, np.log(pair.got), np.nan), np.where(tells, np.log(pair.right), np.nan)


BASES = ("2", "3", "10", "2.7", "2.71", "2.72", "2.718")  # of powers, in place of e


def hidden(pair: Pair) -> np.ndarray:
    """Return where both weights are exactly 0: hidden by a mask."""
    return (pair.got == 0) & (pair.right == 0)


def sums_to_one(weights: np.ndarray, axis: int = -1) -> bool:
    """Say whether weights sum to one along an axis."""
    return bool(np.isclose(weights.sum(axis=axis), 1, rtol=1e-7).all())


def inside_softmax(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that weights are softmax of the scores times a factor, and which size the factor is."""
    measured = []
    for pair in pairs:
        factor = factor_inside(pair)
        if factor is False:
            return None
        if factor:
            measured.append((factor, pair.seen))
    if not differ(measured, needed):
        return None
    if base := base_of([factor for factor, _ in measured]):
        return f"`{name}` is softmax with powers of {base} instead of e: use `np.exp`."
    what = named(measured)
    if not what:
        return None
    if what == "−1":
        return f"`{name}` is softmax of the scores with the opposite sign: the smallest score gets most."
    return (
        f"`{name}` is softmax of the right scores times {what}. A multiplication or division before softmax is "
        f"missing, superfluous or wrong."
    )


def base_of(factors: list[float]) -> str:
    """Return the number whose powers stand for those of e, if one explains these factors of the scores; or ""."""
    return next((base for base in BASES if np.isclose(factors, np.log(float(base)), rtol=TOLERANCE).all()), "")


def some_factor_inside(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that weights are softmax of the scores times factors that no size explains."""
    found = [factor_inside(pair) for pair in pairs]
    if False in found or sum(bool(c) and not np.isclose(c, 1, rtol=TOLERANCE) for c in found) < needed:
        return None
    return (
        f"`{name}` is softmax of the right scores times a factor that no size of the inputs explains. Look at what the "
        "scores are multiplied or divided by before softmax."
    )


def factor_inside(pair: Pair) -> Any:
    """Return c if weights are softmax of c times the scores, None if unknown, False if they are not."""
    if pair.got.shape != pair.right.shape:
        return None if pair.seen.leading else False
    if not np.isfinite(pair.got).all() or pair.right.shape[-1] < 2:
        return None
    if not sums_to_one(pair.got):
        return False
    got, right = logarithms(pair)
    if (np.isnan(got) & ~hidden(pair)).any():
        return None
    with warnings.catch_warnings():  # a row in which nothing is seen has no mean
        warnings.simplefilter("ignore", RuntimeWarning)
        got, right = (logs - np.nanmean(logs, axis=-1, keepdims=True) for logs in (got, right))
    got, right = got[~np.isnan(got)], right[~np.isnan(got)]
    if right.size < 3 or np.abs(right).max() < 1e-3:
        return None
    factor = float((got * right).sum() / (right * right).sum())
    return factor if np.allclose(got, factor * right, rtol=1e-4, atol=1e-6 * np.abs(got).max()) else False


def row_by_row(pair: Pair) -> Any:
    """Return the factor of each row of right weights, or None if rows are not multiples."""
    if pair.got.shape != pair.right.shape or not np.isfinite(pair.got).all():
        return None
    usable = pair.right > 1e-9
    with np.errstate(all="ignore"):
        ratios = np.where(usable, pair.got / pair.right, np.nan)
    low, high = np.nanmin(ratios, axis=-1), np.nanmax(ratios, axis=-1)
    return low if np.isclose(low, high, rtol=1e-6, atol=0).all() and (low > 0).all() else None


def not_shared_out(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say what a row of weights sums to, if not to one: the powers are right, the divisor is wrong."""
    telling = [pair for pair in pairs if pair.right.shape[-1] > 1 and np.isfinite(pair.got).all()]
    telling = [pair for pair in telling if (pair.got.max(axis=-1) > 1e-200).all()]  # below, powers are lost
    times = [row_by_row(pair) for pair in telling]
    wrong = [t is not None and not np.isclose(t, 1, rtol=1e-9).all() for t in times]
    if any(t is None for t in times) or sum(wrong) < needed:
        return None
    telling, times = ([x for x, is_wrong in zip(xs, wrong, strict=True) if is_wrong] for xs in (telling, times))
    if all(np.isclose(pair.got.max(axis=-1), 1).all() for pair in telling):
        return (
            f"The largest number in each row of `{name}` is 1: the powers were divided by the largest, or by nothing. "
            "Divide them by the sum of their row."
        )
    if all(sums_to_one(pair.got[..., :-1]) for pair in telling):
        return f"Each row of `{name}` sums to one without its last number: the sum in the denominator leaves it out."
    added = np.concatenate([((1 / t - 1) / p.right.max(axis=-1)).ravel() for t, p in zip(times, telling, strict=True)])
    if (added > 0).all() and np.allclose(added, added[0], rtol=1e-3):
        return (
            f"No row of `{name}` sums to one: a number was added to each sum in the denominator. The sum of "
            f"powers is never 0 if there is a score; divide by it unchanged."
        )
    if any(pair.right.ndim > 1 and pair.right.shape[-2] > 1 for pair in telling) and all(
        np.isclose(pair.got.sum(), 1) or np.isclose(pair.got.sum(axis=(-2, -1)), 1).all()
        for pair in telling
        if pair.got.ndim > 1
    ):
        return f"The whole of `{name}` sums to one, but each row should: sum with `axis=-1`, `keepdims=True`."
    if all(sums_to_one(pair.got) for pair in telling):
        return f"Some places of `{name}` should be 0 and are not; the others have the right proportions. " + (
            "Hidden keys still get a share: give them −inf in the scores that these weights come from."
            if name == "weights" or any("mask" in argument for argument in telling[0].seen.given)
            else "Look at what decides which of them are 0."
        )
    return (
        f"The numbers in each row of `{name}` have the right proportions but do not sum to one: the powers are "
        f"right, the divisor is not. Divide each row by its own sum."
    )


def other_sums(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say along which axis weights sum to one, if not along the rows."""
    telling = [pair for pair in pairs if pair.got.ndim > 1 and pair.got.shape == pair.right.shape]
    telling = [pair for pair in telling if np.isfinite(pair.got).all() and min(pair.got.shape[-2:]) > 1]
    if len(telling) < needed or any(sums_to_one(pair.got) for pair in telling):
        return None
    if all(sums_to_one(pair.got, -2) for pair in telling):
        return f"Each column of `{name}` sums to one, and the rows should: softmax ran along the axis before the last."
    return None


def hidden_weights(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that some weights are wrongly 0, the rest being normalised correctly."""
    telling = [pair for pair in pairs if pair.right.shape[-1] > 1 and np.isfinite(pair.got).all()]
    patterns = []
    for pair in telling:
        if pair.got.shape != pair.right.shape:
            return None
        seen = pair.got != 0
        left = np.where(seen, pair.right, 0.0)
        total = left.sum(axis=-1, keepdims=True)
        if (total == 0).any() or not np.allclose(pair.got, left / total, rtol=1e-6, atol=1e-12):
            return None
        patterns.append((seen, bool((~seen & (pair.right > 1e-6)).any())))
    patterns = [seen for seen, wrong in patterns if wrong and seen.ndim > 1]
    return words_for_hidden(name, patterns) if len(patterns) >= needed else None


def words_for_hidden(name: str, patterns: Any) -> str:
    """Describe the pattern of zeros in weights."""
    n_by_n = all(seen.shape[-1] == seen.shape[-2] for seen in patterns)
    if n_by_n and all((seen == np.tri(seen.shape[-1], dtype=bool)).all() for seen in patterns):
        return f"In `{name}` no token looks at a later one. Nothing should be hidden here: remove the mask."
    if n_by_n and all((seen == ~np.eye(seen.shape[-1], dtype=bool)).all() for seen in patterns):
        return f"In `{name}` no token looks at itself. Leave the diagonal of the scores unchanged."
    if all((seen.sum(axis=-1) <= 1).all() for seen in patterns):
        return f"Each row of `{name}` gives everything to one place. Softmax gives every score a share."
    if all((~seen[..., -1]).all() and seen[..., :-1].all() for seen in patterns):
        return f"In `{name}` the last one gets no weight. Let the loop run to the end."
    return f"Some of `{name}` are 0, and the others share the whole among themselves. Every score gets a weight."


def column_shifts(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that a number was subtracted from each column of scores before softmax."""
    count = 0
    for pair in pairs:
        if pair.got.ndim < 2 or pair.got.shape != pair.right.shape or min(pair.got.shape[-2:]) < 2:
            continue
        got, right = logarithms(pair)
        if not np.isfinite(pair.got).all() or np.isnan(got).any():
            continue
        apart = got - right
        apart = apart - apart.mean(axis=-1, keepdims=True)
        if not sums_to_one(pair.got) or np.ptp(apart, axis=-2).max() > 1e-6:
            return None
        count += np.abs(apart).max() > 1e-6
    if count < needed:
        return None
    return (
        f"`{name}` is softmax of scores whose columns were each shifted by their own number, such as the "
        f"column's maximum. Only a shift of a whole row cancels: `max(axis=-1, keepdims=True)`."
    )


def other_scores(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that softmax is right but its scores are wrong."""
    telling = [pair for pair in pairs if pair.right.shape[-1] > 1 and np.isfinite(pair.got).all()]
    shaped = all(pair.got.shape == pair.right.shape for pair in telling if not pair.seen.leading)
    telling = [pair for pair in telling if pair.got.shape == pair.right.shape]
    if not shaped or len(telling) < needed or not all(sums_to_one(p.got) and (p.got > 0).all() for p in telling):
        return None
    if sum(not np.allclose(pair.got, pair.right, rtol=1e-3) for pair in telling) < needed:
        return None
    return f"The rows of `{name}` sum to one, as they should, but they come from the wrong scores. Look at the scores."


def sums_to_a_size(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say what every row of weights sums to, if it is a size or one over its root: softmax came before it."""
    telling = [p for p in pairs if p.got.shape == p.right.shape and np.isfinite(p.got).all()]
    totals = [(pair.got.sum(axis=-1), pair.seen) for pair in telling]
    if not all(np.allclose(total, total.flat[0], rtol=1e-6) for total, _ in totals):
        return None
    measured = [(float(total.flat[0]), call) for total, call in totals]
    if not differ(measured, needed) or not (what := named(measured)):
        return None
    return (
        f"Each row of `{name}` sums to {what}, and should sum to one: it was multiplied or divided after softmax. "
        "Scale the scores, and leave the weights as softmax gives them."
    )


def nothing_sums(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that no row of weights sums to one."""
    telling = [p for p in pairs if p.right.shape[-1] > 1 and p.got.shape == p.right.shape and np.isfinite(p.got).all()]
    wrong = [~close(pair.got, pair.right).all(axis=-1) for pair in telling]  # a row of 1 and 0 may be right by chance
    ones = [np.isclose(pair.got.sum(axis=-1), 1, rtol=1e-6) for pair in telling]
    if sum(map(np.any, wrong)) < needed or any((rows & one).any() for rows, one in zip(wrong, ones, strict=True)):
        return None
    return f"The rows of `{name}` do not sum to one. Divide each row by its own sum, after exp."


WEIGHTS = (inside_softmax, hidden_weights, not_shared_out, other_sums, column_shifts)


VAGUELY = (some_factor_inside, other_scores, sums_to_a_size, nothing_sums)


def along(pair: Pair) -> Pair:
    """Return a pair with the axis given as ``axis`` moved to the end."""
    axis = pair.seen.given.get("axis", -1)
    if axis == -1 or pair.got.shape != pair.right.shape:
        return pair
    return Pair(np.moveaxis(pair.got, axis, -1), np.moveaxis(pair.right, axis, -1), pair.seen)


def are_weights(pairs: list[Pair]) -> bool:
    """Say whether the right answers are weights: positive rows that sum to one, not all one-hot."""
    rows = [pair.right for pair in pairs if pair.right.ndim and pair.right.shape[-1] > 1]
    sums = [right.sum(axis=-1) for right in rows]
    shared = any(((right > 0) & (right < 1)).any() for right in rows)
    return shared and all(
        (right >= 0).all() and (np.isclose(total, 1) | (total == 0)).all()
        for right, total in zip(rows, sums, strict=True)
    )


def vaguely_like_weights(name: str, pairs: list[Any], needed: int) -> str | None:
    """Say whether rows sum to one, if the right answers are weights."""
    return like_weights(name, pairs, needed, VAGUELY)


def like_weights(name: str, pairs: list[Any], needed: int, relations: tuple[Any, ...] = WEIGHTS) -> Any:
    """Describe how weights are wrong, if the right answers are weights."""
    pairs = [along(pair) for pair in pairs]
    if not are_weights(pairs) or not all(pair.got.size for pair in pairs):
        return None
    pairs = [pair for pair in pairs if (pair.right.sum(axis=-1) > 0).all() and pair.got.size and pair.got.ndim]
    return next((said for look in relations if (said := look(name, pairs, needed))), None)


def leading_hint(calls: list[Call]) -> str:
    """Describe what happened to the leading axes, as far as it shows."""
    for call in calls:
        for got, right in results(call):
            for shows, said in LEADING_RESULTS:
                if shows(got, right, min(call.leading, right.ndim)):
                    return said
    return LEADING[next((met[0] for call in calls if call.answer.error and (met := mismatch(call.answer.error))), "")]


def first_alone(got: np.ndarray, right: np.ndarray, leading: int) -> bool:
    """Say whether an answer contains only the first sentence's, and that is right."""
    return any(right[(0,) * k].size < right.size and agrees(got, right[(0,) * k]) for k in range(1, leading + 1))


def first_right_alone(got: np.ndarray, right: np.ndarray, leading: int) -> bool:
    """Say whether an answer has the right shape, is right for the first sentence, and wrong for another."""
    place = (0,) * leading
    return leading > 0 and got.shape == right.shape and agrees(got[place], right[place]) and not agrees(got, right)


def axis_in_front(got: np.ndarray, right: np.ndarray, leading: int) -> bool:
    """Say whether an axis of the right answer moved to the front."""
    return any(agrees(got, np.moveaxis(right, axis, 0)) for axis in (-1, -2, -3) if right.ndim > -axis)


# What happened to the leading axes, by what a result is beside the right one.
LEADING_RESULTS = (
    (
        lambda got, right, leading: got.ndim > right.ndim,
        "The result has too many axes: `np.dot`, `np.inner` and `np.tensordot` pair every sentence with every other. "
        "`@` and an einsum with `...` keep sentences apart.",
    ),
    (
        lambda got, right, leading: got.ndim < right.ndim and agrees(got, np.squeeze(right)),
        "Axes of length 1 are missing: `np.squeeze` removes every such axis, even that of a batch of one.",
    ),
    (first_alone, "Only the first sentence gets an answer: there is a `return` inside a loop over the batch."),
    (
        lambda got, right, leading: got.ndim < right.ndim and got.size == right.size,
        "The number of entries is right, but there are too few axes: a reshape to a fixed number of axes merges "
        "sentences. Start the new shape with all leading axes, such as `*x.shape[:-2]`.",
    ),
    (
        first_right_alone,
        "The first sentence is right and the next one is not: either only the first is computed, as by `[0]`, "
        "or something carries over from one to the next. Are sentences merged, or is a variable not reset?",
    ),
    (
        axis_in_front,
        "An axis that belongs after the batch axis is before it. `np.array` and `np.stack` create a new first axis "
        "unless you pass `axis=-1`, `-2` or `-3`; and 0 in `np.swapaxes` or a transpose is the batch axis: count from "
        "the end.",
    ),
)


# What to look at if leading axes make the difference, by the lengths that did not match (compare.mismatch).
LEADING = {
    "product": (
        "`.T` reverses all axes, `np.swapaxes(x, -1, -2)` only the last two. Or a loop runs over the first axis, "
        "which counts sentences here, not rows: `@` needs no loop."
    ),
    "line up": (
        "A loop over the first axis, `len(x)` and `shape[0]` count sentences here, not rows. Or an axis is inserted "
        "or summed from the front: write `axis=-1`, `shape[-2]`, `[..., None]` for `axis=1`, `shape[0]`, `[:, None]`."
    ),
    "": (
        "Something works for a single sentence only. The first axis counts sentences here, not rows; `axis=1`, "
        "`shape[1]`, `len(x)`, `[:, None]`, `np.swapaxes(x, 0, 1)` and a loop over x all assume rows. Count from the "
        "end (`axis=-1`, `shape[-1]`, `[..., None]`), give an einsum its `...`, and avoid `.T`, `np.diag` and merged "
        "sentences."
    ),
}


def results(call: Call) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield ``(got, right)`` for each result of a call for which both are numbers."""
    if call.answer.error or call.right.error:
        return
    right = call.right.value if isinstance(call.right.value, tuple) else (call.right.value,)
    got = call.answer.value if isinstance(call.right.value, tuple) else (call.answer.value,)
    if not isinstance(got, (tuple, list)) or len(got) != len(right):
        return
    for one, other in zip(got, right, strict=True):
        one, other = numbers(one), numbers(other)
        if one is not None and other is not None:
            yield one.astype(float), other.astype(float)


LARGE_LOGITS = 100  # larger than any logit of the languages that are drawn
LARGE = 35  # ordinary inputs hold nothing larger


def arrays(call: Call) -> list[np.ndarray]:
    """Return the arguments of a call that are arrays with axes."""
    return [value for value in call.given.values() if isinstance(value, np.ndarray) and value.ndim]


def holds(test: Callable) -> Callable:
    """Return a condition: some array among the arguments passes the test."""
    return lambda call: any(bool(np.any(test(array))) for array in arrays(call))


def masks_of(call: Call) -> list[np.ndarray]:
    """Return the masks among the arguments."""
    return [value for name, value in call.given.items() if "mask" in name and isinstance(value, np.ndarray)]


def sees_nothing(call: Call) -> bool:
    """Say whether a mask among the arguments has a row that is all False."""
    return any(not mask.any(axis=-1).all() for mask in masks_of(call))


def logits_are_large(call: Call) -> bool:
    """Say whether a function among the arguments gives large logits (a StepTable)."""
    tables = [np.asarray(value.rows) for value in call.given.values() if hasattr(value, "rows")]
    return any(bool((np.abs(table) > LARGE_LOGITS).any()) for table in tables)


@dataclass(frozen=True)
class Occasion:
    """A kind of call to which wrong answers may be limited: its words, its test, and the argument it is about."""

    kind: str
    words: str
    holds: Callable
    name: str = ""


OCCASIONS = (
    Occasion("blind", "where a query may look at nothing", sees_nothing),
    Occasion(
        "leading", "where there are leading axes, such as sentences or heads in front", lambda call: call.leading > 0
    ),
    Occasion("axes", "where there is more than one leading axis", lambda call: call.leading > 1 and bool(call.sizes)),
    Occasion("minus_infinity", "where a score is -inf", holds(np.isneginf)),
    Occasion("large", "where numbers are large", holds(lambda array: np.isfinite(array) & (np.abs(array) > LARGE))),
    Occasion("large", "where logits are large", logits_are_large),
    Occasion(
        "whole",
        "where the arguments are whole numbers",
        lambda call: bool(arrays(call)) and any(array.dtype.kind in "iu" for array in arrays(call)),
    ),
    Occasion("zero", "where an argument holds a 0", holds(lambda array: (array == 0) & (array.dtype.kind != "b"))),
    Occasion(
        "negative",
        "where the right answer is negative",
        lambda call: isinstance(call.right.value, float) and call.right.value < 0,
    ),
)


def larger_than(signature: Signature, seen: list[Call]) -> list[Occasion]:
    """Return the occasions on which one of two arguments, both whole numbers, is larger than the other."""
    names = [name for name, *_ in signature["arguments"] if all(type(call.given.get(name)) is int for call in seen)]
    return [
        Occasion(
            "larger",
            f"where `{one}` is larger than `{other}`",
            lambda call, a=one, b=other: call.given[a] > call.given[b],
        )
        for one in names
        for other in names
        if one != other
    ]


def axis_of_one(name: str) -> Occasion:
    """Return the occasion on which an axis, or a whole number among the arguments, is 1."""
    return Occasion(
        "one",
        f"where {name} = 1",
        lambda call: call.sizes.get(name) == 1 and not isinstance(call.given.get(name), float),
    )


def beside_default(signature: Signature) -> list[Occasion]:
    """Return the occasions on which an argument differs from its default."""
    return [
        Occasion(
            "argument",
            f"where `{name}` is not {written(default)}",
            lambda call, name=name, default=default: call.given[name] != default,
            name,
        )
        for name, _, default in signature["arguments"]
        if isinstance(default, (int, float, str))
    ]


def given_at_all(seen: list[Call]) -> list[Occasion]:
    """Return the occasions on which an optional argument is given, and on which it is not."""
    names = dict.fromkeys(name for call in seen for name, value in call.given.items() if value is not None)
    left_out = [name for name in names if any(call.given.get(name) is None for call in seen)]
    return [
        *(
            Occasion("argument", f"where `{one}` is given", lambda call, a=one: call.given.get(a) is not None, one)
            for one in left_out
        ),
        *(
            Occasion("argument", f"where `{one}` is None", lambda call, a=one: call.given.get(a) is None, one)
            for one in left_out
        ),
    ]


def axis_of_zero(name: str) -> Occasion:
    """Return the occasion on which an axis, or a whole number among the arguments, is 0."""
    return Occasion("none", f"where {name} = 0", lambda call: call.sizes.get(name) == 0 and not call.right.error)


# What may be special about a text, by the pattern that finds it.
TEXTS = (
    ("where a text begins or ends with a space, or has several in a row", r"^ | $|  "),
    ("where a text holds a line break", r"\n"),
    ("where a text holds commas or other signs", r"[^\w\s]"),
    ("where a text holds letters beyond a to z", r"[^\W\d_a-zA-Z]"),
)


def holds_nothing(value: Any) -> bool:
    """Say whether a text or a list is empty."""
    return isinstance(value, (str, list)) and not value


def by_texts(seen: list[Call]) -> list[Occasion]:
    """Return the occasions on which a text, or a list, is empty, and on which a text holds something special."""
    names = [name for name, value in seen[0].given.items() if isinstance(value, (str, list))]
    texts = [name for name in names if isinstance(seen[0].given[name], str)]
    return [
        *(
            Occasion("empty", f"where `{name}` is empty", lambda call, name=name: holds_nothing(call.given[name]))
            for name in names
        ),
        *(
            Occasion(
                "text", words, lambda call, name=name, pattern=pattern: bool(re.search(pattern, str(call.given[name])))
            )
            for name in texts
            for words, pattern in TEXTS
        ),
    ]


BESIDES = " Besides, it raises no error where it should."


@dataclass(frozen=True)
class RightAndWrong:
    """Calls by their answers; ``is_silent`` says that others, left out, raise no error where one is asked for."""

    calls: list[Call]
    right: list[Call]
    wrong: list[Call]
    is_silent: bool


def apart(seen: list[Call]) -> RightAndWrong | None:
    """Tell right calls from wrong ones; None where these are too many to be limited to an occasion."""
    right, wrong = [call for call in seen if is_right(call)], [call for call in seen if not is_right(call)]
    silent = {id(call) for call in wrong if call.right.error and not call.answer.error}
    is_silent = 0 < len(silent) < len(wrong)  # a forgotten `raise` is a second mistake
    if is_silent:
        seen, wrong = ([call for call in calls if id(call) not in silent] for calls in (seen, wrong))
    if len(right) < 2 or not wrong or len(wrong) > len(seen) / 2:
        return None
    return RightAndWrong(seen, right, wrong, is_silent)


def right_but(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Describe the only occasion on which the answers are wrong, if there none is right."""
    known = apart(seen)
    if known is None:
        return None
    compared = larger_than(signature, known.calls) if len(known.wrong) > 2 else []  # with fewer it may be chance
    compared = [one for one in compared if all(map(one.holds, known.wrong))]
    sizes = [axis(name) for name in known.calls[0].sizes for axis in (axis_of_one, axis_of_zero)]
    special = [*by_texts(known.calls), *by_numbers(signature), *sizes]
    found = occasions_of(known, [*by_argument(known, signature), *compared, *special], ordinary=len(known.right))
    return describe_occasions(known, found, "") if found else None


def right_but_at_times(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Describe the only occasion on which the answers are sometimes wrong.

    No single size is an occasion here, as it also has right answers by chance, nor is a second leading axis, nor are
    whole numbers: truncation happens wherever they are.
    """
    known = apart(seen)
    if known is None:
        return None
    by_number = [one for one in by_numbers(signature) if one.kind not in ("whole", "axes")]
    occasions = [*by_argument(known, signature), *by_number]
    occasions.sort(key=lambda one: one.kind == "leading")  # the vaguest
    found = occasions_of(known, occasions, ordinary=2)
    return describe_occasions(known, found, "in some cases ") if tells(found) else None


def by_argument(known: RightAndWrong, signature: Signature) -> list[Occasion]:
    """Return the occasions on which an argument is given, is left out, or differs from its default."""
    return [*given_at_all(known.calls), *beside_default(signature)]


def by_numbers(signature: Signature) -> list[Occasion]:
    """Return the known occasions; large numbers only where the right function exponentiates: else it is chance."""
    return [one for one in OCCASIONS if one.kind != "large" or signature.get("powers")]


def occasions_of(known: RightAndWrong, occasions: list[Occasion], ordinary: int) -> list[tuple[Occasion, list[Call]]]:
    """Return occasions that together hold for all wrong calls, each with those it is the first to hold for; else [].

    At least ``ordinary`` right calls must not be of an occasion.
    """
    symptoms = {**SYMPTOMS, **(SYMPTOMS_IN_EXAMPLES if all(call.worked for call in known.calls) else {})}
    found, wrong = [], known.wrong
    for occasion in occasions:
        covered = [call for call in wrong if occasion.holds(call)]
        if occasion.kind in symptoms and not all(map(symptoms[occasion.kind], covered)):
            continue
        if covered and sum(not occasion.holds(call) for call in known.right) >= ordinary:
            found.append((occasion, covered))
            wrong = [call for call in wrong if not any(call is one for one in covered)]
    return [] if wrong else found


def describe_occasions(known: RightAndWrong, found: list[tuple[Occasion, list[Call]]], how_often: str) -> str:
    """Say on which occasions answers are wrong, and what to look at."""
    where = " and ".join(occasion.words for occasion, _ in found[:2])
    return (
        f"Right elsewhere, but wrong {how_often}{where}"
        f"{consequence(found[0][1])}{hint_for(*found[0])}{BESIDES if known.is_silent else ''}"
    )


def cut_off(call: Call) -> bool:
    """Say whether an answer may have lost its fractions: whole numbers in the right shape, or an error."""
    if call.answer.error:
        return True
    return all(got.shape == right.shape and (got % 1 == 0).all() for got, right in results(call))


def breaks_down(call: Call) -> bool:
    """Say whether an answer is what a size of 1 or a 0 often leads to: an error, NaN, or another shape."""
    if call.answer.error or holds_nan(call.answer.value):
        return True
    return any(got.shape != right.shape for got, right in results(call))


def right_where_something_is_seen(call: Call) -> bool:
    """Say whether all rows are right whose query may look at some key, as far as rows can be told apart."""
    for got, right in results(call):
        for mask in masks_of(call):
            seeing = mask.any(axis=-1)
            if got.shape != right.shape or right.ndim < 2 or seeing.ndim >= right.ndim:
                continue
            with suppress(ValueError):  # the rows of this result are not those of the mask
                if not close(got, right)[np.broadcast_to(seeing, right.shape[:-1])].all():
                    return False
    return True


# What shows that a kind of input is the reason, and not there by chance; worked examples are few.
SYMPTOMS = {"whole": cut_off, "blind": right_where_something_is_seen}
SYMPTOMS_IN_EXAMPLES = {"one": breaks_down, "zero": breaks_down}


def tells(found: list[tuple[Occasion, list[Call]]]) -> bool:
    """Say whether an occasion that also has right answers is more than chance: one alone, seen twice or with NaN."""
    return len(found) == 1 and (len(found[0][1]) > 1 or any(holds_nan(call.answer.value) for call in found[0][1]))


def examples_alone(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that nothing but the worked examples is right."""
    worked, unseen = [call for call in seen if call.worked], [call for call in seen if not call.worked]
    if not unseen or not all(map(is_right, worked)) or any(map(is_right, unseen)):
        return None
    return (
        "Right on the worked examples, and on no other input. Look for one of their sizes or numbers inside the "
        "function, or for something that is true only of them."
    )


def overwritten(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that arguments are modified wherever the answer is wrong."""
    wrong = [call for call in seen if not is_right(call)]
    if sum(call.changed for call in wrong) < 2 or not all(call.changed or call.answer.error for call in wrong):
        return None
    what = "an array" if arrays(wrong[0]) else "something"
    return (
        f"The function writes into {what} that it was given, and the answer is wrong: what it reads after that "
        f"is no longer the input. Write into a new array."
    )


def fractions_lost(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that an answer holds whole numbers wherever one argument does, and whether that is all that is wrong."""
    cut = [call for call in seen if cannot_hold_fractions(call)]
    others = [call for call in seen if "f" in map(dtype_kind, values_of(call.answer.value))]
    if not cut or not others:
        return None
    besides = any(not is_right(call) and not any(call is one for one in cut) for call in seen)
    for name in cut[0].given:
        cut_kinds, other_kinds = ({dtype_kind(call.given.get(name)) for call in calls} for calls in (cut, others))
        if cut_kinds <= {"i", "u"} and other_kinds == {"f"}:
            return (
                f"Where `{name}` holds whole numbers, the answer cannot hold fractions: an array made like it "
                f"(zeros_like, a copy, its dtype) holds whole numbers, too. Convert it first, `{name}.astype(float)`."
                f"{' Something else is also wrong.' if besides else ''}"
            )
    return None


def dtype_kind(value: Any) -> str:
    """Return the kind of numbers that an array holds, as NumPy's letter; "O" if it is no array."""
    return getattr(getattr(value, "dtype", None), "kind", "O")


def cannot_hold_fractions(call: Call) -> bool:
    """Say whether the right answer has fractions, and the array that was given or written into has room for none."""
    if call.answer.error:
        return "Cannot cast ufunc" in error_of(call)[1]
    pairs = zip(values_of(call.answer.value), map(numbers, values_of(call.right.value)), strict=False)
    return any(dtype_kind(got) in "iu" and right is not None and bool((right % 1).any()) for got, right in pairs)


def consequence(calls: list[Call]) -> str:
    """Describe the wrong answers."""
    if all(call.answer.error for call in calls):
        kinds = {error_of(call)[0] for call in calls}
        return f": there it raises {kinds.pop()}. " if len(kinds) == 1 else ": there it raises errors. "
    if any(holds_nan(call.answer.value) for call in calls):
        return ": there the result is NaN. "
    return ". "


HINTS = {
    "blind": "There every key is hidden, and every weight should be exactly 0.",
    "larger": "Look at which part of the formula matters there.",
    "overflow": (
        "`np.exp` overflows beyond 709, or all powers of a row are 0: subtract each row's own maximum before it."
    ),
    "large": "Subtract each row's own maximum before `np.exp`; then nothing needs to be cut off or treated apart.",
    "argument": "Look at every line that uses `{name}`, and at every line that should.",
    "minus_infinity": "A score of -inf gets weight 0; only a row of nothing else is all zeros.",
    "whole": "An array made like them (zeros_like, their dtype) holds whole numbers, too, and cuts fractions off.",
    "in place": (
        "`+=`, `*=` and `/=` write into the array that is there, and one of whole numbers holds no fractions. If it is "
        "an argument, its caller's numbers are changed as well. Write `x = x * y`, which makes a new array."
    ),
    "negative": "Look for a maximum with 0, or for a search that starts at 0.",
    "empty": (
        "There is no first item and no last one, and a loop over it runs zero times: what does each line do then?"
    ),
    "text": (
        "Every character counts, and none is lost: `split()`, `strip()`, and patterns with `\\w` or `\\s`, treat some "
        "of them in another way."
    ),
    "axes": (
        "One leading axis is no trouble, two are: is a shape unpacked into three lengths, or does a loop go over one "
        "axis alone? Keep all of them, as in `*x.shape[:-2]`, and count axes from the end."
    ),
    "none": "Nothing is there then: what does each line do with it, and what is asked for all the same?",
    "zero": "Look at what the function does with a 0.",
    "one": (
        "Look at what each line does then: squeeze, d - 1, a division by 0, or a function that needs at least two."
    ),
}


def hint_for(occasion: Occasion, calls: list[Call]) -> str:
    """Return what to look at, if answers are wrong on one occasion alone."""
    if occasion.kind == "leading":
        return leading_hint(calls)
    if occasion.kind == "whole" and all("Cannot cast ufunc" in error_of(call)[1] for call in calls):
        return HINTS["in place"]
    overflows = any(not call.answer.error and holds_nan(call.answer.value) for call in calls)
    kind = "overflow" if occasion.kind == "large" and overflows else occasion.kind
    return HINTS[kind].format(name=occasion.name)


SEVERAL, STACKED = "Return several results as `a, b`.", "Return several results side by side: `return a, b`."
ONE = "Look at the axis along which each part is cut or summed, and at its length afterwards."
KNOWN_ERRORS = (
    ("shape-mismatch for sum", "`np.tensordot` sums over two axes by default. `@` sums over one."),
    (
        "all input arrays must have the same shape",
        "Arrays of unequal shape were stacked into one. " + STACKED,
        "Arrays of unequal shape were stacked into one. " + ONE,
    ),
    (
        "dimensions except for the concatenation axis must match",
        "Arrays that are put together along one axis must have the same length along all others. Print both shapes: "
        "the axis may be the wrong one, or the new part may have its axes in another order.",
    ),
    (
        "'numpy.ndarray' object has no attribute 'append'",
        "An array does not grow. `np.concatenate` and `np.append`, with `axis=`, return a longer one: give it a name.",
    ),
    (
        "inhomogeneous shape",
        "Arrays of unequal shape were put into one. " + SEVERAL,
        "Arrays of unequal shape were put into one. " + ONE,
    ),
    (r"for \^|'bitwise_xor'", "`^` is not a power in Python: write `**`."),
    (
        "Integers to negative integer powers",
        "NumPy cannot raise an integer to a negative power: make one of them a float.",
    ),
    (
        "truth value of an array",
        "A whole array is used where Python needs one True or False, as in `if`, `and`, `or`, max and min. "
        "Compare entry by entry: `np.where`, `np.maximum`, `np.minimum`.",
    ),
    (
        "axes don't match array",
        "A transpose that names its axes, such as `transpose(1, 0, 2)`, fits only that many axes, and a batch has "
        "more. `np.swapaxes`, with axes counted from the end, leaves leading axes in place.",
    ),
    (
        "'tuple' object has no attribute",
        "A tuple is used where an array is needed. A function with several results returns a tuple: unpack it, "
        "`a, b = f(x)`.",
    ),
    (
        "Cannot cast ufunc",
        "`+=`, `-=`, `*=` and `/=` write their result into the existing array, and an array of integers holds "
        "no fractions. It may also be one of the function's arguments, which must not change. Write `x = x / y`, "
        "which makes a new array.",
    ),
    (
        "Axis must be specified when shapes of a and weights differ",
        "`np.average` needs the axis along which the weights run: `axis=0` for one weight per row.",
    ),
)

# The same for errors that leading axes may cause, too: they mean this where there are none.
WITHOUT_LEADING_AXES = (
    (
        r"builtin_function_or_method|'method'|'(function|numpy\.ufunc)' object is not (subscriptable|iterable)",
        "A function or a method lacks its round brackets: `x.sum()`, not `x.sum` or `x.sum[0]`.",
    ),
    (
        "'int' object is not iterable",
        "One number was given where several are needed. A loop counts with `range(n)`, and `append` adds one element "
        "to a list, not `extend`.",
    ),
    ("can only concatenate list", "`+` joins two lists: put a single element into brackets, `tokens + [word]`."),
    ("unhashable type", "A list or an array was looked up in a dictionary. Look up one of its elements at a time."),
    (
        "expected str instance, (int|numpy)",
        "`join` puts texts together, and was given numbers. Look up the word of each number first.",
    ),
    (
        "'list' object has no attribute '(split|lower|upper|strip|replace)'",
        "This is a list of texts, and such a method works on one text. Loop over the list.",
    ),
    (
        "is not callable",
        "Round brackets call what is in front of them, and that is no function. An index takes square brackets, as in "
        "`x.shape[0]`; a product needs its `*` or `@`. Or a name such as `sum` was given a value above, and is no "
        "function any more.",
    ),
    (
        r"'(int|float|numpy\.\w+)' object is not subscriptable|unpack non-iterable (int|float|numpy)|index to scalar|"
        r"object of type '(int|float|numpy\.\w+)' has no len|len\(\) of unsized",
        "A single number has no elements: `x.shape` holds all lengths, and `x.shape[0]` is one of them.",
    ),
    (
        "cannot access local variable|before assignment",
        "A variable has no value yet: the line that gives it one comes later, or is in a loop or an `if` that was "
        "never entered.",
    ),
    (
        "maximum recursion depth",
        "The function calls itself, and so on without end. Write out what it does, or call a function of an earlier "
        "exercise.",
    ),
    (
        r"must be real number, not tuple|unsupported operand .*'tuple'",
        "A tuple is used where a number or an array is needed. `x.shape` holds all lengths, and `x.shape[-1]` is the "
        "last; a function with several results returns a tuple, too: unpack it, `a, b = f(x)`.",
    ),
    (
        "'tuple' object does not support item assignment",
        "A tuple cannot be changed. Make a list, `[0] * n`, or an array.",
    ),
    (
        "list assignment index out of range",
        "A list has no place with this index. An empty list has none at all: `append` adds an element, or make an "
        "array of the right shape first.",
    ),
    (
        "list index out of range",
        "An index runs past the end of a list: the last one is `len(x) - 1`, and an empty list has none.",
    ),
    (
        "is out of bounds for axis 0 with size 0",
        "The first or the last of nothing is asked for. If it is what meets a condition, as in `np.where(…)[0][0]`: "
        "sometimes nothing meets it.",
    ),
    (
        r"(max|min)\(\) (arg is an empty sequence|iterable argument is empty)",
        "Python's max and min need one element or more, and get none: a list was never filled, or all was taken out.",
    ),
    (
        r"missing \d+ required positional argument",
        "A call in the function passes too few arguments. Python names the last ones, whichever were forgotten: "
        "compare the call with the `def` line, from the left.",
    ),
    (
        r"'(set|map|zip|filter|generator|dict_\w+)' object is not subscriptable|"
        r"object of type '(map|zip|filter|generator)' has no len",
        "This has no positions and perhaps no order. Make a list of it first: `list(…)`, or `sorted(…)` for a set.",
    ),
    (
        "list indices must be integers or slices, not str",
        "The elements of a list have numbers, not names. Look a word up in a dictionary.",
    ),
    (
        r"not enough values to unpack|too many values to unpack",
        "There are more names on the left of `=` than values on the right, or fewer. `x.shape` has one length for "
        "each axis: `n, d = x.shape[-2:]` takes the last two.",
    ),
    (
        "too many indices for array",
        "The array has fewer axes than there are indices. `x[..., 0]` counts from the end and fits any number of axes. "
        "A sum or a maximum removes its axis; `keepdims=True` keeps it with length 1.",
    ),
    (
        r"axis -?\d+ is out of bounds for array of dimension",
        "The array does not have this axis: the first is 0, and the last is -1. A sum or a maximum removes its axis "
        "(`keepdims=True` keeps it with length 1), and `np.append` without an axis leaves a single one.",
    ),
    (
        "axes don't match array",
        "`x.transpose(1, 0, 2)` names all axes in their new order. `np.swapaxes(x, -1, -2)` swaps two, as PyTorch's "
        "`transpose` does.",
    ),
    (
        r"view\(\) takes",
        "NumPy's `view` is not PyTorch's. Write `reshape`.",
    ),
    (
        "'dict' object has no attribute '(append|add|index|insert|extend)'",
        "A dictionary is filled with `d[key] = value` and read with `d[key]`.",
    ),
    (
        "can only concatenate str",
        "`+` joins texts, and one of the two is none: write `str(x)`, or an f-string.",
    ),
    (
        "only specify one unknown dimension",
        "A reshape can find one length by itself, and only one may be -1. Write the others.",
    ),
    (
        r"math domain error|expected a (positive|nonnegative) input",
        "`math.log` has no value at 0 or below, and `math.sqrt` none below 0. Look at what is given to it.",
    ),
    (
        "No module named",
        "This package is not installed here. NumPy is all that the exercises need.",
    ),
    (
        "EOF when reading a line",
        "`input` waits for somebody who types, and nobody is there. All that is needed is in the arguments.",
    ),
    (
        r"did not contain a loop.*<U",
        "A text is used where numbers are needed. Quotation marks make a text, and so does an array that holds one.",
    ),
    (
        "numpy boolean (subtract|negative)",
        "`-` does not work on True and False. To invert a mask write `~mask`; to calculate with it, "
        "`mask.astype(float)`.",
    ),
    (
        "Cannot interpret .* as a data type",
        "`np.zeros` and `np.ones` take the shape as one tuple, `np.zeros((m, n))`, and a type after it. So does a sum: "
        "what comes after its axis needs its name, as in `keepdims=True`.",
    ),
    (
        "converted to Python scalars",
        "`math.exp`, `float` and others of Python's own take one number, and were given an array. NumPy's functions "
        "take arrays: `np.exp`, `np.sqrt`.",
    ),
    (
        "converted to a scalar index",
        "An array was given where one whole number is needed. `np.stack` and `np.concatenate` take their arrays as one "
        "list, `np.stack([a, b])`, and the index of a list is one number.",
    ),
    (
        r"setting an array element with a sequence\.?$",
        "Several numbers were written into a place for one. Look at the shape that the array was made with, and at "
        "what is written into it.",
    ),
    (
        "(unsupported|bad) operand .*'list'|multiply sequence|list indices .* not tuple|"
        r"'list' object has no attribute '(T|shape|ndim|size|sum|mean|max|min|dot|reshape|astype|transpose)'",
        "A list does not calculate like an array. Make it one: `np.array`.",
    ),
    (
        "float.* interpreted as an integer|indices must be integers .*(float|__index__)|sequence of integers",
        "A length, an index and the end of a range must be whole numbers. `/` gives a float: divide with `//`.",
    ),
    (
        "only integers, slices",
        "The index of an array is a whole number or a slice, and this is neither. `/` gives a float: divide with "
        "`//`. A word needs its number first.",
    ),
    (
        r"does not have enough dimensions \(has 0",
        "`@` multiplies arrays, and one of the two has no axes: it is a single number, None, or a method without its "
        "brackets `()`.",
    ),
    (
        "NoneType",
        "None is used like an array or a number. An argument may be None; a function without `return` gives None, and "
        "so does `list.append`.",
    ),
)

# The same for errors that mean little more than what they say, with their type: told if nothing else is known.
LAST_RESORT = (
    (
        r"^ValueError: cannot reshape array of size \d+ into shape \([\d, -]*\)",
        "A reshape keeps all numbers: the new lengths must have the same product as the old ones.",
    ),
    (
        r"^IndexError: index -?\d+ is out of bounds for axis \d+ with size \d+",
        "An index runs past the end of an axis: the last one is the length minus 1. Look at what the index counts.",
    ),
    (
        r"^KeyError: '[^'\n]{1,40}'",
        "The dictionary does not have this key. To count from 0, write `d[key] = d.get(key, 0) + 1`.",
    ),
)


PYTHONS_WORDS = ("positional argument", "unexpected keyword argument", "multiple values for argument")


def refused(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say which arguments a function must take, if its own parameters refused the call."""
    wrong = [call.answer.error for call in seen if call.answer.error and not is_right(call)]
    if not wrong or not all(
        kind == "TypeError"
        and said.startswith(f"{signature['name']}()")
        and any(words in said for words in PYTHONS_WORDS)
        for kind, said in wrong
    ):
        return None
    optional = signature.get("optional", ())
    listed = [
        name if default is None and name not in optional else f"{name}={default_text(default)}"
        for name, _, default in signature["arguments"]
    ]
    return f"The function must take the arguments `{', '.join(listed)}`, in this order, as in the released notebook."


def default_text(default: Any) -> str:
    """Return a default as the notebook writes it."""
    return "np.e" if isinstance(default, float) and abs(default - np.e) < 1e-9 else written(default)


def errors_in(seen: list[Call]) -> list[Call]:
    """Return the wrong calls that raise; none if, without leading axes, all wrong answers are numbers."""
    wrong = [call for call in seen if not is_right(call)]
    ordinary = [call for call in wrong if not call.leading]
    matter = not ordinary or any(call.answer.error for call in ordinary)
    return [call for call in wrong if call.answer.error and matter]


def known_error(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Explain an error of Python's or NumPy's whose message says little to a beginner."""
    wrong = errors_in(seen)
    ordinary = [call for call in wrong if not call.leading]
    for known, calls in ((WITHOUT_LEADING_AXES, ordinary), (KNOWN_ERRORS, wrong)):
        if len({error_of(call)[0] for call in calls}) > 1:  # raised on purpose, they could leak unseen inputs
            continue
        for pattern, *meanings in known:
            if len(calls) >= min(2, len(seen)) and all(re.search(pattern, error_of(call)[1]) for call in calls):
                return f"Raises {error_of(calls[0])[0]}. {meanings[0] if len(returns) > 1 else meanings[-1]}"
    return None


def raising_example(seen: list[Call]) -> Call | None:
    """Return the first wrong worked example, if it raises, and is not the only call that does."""
    first, raising = first_wrong_example(seen), [call for call in seen if call.answer.error and not is_right(call)]
    return first if first and first.answer.error and len(raising) >= min(2, len(seen)) else None


def known_in_an_example(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Explain the error that the first wrong worked example raises, where other inputs raise another, too."""
    first = raising_example(seen)
    if not first:
        return None
    kind, said = error_of(first)
    for pattern, *meanings in (*WITHOUT_LEADING_AXES, *KNOWN_ERRORS):
        if re.search(pattern, said):
            return f"Raises {kind} in a worked example. {meanings[0] if len(returns) > 1 else meanings[-1]}"
    for pattern, meaning in LAST_RESORT:
        if found := re.search(pattern, f"{kind}: {said}"):
            return f"Raises {found[0]} in a worked example. {meaning}"
    return None


def letters_looked_up(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that letters were looked up in place of words: every key that is missing has one letter."""
    errors = [error_of(call) for call in seen if call.answer.error and not is_right(call)]
    given = [value[0] if isinstance(value, list) and value else value for value in seen[0].given.values()]
    texts = [value for value in given if isinstance(value, str)]
    one_letter = [kind == "KeyError" and re.fullmatch("'.'", said) is not None for kind, said in errors]
    if not texts or len(errors) < min(2, len(seen)) or not all(one_letter):
        return None
    return "Raises KeyError: letters were looked up. A loop over a text goes letter by letter: use `text.split()`."


def past_the_end(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Name the axis whose end an index exceeds."""
    wrong = errors_in(seen)
    names = None
    for call in wrong:
        found = re.search(rf"is out of bounds for axis -?\d+ with size {LENGTH}", error_of(call)[1])
        if error_of(call)[0] != "IndexError" or not found:
            return None
        sized = names_of(int(found[1]), call)
        names = sized if names is None else names & sized
    if not names or len(names) > 1 or len(wrong) < min(2, len(seen)):
        return None
    return f"Raises IndexError: an index runs past the end of an axis of length {names.pop()}. Look at what it counts."


NOT_DEFINED = re.compile(r"name '(\w{1,80})' is not defined")
NOT_IN_NUMPY = re.compile(r"(module 'numpy'|'numpy\.ndarray' object) has no attribute '(\w{1,80})'\Z")
NO_KEYWORD = re.compile(r".{1,80} got an unexpected keyword argument '(\w{1,80})'", re.DOTALL)
KEYWORDS = {name: name for name in ("axis", "keepdims", "dtype")} | {"dim": "axis"}  # the last is PyTorch's word
OTHER_NAMES = {  # PyTorch's, and a list's, for what NumPy calls otherwise
    **{"permute": ".transpose", "unsqueeze": "np.expand_dims", "numel": ".size", "dim": ".ndim"},
    **{"masked_fill": "np.where", "cat": "np.concatenate", "bmm": "np.matmul", "mm": "np.matmul", "index": "np.argmax"},
}
WORD = re.compile(r"(?<![\w.])[^\W\d]\w{1,39}\b")
MOST_WORDS = 1000  # of a text, among which a similar one is looked for


def suggestion(error: tuple[str, str], text: str) -> str:
    """Say what a name that does not exist may mean, by the words of a text and NumPy's; "" for no idea."""
    kind, said = error
    meant = []
    if kind == "NameError" and (found := NOT_DEFINED.match(said)):
        words = [word for word in dict.fromkeys(WORD.findall(text)) if word != found[1]]
        capital = [name for name in dir(builtins) if name.lower() == found[1]]
        near = capital or nearest(found[1], words[:MOST_WORDS])
        meant = ["np"] if found[1] == "numpy" else [*near, *in_numpy(found[1])]
    elif kind == "AttributeError" and (found := NOT_IN_NUMPY.match(said)):
        is_module = found[1].startswith("module")
        near = nearest(found[2], [name for name in dir(np if is_module else np.ndarray) if name[0] != "_"])
        named = [f"np.{name}" if is_module else f".{name}" for name in near] or in_numpy(found[2])
        meant = [OTHER_NAMES[found[2]]] if found[2] in OTHER_NAMES else named
    elif kind == "TypeError" and (found := NO_KEYWORD.match(said)):
        others = [name for name, meaning in KEYWORDS.items() if meaning != found[1]]  # not all functions take an axis
        meant = [f"{KEYWORDS[name]}=" for name in nearest(found[1], others)]
    return f"did you mean {' or '.join(f'`{one}`' for one in meant)}?" if meant else ""


def nearest(name: str, known: list[str]) -> list[str]:
    """Return the known name that is most like this one, if any is."""
    return get_close_matches(name, known, 1, 0.7)


def raised_at(place: str) -> str:
    """Return the sentence that says where an error was raised, "" where that is not known: ``in line 2, `x @ y```."""
    return f" The error is raised {place}." if place else ""


def in_numpy(name: str) -> list[str]:
    """Return NumPy's function of this name, if there is one."""
    return [f"np.{name}"] if callable(vars(np).get(name)) else []


def lengths_met(wrong: list[Call], seen: list[Call]) -> tuple[str, str, str] | None:
    """Return the operation in which lengths did not match, with the names of both, if only one pair fits."""
    found = [mismatch(error_of(call)) for call in wrong]
    met = [one for one in found if one]
    if len(wrong) < min(2, len(seen)) or len(met) < len(wrong) or len({kind for kind, _, _ in met}) > 1:
        return None
    pairs: Any = None
    for (kind, left, right), call in zip(met, wrong, strict=True):
        names = {(a, b) for a in names_of(left, call) for b in names_of(right, call)}
        if kind != "product":
            names = {tuple(sorted(pair)) for pair in names}
        pairs = names if pairs is None else pairs & names
    return (met[0][0], *pairs.pop()) if len(pairs) == 1 else None


def unmet_lengths(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Name the lengths that did not match, if an error says so."""
    wrong = errors_in(seen)
    ordinary = [call for call in wrong if not call.leading]  # leading axes may pair other lengths
    found = lengths_met(wrong, seen) or lengths_met(ordinary, seen)
    return advice_on_lengths(*found) if found else None


def unmet_in_an_example(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Tell the lengths that did not match in the first wrong worked example: no pair of names fits all calls."""
    first = raising_example(seen)
    found = mismatch(error_of(first)) if first else None
    if not found:
        return None
    kind, left, right = found
    return advice_on_lengths(kind, str(left), str(right), ", in a worked example")


def advice_on_lengths(kind: str, left: str, right: str, there: str = "") -> str:
    """Say which two lengths met, in a product or elsewhere, and what to look at."""
    if kind == "product":
        return (
            f"In a product, rows of length {left} on the left met columns of length {right} on the right{there}. The "
            "two lengths next to `@` must be the same: write the shapes under the product. Are the factors in the "
            "wrong order, is a transpose missing or superfluous, or does `.T` reverse all axes, where "
            "`np.swapaxes(x, -1, -2)` swaps the last two?"
        )
    return (
        f"Two arrays do not line up: one has length {left} where the other has {right}{there}. NumPy lines shapes up "
        "from the right. Look for a sum or a maximum without `keepdims=True`, one number per row that is not a column "
        "(`[:, None]`), `*` for `@`, something added that does not belong there, an array made with another shape, "
        "or letters of an einsum."
    )


def seen_from(
    signature: Signature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    answer: Answer,
    right: Answer,
    worked: bool,
    changed: bool,
) -> Call:
    """Assemble one call for the relations: its arguments by name, and the lengths of the named axes."""
    given = by_name(signature, args, kwargs)
    sizes, leading = {}, 0
    for name, dims, _ in signature["arguments"]:
        axes = [axis for axis in dims.split() if not axis.startswith("*")]
        shape = np.shape(given.get(name))
        if dims and "..." not in axes and len(shape) >= len(axes):  # a mask is of any shape
            leading = max(leading, len(shape) - len(axes)) if "axes" not in dims else 0
            sizes |= {axis: np.float64(n) for axis, n in zip(axes[::-1], shape[::-1], strict=False)}
        elif isinstance(given.get(name), (int, float)) and name != "axis":
            sizes[name] = np.float64(given[name])
    return Call(given, answer, right, of_one_head(sizes) | sizes, leading, worked, changed)


def by_name(signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return a call's arguments by name, defaults included."""
    defaults = {name: default for name, _, default in signature["arguments"] if default is not None}
    return defaults | dict(zip((name for name, _, _ in signature["arguments"]), args, strict=False)) | kwargs


def of_one_head(sizes: dict[str, Any]) -> dict[str, Any]:
    """Return the widths of one head, d_k and d_v, if an axis h·d_k or h·d_v holds all heads side by side."""
    shared = {axis.removeprefix("h·"): size for axis, size in sizes.items() if axis.startswith("h·")}
    return {axis: size / sizes["h"] for axis, size in shared.items() if sizes.get("h")}


def relation(
    seen: list[Call],
    returns: tuple[str, ...],
    signature: Signature,
    between: Sequence[Callable] = (),
    alone: Sequence[Callable] = (),
    faults: list[Fault] | None = None,
    first: Sequence[Callable] = (),
) -> str | None:
    """Describe how all answers relate to the right ones; None if nothing is known.

    ``first`` is asked before all others: what it says is more specific than anything that holds for every exercise.
    ``between`` may be more specific than the vaguest relations, and less than the others: it is asked in between.
    ``alone`` is asked of single sentences, after our own relations. One that raises an error is passed over, and added
    to ``faults`` by its name.
    """
    faults = [] if faults is None else faults
    with np.errstate(all="ignore"):
        of_one_sentence = map(without_batches, (about_results, *alone))
        asked: list[Callable] = [*first, *RELATIONS, *between, *of_one_sentence, *VAGUE]
        told = (attempt(look.__name__, faults, look, seen, returns, signature) for look in asked)
        return next(filter(None, told), None)


def right_for(altered: str) -> str:
    """Say for which altered question the answers would be right: ``altered`` is a clause such as "you get when …"."""
    return f"The answer is what {altered}. Look for the line that does this."


def without_batches(look: Callable) -> Callable:
    """Return a relation that looks at single sentences, where the answers to batches are wrong in another way."""

    @wraps(look)
    def said_of_one(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
        alone = [call for call in seen if not call.leading]
        said = look(alone, returns, signature) if 1 < len(alone) < len(seen) else None
        return f"{said} In a batch, something else is wrong: are axes counted from the front?" if said else None

    return said_of_one


AT_RANDOM = (
    "Two calls with the same arguments give different answers. Something is random, is kept from an earlier call, or "
    "is never written (`np.empty`): compute the answer from the arguments alone."
)


def at_random(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that an answer changes from one call to the next; it shows only where a question is put twice."""
    answered = [call for call in seen if not call.answer.error]
    repeated = (pair for pair in combinations(answered, 2) if identical(pair[0].given, pair[1].given))
    changes = any(not same(one.answer.value, other.answer.value, nan_equal=True) for one, other in repeated)
    return AT_RANDOM if changes else None


def in_another_order(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that results came in another order, too many or too few of them, or the right one inside a tuple."""
    answered = [call for call in seen if not call.answer.error and not call.right.error]
    found = [(values_of(call.answer.value), values_of(call.right.value), call) for call in answered]
    if len(returns) == 1:  # which may be a list itself
        found = [
            (got if isinstance(call.answer.value, tuple) else (call.answer.value,), (call.right.value,), call)
            for got, _, call in found
        ]
    if len(found) < min(2, len(seen)) or len({len(got) for got, _, _ in found}) > 1 or not 0 < len(found[0][0]) < 5:
        return None
    places = range(len(returns))
    orders = [
        next((i for i in places if all(same(got[k], right[i]) for got, right, _ in found)), -1)
        for k in range(len(found[0][0]))
    ]
    if len(returns) == 1 and orders == [0] and all(isinstance(call.answer.value, tuple) for _, _, call in found):
        return f"`{returns[0]}` is right, but it is inside a tuple. Look for a comma at the end of the line."
    return words_for_order(orders, returns)


def words_for_order(order: list[int], returns: tuple[str, ...]) -> str | None:
    """Describe which right results came, and where; None if all are in place."""
    wanted = f"`{', '.join(returns)}`"
    if sorted(order) == list(range(len(returns))) and list(order) != sorted(order):
        return f"The results are right but in another order. Return {wanted}, in this order."
    if len(order) < len(returns) and -1 not in order:
        came = " and ".join(f"`{returns[i]}`" for i in order)
        return f"Right, but only {came} is returned. Return {wanted}, in this order."
    if len(order) > len(returns) and set(range(len(returns))) <= set(order):
        return f"`{returns[0]}` is right, but more is returned beside it. Return {wanted}, and nothing else."
    return None


def axes_named(length: int, call: Call) -> set[str]:
    """Return the names of the axes of this length; also for length 1, and for two axes merged into one."""
    doubled = {f"2·{name}" for name, size in call.sizes.items() if 2 * size == length}
    return names_of(length, call) | doubled | ({"1"} if length == 1 else set())


def shaped_otherwise(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Name the axes of the first wrong result, if they are not those asked for."""

    def about(
        index: int, by_result: list[list[Pair]], returns: tuple[str, ...], signature: Signature, needed: int
    ) -> str | None:
        said = other_axes(returns[index], by_result[index], signature["results"][index], needed)
        return said and f"{those_right(by_result, returns)}{said}"

    return about_results(seen, returns, signature, about)


def vaguely_related(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Describe the first wrong result, if nothing more specific is known, and its worked example raises no error."""
    first = first_wrong_example(seen)
    return None if first and first.answer.error else about_results(seen, returns, signature, about_vaguely)


def about_results(
    seen: list[Call],
    returns: tuple[str, ...],
    signature: Signature,
    about: Callable | None = None,
) -> str | None:
    """Describe how the first wrong result relates to the right one.

    "First" is in the order of computation, not of return.
    """
    if all(is_right(call) for call in seen):
        return None
    said_first = ""
    if order_by_shape(seen, len(returns)):
        seen = [reordered(call) for call in seen]
        said_first = f"The results are in another order: return `{', '.join(returns)}`. Besides: "
    paired = [list(zip(results(call), [call] * len(returns), strict=False)) for call in seen]
    if any(len(found) != len(returns) for found in paired if found):
        return None
    paired = [found for found in paired if found]
    if not paired:
        return None
    by_result = [[Pair(got, right, call) for (got, right), call in column] for column in zip(*paired, strict=True)]
    needed = min(2, len(seen))
    for index in order_of_computation(by_result):
        if all(agrees(pair.got, pair.right) for pair in by_result[index]):
            continue
        if said := (about or about_precisely)(index, by_result, returns, signature, needed):
            return f"{said_first}{said}"
    return None


def order_by_shape(seen: list[Call], count: int) -> bool:
    """Say whether two results have each other's shapes in all cases, and not their own in two or more."""
    shapes = [
        [[np.shape(numbers(v)) for v in values_of(value)] for value in (call.answer.value, call.right.value)]
        for call in seen
        if not call.answer.error and not call.right.error and count > 1
    ]
    turned = [got[::-1] == right for got, right in shapes]
    return all(turned) and sum(got != right for got, right in shapes) >= min(2, len(seen))


def reordered(call: Call) -> Call:
    """Return a call with its results swapped."""
    value = None if call.answer.error else tuple(call.answer.value)[::-1]
    answer = Answer(value=value, error=call.answer.error)
    return Call(call.given, answer, call.right, call.sizes, call.leading, call.worked, call.changed)


def about_precisely(
    index: int,
    by_result: list[list[Pair]],
    returns: tuple[str, ...],
    signature: Signature,
    needed: int,
) -> str | None:
    """Describe how one result relates to the right one, and say that others are right."""
    name, pairs = returns[index], by_result[index]
    others = {returns[i]: [p.right for p in by_result[i]] for i in range(len(returns)) if i != index}
    said = (
        left_at_zero(name, pairs, needed)
        or like_a_form(name, pairs, needed)
        or times_a_factor(name, pairs, needed)
        or times_a_factor(f"e^{name}", powers_of(pairs), needed)
        or like_another_result(name, pairs, needed, others)
        or like_an_argument(name, pairs, needed)
        or another_mixed(index, by_result, name, needed)
        or like_weights(name, pairs, needed)
    )
    return said and f"{those_right(by_result, returns)}{said}"


def about_vaguely(
    index: int,
    by_result: list[list[Pair]],
    returns: tuple[str, ...],
    signature: Signature,
    needed: int,
) -> str | None:
    """Describe one wrong result: what its rows sum to, or which axes it has."""
    name, pairs = returns[index], by_result[index]
    said = (
        vaguely_like_weights(name, pairs, needed)
        or times_some_factor(name, pairs, needed)
        or wrong_places(name, pairs, needed)
        or all_alike(name, pairs, needed)
        or nearly(name, pairs, needed)
    )
    return said and f"{those_right(by_result, returns)}{said}"


def those_right(by_result: list[list[Pair]], returns: tuple[str, ...]) -> str:
    """Say which results are right in all calls."""
    fine = [returns[i] for i, p in enumerate(by_result) if all(agrees(q.got, q.right) for q in p)]
    if not fine:
        return ""
    return f"{' and '.join(f'`{one}`' for one in fine)} {'is' if len(fine) == 1 else 'are'} right. "


def powers_of(pairs: list[Pair]) -> list[Pair]:
    """Return e to the power of answers that are single numbers, to see errors inside a logarithm."""
    fit = [p for p in pairs if p.right.ndim == 0 == p.got.ndim and abs(p.right) < 500 and abs(p.got) < 500]
    return [Pair(np.power(np.e, p.got), np.power(np.e, p.right), p.seen) for p in fit]


def order_of_computation(by_result: list[list[Pair]]) -> list[int]:
    """Return the results in the order in which they are computed: inputs of others first."""
    made = [i for i in range(len(by_result)) for j in range(len(by_result)) if i != j and made_of(by_result, i, j)]
    return [*(i for i in range(len(by_result)) if i not in made), *made]


def made_of(by_result: list[list[Pair]], i: int, j: int) -> bool:
    """Say whether the right result i is the right result j times some argument, in all cases."""
    names = by_result[i][0].seen.given
    return any(
        all(
            mixed(of.right, of.seen.given.get(name), one.right)
            for one, of in zip(*(by_result[k] for k in (i, j)), strict=True)
        )
        for name in names
    )


def mixed(weights: np.ndarray, tokens: Any, output: np.ndarray) -> bool:
    """Say whether ``output`` is ``weights`` times ``tokens``."""
    tokens = numbers(tokens)
    if tokens is None or tokens.ndim < 2 or not weights.ndim or weights.shape[-1] != tokens.shape[-2]:
        return False
    product = weights @ tokens if tokens.ndim == 2 or weights.ndim > 1 else (weights[..., None, :] @ tokens)[..., 0, :]
    return agrees(product, output)


def another_mixed(index: int, by_result: list[list[Pair]], name: str, needed: int) -> str | None:
    """Say that the right weights mixed the wrong argument, or that the largest weight took everything."""
    for other in range(len(by_result)):
        if other == index or not made_of(by_result, index, other):
            continue
        pairs = [
            (weights.right, one.seen.given, one.got)
            for one, weights in zip(by_result[index], by_result[other], strict=True)
        ]
        for argument in by_result[index][0].seen.given:
            another = f"`{name}` mixes the rows of `{argument}`: mix the other argument."
            one_row = f"`{name}` takes only the row of `{argument}` with the largest weight. Mix all rows."
            for with_weights, said in ((np.asarray, another), (largest_alone, one_row)):
                fits = [mixed(with_weights(weights), given.get(argument), got) for weights, given, got in pairs]
                if sum(fits) >= needed and all(fits):
                    return said
    return None


def largest_alone(weights: np.ndarray) -> np.ndarray:
    """Return weights in which the largest of each row has everything."""
    largest = weights.argmax(axis=-1)[..., None]
    return (np.arange(weights.shape[-1]) == largest).astype(float)


def other_axes(name: str, pairs: list[Pair], dims: str, needed: int) -> str | None:
    """Name the axes of a result, if they are not those asked for, or say that it always has the same shape."""
    wanted = [axis for axis in dims.split() if not axis.startswith("*")]
    found = None
    wrong = [pair for pair in pairs if pair.got.shape != pair.right.shape and not pair.seen.leading]
    if not wanted or len(wrong) < needed:
        return None
    if len({pair.got.shape for pair in pairs}) == 1 < len({pair.right.shape for pair in pairs}) and wrong[0].got.ndim:
        shape = str(wrong[0].got.shape)
        return f"`{name}` always has the shape `{shape}`, whatever the arguments are: take its lengths from them."
    for pair in wrong:
        names = [axes_named(n, pair.seen) for n in pair.got.shape]
        if found is not None and len(found) != len(names):
            return None
        found = names if found is None else [a & b for a, b in zip(found, names, strict=True)]
    if not found or any(len(names) != 1 for names in found):
        return None
    got = shape_of([names.copy().pop() for names in found])
    return f"`{name}` has the shape `{got}`, and `{shape_of(wanted)}` is expected: follow the shapes line by line."


def shape_of(axes: list[str]) -> str:
    """Format a shape by the names of its axes, as Python does: (n_q, d_k) and (n,)."""
    return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"


RELATIONS = (
    *(
        at_random,
        refused,
        letters_looked_up,
        known_error,
        right_but,
        like_a_dictionary,
        like_a_list,
        in_another_order,
        about_results,
    ),
    *(overwritten, shaped_otherwise, unmet_lengths, past_the_end),
)
VAGUE = (fractions_lost, right_but_at_times, unmet_in_an_example, known_in_an_example, vaguely_related, examples_alone)


MOST_SENTENCES = 4  # of one example


def one_by_one(
    signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any], right: Answer
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any], Answer]]:
    """Yield the arguments for each of the first sentences, and the part of the right answer that belongs to it.

    Nothing if there are no leading axes, or if arguments and results do not share them.
    """
    dims = {name: axes for name, axes, _ in signature["arguments"]}
    by_place = dict(zip(dims, args, strict=False))
    given = by_place | kwargs
    tables = {name: value for name, value in given.items() if isinstance(value, np.ndarray) and dims[name]}
    fronts = {name: leading_shape(value, dims[name]) for name, value in tables.items() if dims[name] != "..."}
    front = max(fronts.values(), key=len, default=())
    results = zip(values_of(right.value), signature["results"], strict=True)
    if right.error or not front or {*fronts.values()} - {front, ()}:
        return
    if any(leading_shape(value, axes) != front for value, axes in results):
        return
    for name, mask in tables.items():
        if name not in fronts:  # a mask is of any shape
            given[name] = np.broadcast_to(mask, (*front, *mask.shape[-2:]))
    shared = [name for name in tables if name not in fronts or fronts[name]]
    for place in islice(np.ndindex(front), MOST_SENTENCES):
        alone = {**given, **{name: given[name][place].copy() for name in shared}}
        parts = tuple(value[place] for value in values_of(right.value))
        yield (
            tuple(alone[name] for name in by_place),
            {name: alone[name] for name in kwargs},
            Answer(value=parts if len(parts) > 1 else parts[0]),
        )


def leading_shape(value: Any, axes: str) -> tuple[int, ...]:
    """Return the lengths of the axes before those that are named; () where there are none, or any (``*axes``)."""
    named = [axis for axis in axes.split() if not axis.startswith("*")]
    is_open = axes.startswith("*batch") or not axes
    return np.shape(value)[: np.ndim(value) - len(named)] if is_open else ()


WIDTH = 80  # nbgrader's Validate cuts lines off after 83 characters
MARKED = re.compile(r"`([^`]+)`|(?<![\w*])\*([A-Za-z](?:[A-Za-z ,]*[A-Za-z,])?)\*(?![\w*])")
LIT = "background: rgba(209, 52, 63, 0.2); outline: 1px solid #d1343f; font-weight: bold"
SHOWN = 8  # rows and columns of a table
MARKS = {"right": ("✓", "#218739"), "wrong": ("✗", "#d1343f"), "open": ("○", "inherit")}


@dataclass(frozen=True)
class Difference:
    """One result of a worked example that is not as wanted: its name, the example's label, and both results.

    These are two arrays, or two texts.
    """

    result: str
    label: str
    got: Any
    wanted: Any


@dataclass(frozen=True, repr=False)
class Finding:
    """What ``check`` says of one function. ``status`` is one of MARKS; ``faults`` are those of the check, not shown."""

    name: str
    status: str
    said: str
    differences: tuple[Difference, ...] = ()
    faults: tuple[Fault, ...] = ()

    def __repr__(self) -> str:
        """Return the text for a terminal."""
        return textwrap.fill(f"{self.name}: {self.said}", width=WIDTH, break_on_hyphens=False)

    def _repr_html_(self) -> str:
        """Return the same with a mark, and with the numbers if some are wrong."""
        mark, colour = MARKS[self.status]
        tables = "".join(
            texts_below(one) if isinstance(one.got, str) else side_by_side(one) for one in self.differences
        )
        return (
            f'<div style="border-left: 3px solid {colour}; padding-left: 0.8em; max-width: 44em">'
            f'<span style="color: {colour}; font-weight: bold">{mark}</span> <b>{escape(self.name)}</b>: '
            f"{marked_up(self.said)}{tables}</div>"
        )


def marked_up(text: str) -> str:
    """Return a text as HTML: what is between backticks is code, and words between asterisks are emphasised."""
    return MARKED.sub(lambda found: f"<code>{found[1]}</code>" if found[1] else f"<em>{found[2]}</em>", escape(text))


def show(finding: Finding) -> None:
    """Print a finding, or display it where IPython, which puts ``display`` among the built-in functions, runs."""
    vars(builtins).get("display", print)(finding)


def texts_below(difference: Difference) -> str:
    """Return two texts as HTML: yours, lit, and the wanted one below."""
    got, wanted, name = map(escape, (difference.got, difference.wanted, difference.result))
    return (
        f'<div style="margin-top: 0.5em">your {name}: <code style="{LIT}" title="wrong">{got}</code></div>'
        f"<div>wanted: <code>{wanted}</code></div>{example_line(difference)}"
    )


def example_line(difference: Difference) -> str:
    """Return the line that names the example."""
    return f"<div><small>example: {marked_up(difference.label)}</small></div>"


def side_by_side(difference: Difference) -> str:
    """Return two tables as HTML: yours, with the wrong entries lit, and the wanted one."""
    got, wanted, place = as_tables(difference.got, difference.wanted)
    name = escape(f"{difference.result}{place}")
    if got.shape == wanted.shape:
        wrong = ~close(got, wanted)
        texts = number_texts(got, np.where(wrong, wanted, got)), number_texts(wanted, np.where(wrong, got, wanted))
    else:
        wrong = np.zeros(got.shape, dtype=bool)
        texts = number_texts(got, got), number_texts(wanted, wanted)
    drawn = [
        html_table(f"your {name}, {size_of(difference.got)}", texts[0], wrong),
        html_table(f"wanted, {size_of(difference.wanted)}", texts[1], np.zeros(wanted.shape, dtype=bool)),
    ]
    look = "display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.5em 2em; margin-top: 0.5em"
    return f'<div style="{look}">{"".join(drawn)}</div>{example_line(difference)}'


def as_tables(got: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray, str]:
    """Return both as (rows, columns), and the place of these in a batch: the first one that differs."""
    place = ""
    if got.shape == wanted.shape and got.ndim > 2:
        differs = ~close(got, wanted).all(axis=(-2, -1))
        first = tuple(int(i) for i in np.argwhere(differs)[0])
        got, wanted, place = got[first], wanted[first], f"[{', '.join(map(str, first))}]"
    one, other = (
        array.reshape(-1, array.shape[-1]) if array.ndim > 1 else np.atleast_2d(array) for array in (got, wanted)
    )
    return one[:SHOWN, :SHOWN], other[:SHOWN, :SHOWN], place


def number_texts(table: np.ndarray, beside: np.ndarray) -> list[list[str]]:
    """Return each number as text: whole, or with enough decimals to differ from an unequal one beside it."""
    digits = 0 if all(whole(array) for array in (table, beside)) else 4
    return [
        [number_text(number, other, digits) for number, other in zip(*rows, strict=True)]
        for rows in zip(table, beside, strict=True)
    ]


def whole(array: np.ndarray) -> bool:
    """Say whether all finite numbers of an array are whole."""
    finite = np.asarray(array, dtype=float)[np.isfinite(array)]
    return bool((finite == np.round(finite)).all())


def number_text(number: Any, beside: Any, digits: int) -> str:
    """Return a number as text, given the one beside it."""
    if number.dtype == bool or not np.isfinite(number):
        return str(number)
    size = abs(number)
    form = f".{digits}f" if size < 1e6 else ".0f" if size < 1e12 else ".4g"
    short = format(round(float(number), digits) + 0.0, form)  # no minus before 0
    if number != beside and np.isfinite(beside) and short == format(beside, form):
        return told_apart(float(number), float(beside))[0]
    return short


def size_of(array: np.ndarray) -> str:
    """Say how large an array is, and whether only its beginning is shown."""
    if array.ndim == 0:
        return "one number"
    cut = ", the beginning" if max(array.shape[-2:]) > SHOWN else ""
    return f"shape {array.shape}{cut}"


def html_table(caption: str, texts: list[list[str]], wrong: np.ndarray) -> str:
    """Return a table as HTML; wrong entries are lit, and named for those who cannot see that."""
    look = "text-align: right; padding: 1px 6px"
    lit = f'{look}; {LIT}" title="wrong'
    cells = [
        [f'<td style="{lit if is_wrong else look}">{text}</td>' for text, is_wrong in zip(*row, strict=True)]
        for row in zip(texts, wrong, strict=True)
    ]
    rows = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    caption = f'<caption style="text-align: left; white-space: nowrap">{caption}</caption>'
    return f'<table style="margin: 0; color: inherit; font-variant-numeric: tabular-nums">{caption}{rows}</table>'


OWN_FILE = "my_attention.py"
HEAD = (
    "# My functions, kept here by the notebooks' last cells. Each section is replaced when its notebook is run again.\n"
)
SECTION = re.compile(r"^# ---- chapter (\d\d_[a-z_]+) ----\n", re.MULTILINE)
NOT_THESE = (
    "this notebook has none of the functions in `examples.json`. "
    "Run its cells from the top, or take the file from this notebook's download."
)
NO_CELL = (
    f"load() puts the text of {OWN_FILE} into a notebook's cell, and this is plain Python, which has no cells. "
    "Paste that text in place of load()."
)
AT_HAND = {"numpy", "matplotlib", *sys.stdlib_module_names}


class CannotKeep(Exception):
    """A section cannot be written: what, why, what to do."""


def save(chapter: str, space: dict[str, Any], given: Any = ()) -> None:
    """Save the chapter's finished functions in my_attention.py, beside the chapters' folders, and print what was saved.

    ``space`` is ``globals()``; ``given`` names what the notebook provides of other chapters, which is saved there.
    """
    if os.environ.get("NBGRADER_EXECUTION"):
        return  # nbgrader runs the notebook: no student's file is written
    exercises = examples()
    finished = [name for name in exercises if callable(space.get(name)) and not is_stub(name, space[name])]
    missing = [name for name in exercises if name not in finished]
    try:
        if not exercises:
            raise CannotKeep(NO_EXAMPLES)
        if exercises.keys().isdisjoint(space):
            raise CannotKeep(NOT_THESE)
        said = f"{chapter}: none of its functions is written yet, so {OWN_FILE} is unchanged."
        if finished:
            path = keep(chapter, section_of(finished, space, {*given, *missing}))
            wrong = [name for name in finished if finding(name, exercises[name], space[name]).status != "right"]
            rest = f". Not right yet: {', '.join(wrong)}" if wrong else ""
            rest += f". Not written yet: {', '.join(missing)}" if missing else ""
            said = f"{chapter}: saved {', '.join(finished)} in {path}{rest}."
    except CannotKeep as trouble:
        said = f"{chapter} is not kept in {OWN_FILE}: {trouble}"
    print(textwrap.fill(said, width=WIDTH, break_on_hyphens=False, break_long_words=False))


def load() -> None:
    """Put the text of my_attention.py into the calling cell, and run it; outside a notebook, say what to do instead."""
    get_shell = vars(builtins).get("get_ipython")  # IPython puts it there
    if get_shell is None:
        return print(NO_CELL)
    shell = get_shell()
    path = next((path for path in places() if path.is_file()), None)
    if os.environ.get("NBGRADER_EXECUTION") or path is None:
        return print(f"There is no {OWN_FILE} here.")
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        exec(compile(text, str(path), "exec"), shell.user_ns)
    except Exception as error:  # whatever a file may do wrong
        place = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        print(f"{path} cannot be used: {type(error).__name__}{place}: {error}")
    else:
        shell.set_next_input(text, replace=True)
        print(f"The text of {path} was put into this cell and has run. Hand the notebook in with it.")


def places() -> tuple[Path, Path]:
    """Return where the file may be: beside the chapters' folders, or in the chapter's own."""
    return Path("..", OWN_FILE), Path(OWN_FILE)


def keep(chapter: str, section: str) -> Path:
    """Write a chapter's section into the file, and return its path. Errors: CannotKeep."""
    reasons = []
    for path in places():
        new = path.with_name(f".{OWN_FILE}.new")
        try:
            text = with_section(path.read_text(encoding="utf-8") if path.exists() else HEAD, chapter, section)
            new.write_text(text, encoding="utf-8")
            return new.replace(path)
        except (OSError, UnicodeError) as error:
            reasons.append(f"{path}: {error}")
            new.unlink(missing_ok=True) if os.access(path.parent, os.W_OK) else None
    raise CannotKeep(
        f"neither place can be written ({'; '.join(reasons)}). Make room there, or move the old file away."
    )


def with_section(text: str, chapter: str, section: str) -> str:
    """Return the file's text with a chapter's section replaced. Errors: CannotKeep."""
    head, *parts = SECTION.split(text)
    sections = dict(zip(parts[::2], parts[1::2], strict=True)) | {chapter: section}
    for other in sections.keys() - {chapter}:
        if names := conflicts(section, sections[other]):
            raise CannotKeep(
                f"`{names[0]}` means something else in chapter {other}, but the file can hold only one of them. "
                f"Rename it in one of the two notebooks, and run that notebook to its end."
            )
    kept = [f"# ---- chapter {name} ----\n\n{sections[name].strip()}\n" for name in sorted(sections)]
    return "\n\n".join([head.strip() + "\n", *kept])


def conflicts(section: str, other: str) -> list[str]:
    """Return the names that two sections bind to different things."""
    mine, theirs = bound_by(section), bound_by(other)
    return [name for name in mine if name in theirs and mine[name] != theirs[name]]


def bound_by(text: str) -> dict[str, str]:
    """Return what binds each top-level name of a text, without its layout; {} if it is not Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    return {name: ast.dump(statement) for statement in tree.body for name in names_bound(ast.unparse(statement))}


def section_of(finished: list[str], space: dict[str, Any], elsewhere: set[str]) -> str:
    """Return the source of functions with all they use, except what is saved elsewhere. Errors: CannotKeep."""
    written, waiting = {}, set(elsewhere)

    def write(name: Any, user: Any) -> None:
        if name in written or name in waiting or name not in space:
            return
        waiting.add(name)  # functions may call one another in a circle
        text = text_of(name, space[name], user)
        for needed in sorted(names_used(text)):
            write(needed, name)
        written[name] = text

    for name in finished:
        write(name, name)
    imports = [text for text in dict.fromkeys(written.values()) if text.startswith(("import ", "from "))]
    others = [text for text in dict.fromkeys(written.values()) if text not in imports]
    return "\n\n\n".join(["\n".join(sorted(imports))] * bool(imports) + others)


def text_of(name: str, value: Any, user: str) -> str:
    """Return the code that gives a name its value: an import, a constant, or its statement in a cell.

    Errors: CannotKeep if there is none.
    """
    if isinstance(value, types.ModuleType):
        return import_of(name, value.__name__, "", user)
    home = getattr(value, "__module__", None) or next((m for m in ("numpy", "math") if is_in(value, m)), "")
    if home != "__main__" and is_in(value, home):
        return import_of(name, home, getattr(value, "__name__", name), user)
    if is_plain_constant(value):
        return f"{name} = {value.item() if isinstance(value, np.generic) else value!r}"
    if code := code_of(value):
        cell = "".join(linecache.getlines(code.co_filename))
        if statement := last_binding(cell, name):
            return statement
        raise CannotKeep(f"the text of `{name}` is no longer available. Run the cell that defines it, then this one.")
    raise CannotKeep(
        f"`{user}` uses `{name}`, and a value of type {type(value).__name__} cannot be saved here. Create it "
        f"inside `{user}`, or pass it in."
    )


def is_in(value: Callable | int | np.ndarray, module: str) -> bool:
    """Say whether a loaded module has this value under the value's own name."""
    return getattr(sys.modules.get(module), getattr(value, "__name__", ""), None) is value


def import_of(name: str, module: str, part: str, user: str) -> str:
    """Return a line that imports a module or a part of one. Errors: CannotKeep if graders do not have it."""
    if module.partition(".")[0] not in AT_HAND:
        raise CannotKeep(
            f"`{user}` uses `{name}` from {module}, which is not available when a notebook is graded. Write it "
            f"with NumPy, or copy its code into a cell."
        )
    if part:
        return f"from {module} import {part}" + ("" if part == name else f" as {name}")
    return f"import {module}" + ("" if module == name else f" as {name}")


def is_plain_constant(value: Any) -> bool:
    """Say whether a value is a number, a text, or a collection of these whose repr Python can read."""
    value = value.item() if isinstance(value, np.generic) else value
    try:
        return ast.literal_eval(repr(value)) == value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False


def code_of(value: Any) -> types.CodeType | None:
    """Return the code object of a function, or of a class's first method; None for anything else."""
    value = inspect.unwrap(value) if callable(value) else value
    if isinstance(value, functools.partial | types.BuiltinFunctionType):
        return None
    methods = vars(value).values() if isinstance(value, type) else [value]
    return next((method.__code__ for method in methods if hasattr(method, "__code__")), None)


def is_stub(name: str, value: Any) -> bool:
    """Say whether a function still ends with the released notebook's NotImplementedError."""
    code = code_of(value)
    text = last_binding("".join(linecache.getlines(code.co_filename)), name) if code else None
    lines = getattr(ast.parse(text).body[0], "body", []) if text else []
    ends = (line for line in lines if isinstance(line, ast.Return | ast.Raise))
    return "NotImplementedError" in ast.dump(getattr(next(ends, None), "exc", None) or ast.Pass())


def last_binding(cell: str, name: str) -> str | None:
    """Return the last top-level statement of a text that gives a name its value, or None."""
    try:
        body = ast.parse(cell).body
    except (SyntaxError, ValueError):
        return None
    for statement in reversed(body):
        first = min([statement.lineno, *(line.lineno for line in getattr(statement, "decorator_list", ()))])
        text = "\n".join(cell.splitlines()[first - 1 : statement.end_lineno])
        if statement.col_offset or isinstance(statement, ast.Assign | ast.Expr):
            text = ast.get_source_segment(cell, statement) or ""
        if name in names_bound(text):
            return text
    return None


def names_bound(text: str) -> set[str]:
    """Return the names that a text binds at its top level."""
    table = symtable.symtable(text, "cell", "exec")
    return {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()}


def names_used(text: str) -> set[str]:
    """Return the names that a text takes from its surroundings, inside functions too."""
    waiting, found = [symtable.symtable(text, "cell", "exec")], set()
    while waiting:
        table = waiting.pop()
        outside = (lambda one: one.is_referenced()) if table.get_type() == "module" else (lambda one: one.is_global())
        found |= {one.get_name() for one in table.get_symbols() if outside(one)}
        waiting += table.get_children()
    return found


COURSE_PACKAGES = {"autograder"}  # a course adds its own: none of them is there when a notebook is graded
RELEASED = "# Made by `autograder release`"  # how a line near the beginning of each file that is handed out begins
BEGINNING = 40  # lines of a file
GRADED_ALONE = (
    "That is not there when your notebook is graded: only NumPy, Matplotlib and Python's own modules are. "
    "Write the function yourself, in a cell of this notebook."
)


def not_the_students(function: Any) -> str:
    """Return why a function is no answer: it is the course's own, or it calls one that is; "" if neither was seen.

    Its global names, its imports and those of the functions that it calls are looked up; nothing is run.
    """
    if own := course_name(function):
        return f"This is the course's own `{own}`. {GRADED_ALONE}"
    called = next(course_names_in(function), "")
    return f"It calls the course's own `{called}`. {GRADED_ALONE}" if called else ""


def course_name(value: Any) -> str:
    """Return the full name of a function that is the course's own, or handed out in a file; "" for any other value."""
    value = plain_function(value)
    module, code = getattr(value, "__module__", None), getattr(value, "__code__", None)
    if not isinstance(module, str) or not (is_course_module(module) or (code and is_released(code.co_filename))):
        return ""
    return f"{module}.{getattr(value, '__name__', type(value).__name__)}"


def course_names_in(function: Any) -> Iterator[str]:
    """Yield what a function, or one that it calls by its global name, takes from the course's packages."""
    waiting, met = [plain_function(function)], set()
    while waiting:
        code, known = getattr(waiting[0], "__code__", None), getattr(waiting.pop(0), "__globals__", {})
        if not isinstance(code, types.CodeType) or code in met:
            continue
        met.add(code)
        names, imported = names_in(code)
        yield from filter(is_course_module, imported)
        for value in (known[name] for name in names if name in known):
            module = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
            if isinstance(module, str) and is_course_module(module):
                yield module if isinstance(value, types.ModuleType) else course_name(value)
            elif isinstance(value, types.FunctionType):
                waiting.append(plain_function(value))


def names_in(code: types.CodeType) -> tuple[list[str], list[str]]:
    """Return the global names that code uses, also in its inner functions, and the modules that it imports."""
    steps = list(dis.get_instructions(code))
    names = [step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    imported = [step.argval for step in steps if step.opname == "IMPORT_NAME"]
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            more, others = names_in(inner)
            names, imported = names + more, imported + others
    return names, imported


def plain_function(value: Any) -> Any:
    """Return the function inside a decorated or partial one."""
    while isinstance(value, functools.partial):
        value = value.func
    return inspect.unwrap(value) if isinstance(value, types.FunctionType) else value


def is_course_module(name: str) -> bool:
    """Say whether a module belongs to the course's packages."""
    return name.partition(".")[0] in COURSE_PACKAGES


def is_released(file: str) -> bool:
    """Say whether a file, not a cell, is one that `autograder release` has made."""
    return Path(file).is_file() and any(line.startswith(RELEASED) for line in linecache.getlines(file)[:BEGINNING])


GRADERS_NUMPY = "NumPy 2.4"
AT_THE_GRADER = {"numpy", "matplotlib", "mpl_toolkits", "PIL", "IPython", "tqdm", "__main__", *sys.stdlib_module_names}
_WITHOUT_PACKAGES = "a notebook is graded with NumPy, Matplotlib and Python's own modules alone"
_GONE_METHODS = {  # of arrays, and what to write for them
    "ptp": "np.ptp({array}{arguments})",
    "itemset": "{array}[index] = value",
    "newbyteorder": "{array}.view({array}.dtype.newbyteorder())",
    "tostring": "{array}.tobytes()",
}
_GONE_NAMES = {"array_api", "compat", "geterrobj", "set_numeric_ops", "set_string_function", "seterrobj"}
_REFUSED_SINCE = {  # NumPy's warning before it was an error, and what to write
    "Conversion of an array with ndim > 0 to a scalar": "takes an array for a number. Take the number out of it first, "
    "as in `x[0]` or `x.item()`",
    "Calling nonzero on 0d arrays": "calls nonzero on a single number. Write `np.atleast_1d(x)` for it",
    "NumPy will stop allowing conversion of out-of-bound": "puts a number into an array whose type cannot hold it",
}
Question = tuple[tuple[Any, ...], dict[str, Any]]  # arguments by position and by name


class _Missing(types.ModuleType):
    """Replaces what the grader lacks: it can be mentioned, as there, and raises when it is called."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Refuse. Errors: ModuleNotFoundError."""
        raise ModuleNotFoundError(self.__name__)


class _Foreign(NamedTuple):
    """A name that an answer uses, the module that it comes from, and where the name is looked up."""

    name: str
    module: str
    space: dict[str, Any]


def not_portable(function: Callable, questions: Callable[[], list[Question]]) -> str:
    """Say what a right answer uses that the grader lacks, and what to do; "" if nothing was seen.

    ``questions`` returns what the answer is right on, anew each time.
    """
    own = _own_function(function)
    if _is_foreign(_home_of(own)):
        return _said_of_foreign(_Foreign(getattr(own, "__name__", _home_of(own)), _home_of(own), {}))
    reached = list(_reached_from(own))
    foreign = [one for each in reached for one in _foreign_in(each)]
    if foreign and not _is_right_without(foreign, (function, own), questions):  # own: without its decorators
        return _said_of_foreign(foreign[0])
    return next((said for each in reached for said in _gone_in(each)), "")


def _own_function(value: Any) -> Any:
    """Return a function without what surrounds it, also without what Numba made of it."""
    return plain_function(getattr(value, "py_func", value))


def _reached_from(function: Any) -> Iterator[types.FunctionType]:
    """Yield a function and those of the notebook that it calls, by global name or as a part of its own."""
    waiting, met = [function], set()
    while waiting:
        value = _own_function(waiting.pop())
        if not isinstance(value, types.FunctionType) or value in met:
            continue
        met.add(value)
        yield value
        values = _values_used(value).values()
        waiting += [one for one in values if not _is_foreign(_home_of(one)) and callable(one)]
        waiting += [part for one in values if isinstance(one, type) for part in vars(one).values()]


def _values_used(function: types.FunctionType) -> dict[str, Any]:
    """Return what the global names of a function's code, and the names around it, stand for."""
    known = function.__globals__
    around = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    held = {name: cell.cell_contents for name, cell in around if cell != types.CellType()}
    return {name: known[name] for name in names_in(function.__code__)[0] if name in known} | held


def _home_of(value: Any) -> str:
    """Return the module that a value comes from; "" if it does not say."""
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, np.ufunc):  # does not say, not even SciPy's
        return next((name for name, module in [*sys.modules.items()] if _has(module, value)), "")
    owner = getattr(value, "__self__", None)
    homes = [getattr(one, "__module__", None) for one in (value, owner, type(owner), type(value))]
    return next((home for home in homes if isinstance(home, str) and home != "builtins"), "")


def _has(module: Any, value: Any) -> bool:
    """Say whether a loaded module has a value under the value's own name."""
    return getattr(module, "__dict__", {}).get(value.__name__) is value


def _is_foreign(module: str) -> bool:
    """Say whether a loaded module is missing at the grader: a package, or a file that is not handed out."""
    top = module.partition(".")[0]
    loaded = sys.modules.get(top)
    return top not in AT_THE_GRADER and loaded is not None and not is_released(getattr(loaded, "__file__", "") or "")


def _foreign_in(function: types.FunctionType) -> Iterator[_Foreign]:
    """Yield what a function uses by name, or imports itself, that the grader lacks."""
    for name, value in _values_used(function).items():
        if _is_foreign(home := _home_of(plain_function(value))):
            yield _Foreign(name, home, function.__globals__ if name in function.__globals__ else {})
    for module in names_in(function.__code__)[1]:
        if _is_foreign(module):
            yield _Foreign(module, module, {})


def _is_right_without(
    foreign: list[_Foreign], functions: tuple[Callable, ...], questions: Callable[[], list[Question]]
) -> bool:
    """Say whether one of these functions answers as ever if it cannot use foreign names; what it prints is not shown.

    An import of them may fail, or bind what cannot be used: the grader does either, by where the import is.
    """
    with redirect_stdout(StringIO()):
        return any(
            all(map(counts_as, _answers_without(foreign, absent, function, questions()), answers))
            for function in functions
            for answers in [[ask(function, *one) for one in questions()]]
            for absent in (None, _Missing)
        )


def _answers_without(
    foreign: list[_Foreign], absent: Callable | None, function: Callable, asked: list[Question]
) -> list[Answer]:
    """Return a function's answers where ``absent`` makes what an import of foreign modules binds; None: it fails."""
    tops = {one.module.partition(".")[0] for one in foreign}
    paths = {path for path in sys.modules if path.partition(".")[0] in tops} | tops
    modules, values = {path: sys.modules.get(path) for path in paths}, [one.space.get(one.name) for one in foreign]
    try:
        sys.modules.update({path: absent and absent(path) for path in paths})  # type: ignore[misc]
        for one in foreign:
            one.space[one.name] = _Missing(one.name)
        return [ask(function, *one) for one in asked]
    finally:
        for one, value in zip(foreign, values, strict=True):
            one.space[one.name] = value
        for path, module in modules.items():
            if module is None:
                del sys.modules[path]
            else:
                sys.modules[path] = module


def _said_of_foreign(one: _Foreign) -> str:
    """Say where a name comes from, and what to do about it."""
    top = one.module.partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    if file and "-packages" not in file:
        return (
            f"It uses `{one.name}` from `{top}.py`, and a notebook is handed in alone: copy the function into a cell."
        )
    origin = "" if one.name.partition(".")[0] == top else f" of the package `{top}`"
    return f"It uses `{one.name}`{origin}, and {_WITHOUT_PACKAGES}: write it with NumPy."


def _gone_in(function: types.FunctionType) -> Iterator[str]:
    """Yield what is said of each method of arrays, or name of NumPy's, that a function uses and NumPy has dropped."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and (said := _said_of_call(call, call.func, function.__globals__)):
            yield f"{said}, which {GRADERS_NUMPY} at the grader no longer has."


def _said_of_call(call: ast.Call, called: ast.Attribute, known: dict[str, Any]) -> str:
    """Return the beginning of what is said of a call that NumPy has dropped; "" for any other."""
    array, name = ast.unparse(called.value), called.attr
    if known.get(array) is np:
        return f"It calls `{array}.{name}`" if name in _GONE_NAMES and hasattr(np, name) else ""
    if name not in _GONE_METHODS or not hasattr(np.ndarray, name):
        return ""
    arguments = "".join(f", {ast.unparse(one)}" for one in (*call.args, *call.keywords))
    instead = _GONE_METHODS[name].format(array=array, arguments=arguments)
    return f"Write `{instead}` for `{ast.unparse(call)}`"


@contextmanager
def noting_refused() -> Iterator[list[str]]:
    """Collect what is to be said of NumPy's warnings about what it refuses by now; show all others as ever."""
    said, show = [], warnings.showwarning

    def note(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
        known = [advice for words, advice in _REFUSED_SINCE.items() if str(message).startswith(words)]
        if not known:
            return show(message, category, filename, lineno, file, line)
        place = linecache.getline(filename, lineno).strip()
        said.append(f"Line {lineno}, `{place[:160]}`, {known[0]}: with {GRADERS_NUMPY}, which grades, it is an error.")

    with warnings.catch_warnings():
        for words in _REFUSED_SINCE:
            warnings.filterwarnings("always", re.escape(words), DeprecationWarning)
        warnings.showwarning = note
        yield said


COURSE_PACKAGES.add("attention")


def demo(chapter: str) -> None:
    """Show the chapter's demo at the worked example; where the course is not installed, nothing.

    Nothing is shown either while nbgrader runs the notebook.
    """
    display = vars(builtins).get("display")  # IPython puts it there
    if display is None or os.environ.get("NBGRADER_EXECUTION"):
        return
    try:
        from demos.worked import demo_of
    except ImportError:  # a student's own computer, JupyterLite, the grader
        return
    display(demo_of(chapter))


EXAMPLES = Path(__file__).with_name("examples.json")
NO_EXAMPLES = "expected `examples.json` from this notebook's download beside it, found none."
ENDLESS = (
    "It returns a list or a dictionary that contains itself, or one nested too deeply to compare: "
    "look for a line that appends a list to itself."
)
UNCHECKED = (
    "cannot be checked here: the check itself failed with {}, which need not be your fault. Return arrays or numbers; "
    "if you do, tell your instructor."
)


class NotRight(AssertionError):
    """Shown by *Validate* for a wrong answer: the finding's text, without this file's traceback."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython prints."""
        return str(self).splitlines()


def examples() -> dict[str, dict[str, Any]]:
    """Return what examples.json holds for each exercise; {} if it is not there or not whole."""
    try:
        return json.loads(EXAMPLES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def decode(data: Any) -> Any:
    """Turn the contents of examples.json into arrays, tuples, dictionaries, steps, lists, text and numbers."""
    if isinstance(data, dict) and "array" in data:
        kind = data.get("dtype", float)
        kind = int if kind == "int64" else kind  # as wide as an index is here: 32 bits in a browser
        array = np.array(data["array"], dtype=kind)
        return array.reshape(data.get("shape", array.shape))
    if isinstance(data, dict) and "step" in data:
        return table_from(data["step"])
    if isinstance(data, dict) and "tuple" in data:
        return tuple(decode(item) for item in data["tuple"])
    if isinstance(data, dict) and "dict" in data:
        return {key: decode(value) for key, value in data["dict"]}
    return [decode(item) for item in data] if isinstance(data, list) else data


def arguments(case: dict[str, Any]) -> tuple[Any, ...]:
    """Return fresh copies of one example's arguments."""
    return tuple(decode(argument) for argument in case["args"])


def question(case: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return new arguments of a stored example, by position and by name."""
    return arguments(case), {key: decode(value) for key, value in case["kwargs"].items()}


def answer_from(data: dict[str, Any]) -> Answer:
    """Read an Answer from examples.json."""
    return Answer(error=tuple(data["error"])) if "error" in data else Answer(value=decode(data["value"]))


def check(name: str, function: Callable) -> None:
    """Run ``function`` on the worked examples of exercise ``name`` and show the finding.

    Errors: NotRight with the same text under nbgrader's *Validate*, where a cell that only prints would pass.
    """
    exercises = examples()
    if why := not_the_students(function):
        found = Finding(name, "wrong", f"not right yet. {why}")
    elif name in exercises:
        found = finding_here_and_there(name, exercises[name], function)
    else:
        known = f"`examples.json` does not have it, expected one of {', '.join(exercises)}."
        said = f"{known} Take the file from this notebook's download." if exercises else NO_EXAMPLES
        found = Finding(name, "open", said)
    if os.environ.get("NBGRADER_VALIDATING") and found.status != "right":
        raise NotRight(repr(found))
    show(found)


def finding_here_and_there(name: str, exercise: dict, function: Callable) -> Finding:
    """Say what ``finding`` says and, of a function that is right here, what the grader lacks for it."""
    with noting_refused() as refused:
        found = finding(name, exercise, function)
    if found.status != "right":
        return found
    faults: list[Fault] = []

    def again() -> list[tuple]:
        return [question(case) for case in exercise["cases"]]

    lacking = next(iter(refused), "") or attempt("not_portable", faults, not_portable, function, again)
    said = f"right on the worked examples here, but not where it is graded. {lacking}" if lacking else found.said
    return Finding(name, "open" if lacking else "right", said, faults=tuple(faults))


def finding(name: str, exercise: dict, function: Callable) -> Finding:
    """Say whether a function is right so far, or what is wrong and why."""
    try:
        return finding_on_examples(name, exercise, function)
    except Exception as error:  # in our own code: the function's own would be its answer
        kind = type(error).__name__
        return Finding(name, "open", UNCHECKED.format(kind), faults=(Fault("finding", kind),))


def finding_on_examples(name: str, exercise: dict, function: Callable) -> Finding:
    """Return the finding of a function whose answers can be compared."""
    faults: list[Fault] = []
    told = ExamplesDiagnosis(exercise, function, faults)
    if all((answer.error or ("",))[0] == "NotImplementedError" for answer in told.answers):
        said = (
            "not attempted yet. Replace the line that raises NotImplementedError, here or in a function that it calls."
        )
        return Finding(name, "open", said)
    if any(is_endless(answer.value) for answer in told.answers):
        return Finding(name, "wrong", f"not right yet. {ENDLESS}")
    wrong = told.first_problem()
    if wrong is None:
        examples_tried = plural(len(told.answers), "worked example")
        return Finding(name, "right", f"right on {examples_tried}. The grader also tries inputs that you cannot see.")
    cause = first_cause(told, faults)
    differences = attempt("first_differences", faults, told.first_differences) or ()
    said = f"not right yet. {cause.words if cause else wrong}"
    return Finding(name, "wrong", said, differences, tuple(dict.fromkeys(faults)))


def is_endless(value: Any) -> bool:
    """Say whether a value contains itself, or is nested too deeply to compare."""
    try:
        json.dumps(value, skipkeys=True, default=lambda other: None)
    except (ValueError, RecursionError):
        return True
    return False


class ExamplesDiagnosis(Diagnosis):
    """A function's answers to the worked examples of ``exercise``, as examples.json holds it, and their causes.

    What raises an error while a relation is looked for is added to ``faults``.
    """

    def __init__(self, exercise: dict[str, Any], function: Callable, faults: list[Fault]) -> None:
        self.exercise, self.function, self.faults = exercise, function, faults
        self.asked = [question(case) for case in exercise["cases"]]
        self.answers = [ask(function, args, kwargs) for args, kwargs in self.asked]
        self.rights = [answer_from(case["answer"]) for case in exercise["cases"]]

    def listed_mistake(self) -> Cause | None:
        """Return the listed mistake that gives the same answers."""
        mistake = self.given_by("mistakes")
        return Cause(mistake["message"], "list", mistake["id"]) if mistake else None

    def given_by(self, kind: str) -> dict[str, Any] | None:
        """Return the first stored wrong version, of *mistakes* or of *formulas*, that gives exactly these answers."""
        versions = self.exercise.get(kind, ())  # a chapter that was released before this file has no formulas
        return recognise(
            self.answers, [(one, list(map(wrong_answer, one["answers"], self.rights))) for one in versions]
        )

    def gives_another(self) -> Cause | None:
        """Say that the function answers a question otherwise than before; what it prints is not shown twice."""
        before = self.answers[0]
        with redirect_stdout(StringIO()):
            answer = ask(self.function, *question(self.exercise["cases"][0]))
        plain = all(numbers(value) is not None or isinstance(value, (str, dict)) for value in values_of(before.value))
        if not plain or answer.error or before.error or same(answer.value, before.value, nan_equal=True):
            return None
        return Cause(AT_RANDOM)

    def related(self) -> Cause | None:
        """Describe how the answers relate to the right ones.

        Where a batch is wrong, its sentences are also asked for one by one: one that is wrong alone says more.
        """
        if self.exercise["rule"] != "equals":
            return None
        signature, calls = self.exercise["signature"], []
        for stored, asked, answer, right in zip(
            self.exercise["cases"], self.asked, self.answers, self.rights, strict=True
        ):
            calls.append(call_from(signature, arguments(stored), asked, answer, right))
            if "apart" in stored and not counts_as(answer, right):
                calls += asked_one_by_one(signature, stored, right, self.function)
        formula = self.given_by("formulas")
        between = [lambda *_: right_for(f"you get when {formula['words']}")] if formula else []
        words = relation(calls, self.exercise["returns"], signature, between, faults=self.faults)
        return Cause(words) if words else None

    def raised_in(self) -> str:
        """Say where the first wrong answer's error was raised, if it is one."""
        pairs = zip(self.answers, self.rights, strict=True)
        wrong = next((answer for answer, right in pairs if not counts_as(answer, right)), Answer())
        return raised_at(place_of(wrong))

    def first_problem(self) -> str | None:
        """Describe the first example that fails or modifies its inputs; None if all pass."""
        rule, returns = self.exercise["rule"], self.exercise["returns"]
        for stored, (args, _), answer, right in zip(
            self.exercise["cases"], self.asked, self.answers, self.rights, strict=True
        ):
            before = arguments(stored)
            wrong = problem(with_place(answer), right, before, rule, returns, visible=True)
            if wrong:
                return sentence(wrong, f"example: {stored['label']}")
            if changed := changed_argument(before, args):
                kind, look = changed
                return f"It changes {kind} that it was given: look for {look}."
        return None

    def first_differences(self) -> tuple[Difference, ...]:
        """Return the results that differ in the first wrong worked example, if a notebook can show them."""
        if self.exercise["rule"] != "equals":
            return ()
        for stored, answer, right in zip(self.exercise["cases"], self.answers, self.rights, strict=True):
            if answer.error or right.error:
                return ()
            got, wanted = (value if isinstance(value, tuple) else (value,) for value in (answer.value, right.value))
            if len(got) != len(wanted):
                return ()
            results = zip(self.exercise["returns"], got, wanted, strict=False)
            wrong = [(name, pair_to_show(ours, theirs)) for name, ours, theirs in results if not same(ours, theirs)]
            if wrong:
                return tuple(Difference(name, stored["label"], *pair) for name, pair in wrong if pair)
        return ()


def call_from(
    signature: Signature,
    before: tuple[Any, ...],
    asked: tuple[tuple[Any, ...], dict[str, Any]],
    answer: Answer,
    right: Answer,
) -> Call:
    """Assemble a call of a worked example: its arguments ``before``, and ``asked``, as the function left them."""
    args, kwargs = asked
    changed = bool(changed_argument(before, args))
    return seen_from(signature, before, kwargs, answer, right, worked=True, changed=changed)


def asked_one_by_one(signature: Signature, stored: dict[str, Any], right: Answer, function: Callable) -> list[Call]:
    """Ask for the sentences of a worked example one by one; what the function prints is not shown."""
    calls = []
    for args, kwargs, part in one_by_one(signature, *question(stored), right):
        before = copied_arguments(args)
        with redirect_stdout(StringIO()):
            answer = ask(function, args, kwargs)
        calls.append(call_from(signature, before, (args, kwargs), answer, part))
    return calls


def wrong_answer(data: dict[str, Any], right: Answer) -> Answer:
    """Read a wrong version's answer; in place of it, or of one of several results, {} says that it is right."""
    if data == {}:
        return right
    value = data.get("value")
    if not isinstance(value, dict) or {} not in value.get("tuple", ()):
        return answer_from(data)
    results = zip(value["tuple"], right.value, strict=True)
    return Answer(value=tuple(wanted if stored == {} else decode(stored) for stored, wanted in results))


def pair_to_show(ours: Any, theirs: Any) -> tuple[Any, Any] | None:
    """Return a result and the wanted one as two arrays, or as two texts if both are text, a dictionary or a list."""
    arrays = numbers(ours), numbers(theirs)
    if all(array is not None and array.size for array in arrays):
        return arrays
    both = {type(ours), type(theirs)}
    shown = both in ({str}, {dict}) or (isinstance(ours, (list, tuple)) and holds_texts(theirs))
    return (shortened(repr(ours)), shortened(repr(theirs))) if shown else None


def place_of(answer: Answer) -> str:
    """Return the line that raised an answer's error, in words; "" for no error, and where the line is not known."""
    file, number = answer.line or ("", 0)
    lines = linecache.getlines(file)
    return f"in line {number}, `{lines[number - 1].strip()[:160]}`" if 0 < number <= len(lines) else ""


def with_place(answer: Answer) -> Answer:
    """Return an answer whose error says in which line it was raised, and what an undefined name may mean."""
    if not answer.error or not answer.line:
        return answer
    kind, said = answer.error
    place, why = place_of(answer), suggestion(answer.error, "".join(linecache.getlines(answer.line[0])))
    said = f"{said} ({place})" if said.strip() and place else said or place
    return Answer(error=(kind, said + (f": {why}" if why else "")), raised=answer.raised)
