"""The kinds of input to which wrong answers may be limited: batches, large numbers, a single token."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from .compare import close, numbers
from .difference import written
from .leading_axes import leading_hint, results
from .likeness import Call, Signature, error_of, holds_nan, is_right, values_of

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
