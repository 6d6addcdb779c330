"""Remembers the lateness behind each total that is in force: without a word from a person, no total falls.

A deadline, a policy or a noted time that changes applies at once where it costs nothing, and else waits for ``--yes``.
"""

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.lateness import Lateness
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.shape import read_json

_TIMES = ("handed_in", "due")


def read_in_force(classroom: ClassRoom, chapter: str) -> dict[str, Lateness]:
    """Return the lateness in force, by student; none for a student whose total no version of this file knows.

    Errors: CourseError if the file cannot be read.
    """
    path = _path(classroom, chapter)
    try:
        return {str(student): _lateness(facts) for student, facts in read_json(path).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise CourseError(
            f"cannot read {path}, which holds the lateness behind each total. If you remove it, all totals follow "
            "class.toml as it is now"
        ) from error


def write_in_force(classroom: ClassRoom, chapter: str, lateness: dict[str, Lateness]) -> None:
    """Write the lateness in force, by student, if it changed."""
    path = _path(classroom, chapter)
    text = json.dumps({student: _facts(each) for student, each in lateness.items()}, ensure_ascii=False, sort_keys=True)
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


def _lateness(facts: dict[str, Any]) -> Lateness:
    times = {name: datetime.fromisoformat(facts[name]) for name in _TIMES if facts[name]}
    return Lateness(**{**facts, **times, "seconds": float(facts["seconds"]), "percent": float(facts["percent"])})
