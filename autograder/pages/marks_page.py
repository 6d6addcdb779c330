"""Writes marks.html: every student's total in every chapter, with the reason for each 0."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.chapter_totals import read_totals
from autograder.classroom.gradebook.gradebook import read_gradebook
from autograder.classroom.gradebook.total import Total
from autograder.classroom.lateness import duration
from autograder.classroom.results.load import SavedResult, load_results, submitters
from autograder.classroom.roster import Roster
from autograder.classroom.undecided import undecided
from autograder.course.course import Assignment, Course
from autograder.files import write_whole

from .templating import PAGES, title_of

NOT_HANDED_IN = "not handed in"
STATUS_REASONS = {
    "not_attempted": "not attempted",
    "invalid_submission": "could not be graded",
    "infrastructure": "no mark: an infrastructure failure",
    "no_notebook": "no mark: no notebook of this chapter under the expected name",
    "tampered": "cells altered",
    "time_limit": "time limit",
    "memory_limit": "memory limit",
    "output_limit": "output limit",
    "crashed": "crashed",
    "error": "error",
    "graded": "",
}


def page_path(classroom: ClassRoom, assignment: Assignment, student: str) -> Path:
    """The path of one student's page."""
    return classroom.feedback(student, assignment.chapter) / f"{assignment.chapter}.html"


def write_marks_page(classroom: ClassRoom, course: Course) -> Path:
    """Write marks.html over all chapters with submissions, and return its path.

    Errors: CourseError if the gradebook cannot be read.
    """
    columns = [chapter_column(classroom, assignment) for assignment in chapters_with_work(classroom, course)]
    roster = classroom.class_file.roster
    students = sorted(
        {login for column in columns for login in column["cells"]} | set(without_submission(roster, columns))
    )
    rows = [row_of(classroom, student, columns) for student in students]
    here = [row for row in rows if not row["left"]]
    text = PAGES.get_template("marks.html").render(
        name=classroom.class_file.name,
        columns=[{**column, **summary_of(here, place)} for place, column in enumerate(columns)],
        most=sum(column["max_score"] for column in columns),
        mean=mean([row["sum"] for row in here]),
        script_hash=csp_hash(PAGES.get_template("marks.js").render()),
        rows=here,
        gone=[row for row in rows if row["left"]],
    )
    return write_whole(classroom.root / "marks.html", text)


def summary_of(rows: list[dict], place: int) -> dict[str, Any]:
    """Return how many students have a mark in a column, and the mean of these marks."""
    scores = [score for row in rows if (score := row["cells"][place]["score"]) is not None]
    return {"marked": len(scores), "mean": mean(scores)}


def mean(numbers: list[float]) -> float:
    """Return the mean of numbers, 0 of none."""
    return sum(numbers) / len(numbers) if numbers else 0.0


def csp_hash(script: str) -> str:
    """Return what the page's Content-Security-Policy calls its own script: no other script runs."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def chapters_with_work(classroom: ClassRoom, course: Course) -> list[Assignment]:
    """Return the chapters of which something was handed in or graded, in the course's order."""
    return [course.assignment(name) for name in course.chapters() if has_work(classroom, name)]


def has_work(classroom: ClassRoom, chapter: str) -> bool:
    """Say whether something of a chapter was handed in or graded."""
    return any(any(classroom.root.glob(f"{folder}/*/{chapter}")) for folder in ("submitted", "autograded"))


def without_submission(roster: Roster, columns: list[dict[str, Any]]) -> list[str]:
    """Return the roster's logins without a submission, in either Unicode form of their accents."""
    there = {enrolled.login for column in columns for login in column["cells"] if (enrolled := roster.find(login))}
    return [student.login for student in roster.students if student.login not in there]


