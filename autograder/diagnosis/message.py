"""How a reply becomes a message: every step, in order, in the grader and in the notebook.

In the grader, which asks a function again, in a copy of the notebook of its own, where its first replies are wrong:

    ask.py             _reply_from             the reply: a value, or what may be told of an error
    verdicts.py        verdict_on              a function that hit a limit is told which, and where: on to the remarks
    verdicts.py        verdict_on_missing      one that does not exist is told why: on to the remarks
    missing_names.py   explained               adds why a name or a file is missing, to an error at a worked example
    judge.py           not_attempted           the released stub is told so: on to the remarks
    questions.py       Question.answered       the answer, as arrays
    judge.py           problems_with           the problem with each answer, as rules.py describes it; before that,
                                               as_shown leaves of an error on unseen inputs what students may see
    judge.py           criterion_of            the first problem of each criterion but the last
    judge.py           criterion_of_arguments  that of the last: an argument that was changed
    message.py         first_cause             the first cause that causes.py knows, with the line that raised an error;
                                               none is looked for where only an argument was changed
    judge.py           conclude                the cause; without one, the first criterion's problem, and what all wrong
                                               answers have in common, if it is known; or "Right."
    remarks.py         with_remarks            adds the remarks about the notebook
    feedback.py        feedback_page           shows it; below a listed mistake's, where the chapter lists it
                                               (course.py, slip), and what it leads to (hooks.py, consequence);
                                               then the problems of all criteria

In the notebook, which sees one function and the worked examples alone:

    whose_function.py  not_the_students        a function of the course's own is told so, and nothing else
    selfcheck.py       check                   without the exercise's worked examples, says so, and nothing else
    selfcheck.py       finding_on_examples     the stub is told so, and nothing else
    selfcheck.py       is_endless              an answer that contains itself is told so, and nothing else
    selfcheck.py       first_problem           the first problem, as rules.py describes it, or a changed argument;
                                               before that, with_place adds to an error its line, and more
    message.py         first_cause             the first cause that ExamplesDiagnosis knows, with the line as above
    selfcheck.py       finding_on_examples     the cause; without one, the first problem; or "right"
    selfcheck.py       first_differences       adds the results that differ; finding.py draws them
    portability.py     noting_refused          of a right answer: what it did meanwhile that newer NumPy refuses
    portability.py     not_portable            of a right answer: what it uses that the grader lacks

ask.py, verdicts.py, missing_names.py and remarks.py are in grading/, feedback.py in pages/, course.py and hooks.py in
course/, all others here. Under stock nbgrader (course/stock_nbgrader.py) the message is that of judge.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from .faults import Fault, attempt


@dataclass(frozen=True)
class Cause:
    """Why answers are wrong, in words; ``told_by`` as in a Verdict, and the id of the listed mistake if it is one."""

    words: str
    told_by: str = "relation"
    mistake: str | None = None


class Diagnosis(ABC):
    """What is known of why the answers to one exercise are wrong; a cause is None where it is not known."""

    def in_order(self) -> tuple[Callable[[], Cause | None], ...]:
        """Return what looks for each cause; the first that is known is told."""
        return self.listed_mistake, self.gives_another, self.related

    @abstractmethod
    def listed_mistake(self) -> Cause | None:
        """Return the listed mistake that gives the same answers."""

    def gives_another(self) -> Cause | None:
        """Say that a function answers one question in two ways.

        The notebook asks a second time and compares. The grader compares nothing that it asked twice: where its
        questions hold one twice, a relation sees it (relations.at_random).
        """
        return None

    @abstractmethod
    def related(self) -> Cause | None:
        """Describe how the answers relate to the right ones."""

    @abstractmethod
    def raised_in(self) -> str:
        """Say where the first wrong answer's error was raised, "" if it is no error."""


class Remarks(ABC):
    """What the grader adds about the notebook, "" for nothing."""

    def in_order(self) -> tuple[Callable[[], str], ...]:
        """Return what makes each remark; all that are made are added."""
        return self.fault_above, self.definition_below, self.passed_over, self.prerequisite

    @abstractmethod
    def fault_above(self) -> str:
        """Name the first wrong function above that this one calls."""

    @abstractmethod
    def definition_below(self) -> str:
        """Say that the function is defined below its test, or again there."""

    @abstractmethod
    def passed_over(self) -> str:
        """Say what was passed over in its cell, and what that cell has left that does nothing."""

    @abstractmethod
    def prerequisite(self) -> str:
        """Say what is wrong with the first function of another chapter that it calls."""


def first_cause(diagnosis: Diagnosis, faults: list[Fault]) -> Cause | None:
    """Return the first cause that is known, with the line that raised the error; None if none is.

    Whatever raises an error is added to ``faults``, and costs its sentence alone.
    """
    for look in diagnosis.in_order():
        cause = attempt(look.__name__, faults, look)
        if cause:
            place = attempt("raised_in", faults, diagnosis.raised_in) or ""
            return Cause(f"{cause.words}{place}", cause.told_by, cause.mistake)
    return None
