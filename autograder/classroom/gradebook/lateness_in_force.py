"""Remembers the lateness behind each total that is in force: without a word from a person, no total falls.

A deadline, a policy or a noted time that changes applies at once where it costs nothing, and else waits for ``--yes``.
A run notes the lateness of the marks that it is about to write, and which marks those are: killed at any moment, it
leaves no mark with the lateness of another.
"""

import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.lateness import Lateness
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.shape import read_json

_TIMES = ("handed_in", "due")


@dataclass(frozen=True)
class InForce:
    """The lateness in force behind a student's total; ``coming`` is that of ``marks``, which a run is writing."""

    lateness: Lateness
    coming: Lateness | None = None
    marks: dict[str, float] = field(default_factory=dict)

    def behind(self, automatic: dict[str, Any]) -> "InForce":
        """Return what is in force for these automatic marks; if ``coming`` is left, a run was killed before its own."""
        return InForce(self.coming) if self.coming and automatic == self.marks else self


def read_in_force(classroom: ClassRoom, chapter: str) -> dict[str, InForce]:
    """Return the lateness in force, by student; none for a student whose total no version of this file knows.

    Errors: CourseError if the file cannot be read.
    """
    path = _path(classroom, chapter)
    try:
        return {str(student): _in_force(facts) for student, facts in read_json(path).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise CourseError(
            f"cannot read {path}, which holds the lateness behind each total. If you remove it, all totals follow "
            "class.toml as it is now"
        ) from error


def write_in_force(classroom: ClassRoom, chapter: str, in_force: dict[str, InForce]) -> None:
    """Write the lateness in force, by student, if it changed."""
    path = _path(classroom, chapter)
    facts = {student: _facts(each.lateness) | _coming(each) for student, each in in_force.items()}
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True)
    if not path.exists() or path.read_text(encoding="utf-8", errors="replace") != text:
        write_whole(path, text)


def why_later(before: Lateness, now: Lateness) -> str:
    """Say what made lateness cost more: another time, deadline or policy."""
    if before.handed_in != now.handed_in:
        return "another time of arrival is noted"
    return "the deadline changed" if before.due != now.due else "the late policy changed"


def _path(classroom: ClassRoom, chapter: str) -> Path:
    return classroom.root / f".lateness-{chapter}.json"


def _facts(lateness: Lateness) -> dict[str, Any]:
    facts = {name: value for name, value in asdict(lateness).items() if name != "left"}
    return facts | {name: facts[name].isoformat() for name in _TIMES if facts[name]}


def _coming(known: InForce) -> dict[str, Any]:
    return {"coming": _facts(known.coming), "marks": known.marks} if known.coming else {}


def _in_force(facts: dict[str, Any]) -> InForce:
    own = {name: value for name, value in facts.items() if name not in ("coming", "marks")}
    coming = _lateness(facts["coming"]) if "coming" in facts else None
    return InForce(_lateness(own), coming, {str(name): float(mark) for name, mark in facts.get("marks", {}).items()})


def _lateness(facts: dict[str, Any]) -> Lateness:
    times = {name: datetime.fromisoformat(facts[name]) for name in _TIMES if facts[name]}
    return Lateness(**{**facts, **times, "seconds": float(facts["seconds"]), "percent": float(facts["percent"])})
