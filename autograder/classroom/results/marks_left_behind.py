"""Says which marks by hand stay behind where a graded submission was moved: to another login, class or gradebook.

A mark by hand counts in its gradebook alone. So ``run.json``, which moves with the submission, names the student and
the gradebook for which it was graded, and the marks by hand that were there then.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.plain import join_first, visible_line

from .records import SavedOrigin

Given = Mapping[str, tuple[float | None, float | None]]  # {exercise: (mark by hand, extra credit)}


@dataclass(frozen=True)
class LeftBehind:
    """A submission that was graded elsewhere: ``was`` is the login there, ``by_hand`` the marks by hand known there.

    ``is_here`` says that they are in this gradebook, under that login.
    """

    student: str
    chapter: str
    was: str
    by_hand: tuple[tuple[str, float], ...] = ()
    is_here: bool = False

    @property
    def why(self) -> str:
        """What happened and what to do, as a clause that can follow several names."""
        was, marks = visible_line(self.was), ", ".join(f"{name} {mark:g}" for name, mark in self.by_hand)
        login = f" as {was}" if self.was != self.student else ""
        what = f"graded before{login}" + ("" if self.is_here else ", but not into this gradebook")
        stay = f"marks and comments by hand stay {f'with {was}' if self.is_here else 'there'}"
        return f"{what}: {stay}{f' ({marks})' if marks else ''}; look there, and give them again in the formgrader"


def origin_of(student: str, gradebook: str, given: Given) -> SavedOrigin:
    """Return for whom and where a submission is graded, and what people gave for it."""
    return {"student": student, "gradebook": gradebook, "by_hand": points_by_hand(given)}


def points_by_hand(given: Given) -> dict[str, float]:
    """Return the points that people gave, with extra credit, by exercise in alphabetical order."""
    return {name: (mark or 0.0) + (extra or 0.0) for name, (mark, extra) in sorted(given.items())}


def left_behind(chapter: str, before: SavedOrigin | None, now: SavedOrigin, is_in_gradebook: bool) -> LeftBehind | None:
    """Return what stays behind where a submission that was graded before is graded now, or None if it did not move.

    ``before`` is None if its record does not say: earlier versions wrote none. What is in no gradebook leaves nothing.
    """
    if not now["gradebook"] or (before is not None and not before["gradebook"]):
        return None
    if before is None:
        return None if is_in_gradebook else LeftBehind(now["student"], chapter, now["student"])
    if is_in_gradebook and (before["student"], before["gradebook"]) == (now["student"], now["gradebook"]):
        return None
    is_here = before["gradebook"] == now["gradebook"] and before["student"] != now["student"]
    return LeftBehind(now["student"], chapter, before["student"], tuple(before["by_hand"].items()), is_here)


def describe_left_behind(moved: list[LeftBehind]) -> list[str]:
    """Return a line for each chapter and reason; submissions of which the same is known share one."""
    alike: dict[tuple[str, str], list[str]] = {}
    for one in moved:
        alike.setdefault((one.chapter, one.why), []).append(one.student)
    return [f"{join_first(students)} {chapter}: {why}" for (chapter, why), students in alike.items()]
