"""What a run knows about an assignment before it writes anything."""

from dataclasses import dataclass

from autograder.classroom.gradebook.registration import Pending

from .provenance import Provenance, differences
from .records import SavedOrigin, SavedRun


@dataclass(frozen=True)
class Snapshot:
    """What is known about an assignment before a run writes anything, by student.

    ``provenance`` is what each mark would be computed from now. ``stamps`` are the files of nbgrader's exchange beside
    each submission. ``stale`` holds the students to be graded again, each with the record of their present mark, None
    where there is none. ``origins`` is where each graded submission was graded, None where its record does not say.
    ``marks`` are the automatic marks in the gradebook, and ``pending`` is what the gradebook has yet to learn about the
    assignment.
    """

    provenance: dict[str, Provenance]
    stamps: dict[str, dict[str, str]]
    stale: dict[str, SavedRun | None]
    origins: dict[str, SavedOrigin | None]
    marks: dict[str, dict[str, float]]
    pending: Pending

    def changed_parts(self, student: str) -> tuple[str, ...]:
        """Return which parts of what a recorded mark was computed from have changed; () without a record."""
        old = self.stale.get(student)
        return differences(old["bound"], self.provenance[student]) if old else ()

    def is_regrade(self, student: str) -> bool:
        """Say whether the submission has a mark already, and only something else that it depends on has changed."""
        changed = self.changed_parts(student)
        return bool(changed) and "submission" not in changed