def chapter_column(classroom: ClassRoom, assignment: Assignment) -> dict[str, Any]:
    """Return one chapter: a cell for each student who handed it in, and what is notable."""
    results = load_results(classroom, assignment, needed=False)
    students = submitters(classroom, assignment.chapter)
    with read_gradebook(classroom) as book:
        totals = read_totals(classroom, book, assignment) if {*students} - results.keys() else {}
    cells = {student: undecided_cell(number) for student, number in undecided(classroom, assignment.chapter).items()}
    cells |= {student: bare_cell(totals.get(student)) for student in students if student not in results}
    cells |= {student: cell_of(classroom, assignment, student, result) for student, result in results.items()}
    details = [
        {**result, "what": what_stands_out(result), "href": cells[student]["href"], "score": cells[student]["score"]}
        for student, result in results.items()
    ]
    facts = {"number": int(assignment.chapter[:2]), "words": assignment.stem.replace("_", " ")}
    facts |= {"title": title_of(assignment)}
    return {**facts, "max_score": assignment.max_score, "cells": cells, "details": details}


def undecided_cell(number: int) -> dict[str, Any]:
    """Return why a student has no mark whose notebooks were found, and none of them taken."""
    return {"reason": f"{number} different notebooks, none collected: say which counts"}


def bare_cell(total: Total | None) -> dict[str, Any]:
    """Return the total of a submission that we have not graded, but nbgrader may have."""
    if total is None or total.points is None:
        return {"reason": "not graded yet"}
    return {"score": total.score, "reason": late_in_short(total)}


def cell_of(classroom: ClassRoom, assignment: Assignment, student: str, result: SavedResult) -> dict[str, Any]:
    """Return one student's total for a chapter, and the reason for it."""
    page = page_path(classroom, assignment, student)
    href = quote(page.relative_to(classroom.root).as_posix()) if page.exists() else ""
    total = result["total"]
    wrong = total and total.points == 0 and result["status"] == "graded" and not result["by_hand"]
    reasons = ["no right answer" if wrong else reason_of(result)]
    reasons += [late_in_short(total) if total else "", "marked by hand" if result["by_hand"] else ""]
    reasons += ["out of date" if result["stale"] else ""]
    reasons += [f"{total.waits:g} waits for --yes" if total and total.waits is not None else ""]
    return {"score": total.score if total else None, "href": href, "reason": ", ".join(filter(None, reasons))}


def reason_of(result: SavedResult) -> str:
    """Return a status in words; for what could not be graded, also what it is: its message without the remedy."""
    words = STATUS_REASONS.get(result["status"], result["status"])
    what = re.split(r"[:.] ", result["message"])[0] if result["status"] == "invalid_submission" else ""
    return f"{words}: {what}" if what else words


def late_in_short(total: Total) -> str:
    """Describe in a few words what lateness did to a total."""
    late = total.lateness
    if total.by_person:
        return f"late penalty set by hand: −{total.penalty:g}" if total.penalty else "late penalty waived"
    if late.state == "closed":
        return f"closed: {duration(late.seconds)} late"
    if late.state == "late":
        return f"{duration(late.seconds)} late" + (f": −{total.penalty:g}" if total.penalty else "")
    return "no time noted" if late.state == "unknown" else ""


def what_stands_out(result: SavedResult) -> str:
    """Return the recognised mistakes, and what is unusual about the whole submission."""
    mistakes = ", ".join(exercise.mistake for exercise in result["exercises"] if exercise.mistake)
    stale = f"out of date: {result['stale']}" if result["stale"] else ""
    others = f"beside it: {', '.join(result['beside'])}" if result["beside"] else ""
    lost = "cells without their ids" if result.get("without_ids") else ""
    return " · ".join(filter(None, (mistakes, result["message"], "; ".join(result["tampered"]), lost, others, stale)))


def row_of(classroom: ClassRoom, student: str, columns: list[dict[str, Any]]) -> dict[str, Any]:
    """Return one student's marks over all chapters."""
    enrolled = classroom.class_file.roster.find(student)
    cells = [column["cells"].get(student, {"reason": NOT_HANDED_IN}) for column in columns]
    return {
        "login": student,
        "name": enrolled.name if enrolled else "",
        "group": enrolled.group if enrolled else "",
        "unknown": bool(classroom.class_file.roster.students) and enrolled is None,
        "left": enrolled.left if enrolled else None,
        "cells": [{"score": None, "href": "", **cell} for cell in cells],
        "sum": round(sum(cell.get("score") or 0.0 for cell in cells), 2),
    }
