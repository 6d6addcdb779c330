"""Try your functions on the worked examples, and hear what a wrong answer means.

    from selfcheck import check
    check("attention", attention)

Needs NumPy alone. The examples are in examples.json beside this file.
"""

# Made by `autograder release` from the grader's own rules: it speaks in the same words as the grader.

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
import json
import os
import textwrap

import numpy as np

# Honest float32 arithmetic comes within half of these; the inputs are such that a rounding, a limit or a small number
# that was added lies far outside on some case (tests/checks/tolerance_table.py).
RELATIVE_TOLERANCE = 3e-6  # of an array's largest number, from whose rounding the small ones suffer too
ABSOLUTE_TOLERANCE = 2e-7  # for what is left when numbers near 1 cancel: float32 has steps of 1.2e-7 there
ATTENTION_WANTED = 0.49  # the weight on each of the two keys that `attends_to_both` asks for


@dataclass(frozen=True)
class Answer:
    """What one call gave: a value, or Python's own type and the message of the error that it raised."""

    value: Any = None
    error: tuple[str, str] | None = None


def ask(function, args, kwargs):
    """Call ``function`` and return its Answer, whatever happens (Ctrl-C still stops the caller)."""
    try:
        with np.errstate(all="ignore"):  # NaN and inf are judged; a warning about them would only frighten
            return Answer(value=function(*args, **kwargs))
    except Exception as error:
        kind = next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
        return Answer(error=(kind, str(error)))


def numbers(value):
    """Return ``value`` as an array of numbers or booleans, or None where it is nothing of the kind."""
    if not holds_numbers(value):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):  # rows of unequal length
        return None
    return array if array.dtype.kind in "biuf" else None


def holds_numbers(value):
    """Say whether a value is a number, an array, or lists of them; NumPy would make huge arrays of other things."""
    if isinstance(value, (list, tuple)):
        return all(map(holds_numbers, value))
    return isinstance(value, (bool, int, float, np.ndarray, np.generic))


def close(answer, expected, nan_equal=False):
    """Compare two arrays of one shape entry by entry. NaN agrees with nothing, unless a wrong answer is being named."""
    answer, expected = answer.astype(float), expected.astype(float)
    finite = np.isfinite(expected)
    largest = np.max(np.abs(expected), where=finite, initial=0.0)
    with np.errstate(invalid="ignore", over="ignore"):
        # NaN makes both comparisons false, so a NaN never passes as right.
        near = np.abs(answer - expected) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * largest
    near = (near & finite) | (answer == expected)
    return near | (np.isnan(answer) & np.isnan(expected)) if nan_equal else near


def same(answer, expected, nan_equal=False):
    """Say whether two values agree in structure, shape and every number."""
    if isinstance(expected, tuple):
        alike = isinstance(answer, (tuple, list)) and len(answer) == len(expected)
        return alike and all(same(a, e, nan_equal) for a, e in zip(answer, expected, strict=True))
    if isinstance(expected, dict):
        alike = isinstance(answer, dict) and list(answer) == list(expected)
        return alike and all(same(answer[key], expected[key], nan_equal) for key in expected)
    wanted, got = numbers(expected), numbers(answer)
    if wanted is None:
        return type(answer) is type(expected) and answer == expected
    if got is None or got.shape != wanted.shape or (got.dtype.kind == "b") != (wanted.dtype.kind == "b"):
        return False
    return bool(close(got, wanted, nan_equal).all())


def same_answer(answer, wrong):
    """Say whether an answer is this very wrong answer: the same error in the same words, or the same numbers."""
    if answer.error or wrong.error:
        return answer.error == wrong.error
    return same(answer.value, wrong.value, nan_equal=True)


def several(positions, most=4):
    """Write a list of numbers in words: ``3``, ``0 and 2``, ``0, 1, 2, 3 and 5 more``."""
    shown = [str(position) for position in positions[:most]]
    rest = len(positions) - len(shown)
    if rest:
        return f"{', '.join(shown)} and {rest} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def plural(count, word):
    """Write ``1 row`` or ``3 rows``."""
    return f"{count} {word}" + ("" if count == 1 else "s")


def where(wrong):
    """Say in words which rows or entries of a boolean array are True."""
    if wrong.ndim == 0:
        return "its only entry"
    if wrong.ndim == 1:
        places, word = np.flatnonzero(wrong), "entry"
    else:
        places, word = np.flatnonzero(wrong.any(axis=-1).reshape(-1)), "row"
    count = wrong.size if wrong.ndim == 1 else wrong.any(axis=-1).size
    noun = {"entry": "entries"}.get(word, word + "s") if len(places) > 1 else word
    return f"{noun} {several([int(place) for place in places])} (of {count})"


