"""What an exercise is: a name, a reference, inputs to try it on, and the wrong answers that people give."""

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

CRITERIA = {
    "example": "matches the worked example",
    "unseen": "agrees on unseen inputs",
    "edges": "holds at the edges",
    "unchanged": "leaves its inputs unchanged",
}
# What is visible proves nothing on its own: without "unseen" no criterion earns its share.
SHARES = {"example": 0.2, "unseen": 0.5, "edges": 0.2, "unchanged": 0.1}


@dataclass(frozen=True)
class Case:
    """One call: its arguments, and what is special about it in words."""

    label: str
    args: tuple
    kwargs: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Mistake:
    """A wrong version of the reference that people write, and what is said to them.

    The message says what was done, why it is wrong, and what to look at.
    The function needs NumPy and ``softmax`` alone, so that it can stand in a student's notebook as it is.
    """

    wrong: Callable
    message: str

    @property
    def id(self):
        """The mistake's name, which is its function's."""
        return self.wrong.__name__

    def source_as(self, name):
        """Return the wrong version as a student would have written it, under the exercise's name."""
        (function,) = ast.parse(inspect.getsource(self.wrong)).body
        function.name, function.decorator_list = name, []
        return ast.unparse(function)


def mistake(message):
    """Decorate a wrong version with what is said to whoever writes it."""
    return lambda wrong: Mistake(wrong, message)


@dataclass(frozen=True, eq=False)  # one object per exercise, so that what is known about it can be kept
class Exercise:
    """One graded function.

    ``examples`` are visible to students; ``unseen`` and ``edges`` draw fresh cases from a generator and
    never leave the trusted side with their answers. ``returns`` names the results, for the words.
    ``points`` are the same as in the solution notebook (``autograder release`` compares them).
    ``rule`` says when an answer is right (compare.RULES).
    """

    name: str
    points: int
    reference: Callable
    returns: tuple[str, ...]
    examples: tuple[Case, ...]
    unseen: Callable[[np.random.Generator], list[Case]]
    edges: Callable[[np.random.Generator], list[Case]]
    mistakes: tuple[Mistake, ...]
    rule: str = "equals"

    @lru_cache(maxsize=256)  # noqa: B019 - exercises live as long as the process
    def questions(self, seed: int) -> list[tuple[str, Case]]:
        """Return every case of one grading, each with the criterion that it belongs to.

        The same seed gives the same cases; exercises draw independently of one another.
        """
        rng = np.random.default_rng([seed, *self.name.encode()])
        drawn = {"example": self.examples, "unseen": self.unseen(rng), "edges": self.edges(rng)}
        return [(criterion, case) for criterion, cases in drawn.items() for case in cases]
