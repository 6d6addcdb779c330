"""What is known about one graded submission."""

from dataclasses import dataclass, field
from typing import Any

from autograder.course.course import Assignment
from autograder.diagnosis.faults import Fault
from autograder.diagnosis.verdict import Verdict
from autograder.errors import CourseError, InfrastructureError, InvalidSubmission, NoNotebook, NotReadable
from autograder.plain import visible
from autograder.sandbox.host.outcome import Noted, Outcome, Passed, Place

from .rebuild import RebuiltCell

WITHOUT_MARK = ("no_notebook", "infrastructure")  # a zero would be untrue
LIMITS = ("time_limit", "memory_limit", "crashed", "output_limit")  # by which a cell or a function was stopped
SEVERITY = (*LIMITS, "error")


@dataclass(frozen=True)
class Ran:
    """One cell of the graded notebook with its outputs.

    ``seconds`` is the time after which a limit stopped it, and ``place`` where that was, if it had to be ended.
    ``passed`` are its statements that were passed over, ``noted`` what it holds that does nothing here.
    """

    piece: RebuiltCell
    outputs: tuple[dict, ...] = ()
    status: str = ""
    seconds: float = 0.0
    place: Place | None = None
    passed: tuple[Passed, ...] = ()
    noted: tuple[Noted, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return what is saved of it, as plain data."""
        piece = {"kind": self.piece.kind, "type": self.piece.cell_type, "id": self.piece.grade_id}
        return {**piece, "source": self.piece.source, "outputs": list(self.outputs), "status": self.status}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Ran":
        """Rebuild what ``as_dict`` returned."""
        piece = RebuiltCell(data["kind"], data["type"], data["source"], data["id"])
        return cls(piece, tuple(data["outputs"]), data["status"])


@dataclass(frozen=True)
class Result:
    """Everything known about one graded submission.

    ``ran_late``: something waited for too long, perhaps because the machine was busy. ``notes`` are for the student:
    what the course has changed since, and that ids were lost (``without_ids``). ``refused`` is how often which system
    call was refused, by name; None where nobody counts. ``behaviours``: what unlisted wrong answers do, by exercise;
    for instructors only. ``faults`` are what failed in the checks while messages were made, by exercise; marks do not
    depend on it.
    """

    assignment: str
    status: str
    score: float
    max_score: float
    tampered: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    message: str = ""
    cells: tuple[Ran, ...] = field(default=(), repr=False)
    level: str = ""
    seconds: float = 0.0
    ran_late: bool = False
    notes: tuple[str, ...] = ()
    behaviours: dict = field(default_factory=dict, repr=False)
    refused: dict[str, int] | None = field(default_factory=dict, repr=False)
    without_ids: bool = False
    faults: dict[str, tuple[Fault, ...]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "assignment": self.assignment,
            "status": self.status,
            "score": self.score,
            "max_score": self.max_score,
            "tampered": list(self.tampered),
            "message": self.message,
            "notes": list(self.notes),
            "exercises": [verdict.as_dict() for verdict in self.verdicts],
            **({"faults": _fault_data(self.faults)} if self.faults else {}),
        }

    def as_record(self) -> dict[str, Any]:
        """Return what is saved: the same wherever and whenever the same files are graded."""
        return {
            **self.as_dict(),
            **({"behaviours": self.behaviours} if self.behaviours else {}),
            **({"without_ids": True} if self.without_ids else {}),
            "cells": [cell.as_dict() for cell in self.cells],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Result":
        """Rebuild what ``as_dict`` or ``as_record`` returned, with its cells or without; other keys are left alone."""
        plain = ("assignment", "status", "score", "max_score", "message", "behaviours", "without_ids")
        faults = {name: tuple(Fault(**fault) for fault in some) for name, some in data.get("faults", {}).items()}
        return cls(
            **{name: data[name] for name in plain if name in data},
            tampered=tuple(data["tampered"]),
            notes=tuple(data.get("notes", ())),
            verdicts=tuple(map(Verdict.from_dict, data["exercises"])),
            cells=tuple(map(Ran.from_dict, data.get("cells", ()))),
            faults=faults,
        )


def _fault_data(faults: dict[str, tuple[Fault, ...]]) -> dict[str, list[dict[str, str]]]:
    """Return faults as plain data."""
    return {name: [dict(vars(fault)) for fault in some] for name, some in faults.items()}


def describe_faults(faults: dict[str, tuple[Fault, ...]]) -> str:
    """Name what failed in the checks of each exercise, and the errors' types; "" for nothing."""
    return ", ".join(f"{name}: {fault.part} ({fault.error})" for name, some in faults.items() for fault in some)


def status_of(verdicts: list[Verdict], tampered: tuple[str, ...]) -> str:
    """Name the status that an instructor should look at first."""
    if tampered:
        return "tampered"
    statuses = {verdict.status for verdict in verdicts}
    if statuses == {"not_attempted"}:
        return "not_attempted"
    return next((status for status in SEVERITY if status in statuses), "graded")


def failure_of(outcome: Outcome) -> str:
    """Name how a step failed; "" if it did not."""
    return next((status for status in SEVERITY if getattr(outcome, status, False)), "")


def describe_refused(refused: dict[str, int]) -> str:
    """Name the system calls that were refused, the most frequent first; "" for none."""
    often = sorted(refused.items(), key=lambda pair: -pair[1])
    return ", ".join(name if times == 1 else f"{name} ({times} times)" for name, times in often)


def failed(assignment: Assignment, message: InfrastructureError | CourseError | str) -> Result:
    """Return the result of an infrastructure failure: no mark, and the reason."""
    return Result(assignment.chapter, "infrastructure", 0.0, assignment.max_score, message=visible(message))


def invalid(assignment: Assignment, error: InvalidSubmission) -> Result:
    """Return the result of an unreadable submission: no points, and the reason.

    No mark without a notebook, or where the machine could not read it.
    """
    kinds = ((NoNotebook, "no_notebook"), (NotReadable, "infrastructure"), (InvalidSubmission, "invalid_submission"))
    status = next(name for kind, name in kinds if isinstance(error, kind))
    return Result(assignment.chapter, status, 0.0, assignment.max_score, message=visible(error))
