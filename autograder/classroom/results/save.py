"""Saves a result.

Below ``autograded/<student>/<chapter>/`` are the graded notebook, ``result.json`` with everything that pages show, and
``run.json``, written last, which records the provenance.
"""

import json
import shutil
from pathlib import Path

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Assignment
from autograder.files import make_student_folder, write_whole
from autograder.grading.result import Result

from .graded_notebook import graded_notebook
from .provenance import Provenance
from .records import RESULT, RUN, Damaged, SavedOrigin, read_record


def save(
    classroom: ClassRoom, assignment: Assignment, origin: SavedOrigin, result: Result, bound: Provenance, seed: int
) -> None:
    """Write a result's three files, each in one step. If killed in between, the record stays marked as out of date."""
    student = origin["student"]
    folder = classroom.autograded(student, assignment.chapter)
    make_student_folder(folder)
    for name in (RESULT, RUN):
        _remove_folder(folder / name)
    write_whole(folder / f"{assignment.chapter}.ipynb", graded_notebook(assignment, result))
    # Text as it is: escaped, a character would take up to six times as many bytes as in the student's file.
    write_whole(folder / RESULT, json.dumps({"student": student, **result.as_record()}, ensure_ascii=False))
    run = {"bound": bound, "seed": seed, "level": result.level, "seconds": round(result.seconds, 3)}
    run |= {} if result.refused == {} else {"refused": result.refused}
    write_whole(folder / RUN, json.dumps({**run, "origin": origin}))


def save_origin(classroom: ClassRoom, chapter: str, origin: SavedOrigin) -> None:
    """Write for whom and where a submission is graded into its record, if that can be read."""
    folder = classroom.autograded(origin["student"], chapter)
    run = read_record(folder, RUN)
    if not isinstance(run, Damaged):
        write_whole(folder / RUN, json.dumps({**run, "origin": origin}))


def _remove_folder(path: Path) -> None:
    """Remove a folder in a record's place, which no file can replace."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