def difference(answer, expected, name, visible=False):
    """Say how one value differs from another; None where they agree.

    Only where the expected value is ``visible``, that of a worked example, is a number of it printed.
    """
    if same(answer, expected):
        return None
    wanted, got = numbers(expected), numbers(answer)
    if answer is None:
        return f"{name} is None: is something not returned?"
    if wanted is None:
        return f"{name} differs (it is a {kind_of(answer)}, expected a {kind_of(expected)})"
    if got is None:
        return f"{name} is a {kind_of(answer)}, expected {describe_kind(wanted)}: return numbers that NumPy can hold"
    if got.shape != wanted.shape:
        hint = "return one number, not an array" if wanted.ndim == 0 else "follow the shapes line by line"
        # A made-up shape could carry unseen inputs out.
        likely = visible or (got.ndim <= 4 and max(got.shape, default=0) <= 100)
        found = f"shape {got.shape}" if likely else "another shape"
        return f"{name} has {found}, expected {describe_kind(wanted)}: {hint}"
    if (got.dtype.kind == "b") != (wanted.dtype.kind == "b"):
        return f"{name} holds {got.dtype}, expected {wanted.dtype}"
    return difference_in_numbers(got.astype(float), wanted.astype(float), name, visible)


def difference_in_numbers(got, wanted, name, visible):
    """Say where two arrays of one shape differ."""
    if np.isnan(got).any():
        return f"{name} holds NaN in {where(np.isnan(got))}: look for 0/0, inf/inf, inf - inf or 0 · inf"
    wrong = ~close(got, wanted)
    if np.allclose(got, wanted, rtol=1e-3, atol=1e-3):
        return f"{name} is right to a few decimals only: do not round or cut off, and add no small number"
    place = f"{name} is another number than expected" if wanted.ndim == 0 else f"{name} differs in {where(wrong)}"
    if not visible:
        return place
    first = tuple(int(index) for index in np.argwhere(wrong)[0])
    entry = f"[{', '.join(map(str, first))}]" if first else ""
    digits = 0 if got[first].is_integer() and wanted[first].is_integer() else 4
    return f"{place}: {name}{entry} is {got[first]:.{digits}f}, expected {wanted[first]:.{digits}f}"


def kind_of(value):
    """Name what a value is; what could not leave the sandbox carries its kind with it."""
    return getattr(value, "kind", type(value).__name__)


def describe_kind(array):
    """Name what an array is in words: one number, or its shape."""
    return "one number" if array.ndim == 0 else f"shape {array.shape}"


def equals(answer, expected, args, names, visible=False):
    """Rule: the answer is the expected value. Return None, or what differs."""
    if not isinstance(expected, tuple):
        return difference(answer, expected, f"`{names[0]}`", visible)
    if not isinstance(answer, (tuple, list)) or len(answer) != len(expected):
        got = "one result" if not isinstance(answer, (tuple, list)) else plural(len(answer), "result")
        return f"gives {got}, expected {len(expected)}: return {', '.join(names)}, in this order"
    if not same(answer, expected) and same(tuple(answer)[::-1], expected):
        return f"gives the right results in the wrong order: return {', '.join(names)}"
    problems = (difference(a, e, f"`{name}`", visible) for a, e, name in zip(answer, expected, names, strict=True))
    return next((problem for problem in problems if problem), None)


def attends_to_both(answer, expected, args, names, visible=False):
    """Rule: judged by effect. The query, whatever its numbers, gives keys a and b a weight of 0.49 or more each."""
    keys, a, b = args
    query = numbers(answer)
    if query is None or query.shape != keys.shape[-1:]:
        return difference(answer, np.zeros(keys.shape[-1]), f"`{names[0]}`")
    with np.errstate(invalid="ignore", over="ignore"):
        scores = keys @ query.astype(float)
        share = np.exp(scores[[a, b]] - np.logaddexp.reduce(scores))
    if (share >= ATTENTION_WANTED).all():  # False for NaN
        return None
    return (
        f"key {a} gets weight {share[0]:.4f} and key {b} gets {share[1]:.4f}, wanted {ATTENTION_WANTED} or more on each"
    )


RULES = {"equals": equals, "attends_to_both": attends_to_both}


