"""The questions of a grading, and the replies to them: one list, from which everything is judged.

It is built once for an exercise and a submission. Worked examples come first.

    Question          the criterion that it was drawn for, its case, the right answer
    AnsweredQuestion  the same, and the reply
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from .as_arrays import as_arrays
from .compare import Answer, ask
from .exercise import Case, Exercise
from .untouched import changed_argument, copied_arguments


@dataclass(frozen=True)
class Reply:
    """What one case gave: the answer, and the arguments as they were after the call.

    ``error_words`` is what may be said of an error; its own text serves only to recognise mistakes. ``error_place`` is
    its line, if that may be said. ``is_right`` says that the answer was compared before, and is right: only
    judge.mark_right_replies sets it, from the answer, so nothing that a student's code does can.
    """

    answer: Answer
    arguments: tuple | None = None
    error_words: str = ""
    error_place: str = ""
    is_right: bool = False


@dataclass(frozen=True)
class Question:
    """One question of a grading: the criterion that it was drawn for, its case, and the right answer."""

    criterion: str
    case: Case
    right: Answer

    @property
    def is_example(self) -> bool:
        """Whether students see it: it is a worked example."""
        return self.criterion == "example"

    @property
    def counts_for(self) -> str:
        """The criterion that it counts for: a worked example of an edge counts as an edge."""
        return "edges" if self.case.edge else self.criterion

    def answered(self, reply: Reply) -> "AnsweredQuestion":
        """Return the question with a reply, whose answer is an array where the right one is."""
        reply = replace(reply, answer=as_arrays(reply.answer, self.right))
        return AnsweredQuestion(self.criterion, self.case, self.right, reply)


@dataclass(frozen=True)
class AnsweredQuestion(Question):
    """A question and the reply to it."""

    reply: Reply

    @property
    def answer(self) -> Answer:
        """The student's answer."""
        return self.reply.answer

    @property
    def changed_argument(self) -> tuple[str, str] | None:
        """The kind of the first argument that was changed, and where to look; None if all came back as they were.

        Where not as many came back as were given, all count as changed.
        """
        args, after = self.case.args, self.reply.arguments or ()
        return changed_argument(args, after if len(after) == len(args) else (None,) * len(args))


def questions_of(exercise: Exercise, seed: int) -> tuple[Question, ...]:
    """Return all questions of one submission with their right answers, in the order of ``exercise.questions``."""
    return tuple(
        Question(criterion, case, answer_to(case, exercise.reference)) for criterion, case in exercise.questions(seed)
    )


def copied(case: Case) -> tuple[Any, ...]:
    """Return fresh copies of a case's arguments."""
    return copied_arguments(case.args)


def reply_of(function: Callable, case: Case) -> Reply:
    """Put one case to a function in this process. Only for trusted code, or code that stock nbgrader grades."""
    args = copied(case)
    answer = ask(function, args, deepcopy(case.kwargs))  # the next function gets what this one was given
    return Reply(answer, args, answer.error[1] if answer.error else "")


def answer_to(case: Case, function: Callable) -> Answer:
    """Return a function's answer to a case; the case itself stays unchanged."""
    return reply_of(function, case).answer
