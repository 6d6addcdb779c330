"""Marks and comments given by hand, and what happens to them when points change."""

from dataclasses import dataclass
from typing import Any

from autograder.plain import visible


@dataclass(frozen=True)
class ByHand:
    """A mark that a person gave, of an exercise whose points have changed; ``now`` is None where it was taken out."""

    student: str
    chapter: str
    exercise: str
    mark: float
    was: float
    now: float | None

    @property
    def rescaled(self) -> Any:
        """The mark in proportion to the points that the exercise has now."""
        return rescaled(self.mark, self.was, self.now)

    def __str__(self) -> str:
        """Say what becomes of it, in one line."""
        given = f"{self.student} {self.chapter}: {self.exercise} by hand {self.mark:g} of {self.was:g}"
        if self.now is None:
            return f"{given} -> dropped: the exercise was taken out"
        return f"{given} -> {self.rescaled:g} of {self.now:g}: in proportion, since its points changed"


@dataclass(frozen=True)
class Remark:
    """What a person wrote about an answer whose exercise was taken out."""

    student: str
    chapter: str
    exercise: str
    text: str

    def __str__(self) -> str:
        """Say what becomes of it, in one line, with its words: this is the last place that shows them."""
        words = visible(" ".join(self.text.split()))
        given = f"{self.student} {self.chapter}: {self.exercise}, comment by hand “{words}”"
        return f"{given} -> dropped: the exercise was taken out"


def rescaled(mark: Any, was: Any, now: Any) -> Any:
    """Return a mark out of ``was`` points as one out of ``now``; what was given for nothing stays."""
    return round(mark * now / was, 2) if mark is not None and was else mark
