"""What a mark was computed from, and whether that is still what is there."""

import hashlib
import json
import platform
from dataclasses import asdict
from functools import cache

import nbformat
import numpy as np

from autograder.course.course import Assignment
from autograder.course.instructor_changes import own_files
from autograder.course.ledger import fingerprint
from autograder.sandbox.host.steps import Limits
from autograder.sources import digest_of, sources_of

from .records import SavedRun

Provenance = dict[str, str | None]
CHANGED = {
    "submission": "the submission changed",
    "solution": "the solution notebook changed",
    "checks": "the checks changed",
    "environment": "Python, NumPy or the limits changed",
    "releases": "the ledger of releases changed",
}


def provenance(assignment: Assignment, limits: Limits, submission: str) -> Provenance:
    """Return what a mark depends on: hashes of submission, solution notebook and checks, and the environment."""
    return {"submission": submission, **course_provenance(assignment, limits)}


@cache
def course_provenance(assignment: Assignment, limits: Limits) -> Provenance:
    """Return the part that all submissions of a run share."""
    own = f"{assignment.course.exercises_package}.{assignment.stem}"
    releases = fingerprint(assignment.earlier_releases)
    added = own_files(assignment.course.root, assignment.stem)
    theirs = [name for name in assignment.exercises if name not in {path.stem for path in added}]
    judging = [*sources_of("autograder.diagnosis.judge", *(f"{own}.{name}" for name in theirs)), *added]
    changed = [nbformat.writes(assignment.notebook).encode()] if assignment.has_own_cells else []
    return {
        "solution": hashlib.sha256(b"".join([assignment.solution_path.read_bytes(), *changed])).hexdigest(),
        "checks": digest_of(judging),  # and of the reference what they import, not what another chapter's do
        "environment": f"Python {platform.python_version()}; NumPy {np.__version__}; {json.dumps(asdict(limits))}",
        **({"releases": releases} if releases else {}),  # today's release alone adds nothing
    }


def differences(recorded: Provenance, now: Provenance) -> tuple[str, ...]:
    """Return which parts of what a mark was computed from are no longer what is there; () for a current mark."""
    return tuple(name for name in {**CHANGED, **now, **recorded} if recorded.get(name) != now.get(name))


def is_current(run: SavedRun | None, now: Provenance) -> bool:
    """Say whether a recorded mark is what grading again would compute; one without a record is not."""
    return run is not None and not differences(run["bound"], now)


def describe_differences(names: tuple[str, ...]) -> str:
    """Explain why a mark is out of date; "" if it is current."""
    return "; ".join(dict.fromkeys(CHANGED.get(name, "another version graded it") for name in names))
