"""How answers become a message: every step, in order, in the grader and in the notebook.

1. A function that gave no answers is told why: it was not attempted, does not exist, or hit a limit.
2. Wrong answers are told their cause: the first of CAUSES that is known, with the line that raised the error.
   Where none is known, the first problem is told as rules.py describes it.
3. The grader adds REMARKS about the notebook.

The steps stand here:

    step      grader                            notebook
    1         judge.py, grading/verdicts.py     selfcheck.py
    CAUSES    causes.py, from all cases         selfcheck.py, from the worked examples
    problem   judge.criterion_of                selfcheck.py
    REMARKS   grading/remarks.py                none: it sees one function, and no notebook
"""

from collections.abc import Callable
from dataclasses import dataclass

from .faults import Fault, attempt


@dataclass(frozen=True)
class Cause:
    """Why answers are wrong, in words; ``told_by`` as in a Verdict, and the id of the listed mistake if it is one."""

    words: str
    told_by: str = "relation"
    mistake: str | None = None


class Diagnosis:
    """What is known of why the answers to one exercise are wrong; a cause is None where it is not known."""

    def listed_mistake(self) -> Cause | None:
        """Return the listed mistake that gives the same answers."""

    def gives_another(self) -> Cause | None:
        """Say that a function answers one question in two ways; the grader's relations say it themselves."""

    def related(self) -> Cause | None:
        """Describe how the answers relate to the right ones."""

    def raised_in(self) -> str:
        """Say where the first wrong answer's error was raised, "" if it is no error."""
        return ""


class Remarks:
    """What the grader adds about the notebook, "" for nothing."""

    def fault_above(self) -> str:
        """Name the first wrong function above that this one calls."""
        return ""

    def definition_below(self) -> str:
        """Say that the function is defined below its test, or again there."""
        return ""

    def passed_over(self) -> str:
        """Say what was passed over in its cell, and what that cell has left that does nothing."""
        return ""

    def prerequisite(self) -> str:
        """Say what is wrong with the first function of another chapter that it calls."""
        return ""


CAUSES: tuple[Callable[[Diagnosis], Cause | None], ...] = (
    Diagnosis.listed_mistake,
    Diagnosis.gives_another,
    Diagnosis.related,
)
REMARKS: tuple[Callable[[Remarks], str], ...] = (
    Remarks.fault_above,
    Remarks.definition_below,
    Remarks.passed_over,
    Remarks.prerequisite,
)


def first_cause(diagnosis: Diagnosis, faults: list[Fault]) -> Cause | None:
    """Return the first cause that is known, with the line that raised the error; None if none is.

    Whatever raises an error is added to ``faults``, and costs its sentence alone.
    """
    for step in CAUSES:
        cause = attempt(step.__name__, faults, getattr(diagnosis, step.__name__))
        if cause:
            place = attempt("raised_in", faults, diagnosis.raised_in) or ""
            return Cause(f"{cause.words}{place}", cause.told_by, cause.mistake)
    return None
