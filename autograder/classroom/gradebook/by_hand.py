"""Rescales marks and comments given by hand when points change."""

from dataclasses import dataclass
from typing import TypeVar

from autograder.plain import visible

Mark = TypeVar("Mark", float, float | None)


@dataclass(frozen=True)
class ByHand:
    """A mark given by hand for an exercise whose points changed; ``now`` is None if the exercise was removed."""

    student: str
    chapter: str
    exercise: str
    mark: float
    was: float
    now: float | None

    def __str__(self) -> str:
        """Describe the change in one line."""
        given = f"{self.student} {self.chapter}: {self.exercise} by hand {self.mark:g} of {self.was:g}"
        if self.now is None:
            return f"{given} -> dropped: the exercise was removed"
        mark = rescale_mark(self.mark, self.was, self.now)
        return f"{given} -> {mark:g} of {self.now:g}: in proportion, since its points changed"


@dataclass(frozen=True)
class Remark:
    """A person's comment on an answer whose exercise was removed."""

    student: str
    chapter: str
    exercise: str
    text: str

    def __str__(self) -> str:
        """Describe the change in one line; a removed comment with its text: no later place shows it."""
        words = visible(" ".join(self.text.split()))
        given = f"{self.student} {self.chapter}: {self.exercise}, comment by hand “{words}”"
        return f"{given} -> dropped: the exercise was removed"


def rescale_mark(mark: Mark, was: float, now: float) -> Mark:
    """Return a mark out of ``was`` points as one out of ``now``; a mark out of zero stays, and no mark is none."""
    return round(mark * now / was, 2) if mark is not None and was else mark
