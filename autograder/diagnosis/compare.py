"""Compares an answer with the right one. Tolerance and NaN are decided here alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from autograder.returned_values import as_numeric, as_text

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
    """Say whether a value is a list of texts, or of pairs of texts."""
    if not isinstance(value, list):
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
