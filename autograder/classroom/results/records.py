"""Reads the two records of a graded submission, ``result.json`` and ``run.json``.

Each is compared with its schema below, so that everything else can rely on it. A record that is damaged, or another
version's, is a value like any other: it concerns one student, and grading again replaces it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

from autograder.diagnosis.faults import Fault
from autograder.diagnosis.verdict import Verdict
from autograder.shape import difference_from, read_json

RESULT, RUN = "result.json", "run.json"
RECORD_BYTES = 80 << 20  # a notebook of the largest size, and all its outputs


class SavedBehaviour(TypedDict):
    """What an unlisted wrong answer does; ``numbers`` are pairs."""

    kind: str
    numbers: list[float]
    where: str
    what: str


class SavedStream(TypedDict):
    """What a cell printed."""

    output_type: Literal["stream"]
    name: str
    text: str


class SavedError(TypedDict):
    """The error with which a cell ended."""

    output_type: Literal["error"]
    ename: str
    evalue: str
    traceback: list[str]


class SavedData(TypedDict):
    """What a cell displayed."""

    output_type: Literal["display_data", "execute_result"]
    data: dict[str, str]
    metadata: dict[str, Any]
    execution_count: NotRequired[int | None]


SavedOutput = SavedStream | SavedError | SavedData


class SavedCell(TypedDict):
    """One cell of a graded notebook, as it was saved."""

    kind: str
    type: str
    id: str
    source: str
    outputs: list[SavedOutput]
    status: str


class SavedFacts(TypedDict):
    """What ``result.json`` says about a whole submission. The optional fields came later, or say what is rare."""

    student: str
    assignment: str
    status: str
    score: float
    max_score: float
    tampered: list[str]
    message: str
    notes: NotRequired[list[str]]
    behaviours: NotRequired[dict[str, SavedBehaviour]]
    without_ids: NotRequired[bool]
    faults: NotRequired[dict[str, list[Fault]]]


class SavedRecord(SavedFacts):
    """The contents of ``result.json``."""

    exercises: list[Verdict]
    cells: list[SavedCell]


class SavedOrigin(TypedDict):
    """For whom a submission was graded, into which gradebook, and the marks by hand there, by exercise."""

    student: str
    gradebook: str
    by_hand: dict[str, float]


class SavedRun(TypedDict):
    """The contents of ``run.json``: what a mark was computed from, and how that went."""

    bound: dict[str, str | None]
    seed: NotRequired[int]
    level: NotRequired[str]
    seconds: NotRequired[float]
    refused: NotRequired[dict[str, int] | None]
    origin: NotRequired[SavedOrigin]


_SCHEMAS = {RESULT: SavedRecord, RUN: SavedRun}


@dataclass(frozen=True)
class Damaged:
    """A record that cannot be read, and why."""

    reason: str


def read_record(folder: Path, name: str) -> Any:
    """Return the record of this name in a graded notebook's folder, or why it cannot be read, as Damaged."""
    try:
        record = read_json(folder / name, RECORD_BYTES, follow=False)
        reason = difference_from(record, _SCHEMAS[name]) or _odd_numbers(record)
    except OSError as error:
        reason = error.strerror or "unreadable"
    except ValueError as error:
        reason = str(error)
    return Damaged(f"{name}: {reason}") if reason else record


def _odd_numbers(record: dict[str, Any]) -> str:
    """Say which behaviour's numbers are no pairs; "" for none."""
    odd = [name for name, one in record.get("behaviours", {}).items() if len(one["numbers"]) % 2]
    return f"behaviours.{odd[0]}.numbers: expected pairs" if odd else ""
