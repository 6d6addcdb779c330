"""Describes what a regrade would change in marks and on pages, before anything is written."""

from dataclasses import dataclass

from autograder.classroom.gradebook.by_hand import ByHand, Remark
from autograder.diagnosis.exercise import CRITERIA
from autograder.diagnosis.verdict import Verdict
from autograder.grading.result import Result
from autograder.plain import join_first


@dataclass(frozen=True)
class Change:
    """A mark or a page that a regrade would change, and why.

    ``before`` and ``after`` are the automatic points of each exercise; ``page`` describes what else the student would
    see. ``by_hand`` names the exercises where a mark given by hand stays; ``counts`` is the new total, with marks by
    hand and lateness, or None if it is not known yet, and ``counted`` the one in force.
    """

    student: str
    chapter: str
    before: dict
    after: dict
    why: str
    page: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    counts: float | None = None
    counted: float | None = None

    @property
    def falls(self) -> bool:
        """Say whether the total would fall."""
        return self.counts is not None and self.counted is not None and self.counts < self.counted

    @property
    def moved(self) -> list[str]:
        """The points that change, in words."""
        names = dict.fromkeys((*self.before, *self.after))
        pairs = {name: (self.before.get(name) or 0, self.after.get(name)) for name in names}
        return [
            f"{name} {was:g} -> {'gone' if now is None else f'{now:g}'}"
            f"{', where the mark given by hand stays' if name in self.by_hand and now is not None else ''}"
            for name, (was, now) in pairs.items()
            if was != now
        ]

    def __str__(self) -> str:
        """Say who, by how much and why, in one line."""
        totals = [sum(score or 0 for score in marks.values()) for marks in (self.before, self.after)]
        if not self.moved and not self.falls:
            return describe_page_change([self.student], self)
        if not self.moved:
            page = f", changed page ({'; '.join(self.page)})" if self.page else ""
            return f"{self.student} {self.chapter}: total {self.counted:g} -> {self.counts:g}{page}: {self.why}"
        instead = f" instead of {self.counted:g}" if self.counted not in (None, self.counts, totals[0]) else ""
        counts = f"; {self.counts:g} counts{instead}" if instead or self.counts not in (None, totals[1]) else ""
        moved = f"{totals[0]:g} -> {totals[1]:g} ({', '.join(self.moved)})"
        return f"{self.student} {self.chapter}: {moved}{counts}: {self.why}"


def describe_changes(changes: list[ByHand | Remark | Change]) -> list[str]:
    """Return all changes as lines; pages that change in the same way share one."""
    said, alike = [], {}
    for change in changes:
        if isinstance(change, Change) and not change.moved and not change.falls:
            alike.setdefault((change.chapter, change.page, change.why), []).append(change)
        else:
            said.append(str(change))
    return said + [describe_page_change([change.student for change in same], same[0]) for same in alike.values()]


def describe_page_change(students: list[str], change: Change) -> str:
    """Say whose pages change, in one line."""
    return (
        f"{join_first(students)} {change.chapter}: same points, changed page ({'; '.join(change.page)}): {change.why}"
    )


def describe_page_changes(before: Result, after: Result) -> tuple[str, ...]:
    """Describe what a student would see change although the points stay; () for nothing.

    Sentences about unseen inputs alone are not compared: the inputs are drawn anew for every run.
    """
    said = [f"status {before.status} -> {after.status}"] if before.status != after.status else []
    if not said and before.tampered != after.tampered:
        said.append("different cells are reported as altered")
    if before.notes != after.notes:
        kind = "another" if before.notes and after.notes else "a" if after.notes else "no"
        said.append(f"{kind} note on changes to the course")
    if not (before.verdicts or after.verdicts) and before.message != after.message:
        said.append("another reason")
    old = {verdict.name: verdict for verdict in before.verdicts}
    for verdict in after.verdicts:
        if verdict.name in old and old[verdict.name].points != verdict.points:
            said.append(f"{verdict.name}: out of {verdict.points:g} instead of {old[verdict.name].points:g}")
        if verdict.name in old and compared_facts(old[verdict.name]) != compared_facts(verdict):
            said.append(f"{verdict.name}: another message")
    return tuple(said)


def compared_facts(verdict: Verdict) -> tuple[str, str]:
    """Return what is compared of a verdict: its status, and its message if a worked example shows it."""
    failed = any(criterion.name == CRITERIA["example"] and not criterion.passed for criterion in verdict.criteria)
    return verdict.status, verdict.message if failed else ""
