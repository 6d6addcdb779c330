"""Writes the class report, one page for the instructor: how it went, what was hard, what went wrong and why."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.load import SavedResult, load_results, submitters
from autograder.course.course import Assignment
from autograder.diagnosis.exercise import first_sentence
from autograder.diagnosis.verdict import Verdict
from autograder.files import write_whole
from autograder.grading.result import SEVERITY, WITHOUT_MARK, describe_refused

from .copied_answers import SHORTEST, copied_answers, copied_rows
from .figures import histogram, share_figure, trend_figure
from .progress import Chapter, expected, graded_so_far, trend_rows, who_needs_help
from .report_names import ReportNames
from .similar_page import similar_name, write_similar
from .templating import PAGES, title_of
from .unlisted_answers import consequences, group_unlisted

SLOWEST, COMMON, SINGLE = 5, 12, 60
VARIES = 1e-9  # below this, a standard deviation is rounding
MEANING = {
    "graded": "everything ran",
    "not_attempted": "every function is still the stub",
    "error": "an answer raises an error",
    "time_limit": "an answer, or a cell before it, took too long",
    "memory_limit": "an answer, or a cell before it, asked for too much memory",
    "crashed": "Python itself ended while an answer ran",
    "output_limit": "an answer, or a cell before it, printed too much",
    "tampered": "cells of the course were altered; they were restored, and the work was graded",
    "invalid_submission": "not a notebook of this chapter, or one that cannot be read: its page says what to do",
    "no_notebook": "no notebook of the chapter under the expected name: no mark until `autograder collect` finds it",
    "infrastructure": "infrastructure failure, not the student's: no mark",
}


def report(classroom: ClassRoom, assignment: Assignment, nameless: bool = False) -> Path:
    """Write the class's page and return its path.

    ``nameless`` writes one to show to the class instead: nothing on it could identify a person.
    Errors: UsageError if nothing has been graded yet; CourseError if the gradebook cannot be read.
    """
    results = load_results(classroom, assignment)
    waiting = [student for student in submitters(classroom, assignment.chapter) if student not in results]
    people, named = ReportNames(classroom, assignment, nameless), {}
    if not nameless:
        alike = write_similar(classroom, assignment, results)
        named = {"alike": len(alike.pairs), "in_part": alike.in_part, "copied": copied(people, results)}
    text = report_page(people, results, waiting, named)
    end = "_nameless" if nameless else ""
    return write_whole(classroom.root / f"report_{assignment.chapter}{end}.html", text)


def copied(people: ReportNames, results: dict[str, SavedResult]) -> dict[str, list[dict[str, Any]]]:
    """Return which answers equal public ones, as the page shows it."""
    students = [student for student, result in results.items() if result["exercises"]]
    return copied_rows(people, copied_answers(people.classroom, people.assignment, students), len(students))


def report_page(
    people: ReportNames, results: dict[str, SavedResult], waiting: list[str], compared: dict[str, Any]
) -> str:
    """Return the page. Everything is escaped; it holds no script and loads nothing.

    ``compared`` holds what comparing the students' code gave, for the page that names students.
    """
    assignment = people.assignment
    graded = {student: result for student, result in results.items() if result["status"] not in WITHOUT_MARK}
    scores = [result["score"] for result in graded.values()]
    exercises, chapters = exercise_rows(assignment, graded), graded_so_far(people.classroom, assignment)
    times = {student: result["seconds"] for student, result in results.items()}
    worth = max((result["max_score"] for result in graded.values()), default=assignment.max_score)
    trend, unnamed = trend_rows(chapters), group_unlisted(results)
    return PAGES.get_template("report.html").render(
        title=title_of(assignment),
        scores=summary(scores),
        max_score=worth,
        read=sum(1 for result in graded.values() if result["exercises"]),
        histogram=histogram(scores, worth) if scores else None,
        exercises=exercises,
        shares=share_figure(exercises) if exercises else None,
        mistakes=[{**row, "people": people.links(row["students"], row["exercise"])} for row in mistake_rows(results)],
        common=COMMON,
        shortest=SHORTEST,
        slip=assignment.slip,
        clusters=[people.shown(cluster) for cluster in unnamed if len(cluster["students"]) > 1],
        single=sum(len(cluster["students"]) == 1 for cluster in unnamed),
        follow=consequences(results),
        trend=trend,
        trend_figure=trend_figure(trend) if trend else None,
        statuses=[
            (*row, MEANING.get(row[0], ""))
            for row in most_common_first(result["status"] for result in results.values())
        ],
        waiting=len(waiting),
        times=time_facts({student: seconds for student, seconds in times.items() if seconds}),
        named=None if people.nameless else compared | named_rows(people, results, waiting, chapters, unnamed),
    )


def named_rows(
    people: ReportNames,
    results: dict[str, SavedResult],
    waiting: list,
    chapters: list[Chapter],
    unnamed: list,
) -> dict[str, Any]:
    """Return what only the instructor's page shows: everything that names a student."""
    helped = who_needs_help(chapters, results, expected(people.classroom, chapters, datetime.now(UTC)))
    single = [cluster for cluster in unnamed if len(cluster["students"]) == 1]
    return {
        "help": [{**row, "people": people.links([row["student"]])} for row in helped],
        "chapters": [chapter.number for chapter in chapters],
        "single": [{**row, "people": people.links(row["students"], row["exercise"])} for row in single[:SINGLE]],
        "failures": [
            {**row, "people": people.links([row["student"]], *row["where"][:1])} for row in failure_rows(results)
        ],
        "faults": fault_rows(results),
        "tampered": [(student, result) for student, result in results.items() if result["tampered"]],
        "stale": [(student, result["stale"]) for student, result in results.items() if result["stale"]],
        "refused": [
            (student, describe_refused(result["refused"])) for student, result in results.items() if result["refused"]
        ],
        "uncounted": sum(result["refused"] is None for result in results.values()),
        "waiting": waiting,
        "similar": similar_name(people.assignment),
        "has_pages": any(people.link(student) for student in results),
    }


