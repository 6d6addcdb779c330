"""Right answers to other questions: finds the altered input, step or formula for which all answers would be right.

This module calls the reference, so it stays on the trusted side; the self-check works without it.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .alterations import ALTERED, alterations, without_powers
from .compare import ask, holds_texts, numbers, same
from .exercise import Exercise
from .factors import factor_of, times_a_factor
from .likeness import Call, Pair, error_of, holds_nan, is_right, values_of
from .relations import right_for

ARITHMETIC = ("ZeroDivisionError", "OverflowError")  # of Python's numbers, where NumPy's go on with inf


def as_if(exercise: Exercise, seen: list[Call], only_formulas: bool = False) -> str | None:
    """Describe the altered inputs for which the answers would be right; None if there are none.

    ``only_formulas`` is for few answers: altered inputs are many, and one may explain them by chance.
    """
    telling = [call for call in telling_first(seen) if not call.answer.error and not holds_nan(call.answer.value)]
    needed = min(2, len(seen))
    if len(telling) < needed or not all(map(alike, telling)):
        return None
    failed = [call for call in seen if error_of(call)[0] not in ("", *ARITHMETIC) and not is_right(call)]
    failed = [call for call in failed if not call.leading]  # a batch may have another cause
    for altered_one in alterations(exercise, seen):
        if only_formulas and not altered_one.is_formula:
            continue
        if explains(altered_one.ask, telling, needed) and answered(altered_one.ask, failed) < 2:
            return right_for(str(altered_one))
    return None


def slipped(exercise: Exercise, seen: list[Call]) -> str | None:
    """Name the slip for which the answers would be right; None if there is none."""
    words = first_that_explains(exercise.slips.formulas() if exercise.slips else (), seen)
    return words and right_for(f"you get when {words}")


def slipped_twice(exercise: Exercise, seen: list[Call]) -> str | None:
    """Name two slips that together give the answers; None if there are none."""
    words = first_that_explains(exercise.slips.pairs() if exercise.slips else (), seen)
    return words and f"Two things at once: the answer is what you get when {words}. Look for both."


def first_that_explains(formulas: Iterable[tuple[str, Callable]], seen: list[Call]) -> str | None:
    """Return the words of the first formula that gives all answers, as ``as_if`` compares them."""
    telling = [call for call in telling_first(seen) if not call.answer.error]
    failed = [call for call in seen if call.answer.error and not is_right(call) and not call.leading]
    needed = min(2, len(seen))
    if len(telling) < needed or not all(map(alike, telling)):
        return None
    for words, formula in formulas:

        def asked(call: Call, formula: Callable = formula) -> Any:
            return formula(**call.given)

        if explains(asked, telling, needed, nan_equal=True) and answered(asked, failed) < 2:
            return words
    return None


def symptom(exercise: Exercise, seen: list[Call]) -> str | None:
    """Return the exercise's first sentence that holds for all wrong answers, two or more."""
    wrong = [call for call in seen if not is_right(call)]
    if any(call.answer.error or call.right.error or not alike(call) for call in wrong) or len(wrong) < min(
        2, len(seen)
    ):
        return None
    for sentence, test in exercise.symptoms:
        replies = (ask(test, (call.answer.value, call.right.value), call.given) for call in wrong)
        if all(reply.error is None and reply.value is not None and bool(reply.value) for reply in replies):
            return sentence
    return None


def answered(question: Callable, failed: list[Call]) -> int:
    """Count the calls that raised an error and to which an altered question has an answer: it explains none of them.

    One may be an edge, where both fail in their own way.
    """
    replies = (ask(question, (call,), {}) for call in failed)
    return sum(reply.error is None and reply.value is not None for reply in replies)


def telling_first(seen: list[Call]) -> list[Call]:
    """Return calls with the most informative first: wrong ones, then worked examples and batches last."""
    return sorted(seen, key=lambda call: (is_right(call), call.worked, call.leading))


def alike(call: Call) -> bool:
    """Say whether an answer has as many results as the right one, all of them numbers, or is a list of texts."""
    if isinstance(call.right.value, list):  # one result, such as tokens, of whatever length
        return numbers(call.answer.value) is not None or holds_texts(call.answer.value)
    got, right = values_of(call.answer.value), values_of(call.right.value)
    return len(got) == len(right) and all(numbers(value) is not None for value in got)


