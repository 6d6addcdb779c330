"""Report: the class on one page, for whoever teaches it: how it went, what was hard, what went wrong and why."""

import base64
import io
from collections import Counter
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from autograder.checks.exercise import first_sentence

from .course import Assignment, ClassRoom
from .files import write_whole
from .pages import PAGES, title_of
from .recorded import read_results, submitters
from .result import SEVERITY

BINS, SLOWEST, COMMON = 10, 5, 12
VARIES = 1e-9  # a spread below this is rounding
# The inks of pages.css, and a blue that stands out from both papers.
LIGHT = {"ink": "#1d2430", "soft": "#5a6474", "line": "#d9dee6", "bar": "#3d74b8", "paper": "#ffffff"}
DARK = {"ink": "#e6e9ee", "soft": "#a3adbb", "line": "#333c49", "bar": "#6d9fdb", "paper": "#14181e"}
MEANING = {
    "graded": "everything ran",
    "not_attempted": "every function is still the stub",
    "error": "an answer raises an error",
    "time_limit": "an answer, or a cell before it, took too long",
    "memory_limit": "an answer, or a cell before it, asked for too much memory",
    "crashed": "Python itself ended while an answer ran",
    "output_limit": "an answer, or a cell before it, printed too much",
    "tampered": "cells of the course were altered; they were put back, and the work was graded",
    "invalid_submission": "the file could not be read as a notebook of this course",
    "infrastructure": "the machine failed, not the student: no mark",
}


def report(classroom: ClassRoom, assignment: Assignment) -> Path:
    """Write the class's page and return its path.

    Errors: UsageError where nothing has been graded yet; CourseError where a result or the gradebook cannot be read.
    """
    results = read_results(classroom, assignment)
    waiting = [student for student in submitters(classroom, assignment.chapter) if student not in results]
    text = page(classroom, assignment, results, waiting)
    return write_whole(classroom.root / f"report_{assignment.chapter}.html", text)


def page(classroom, assignment, results, waiting):
    """Return the page. Everything is escaped; it holds no script and loads nothing."""
    graded = {student: result for student, result in results.items() if result["status"] != "infrastructure"}
    scores = [result["score"] for result in graded.values()]
    exercises = exercise_rows(assignment, graded)
    times = {student: result["seconds"] for student, result in results.items()}
    worth = max((result["max_score"] for result in graded.values()), default=assignment.max_score)
    return PAGES.get_template("report.html").render(
        title=title_of(assignment),
        scores=summary(scores),
        max_score=worth,
        read=sum(1 for result in graded.values() if result["exercises"]),
        histogram=histogram(scores, worth) if scores else None,
        exercises=exercises,
        shares=share_figure(exercises) if exercises else None,
        mistakes=mistake_rows(results),
        common=COMMON,
        slip=assignment.slip,
        statuses=[(*row, MEANING.get(row[0], "")) for row in counted(result["status"] for result in results.values())],
        failures=failure_rows(results),
        tampered=[(student, result) for student, result in results.items() if result["tampered"]],
        stale=[(student, result["stale"]) for student, result in results.items() if result["stale"]],
        waiting=waiting,
        times=time_facts({student: seconds for student, seconds in times.items() if seconds}),
    )


def summary(values):
    """Return what is said of numbers in a line; None where there are none."""
    if not values:
        return None
    low, median, high = np.percentile(values, (0, 50, 100))
    return {"count": len(values), "mean": np.mean(values), "median": median, "low": low, "high": high}


def exercise_rows(assignment, results):
    """Return each exercise's figures, hardest first; submissions that could not be read count in none of them.

    Points are those that the results were given out of, also where the exercise has others by now.
    """
    rows = []
    for name, exercise in assignment.exercises.items():
        pairs = [split(result, name) for result in results.values()]
        found = [pair for pair in pairs if pair]
        if found:
            rows.append(exercise_row(name, found[0][0].get("points", exercise.points), found))
    return sorted(rows, key=lambda row: row["mean"])


def split(result, name):
    """Return one exercise of a result and the points of all others; None where it has no such exercise."""
    own = [exercise for exercise in result["exercises"] if exercise["name"] == name]
    others = sum(exercise["score"] for exercise in result["exercises"] if exercise["name"] != name)
    return (own[0], others) if own else None


def exercise_row(name, points, found):
    """Return one exercise's figures from ``(exercise, points of all others)`` of every student."""
    scores = np.array([exercise["score"] for exercise, _ in found])
    return {
        "name": name,
        "points": points,
        "count": len(found),
        "mean": float(np.mean(scores) / points),
        "full": float(np.mean(scores >= points)),
        "discrimination": correlation(scores, np.array([others for _, others in found])),
        "not_attempted": sum(exercise["status"] == "not_attempted" for exercise, _ in found),
    }


