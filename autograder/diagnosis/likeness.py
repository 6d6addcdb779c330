"""Describes how the numbers of a wrong answer resemble those of the right one, over all cases."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from .altered_answers import ENDED_EARLY, FORMS, only_first
from .compare import Answer, close, counts_as, numbers


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
