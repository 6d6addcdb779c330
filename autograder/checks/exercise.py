"""What an exercise is: a name, a reference, inputs to try, and the wrong answers that people give."""

import ast
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from .signature import exponentiates, signature_of

CRITERIA = {
    "example": "matches the worked example",
    "unseen": "agrees on unseen inputs",
    "edges": "holds at the edges",
    "unchanged": "leaves its inputs unchanged",
}
# What is visible proves nothing on its own: without "unseen" no criterion earns its share.
SHARES = {"example": 0.2, "unseen": 0.5, "edges": 0.2, "unchanged": 0.1}

KEPT = 32  # of what is drawn and computed for one submission: a chapter has seven exercises with three groups of cases


@dataclass(frozen=True)
class Case:
    """One call: its arguments, and what is special about it in words.

    ``edge`` marks a worked example of an edge: students see it, and in the grade it counts among the edges.
    """

    label: str
    args: tuple
    kwargs: dict = field(default_factory=dict)
    edge: bool = False


def first_sentence(text: str) -> str:
    """Return a text up to the first full stop, question mark or exclamation mark that a space follows."""
    return re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0]


@dataclass(frozen=True)
class Mistake:
    """A wrong version of the reference that people write, and what is said to them.

    The message says what was done, why it is wrong, and what to look at; its first sentence makes sense alone.
    ``edge``: it is right on the worked examples; ``sees`` then says, in MyST Markdown, where it shows. Of all others
    what a student sees on the worked examples is computed (judge.seen).
    The function needs NumPy, ``softmax``, what the notebook's cells ``given…`` define, and functions of its own module
    alone, so that it can stand in a student's notebook.
    """

    wrong: Callable
    message: str
    sees: str = ""
    edge: bool = False

    @property
    def id(self) -> str:
        """The mistake's name, which is its function's."""
        return self.wrong.__name__

    @property
    def meaning(self) -> Any:
        """What was done, in a sentence: the first one of the message."""
        return first_sentence(self.message)

    def source_as(self, name: str) -> str:
        """Return the wrong version as a student would have written it, under the exercise's name."""
        function: Any = ast.parse(inspect.getsource(self.wrong)).body[0]
        function.name, function.decorator_list = name, []
        return "\n\n".join([*map(inspect.getsource, self.helpers(function)), ast.unparse(function)])

    def helpers(self, function: Any) -> list[Callable]:
        """Return the functions of the mistake's own module that its syntax tree names, in the order of the alphabet."""
        known, named = self.wrong.__globals__, {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        found = [known[word] for word in sorted(named & known.keys()) if inspect.isfunction(known[word])]
        return [helper for helper in found if helper.__module__ == self.wrong.__module__]


_MISTAKES: dict[str, dict[str, Mistake]] = {}  # module -> id -> mistake, in the order in which they are written


def mistake(message: str, sees: str = "", edge: bool = False) -> Callable:
    """Decorate a wrong version: it becomes a mistake of the exercise that its module defines, in the order written.

    Errors: ValueError for an edge without ``sees``, or for a second mistake of the same name.
    """

    def register(wrong: Any) -> Any:
        siblings = _MISTAKES.setdefault(wrong.__module__, {})
        if edge != bool(sees):
            what = "got none: say where it shows" if edge else "which worked examples show: leave sees= out"
            raise ValueError(f"expected sees=… on a mistake with edge=True alone: {wrong.__name__}, {what}")
        if wrong.__name__ in siblings:
            raise ValueError(f"expected one mistake {wrong.__name__} in {wrong.__module__}, got two: rename one")
        siblings[wrong.__name__] = Mistake(wrong, message, sees, edge)
        return siblings[wrong.__name__]

    return register


@dataclass(frozen=True)
class IntermediateStep:
    """A step on the way to an answer: its name, how it is computed, and what is made of it; both take all arguments.

    ``then`` takes the step first. What a wrong step leads to is found by altering it.
    """

    name: str
    first: Callable
    then: Callable

    def altered(self, given: Any, form: Any) -> Any:
        """Return the answer with the step altered by a form, or None where the form makes nothing of it."""
        step = form(np.asarray(self.first(**given), dtype=float))
        return None if step is None else self.then(step, **given)


@dataclass(frozen=True)
class Prerequisite:
    """A function of another chapter's exercise that an answer is made of, and the arguments that it is given there."""

    chapter: int
    name: str
    calls: tuple[tuple, ...]


@dataclass(frozen=True, eq=False)  # one object per exercise, so that what is known about it can be kept
class Exercise:
    """One graded function.

    ``examples`` are visible to students, those of edges last; ``unseen`` and ``edges`` draw fresh cases from a
    generator and never leave the trusted side with their answers. ``returns`` names the results, for the words.
    ``otherwise`` holds ``(words, function)``: formulas with one thing wrong, whose words begin with "where". They cost
    a notebook no room, for the self-check does without them; a mistake that says more stands on the list.
    ``rule`` says when an answer is right (compare.RULES). ``step`` is a step on the way, if it is worth a word.
    ``pieces`` returns the functions of other chapters that an answer calls, what a piece calls before the piece.
    ``points`` are written in the solution notebook; whoever grades a notebook puts them in (``worth``).
    """

    name: str
    reference: Callable
    returns: tuple[str, ...]
    examples: tuple[Case, ...]
    unseen: Callable[[np.random.Generator], list[Case]]
    edges: Callable[[np.random.Generator], list[Case]]
    rule: str = "equals"
    points: float = 1.0
    step: IntermediateStep | None = None
    pieces: Callable[[], tuple[Prerequisite, ...]] = tuple
    otherwise: tuple[tuple[str, Callable], ...] = ()

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes that stand in the exercise's module. The first that agrees with an answer is the one told."""
        return tuple(_MISTAKES.get(self.unseen.__module__, {}).values())

    @property
    def signature(self) -> dict:
        """The arguments and the names of all axes, from the reference's annotations, and whether it needs np.exp."""
        powers = {"powers": True} if exponentiates(self.reference) else {}
        return {"name": self.name, **signature_of(self.reference), **powers}

    def worth(self, points: int) -> "Exercise":
        """Return the same exercise with its points."""
        return replace(self, points=float(points))

    @lru_cache(maxsize=KEPT)  # noqa: B019 - exercises live as long as the process
    def questions(self, seed: int) -> list[Any]:
        """Return every case of one grading, each with the criterion that it belongs to.

        The same seed gives the same cases; exercises draw independently of one another.
        Examples come first, and everything relies on it: they are asked before anything that is hidden, and shown.
        """
        rng = np.random.default_rng([seed, *self.name.encode()])
        drawn = {"example": self.examples, "unseen": self.unseen(rng), "edges": self.edges(rng)}
        return [(criterion, case) for criterion, cases in drawn.items() for case in cases]
