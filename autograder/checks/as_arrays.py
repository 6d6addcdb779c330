"""Turns an answer's lists into arrays once, because judging reads them many times."""

from typing import Any

from .compare import MOST_RESULTS, Answer, numbers


class NoNumbers:
    """Stands for a list or tuple that holds no numbers, or not in rows: only the word for what it was remains."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


def as_arrays(answer: Answer, right: Answer) -> Answer:
    """Return an answer whose lists are looked through once and for all, so that judging need not do it again and again.

    Several results stay several; each is an array then, or NoNumbers. Nothing changes where numbers are not asked for.
    """
    value, wanted = answer.value, right.value
    if isinstance(wanted, str) and isinstance(value, (list, tuple)) and not answer.error:
        return Answer(few_words(value))
    if answer.error or any(numbers(one) is None for one in parts_of(wanted) if not right.error):
        return answer
    if isinstance(value, dict):
        return Answer({key: at_once(one) for key, one in value.items()})
    if isinstance(value, (list, tuple)) and len(value) <= MOST_RESULTS:
        return Answer(type(value)(map(at_once, value)))
    return Answer(at_once(value))


def few_words(value: Any) -> Any:
    """Return a list that stands in the place of a text: as it is where it holds a few words or such, else settled."""
    found = at_once(value)
    nested = any(isinstance(one, (list, tuple)) for one in value[:MOST_RESULTS])
    return found if nested or len(value) > MOST_RESULTS or not isinstance(found, NoNumbers) else value


def parts_of(value: Any) -> Any:
    """Return the results that a right answer is made of."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, tuple) else (value,)


def at_once(value: Any) -> Any:
    """Return a list or tuple as an array, or NoNumbers; all else as it is."""
    if not isinstance(value, (list, tuple)):
        return value
    array = numbers(value)
    return NoNumbers(type(value).__name__) if array is None else array