def problem(answer, expected, args, rule, names, visible=False):
    """Return None where an Answer is right, else one sentence about what is not.

    ``visible`` says that this is a worked example, whose expected numbers may be printed.
    """
    if expected.error:
        if answer.error and answer.error[0] == expected.error[0]:
            return None
        got = f"raises {answer.error[0]}" if answer.error else "returns as if all were well"
        return f"{got}, expected a {expected.error[0]} for an input like this"
    if answer.error:
        said = answer.error[1]
        joint = " " if said.startswith("in line ") else ": "
        return f"raises {answer.error[0]}{joint if said else ''}{said}"
    if answer.value is None:
        return "returns nothing: is a `return` missing?"
    return RULES[rule](answer.value, expected.value, args, names, visible)


def sentence(text, where=""):
    """Write a problem as a sentence, with where it was seen."""
    end = "" if text.endswith(("?", ".")) and not where else "."
    return f"{text[:1].upper()}{text[1:]}{f' ({where})' if where else ''}{end}"


def recognise(answers, wrong_versions):
    """Return the first wrong version whose answers are exactly these, or None.

    ``wrong_versions`` holds ``(version, its Answers to the same questions)``, or to the first of them that tell.
    """
    for version, wrong_answers in wrong_versions:
        if all(same_answer(answer, wrong) for answer, wrong in zip(answers, wrong_answers, strict=False)):
            return version
    return None


EXAMPLES = Path(__file__).with_name("examples.json")
WIDTH = 80  # nbgrader's Validate cuts lines off after 83 characters


class NotRight(AssertionError):
    """What *Validate* shows where an answer is not right: the words of the finding, and no line of this file."""

    def _render_traceback_(self):
        """Return the lines that IPython prints."""
        return str(self).splitlines()


@cache
def examples():
    """Return what examples.json holds for each exercise; it is read once."""
    return json.loads(EXAMPLES.read_text(encoding="utf-8"))


def decode(data):
    """Turn what examples.json holds back into arrays, tuples and numbers."""
    if isinstance(data, dict) and "array" in data:
        return np.array(data["array"], dtype=data["dtype"]).reshape(data["shape"])
    if isinstance(data, dict) and "tuple" in data:
        return tuple(decode(item) for item in data["tuple"])
    return {key: decode(value) for key, value in data.items()} if isinstance(data, dict) else data


def arguments(case):
    """Return fresh copies of one example's arguments."""
    return tuple(decode(argument) for argument in case["args"])


def answer_from(data):
    """Read an Answer from examples.json."""
    return Answer(error=tuple(data["error"])) if "error" in data else Answer(value=decode(data["value"]))


def check(name, function):
    """Run ``function`` on the worked examples of exercise ``name`` and print what was found.

    Errors: NotRight with these words, where nbgrader's *Validate* asks: a cell that only prints would pass there.
    """
    exercises = examples()
    if name not in exercises:
        said = f"no such exercise here, expected one of {', '.join(exercises)}."
    else:
        said = finding(exercises[name], function)
    said = textwrap.fill(f"{name}: {said}", width=WIDTH, break_on_hyphens=False)
    if os.environ.get("NBGRADER_VALIDATING") and not said.startswith(f"{name}: right"):
        raise NotRight(said)
    print(said)


def finding(exercise, function):
    """Return one paragraph about a function: right so far, or what is wrong and why."""
    cases = [(arguments(case), decode(case["kwargs"])) for case in exercise["cases"]]
    answers = [ask(function, args, kwargs) for args, kwargs in cases]
    if all((answer.error or ("",))[0] == "NotImplementedError" for answer in answers):
        return (
            "not attempted yet. Replace the line that raises NotImplementedError, here or in a function that it calls."
        )
    found = first_problem(exercise, cases, answers)
    if found is None:
        return f"right on {plural(len(cases), 'worked example')}. The grader will also try inputs that you cannot see."
    wrong_versions = [(mistake, [answer_from(a) for a in mistake["answers"]]) for mistake in exercise["mistakes"]]
    mistake = recognise(answers, wrong_versions)
    return f"not right yet. {mistake['message'] if mistake else found}"


def first_problem(exercise, cases, answers):
    """Return a sentence about the first example that fails or changes its inputs, or None."""
    for stored, (args, _), answer in zip(exercise["cases"], cases, answers, strict=True):
        right = answer_from(stored["answer"])
        before = arguments(stored)
        found = problem(answer, right, before, exercise["rule"], exercise["returns"], visible=True)
        if found:
            return sentence(found, f"example: {stored['label']}")
        if any(isinstance(a, np.ndarray) and a.tobytes() != b.tobytes() for a, b in zip(args, before, strict=True)):
            return "It changes an array that it was given: work on a new one instead of using += or setting a slice."
    return None
