"""Record: what was found out about a submission, on disk, and what it was found out from.

Below ``autograded/<student>/<chapter>/`` lie the graded notebook, ``result.json`` with all that pages are made of, and
``run.json``, written last, which says from which files and in which run it came.
"""

import hashlib
import json
import platform
from dataclasses import asdict
from functools import cache

import numpy as np

from autograder.checks.judge import Criterion, Verdict
from autograder.sources import digest_of, sources_of

from .course import ClassRoom
from .files import write_whole
from .graded_notebook import graded_notebook
from .ledger import fingerprint
from .result import Result

RESULT, RUN = "result.json", "run.json"
CHANGED = {
    "submission": "the submission is another one",
    "solution": "the solution notebook changed",
    "checks": "the checks changed",
    "environment": "Python, NumPy or the limits changed",
    "releases": "the ledger of releases changed",
}


def bound_to(assignment, limits, submission: str) -> dict:
    """Return what a mark depends on: hashes of submission, solution notebook and checks, and the environment."""
    return {"submission": submission, **course_side(assignment, limits)}


@cache
def course_side(assignment, limits):
    """Return the part that all submissions of a run share."""
    own = f"{assignment.course.checks_package}.{assignment.stem}"
    releases = fingerprint(assignment.earlier)
    judging = sources_of("autograder.checks.judge", *(f"{own}.{name}" for name in assignment.exercises))
    return {
        "solution": hashlib.sha256(assignment.path.read_bytes()).hexdigest(),
        "checks": digest_of(judging),  # and of the reference what they import, not what another chapter's do
        "environment": f"Python {platform.python_version()}; NumPy {np.__version__}; {json.dumps(asdict(limits))}",
        **({"releases": releases} if releases else {}),  # of today's release alone nothing more is known than of none
    }


def why_stale(run: dict, bound: dict) -> str:
    """Say in words why a mark is no longer of what it stands for; "" where it still is."""
    return "; ".join(words for name, words in CHANGED.items() if run["bound"].get(name) != bound.get(name))


def read_run(classroom: ClassRoom, student, chapter):
    """Return what run.json says of a submission, or None where it was not graded or its record cannot be read."""
    try:
        run = json.loads((classroom.autograded(student, chapter) / RUN).read_text(encoding="utf-8"))
        return run if isinstance(run["bound"], dict) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def read_result(classroom: ClassRoom, student, chapter) -> Result | None:
    """Return the recorded result without its cells, or None where it cannot be read."""
    try:
        data = json.loads((classroom.autograded(student, chapter) / RESULT).read_text(encoding="utf-8"))
        verdicts = [
            Verdict(**{**verdict, "criteria": tuple(Criterion(**criterion) for criterion in verdict["criteria"])})
            for verdict in data["exercises"]
        ]
        kept = {name: data[name] for name in ("assignment", "status", "score", "max_score", "message")}
        told = {"tampered": tuple(data["tampered"]), "notes": tuple(data.get("notes", ()))}
        return Result(**kept, **told, verdicts=tuple(verdicts))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_record(classroom: ClassRoom, assignment, student, result: Result, bound, seed):
    """Write a result's three files, each in one step. Killed in between, the record says that it is of older files."""
    folder = classroom.autograded(student, assignment.chapter)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{assignment.chapter}.ipynb", graded_notebook(assignment, result))
    write_whole(folder / RESULT, json.dumps(result_data(student, result)))
    run = {"bound": bound, "seed": seed, "level": result.level, "seconds": round(result.seconds, 3)}
    write_whole(folder / RUN, json.dumps(run))


def result_data(student, result: Result):
    """Return a result as plain data: the same wherever and whenever the same files are graded."""
    cells = [
        {"kind": ran.piece.kind, "type": ran.piece.cell_type, "id": ran.piece.grade_id, "source": ran.piece.source}
        | {"outputs": list(ran.outputs), "status": ran.status}
        for ran in result.cells
    ]
    unnamed = {"behaviours": result.behaviours} if result.behaviours else {}
    return {"student": student, **result.as_dict(), **unnamed, "cells": cells}
