"""What happens if a part of the checks that explains an answer fails: it costs a sentence, never a mark."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """A part of the checks that raised an error, and the error's type.

    The part is the name of a relation, a mistake or a function. Nothing of the answer is quoted.
    """

    part: str
    error: str


def attempt(part: str, faults: list[Fault], look: Callable, *args: Any) -> Any:
    """Return what ``look`` makes of its arguments; if it raises an error, add a Fault to the list and return None."""
    try:
        return look(*args)
    except Exception as error:
        faults.append(Fault(part, type(error).__name__))
        return None
