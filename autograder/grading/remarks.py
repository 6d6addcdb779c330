"""What the grader adds to a message about the notebook. Their order is written in diagnosis/message.py."""

from collections.abc import Sequence
from dataclasses import replace

from autograder.course.course import Assignment
from autograder.diagnosis.faults import Fault, attempt
from autograder.diagnosis.message import Remarks
from autograder.diagnosis.verdict import Verdict
from autograder.errors import InfrastructureError
from autograder.sandbox import Sandbox

from .missing_names import Explainer
from .prerequisites import wrong_prerequisite

FAULT_ABOVE = "which it calls, is not right either: fix that first."


class NotebookRemarks(Remarks):
    """The remarks on one exercise of a notebook; ``checkpoint`` is the number of its test."""

    def __init__(
        self, box: Sandbox, assignment: Assignment, explainer: Explainer, verdict: Verdict, checkpoint: int
    ) -> None:
        self.box, self.assignment, self.explainer = box, assignment, explainer
        self.verdict, self.checkpoint = verdict, checkpoint
        self.lost_points = verdict.score != verdict.points

    def fault_above(self) -> str:
        """Name the first wrong function above that this one calls."""
        return f"`{self.verdict.above}`, {FAULT_ABOVE}" if self.verdict.above else ""

    def definition_below(self) -> str:
        """Say that the function is defined below its test, or again there."""
        return self.explainer.definition_below(self.verdict.name) if self.lost_points else ""

    def passed_over(self) -> str:
        """Say what was passed over in its cell, and what that cell has left that does nothing."""
        if self.verdict.told_by == "status":  # it says which line, or that there is none
            return ""
        return self.explainer.passed_over(self.verdict.name)

    def prerequisite(self) -> str:
        """Say what is wrong with the first function of another chapter that it calls."""
        if not self.lost_points or self.verdict.status == "not_attempted":
            return ""
        return wrong_prerequisite(self.box, self.assignment, self.verdict.name, self.checkpoint)


def with_remarks(
    box: Sandbox, assignment: Assignment, explainer: Explainer, verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """Return the verdicts, in the order of their tests, with the remarks on each."""
    told = []
    for checkpoint, verdict in enumerate(verdicts):
        faults: list[Fault] = []
        above = attempt("fault_above", faults, explainer.fault_above, verdict, verdicts[:checkpoint]) or ""
        verdict = replace(verdict, above=above, faults=(*verdict.faults, *faults))
        told.append(add_remarks(verdict, NotebookRemarks(box, assignment, explainer, verdict, checkpoint)))
    return told


def add_remarks(verdict: Verdict, remarks: Remarks) -> Verdict:
    """Return a verdict with all remarks; what raises an error adds none, and is a fault.

    Errors: InfrastructureError, which is the sandbox's.
    """
    sentences, faults = [verdict.message], [*verdict.faults]
    for remark in remarks.in_order():
        try:
            sentences.append(remark())
        except InfrastructureError:
            raise
        except Exception as error:
            faults.append(Fault(remark.__name__, type(error).__name__))
    return replace(verdict, message=" ".join(filter(None, sentences)), faults=tuple(faults))
