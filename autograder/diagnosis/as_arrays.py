"""Turns an answer's lists into arrays once, because judging reads them many times."""

from typing import Any

from .compare import MOST_RESULTS, Answer, numbers


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
    if answer.error or any(numbers(one) is None or is_empty(one) for one in parts_of(wanted) if not right.error):
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


def is_empty(value: Any) -> bool:
    """Say whether a value is a list of nothing, which may be one of texts."""
    return isinstance(value, list) and not value


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