def correlation(scores, others):
    """Return the corrected item-total correlation; None where one of the two hardly varies.

    r = cov(x, t − x) / (σ(x) σ(t − x)), where x is the exercise and t the total: it must not be compared with itself.
    Source: ``r.drop`` of ``alpha`` in R's package psych.
    """
    if len(scores) < 3 or np.ptp(scores) < VARIES or np.ptp(others) < VARIES:
        return None  # two points always lie on a line
    return float(np.corrcoef(scores, others)[0, 1])


def counted(items):
    """Return ``(item, count)`` pairs, commonest first, equal counts in the order of the alphabet."""
    return sorted(Counter(items).items(), key=lambda pair: (-pair[1], pair[0]))


def mistake_rows(results):
    """Return the recognised mistakes, commonest first, each with the first sentence of what students were told."""
    made = [exercise for result in results.values() for exercise in result["exercises"] if exercise["mistake"]]
    said = {(exercise["name"], exercise["mistake"]): first_sentence(exercise["message"]) for exercise in made}
    return [
        {"exercise": name, "mistake": mistake, "count": count, "said": said[name, mistake]}
        for (name, mistake), count in counted((exercise["name"], exercise["mistake"]) for exercise in made)
    ]


def failure_rows(results):
    """Return what did not end well: a row for each student and status, the gravest status first."""
    rows = []
    for student, result in results.items():
        if result["status"] in ("invalid_submission", "infrastructure"):
            rows.append({"student": student, "status": result["status"], "where": [], "message": result["message"]})
        for status in SEVERITY:
            ended = [exercise for exercise in result["exercises"] if exercise["status"] == status]
            if ended:
                names = [exercise["name"] for exercise in ended]
                rows.append({"student": student, "status": status, "where": names, "message": ended[0]["message"]})
    order = ("infrastructure", "invalid_submission", *SEVERITY)
    return sorted(rows, key=lambda row: order.index(row["status"]))


def time_facts(times):
    """Return the total, the median and the slowest of ``{student: seconds}``; None where no time is known."""
    if not times:
        return None
    slowest = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))[:SLOWEST]
    return {"total": sum(times.values()), "median": np.median(list(times.values())), "slowest": slowest}


def histogram(scores, max_score):
    """Draw how the scores are spread; ``alt`` says the counts."""
    edges = MaxNLocator(BINS, steps=(1, 2, 5, 10), integer=True).tick_values(min(0, *scores), max(max_score, *scores))
    counts, _ = np.histogram(scores, edges)

    def paint(axes, colour):
        bars = axes.bar(
            edges[:-1], counts, np.diff(edges), align="edge", color=colour["bar"], edgecolor=colour["paper"]
        )
        axes.bar_label(bars, [f"{count}" if count else "" for count in counts], color=colour["ink"])
        axes.set_xticks(edges)
        axes.set_yticks([])
        axes.set_xlabel("points")
        axes.margins(x=0.01, y=0.12)

    bins = zip(pairwise(edges), counts, strict=True)
    told = [f"{low:g} to under {high:g} points: {count}" for (low, high), count in bins]
    told[-1] = told[-1].replace(" under", "")  # the last one holds its upper edge too
    return drawn(paint, 3.0, f"Histogram of {len(scores)} scores. {', '.join(told)}.")


def share_figure(exercises):
    """Draw the mean share of points and the share of full points of every exercise; ``alt`` says both."""

    def paint(axes, colour):
        rows = exercises[::-1]  # bars are stacked from below
        names = [row["name"] for row in rows]
        axes.barh(names, [100 * row["mean"] for row in rows], 0.55, color=colour["bar"], label="mean share of points")
        dots = {"color": colour["paper"], "markeredgecolor": colour["ink"], "markersize": 8, "markeredgewidth": 1.6}
        axes.plot([100 * row["full"] for row in rows], names, "D", **dots, clip_on=False, label="reached full points")
        axes.set_xlim(0, 100)
        axes.set_xticks(range(0, 101, 25), [f"{share} %" for share in range(0, 101, 25)])
        axes.figure.legend(loc="outside upper left", ncols=2, frameon=False, labelcolor=colour["ink"], handlelength=1.2)

    told = [f"{row['name']} {100 * row['mean']:.0f} % and {100 * row['full']:.0f} %" for row in exercises]
    alt = f"Exercises, hardest first, with mean share of points and share who reached full points: {', '.join(told)}."
    return drawn(paint, 1.1 + 0.36 * len(exercises), alt)


def drawn(paint, height, alt):
    """Return a figure as two SVG images, for light and for dark paper, and what it says in words."""
    return {"light": svg(paint, height, LIGHT), "dark": svg(paint, height, DARK), "alt": alt}


def svg(paint, height, colour):
    """Return what ``paint`` draws as a data URI, the same bytes every time. Narrow, so that a telephone can show it."""
    figure = Figure(figsize=(4.7, height), layout="constrained")
    axes = figure.subplots()
    paint(axes, colour)
    axes.tick_params(colors=colour["soft"], labelcolor=colour["ink"], length=0)
    axes.xaxis.label.set_color(colour["ink"])
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(colour["soft"])
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "report", "font.size": 10.5}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
