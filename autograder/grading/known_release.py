"""Works out which release a student's notebook came from, and what the course has changed since.

Only messages depend on it: marks come from today's cells and today's tests, whatever a notebook claims to be.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from autograder.course.course import Assignment
from autograder.course.ledger import Version, normalise_text, text_hash
from autograder.plain import plural


class Received:
    """Compares the cells of one submission with all that was ever released of its chapter."""

    def __init__(self, assignment: Assignment, submitted: list[dict]) -> None:
        self.assignment, self.versions = assignment, assignment.ledger.by_id
        ids = (cell["nbgrader"].get("grade_id") for cell in submitted)
        self.ids = dict.fromkeys(grade_id for grade_id in ids if isinstance(grade_id, str))

    @cached_property
    def order(self) -> tuple:
        """The cells, in order, of the release that the submission is most like: today's, or else the latest."""
        orders = [tuple(self.assignment.cells), *(order.ids for order in reversed(self.assignment.ledger.orders))]
        known = set().union(*orders)
        return min(orders, key=lambda ids: distance(ids, [grade_id for grade_id in self.ids if grade_id in known]))

    def of(self, cell: dict[str, Any]) -> Sequence[Version]:
        """Return the versions of a submitted cell."""
        grade_id = cell["nbgrader"].get("grade_id")
        return self.versions.get(grade_id, ()) if isinstance(grade_id, str) else ()

    def holds(self, cell: dict[str, Any] | None) -> bool:
        """Say whether a submitted cell reads as some release had it."""
        if cell is None or not (versions := self.of(cell)):
            return False
        digest = text_hash(cell["source"])
        return any(version.digest == digest and version.cell_type == cell["cell_type"] for version in versions)

    def is_gone(self, cell: dict) -> bool:
        """Say whether a submitted cell reads as some release had it, and the course has no such cell any more."""
        return bool(self.of(cell)) and cell["nbgrader"]["grade_id"] not in self.assignment.cells and self.holds(cell)

    def was_theirs(self, cell: dict[str, Any]) -> bool:
        """Say whether a submitted cell is one that an earlier release gave students to write in."""
        found = cell["nbgrader"]
        as_found = [found.get(flag) for flag in ("locked", "solution")]
        return any(
            [version.facts["locked"], version.facts["solution"]] == as_found and version.was_open
            for version in self.of(cell)
        )

    def allows(self, cell: dict[str, Any], key: str) -> bool:
        """Say whether some release had what nbgrader's metadata of a submitted cell says under ``key``."""
        found = cell["nbgrader"][key]
        return any(key in version.facts and found == version.facts[key] for version in self.of(cell))

    def was_type(self, cell: dict[str, Any]) -> bool:
        """Say whether some release had a cell of this type under this id."""
        return any(version.cell_type == cell["cell_type"] for version in self.of(cell))

    @cached_property
    def absent(self) -> frozenset:
        """The exercises that were not in the notebook which the student was given."""
        received = {*self.order, *self.ids}
        return frozenset(name for name in self.assignment.exercises if not {name, f"test_{name}"} & received)

    def notes(self, by_id: dict[str, dict[str, Any]]) -> tuple[str, ...]:
        """Say to the student what the course has changed since, from ``{grade_id: submitted cell}``."""
        notes, assignment = [], self.assignment
        locked = {name: cell for name, cell in by_id.items() if not assignment.is_answer(name)}
        code = {name: cell for name, cell in locked.items() if cell["cell_type"] == "code"}
        now = {name: normalise_text(assignment.cells[name].source) for name in code}
        known = {name: normalise_text(assignment.cells[name].cell.source) for name in code}
        older = [name for name, cell in code.items() if normalise_text(cell["source"]) not in (now[name], known[name])]
        if updated := [name for name in older if self.holds(code[name])]:
            notes.append(
                f"The course has changed {quoted(updated)} since you received this notebook; the new version was used."
            )
        if given := [name for name in older if not self.holds(code[name]) and self.was_theirs(code[name])]:
            notes.append(f"The course now provides {quoted(given)}, so what you wrote there was not used.")
        notes += [worth for name, cell in locked.items() if (worth := self.points_then_and_now(name, cell))]
        gone = [name.removeprefix("test_") for name in self.ids if name not in assignment.cells and self.was_test(name)]
        if gone:
            notes.append(f"What you wrote for {quoted(gone)} was not graded: the course has removed that exercise.")
        return tuple(notes)

    def was_test(self, grade_id: str) -> bool:
        """Say whether there was a test under this id."""
        return any("grade" in version.flags for version in self.versions.get(grade_id, ()))

    def points_then_and_now(self, name: str, cell: dict[str, Any]) -> str:
        """Say that an exercise had other points when the student got it; "" if it had not."""
        exercise, then = self.assignment.cells[name].exercise, cell["nbgrader"].get("points")
        if not exercise or then is None or then == exercise.points or not self.allows(cell, "points"):
            return ""
        was = plural(float(then), "point")
        return (
            f"`{exercise.name}` was worth {was} in the notebook that you received; it is worth {exercise.points:g} now."
        )


def distance(ids: tuple[str, ...], found: list[str]) -> tuple[int, ...]:
    """Return how far a submission's cells are from a release's: how many are too few or too many, then the order."""
    there, wanted = set(found), set(ids)
    order = [name for name in ids if name in there] != [name for name in found if name in wanted]
    return len(there ^ wanted), order


def quoted(names: Iterable[str]) -> str:
    """Write names as code: `a`, `b`."""
    return ", ".join(f"`{name}`" for name in names)
