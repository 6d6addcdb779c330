"""Turns an answer's lists into arrays once, because judging reads them many times."""

from typing import Any

from .compare import MOST_RESULTS, Answer, holds_texts, numbers


class NoNumbers:
    """Replaces a list or tuple that holds no numbers, or uneven rows: only its description remains."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


def as_arrays(answer: Answer, right: Answer) -> Answer:
    """Return an answer with its lists converted once, so that judging need not convert them again.

    Several results stay several; each becomes an array or NoNumbers. Nothing changes if no numbers are expected.
    """
    value, wanted = answer.value, right.value
    if isinstance(wanted, str) and isinstance(value, (list, tuple)) and not answer.error:
        return Answer(few_words(value))
    if isinstance(wanted, list) and isinstance(value, (list, tuple)) and not numbered(wanted) and not answer.error:
        return Answer(few_items(value))
    if answer.error or any(numbers(one) is None for one in parts_of(wanted) if not right.error):
        return answer
    if isinstance(value, dict):
        return Answer({key: at_once(one) for key, one in value.items()})
    if isinstance(value, (list, tuple)) and len(value) <= MOST_RESULTS:
        plain = list if isinstance(value, list) else tuple  # a named tuple cannot be made from one argument
        return Answer(plain(map(at_once, value)))
    return Answer(at_once(value))


def few_words(value: Any) -> Any:
    """Convert a list where a text is expected: short lists of words stay as they are, others are converted."""
    found = at_once(value)
    nested = any(isinstance(one, (list, tuple)) for one in value[:MOST_RESULTS])
    return found if nested or len(value) > MOST_RESULTS or not isinstance(found, NoNumbers) else value


def numbered(wanted: list[Any]) -> bool:
    """Say whether a right list holds numbers: an empty one is one of texts."""
    return bool(wanted) and numbers(wanted) is not None


def few_items(value: Any) -> Any:
    """Convert a list where one of texts is expected: of a long one that holds numbers, only its kind remains."""
    if holds_texts(value) or sum(map(length, value[:MOST_RESULTS])) + len(value) <= MOST_RESULTS:
        return value
    return NoNumbers(type(value).__name__)


def length(value: Any) -> int:
    """Return the length of a list or tuple, and 0 for anything else."""
    return len(value) if isinstance(value, (list, tuple)) else 0


def parts_of(value: Any) -> Any:
    """Return a right answer's results as a tuple."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, tuple) else (value,)


def at_once(value: Any) -> Any:
    """Return a list or tuple as an array or NoNumbers, and anything else unchanged."""
    if not isinstance(value, (list, tuple)):
        return value
    array = numbers(value)
    return NoNumbers(type(value).__name__) if array is None else array
