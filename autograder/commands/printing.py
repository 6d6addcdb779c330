"""What several commands print."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from autograder.plain import join_first, plural
from autograder.terminal import print_notes, print_results

if TYPE_CHECKING:
    from autograder.grading.result import Result
    from autograder.lms.export import Exported
    from autograder.runs.class_run import ClassRun


def print_as_json(run: ClassRun, student: str, result: Result) -> None:
    """Print a result as a line of JSON, with its total."""
    total = run.total(student, result)
    counts = total.as_dict() if total else {"total": None}
    print(json.dumps({"student": student, **result.as_dict(), **counts}), flush=True)


def print_export(written: Exported) -> None:
    """Print what was exported, and whose mark is missing."""
    print_results(f"{plural(written.students, 'student')}, {plural(written.marks, 'mark')}: {written.path}")
    for student, chapter in written.unreadable:
        print_notes(f"{student} {chapter}: no mark: its record cannot be read: grade again")
    for chapter, students in written.waiting.items():
        print_notes(
            f"{join_first(students)} {chapter}: lower totals wait: `autograder grade {chapter}` lists them, and writes "
            "them with --yes"
        )
