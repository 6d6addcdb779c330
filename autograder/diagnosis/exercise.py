"""An exercise: a name, a reference, inputs to try, and the wrong answers that people give."""

import ast
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .likeness import Signature
from .signature import exponentiates, signature_of
from .slips import Slips

CRITERIA = {
    "example": "matches the worked example",
    "unseen": "agrees on unseen inputs",
    "edges": "holds at the edges",
    "unchanged": "leaves its inputs unchanged",
}
# Passing visible cases alone proves nothing: without "unseen" no criterion earns its share.
SHARES = {"example": 0.2, "unseen": 0.5, "edges": 0.2, "unchanged": 0.1}


@dataclass(frozen=True)
class Case:
    """One call: its arguments, and a label that says what is special about it.

    ``edge`` marks a worked example of an edge: students see it, and the grade counts it among the edges.
    """

    label: str
    args: tuple
    kwargs: dict = field(default_factory=dict)
    edge: bool = False


def first_sentence(text: str) -> str:
    """Return a text up to the first full stop, question mark or exclamation mark followed by a space."""
    return re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0]


@dataclass(frozen=True)
class Mistake:
    """A wrong version of the reference that people write, and the message they get.

    The message says what was done, why it is wrong, and where to look; its first sentence makes sense alone.
    ``edge``: it is right on the worked examples; ``sees`` then says, in MyST Markdown, where it shows. For all others,
    what a student sees on the worked examples is computed (judge.seen_by_students).
    The function may use only NumPy, ``softmax``, what the notebook's ``given…`` cells define, and functions of its own
    module, so that it works in a student's notebook.
    """

    wrong: Callable
    message: str
    sees: str = ""
    edge: bool = False

    @property
    def id(self) -> str:
        """The mistake's name: its function's name."""
        return self.wrong.__name__

    @property
    def meaning(self) -> str:
        """What was done: the message's first sentence."""
        return first_sentence(self.message)

    def source_as(self, name: str) -> str:
        """Return the wrong version's source as a student would write it, under the exercise's name."""
        function: Any = ast.parse(inspect.getsource(self.wrong)).body[0]
        function.name, function.decorator_list = name, []
        return "\n\n".join([*map(inspect.getsource, self.helpers()), ast.unparse(function)])

    def helpers(self) -> list[Callable]:
        """Return the functions of its own module that the mistake uses, each after those that it uses itself."""
        known, met = self.wrong.__globals__, {self.wrong}
        found: list[Callable] = []

        def collect(function: Callable) -> None:
            tree = ast.parse(inspect.getsource(function))
            for word in sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}):
                helper = known.get(word)
                if inspect.isfunction(helper) and helper.__module__ == self.wrong.__module__ and helper not in met:
                    met.add(helper)
                    collect(helper)
                    found.append(helper)

        collect(self.wrong)
        return found


_MISTAKES: dict[str, dict[str, Mistake]] = {}  # module -> id -> mistake, in the order in which they are written


def mistake(message: str, sees: str = "", edge: bool = False) -> Callable:
    """Decorate a wrong version: register it as a mistake of its module's exercise, in the order written.

    Errors: ValueError for an edge without ``sees``, or for a second mistake of the same name.
    """

    def register(wrong: Callable) -> Mistake:
        siblings = registered(wrong.__module__)
        if edge != bool(sees):
            what = "got none: say where it shows" if edge else "which worked examples show: leave sees= out"
            raise ValueError(f"expected sees=… on a mistake with edge=True alone: {wrong.__name__}, {what}")
        if wrong.__name__ in siblings:
            raise ValueError(f"expected one mistake {wrong.__name__} in {wrong.__module__}, got two: rename one")
        siblings[wrong.__name__] = Mistake(wrong, message, sees, edge)
        return siblings[wrong.__name__]

    return register


def registered(module: str) -> dict[str, Mistake]:
    """Return the mistakes that a module has registered, by id, in order: the registry's own dictionary, to add to."""
    return _MISTAKES.setdefault(module, {})


@dataclass(frozen=True)
class IntermediateStep:
    """An intermediate step of an answer: its name, how to compute it, what follows from it. Both take all arguments.

    ``then`` takes the step first. Altering the step shows what a wrong step leads to.
    """

    name: str
    first: Callable
    then: Callable

    def altered(self, given: Any, form: Callable) -> Any:
        """Return the answer with the step altered by a form, or None if the form makes nothing of it."""
        step = form(np.asarray(self.first(**given), dtype=float))
        return None if step is None else self.then(step, **given)


@dataclass(frozen=True)
class Prerequisite:
    """A function of another chapter that an answer uses, and the arguments it receives there."""

    chapter: int
    name: str
    calls: tuple[tuple, ...]


@dataclass(frozen=True, eq=False)  # one object per exercise, which caches know it by
class Exercise:
    """One graded function.

    ``examples`` are visible to students, edges last; ``unseen`` and ``edges`` draw fresh cases from a generator, whose
    answers never leave the trusted side. ``returns`` names the results.
    ``wrong_formulas`` holds ``(words, function)``: one thing is wrong, said in a clause that can follow "when".
    The self-check knows them by their answers to the examples; a mistake that deserves more words is listed instead.
    ``slips`` are wrong parts of an answer, of which one, or two at once, are looked for; the grader alone knows them.
    ``symptoms`` holds ``(sentence, test)``, told where nothing better is known and the test holds for all wrong
    answers; it takes the answer, the right one, and all arguments by name.
    ``rule`` says when an answer is right (rules.RULES). ``step`` is an intermediate step, if one is worth naming.
    ``pieces`` returns the functions of other chapters that an answer calls, prerequisites before what uses them.
    ``points`` come from the solution notebook (``worth``).
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
    wrong_formulas: tuple[tuple[str, Callable], ...] = ()
    slips: Slips | None = None
    symptoms: tuple[tuple[str, Callable], ...] = ()

    @property
    def module(self) -> str:
        """The module in which the exercise is written: the one that draws its cases."""
        return self.unseen.__module__

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes in the exercise's module. The first that agrees with an answer is the one reported."""
        return tuple(registered(self.module).values())

    @property
    def shipped_mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes without those of an instructor's own folder."""
        return tuple(mistake for mistake in self.mistakes if mistake.wrong.__module__ == self.module)

    @property
    def signature(self) -> Signature:
        """The arguments, the names of all axes, and whether the reference needs np.exp."""
        found: Signature = {"name": self.name, **signature_of(self.reference, len(self.returns))}
        return {**found, "powers": True} if exponentiates(self.reference) else found

    def worth(self, points: int) -> "Exercise":
        """Return the same exercise with these points."""
        return replace(self, points=float(points))

    def questions(self, seed: int) -> list[tuple[str, Case]]:
        """Return every case of one grading, each with the criterion that it was drawn for.

        The same seed gives the same cases; exercises draw independently of one another.
        Examples come first, and everything relies on it: they are asked, and shown, before anything hidden is asked.
        """
        rng = np.random.default_rng([seed, *self.name.encode()])
        drawn = {"example": self.examples, "unseen": self.unseen(rng), "edges": self.edges(rng)}
        return [(criterion, case) for criterion, cases in drawn.items() for case in cases]