def summary(values: list[float]) -> dict[str, Any] | None:
    """Summarise numbers in a line; None if there are none."""
    if not values:
        return None
    low, median, high = np.percentile(values, (0, 50, 100))
    return {"count": len(values), "mean": np.mean(values), "median": median, "low": low, "high": high}


def exercise_rows(assignment: Assignment, results: dict[str, SavedResult]) -> list[dict[str, Any]]:
    """Return each exercise's figures, hardest first; unreadable submissions do not count.

    Points are out of the maximum at grading time, even if it has changed since.
    """
    rows = []
    for name in assignment.exercises:
        pairs = [split(result, name) for result in results.values()]
        found = [pair for pair in pairs if pair]
        if found:
            rows.append(exercise_row(name, found[0][0].points, found))
    return sorted(rows, key=lambda row: row["mean"])


def split(result: SavedResult, name: str) -> tuple[Verdict, float] | None:
    """Return an exercise's points and those of all others; None if the result lacks the exercise."""
    own = [exercise for exercise in result["exercises"] if exercise.name == name]
    others = sum(exercise.score for exercise in result["exercises"] if exercise.name != name)
    return (own[0], others) if own else None


def exercise_row(name: str, points: float, found: list[tuple[Verdict, float]]) -> dict[str, Any]:
    """Return one exercise's figures from ``(exercise, points of all others)`` of every student."""
    scores = np.array([exercise.score for exercise, _ in found])
    return {
        "name": name,
        "points": points,
        "count": len(found),
        "mean": float(np.mean(scores) / points),
        "full": float(np.mean(scores >= points)),
        "discrimination": correlation(scores, np.array([others for _, others in found])),
        "not_attempted": sum(exercise.status == "not_attempted" for exercise, _ in found),
    }


def correlation(scores: np.ndarray, others: np.ndarray) -> float | None:
    """Return the corrected item-total correlation; None if one of the two hardly varies.

    r = cov(x, t − x) / (σ(x) σ(t − x)), where x is the exercise and t the total: it must not be compared with itself.
    Source: ``r.drop`` of ``alpha`` in R's package psych.
    """
    if len(scores) < 3 or np.ptp(scores) < VARIES or np.ptp(others) < VARIES:
        return None  # two points always lie on a line
    return float(np.corrcoef(scores, others)[0, 1])


def most_common_first(items: Iterator[str]) -> list[tuple[str, int]]:
    """Return ``(item, count)`` pairs, most common first, ties in alphabetical order."""
    return sorted(Counter(items).items(), key=lambda pair: (-pair[1], pair[0]))


def mistake_rows(results: dict[str, SavedResult]) -> list[dict[str, Any]]:
    """Return the recognised mistakes, most common first, each with its message's first sentence."""
    made = {}
    for student, result in results.items():
        for exercise in result["exercises"]:
            if exercise.mistake:
                key = exercise.name, exercise.mistake
                row = made.setdefault(key, {"said": first_sentence(exercise.message), "students": []})
                row["students"].append(student)
    rows = [
        {"exercise": name, "mistake": mistake, "count": len(row["students"]), **row}
        for (name, mistake), row in made.items()
    ]
    return sorted(rows, key=lambda row: (-row["count"], row["exercise"], row["mistake"]))


def failure_rows(results: dict[str, SavedResult]) -> list[dict[str, Any]]:
    """Return failures: a row for each student and status, the most serious status first."""
    rows = []
    for student, result in results.items():
        if result["status"] in ("invalid_submission", *WITHOUT_MARK):
            rows.append({"student": student, "status": result["status"], "where": [], "message": result["message"]})
        for status in SEVERITY:
            ended = [exercise for exercise in result["exercises"] if exercise.status == status]
            if ended:
                names = [exercise.name for exercise in ended]
                rows.append({"student": student, "status": status, "where": names, "message": ended[0].message})
    order = ("infrastructure", "no_notebook", "invalid_submission", *SEVERITY)
    return sorted(rows, key=lambda row: order.index(row["status"]))


def fault_rows(results: dict[str, SavedResult]) -> list[tuple[str, str, str, int]]:
    """Return what failed in the checks while messages were made, ``(exercise, part, error, answers)``, in order."""
    found = Counter(
        (name, fault.part, fault.error)
        for result in results.values()
        for name, some in result.get("faults", {}).items()
        for fault in some
    )
    return [(*names, count) for names, count in sorted(found.items())]


def time_facts(times: dict[str, float]) -> dict[str, Any] | None:
    """Return the total, the median and the slowest of ``{student: seconds}``; None if no time is known."""
    if not times:
        return None
    slowest = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))[:SLOWEST]
    return {"total": sum(times.values()), "median": np.median(list(times.values())), "slowest": slowest}