def step_returned(exercise: Exercise, seen: list[Call]) -> str | None:
    """Say that a result is the intermediate step itself, or something wrongly derived from it."""
    usable = [call for call in telling_first(seen) if not call.answer.error and not holds_nan(call.answer.value)]
    if not exercise.step or not usable or not all(map(alike, usable)):
        return None
    asked = [(call, ask(exercise.step.first, (), call.given)) for call in usable]
    steps = [(call, np.asarray(step.value, dtype=float)) for call, step in asked if not step.error]
    needed = min(2, len(seen))
    for index, name in enumerate(exercise.returns):
        for words, form in STEPS:
            if found_in(steps, index, form, needed):
                return f"`{name}` is the {exercise.step.name} {words}. There is one more step from there to `{name}`."
    return None


STEPS = (
    ("as they are", lambda a: a),
    ("with e to the power of each", lambda a: np.power(np.e, a)),
    ("minus the largest of their row, divided by the sum of the row: `np.exp` is missing", without_powers),
    *ALTERED,
)


def found_in(steps: list[tuple[Call, np.ndarray]], index: int, form: Callable, needed: int) -> bool:
    """Say whether one result of every call is a form of the intermediate step; ``needed`` of them must be wrong."""
    wrong = 0
    for call, step in steps:
        reply = ask(form, (step,), {})
        if reply.error or reply.value is None:
            continue
        got = values_of(call.answer.value)[index]
        if same(got, reply.value):
            wrong += not same(got, values_of(call.right.value)[index])
        elif not call.leading:
            return False
    return wrong >= needed


def explains(question: Callable, seen: list[Call], needed: int, nan_equal: bool = False) -> bool:
    """Say whether all answers match the altered question; ``needed`` of them must differ from the right ones."""
    differing = refused = 0
    for call in seen:
        reply = ask(question, (call,), {})
        refused += reply.error is not None
        if refused > 1:  # one input may be too small for the formula, such as a width of 0
            return False
        if reply.value is None:  # refused, or nothing to alter
            continue
        if not same(call.answer.value, reply.value, nan_equal):
            if call.leading and not same_shape(call.answer.value, reply.value):
                continue
            return False
        differing += not same(reply.value, call.right.value)
    return differing >= needed


def same_shape(one: Any, other: Any) -> bool:
    """Say whether two answers have the same shapes."""
    return [np.shape(numbers(v)) for v in values_of(one)] == [np.shape(numbers(v)) for v in values_of(other)]


def as_if_times(exercise: Exercise, seen: list[Call]) -> Any:
    """Like ``as_if``, for single results that are right for another input up to a factor."""
    name = exercise.returns[0]
    telling = [call for call in telling_first(seen) if not call.answer.error]
    needed = min(2, len(seen))
    if len(exercise.returns) > 1 or len(telling) < needed or not all(map(alike, telling)):
        return None
    for altered_one in alterations(exercise, seen):
        pairs = None if altered_one.is_factor else pairs_with(altered_one.ask, telling, needed)
        if pairs and (said := times_a_factor(name, pairs, needed)):
            return f"{'When' if altered_one.is_formula else 'With'} {altered_one.words}: {said}"
    return None


def pairs_with(question: Callable, seen: list[Call], needed: int) -> list[Pair] | None:
    """Pair answers with those to an altered question; None if they differ by no factor, or nothing was altered."""
    pairs, altered_ones = [], 0
    for call in seen:
        reply = ask(question, (call,), {})
        if reply.value is None and not reply.error:
            continue
        expected = None if reply.error else numbers(reply.value)
        if expected is None or not np.isfinite(expected).all():
            return None
        pairs.append(Pair(np.asarray(numbers(call.answer.value), dtype=float), expected.astype(float), call))
        wrong = not same(call.answer.value, call.right.value)
        altered_ones += expected.size > 1 and wrong and not same(reply.value, call.right.value)
        if len(pairs) == 1 and factor_between(pairs[0]) is None:
            return None
    return pairs if altered_ones >= needed else None


def factor_between(pair: Pair) -> float | None:
    """Return the factor between two tables, or None."""
    return factor_of(pair.got, pair.right) if pair.got.shape == pair.right.shape and pair.got.size > 1 else None
