"""One submission's total: automatic marks, marks given by hand, lateness. Every page and export shows it."""

from dataclasses import dataclass
from typing import Any

from autograder.classroom.class_file import ClassFile
from autograder.classroom.lateness import Lateness, describe_lateness
from autograder.plain import plural

DECIMALS = 2  # of a penalty and of a total


@dataclass(frozen=True)
class Total:
    """The total of one submission. ``points`` are those before lateness, None if it has not been marked.

    ``penalty`` is deducted for lateness; ``by_person`` says that a person set it in the gradebook. ``waits`` is the
    lower total that class.toml would make of it now, and that waits for ``--yes``.
    """

    points: float | None
    penalty: float
    lateness: Lateness
    by_person: bool = False
    waits: float | None = None

    @property
    def score(self) -> float | None:
        """The points after lateness, never below 0; None if there is no mark."""
        return None if self.points is None else max(0.0, round(self.points - self.penalty, DECIMALS))

    def as_dict(self) -> dict[str, Any]:
        """Return the total as ``--json`` prints it."""
        came = self.lateness.handed_in
        facts = {"points": self.points, "late_penalty": self.penalty, "lateness": self.lateness.state}
        return {"total": self.score, **facts, "handed_in": came.isoformat() if came else None}


def total_of(points: float | None, late: Lateness, given: float | None = None) -> Total:
    """Return a submission's total; ``given`` is a penalty in points that a person set, which wins.

    Otherwise lateness deducts its share of the points, rounded like marks.
    """
    if points is None:
        return Total(None, 0.0, late)
    if given is not None:
        return Total(points, float(given), late, by_person=True)
    return Total(points, round(max(0.0, points) * late.percent / 100, DECIMALS), late)


def points_of(automatic: dict, by_person: dict) -> float | None:
    """Return the sum of a submission's marks; None if an exercise has none yet.

    ``automatic`` is ``{exercise: points or None}``, ``by_person`` is ``{exercise: (mark or None, extra credit)}``.
    """
    marks = []
    for name in automatic.keys() | by_person.keys():
        mark, extra = by_person.get(name, (None, 0.0))
        mark = automatic.get(name) if mark is None else mark
        if mark is None:
            return None
        marks.append(mark + (extra or 0.0))
    return round(sum(marks), DECIMALS)


def is_lower(now: Total, before: Total) -> bool:
    """Say whether a total is lower than another; one without a mark is not."""
    return now.score is not None and before.score is not None and now.score < before.score


def scores_by_student(totals: dict[str, Total]) -> dict[str, float]:
    """Return ``{student: total}`` for everyone who has a mark."""
    return {student: total.score for student, total in totals.items() if total.score is not None}


def describe_total(total: Total, rules: ClassFile) -> str:
    """Explain to the reader when a submission arrived and what that costs; "" if there is nothing to say."""
    came, late = describe_lateness(total.lateness, rules), total.lateness
    if total.points is None:
        return f"{came}." if came else ""
    becomes = f"{total.points:g} becomes {total.score:g}"
    if total.by_person:
        deducted = f"{plural(total.penalty, 'point')} {'is' if total.penalty == 1 else 'are'}"
        taken = f"{deducted if total.penalty else 'Nothing is'} deducted"
        whole = f"{came + '. ' if came else ''}{taken} for lateness, as your instructor decided"
        return f"{whole}: {becomes}." if total.penalty else f"{whole}."
    if not total.points and late.state in ("late", "closed"):
        return f"{came}."
    if late.state == "unknown":
        return f"{came}, so nothing is deducted for lateness."
    if late.state == "grace":
        return f"{came}, which is within the grace period: nothing is deducted."
    if late.state == "closed" and rules.late:
        return f"{came}: work more than {rules.late.closed_after_days:g} days late counts 0, so {becomes}."
    if late.state == "late":
        most = ", the maximum deduction" if late.percent == maximum_percent(rules) else ""
        return f"{came}: {late.percent:g}% less{most}, {becomes}." if late.percent else f"{came}: nothing is deducted."
    return f"{came}." if came else ""


def maximum_percent(rules: ClassFile) -> float | None:
    """Return the most that lateness can deduct, in per cent; None if that is everything, or a class has no policy."""
    if rules.late is None:
        return None
    most = rules.late.at_most_percent
    return most if most < 100 and most != rules.late.percent_per_day else None
