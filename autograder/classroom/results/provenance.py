"""What a mark was computed from, and whether that is still what is there."""

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

import nbformat
import numpy as np

from autograder.course.course import Assignment
from autograder.course.instructor_changes import own_files
from autograder.course.ledger import fingerprint
from autograder.sandbox.host.steps import Limits
from autograder.sources import digest_of, sources_of

CHANGED = {
    "submission": "the submission changed",
    "solution": "the solution notebook changed",
    "checks": "the checks changed",
    "environment": "Python, NumPy or the limits changed",
    "releases": "the ledger of releases changed",
}


def provenance(assignment: Assignment, limits: Limits, submission: str) -> dict:
    """Return what a mark depends on: hashes of submission, solution notebook and checks, and the environment."""
    return {"submission": submission, **course_provenance(assignment, limits)}


@cache
def course_provenance(assignment: Assignment, limits: Limits) -> dict[str, str | None]:
    """Return the part that all submissions of a run share."""
    own = f"{assignment.course.exercises_package}.{assignment.stem}"
    releases = fingerprint(assignment.earlier)
    added = own_files(assignment.course.root, assignment.stem)
    theirs = [name for name in assignment.exercises if name not in {path.stem for path in added}]
    judging = [*sources_of("autograder.diagnosis.judge", *(f"{own}.{name}" for name in theirs)), *added]
    changed = [nbformat.writes(assignment.notebook).encode()] if assignment.has_own_cells else []
    return {
        "solution": hashlib.sha256(b"".join([assignment.path.read_bytes(), *changed])).hexdigest(),
        "checks": digest_of(judging),  # and of the reference what they import, not what another chapter's do
        "environment": f"Python {platform.python_version()}; NumPy {np.__version__}; {json.dumps(asdict(limits))}",
        **({"releases": releases} if releases else {}),  # today's release alone adds nothing
    }


def why_stale(run: Mapping[str, Any], bound: dict) -> str:
    """Explain why a mark is out of date; "" if it is current."""
    return "; ".join(words for name, words in CHANGED.items() if run["bound"].get(name) != bound.get(name))
