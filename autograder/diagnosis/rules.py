"""Decides by an exercise's rule whether an answer is right, and says in one sentence what is wrong with it."""

from typing import Any

import numpy as np

from .compare import MOST_RESULTS, Answer, numbers, same
from .difference import difference, kind_of, plural, with_article

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
