"""Compares an answer with the right one, and describes the difference. Tolerance and NaN are decided here alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from ..returned_values import as_numeric, as_text

# Honest float32 arithmetic stays within half of these; the inputs ensure that any rounding, limit or small number
# that was added lies far outside on some case (tests/checks/tolerance_table.py).
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
TEXT = 100  # characters of a text that is not right
MOST_RESULTS = 100  # a longer list is one result, of many numbers
ATTENTION_WANTED = 0.49  # the weight on each of the two keys that `attends_to_both` asks for


@dataclass(frozen=True)
class Answer:
    """What one call gave: a value, or the type and the message of the error it raised."""

    value: Any = None
    error: tuple[str, str] | None = None


def ask(function: Callable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answer:
    """Call ``function`` and return its Answer, whatever happens (Ctrl-C still stops the caller)."""
    try:
        with np.errstate(all="ignore"):  # NaN and inf are judged; a warning would only confuse
            return Answer(value=as_text(function(*args, **kwargs)))
    except Exception as error:
        kind = next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
        return Answer(error=(kind, str(error)))


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
        alike = isinstance(answer, list) and len(answer) == len(expected)
        return alike and all(same(a, e, nan_equal) for a, e in zip(answer, expected, strict=True))
    if wanted is None:
        return type(answer) is type(expected) and answer == expected
    if got is None or got.shape != wanted.shape or (got.dtype.kind == "b") != (wanted.dtype.kind == "b"):
        return False
    equal = got == wanted  # most right answers are equal to the last bit
    return bool(equal.all() or close(got, wanted, nan_equal).all())


def same_answer(answer: Answer, wrong: Answer) -> bool:
    """Say whether an answer is exactly this wrong answer: the same numbers, or the same kind of error.

    Errors agree by type and by the lengths that did not match; by message if no lengths are named.
    """
    if answer.error and wrong.error:
        met = mismatch(answer.error)
        return worded(answer.error) == worded(wrong.error) or (met is not None and met == mismatch(wrong.error))
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
    if wanted is None:
        return f"{name} differs (it is {a_kind_of(answer)}, expected {a_kind_of(expected)})"
    if got is None:
        expected_kind = describe_kind(wanted) if visible else "numbers"
        return f"{name} is {a_kind_of(answer)}, expected {expected_kind}: return numbers that NumPy can hold"
    if got.shape != wanted.shape:
        return difference_in_shape(got, wanted, name, visible)
    if (got.dtype.kind == "b") != (wanted.dtype.kind == "b"):
        return f"{name} holds {holding(got)}, expected {holding(wanted)}"
    return difference_in_numbers(got.astype(float), wanted.astype(float), name, visible)


def kinds_in(dictionary: dict[str, int]) -> tuple:
    """Return what the keys and what the values of a dictionary are called."""
    names = {str: "words", int: "numbers"}
    keys, values = ({names.get(type(item)) for item in items} for items in (dictionary, dictionary.values()))
    return (keys.pop() if len(keys) == 1 else None) or "keys", (values.pop() if len(values) == 1 else None) or "values"


def difference_in_shape(got: np.ndarray, wanted: np.ndarray, name: str, visible: bool) -> str:
    """Describe how a shape differs; with numbers only if the right one is visible."""
    hint = "return one number, not an array" if wanted.ndim == 0 else "follow the shapes line by line"
    if visible:
        return f"{name} has shape {got.shape}, expected {describe_kind(wanted)}: {hint}"
    if got.ndim != wanted.ndim:
        return f"{name} has too {'many' if got.ndim > wanted.ndim else 'few'} axes: {hint}"
    return f"{name} has the right number of axes, and not all have the right length: {hint}"


def difference_in_numbers(got: np.ndarray, wanted: np.ndarray, name: str, visible: bool) -> str:
    """Describe where two arrays of one shape differ."""
    if np.isnan(got).any():
        place = f" in {where(np.isnan(got))}" if visible else ""
        return f"{name} holds NaN{place}: look for 0/0, inf/inf, inf - inf or 0 · inf"
    wrong = ~close(got, wanted)
    if np.allclose(got, wanted, rtol=1e-3, atol=1e-3):
        return f"{name} is right only to a few decimals: look for rounding, or for a small number that is added"
    if not visible and wanted.ndim:
        return f"{name} differs in {'every number' if wrong.all() else 'some of its numbers'}"
    place = f"{name} is not the expected number" if wanted.ndim == 0 else f"{name} differs in {where(wrong)}"
    if not visible:
        return place
    most = farthest(got, wanted, wrong)
    entry = f"[{', '.join(map(str, most))}]" if most else ""
    return f"{place}: {name}{entry} is {', expected '.join(told_apart(got[most], wanted[most]))}"


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


def kind_of(value: Any) -> str:
    """Name what a value is; what could not leave the sandbox carries its own description."""
    return getattr(value, "kind", type(value).__name__)


def a_kind_of(value: Any) -> str:
    """Name what a value is, with its article: "a list", "an object"."""
    return with_article(kind_of(value))


def with_article(noun: str) -> str:
    """Put "a" or "an" before a noun, by its first letter."""
    return f"{'an' if noun.lower().startswith(('a', 'e', 'i', 'o', 'unb')) else 'a'} {noun}"


def holding(array: np.ndarray) -> str:
    """Name what an array contains."""
    return "True and False" if array.dtype.kind == "b" else "numbers"


def describe_kind(array: np.ndarray) -> str:
    """Describe an array: one number, or its shape."""
    return "one number" if array.ndim == 0 else f"shape {array.shape}"


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
        return f"gives {how_many(answer, len(expected), visible)}: return {', '.join(names)}, in this order"
    if same(answer, expected):
        return None
    if same(tuple(answer)[::-1], expected):
        return f"gives the right results in the wrong order: return {', '.join(names)}"
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
        return f"{found}; one number for each key comes of columns, and keys are rows" if turned else found
    with np.errstate(invalid="ignore", over="ignore"):
        scores = keys @ query.astype(float)
        share = np.exp(scores[[a, b]] - np.logaddexp.reduce(scores))
    if (share >= ATTENTION_WANTED).all():  # False for NaN
        return None
    if not np.isfinite(share).all():
        return "the scores of this query are NaN: a factor that is infinite, times 0, is no number; use a finite one"
    given = (
        f"key {a} gets weight {share[0]:.4f} and key {b} gets {share[1]:.4f}" if visible else "one key gets too little"
    )
    return f"{given}, wanted {ATTENTION_WANTED} or more on each: {why_not_both(scores, a, b)}"


def why_not_both(scores: np.ndarray, a: int, b: int) -> str:
    """Explain what keeps a query from attending to keys a and b alone, from its scores."""
    largest, others = np.abs(scores).max(), np.delete(scores, [a, b])
    if largest == 0:
        return "all scores are 0, so it points nowhere"
    if largest > 1e6:
        return "it is so long that rounding errors of the scores decide; take a smaller factor"
    if np.isclose(scores[a], scores[b], rtol=1e-6) and scores[a] > others.max() + 1e-6 * largest:
        return "both score the same and most, but not enough; make the query longer"
    if np.isclose(others, scores[[a, b]].min(), rtol=1e-6).any() and scores[a] != scores[b]:
        return "one of the two scores no more than another key"
    if scores[a] == scores[b] < 0 and np.all(others == 0):
        return "both score below 0, and the others 0; a score is no weight, and the largest score gets the most"
    if np.isclose(others.max(), scores[[a, b]].max(), rtol=1e-6):
        return "another key scores as much, so it is part of the query, too"
    if others.max() > scores[[a, b]].max():
        return "another key scores more than both; a and b are numbers of keys, which are rows, not of entries"
    return "the two should have one score, and all others 0"


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

    ``visible`` marks a worked example, whose expected numbers may be printed.
    """
    if expected.error:
        if answer.error and answer.error[0] == expected.error[0]:
            return None
        kind = expected.error[0]
        if not answer.error and kind_of(answer.value) == kind:
            return f"returns {with_article(kind)} instead of raising it: write `raise {kind}(…)` instead of `return`"
        got = f"raises {answer.error[0]}" if answer.error else "returns normally"
        return f"{got}, expected {with_article(kind)} for an input like this"
    if answer.error:
        said = answer.error[1]
        joint = " " if said.startswith("in line ") else ": "
        return f"raises {answer.error[0]}{joint if said else ''}{said}"
    if answer.value is None:
        return "returns nothing: is a `return` missing?"
    return RULES[rule](answer.value, expected.value, args, names, visible)


def sentence(text: str, where: str = "") -> str:
    """Turn a problem into a sentence that says where it was seen."""
    text = text.rstrip()  # some errors of NumPy's end with a blank
    end = "" if text.endswith(("?", ".")) and not where else "."
    return f"{text[:1].upper()}{text[1:]}{f' ({where})' if where else ''}{end}"


def recognise(answers: list[Answer], wrong_versions: list[tuple[str, list[Answer]]]) -> Any:
    """Return the first wrong version that gives exactly these answers, or None.

    ``wrong_versions`` holds ``(version, its Answers to the same questions)``, or to the first of them that matter.
    """
    for version, wrong_answers in wrong_versions:
        if all(same_answer(answer, wrong) for answer, wrong in zip(answers, wrong_answers, strict=False)):
            return version
    return None
