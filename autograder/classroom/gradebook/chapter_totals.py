"""The totals of a chapter: reads them, and brings nbgrader's own rows into agreement with them."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from autograder.classroom.arrival import arrival
from autograder.classroom.classroom import ClassRoom
from autograder.classroom.lateness import lateness
from autograder.course.course import Assignment

from .gradebook import automatic_marks, gradebook, has_gradebook, marks_from_people
from .late_rows import lock_rows, penalties_by_person, sync_rows
from .lateness_in_force import InForce, read_in_force, write_in_force
from .total import Total, is_lower, points_of, total_of

if TYPE_CHECKING:
    from nbgrader.api import Gradebook


class Totals:
    """The totals of one chapter, from the gradebook and the class file as they are now.

    Lateness that would lower a total counts for the students in ``accepted`` alone.
    """

    def __init__(
        self, classroom: ClassRoom, book: "Gradebook", assignment: Assignment, accepted: Collection[str] = ()
    ) -> None:
        self.classroom, self.assignment, self.chapter = classroom, assignment, assignment.chapter
        self.from_people = marks_from_people(book, self.chapter)
        self.given = penalties_by_person(classroom, book, self.chapter)
        self.in_force, self.accepted = read_in_force(classroom, self.chapter), set(accepted)

    def of(self, student: str, automatic: dict) -> Total:
        """Return a student's total in force, given automatic marks ``{exercise: points}``."""
        known = self.in_force.get(student)
        if known is None or student in self.accepted:
            return self.by_rules(student, automatic, arrival(self.classroom, student, self.chapter))
        known = known.behind(automatic)
        # What is noted beside the graded notebook belongs to other marks if a run was killed before it wrote them.
        came = known.lateness.handed_in if known.coming else arrival(self.classroom, student, self.chapter)
        now = self.by_rules(student, automatic, came)
        old = total_of(now.points, known.lateness, self.given.get(student))
        return replace(old, waits=now.score) if is_lower(now, old) else now

    def by_rules(self, student: str, automatic: dict, came: datetime | None) -> Total:
        """Return what class.toml makes of automatic marks and a time of arrival, whatever is in force."""
        points = points_of(automatic, self.from_people.get(student, {}))
        late = lateness(self.classroom.class_file, student, self.chapter, came)
        return total_of(points, late, self.given.get(student))

    def all(self, book: "Gradebook") -> tuple[dict[str, Total], dict[str, InForce]]:
        """Return ``{student: Total}`` for every submission in the gradebook, and the lateness in force behind them."""
        marks = automatic_marks(book, self.assignment)
        totals = {student: self.of(student, automatic) for student, automatic in marks.items()}
        marked = {student: InForce(total.lateness) for student, total in totals.items() if total.points is not None}
        for student in marked.keys() & self.in_force.keys() - self.accepted:
            known = self.in_force[student].behind(marks[student])
            marked[student] = replace(known, lateness=marked[student].lateness)
        return totals, marked


def note_coming(classroom: ClassRoom, chapter: str, coming: dict[str, InForce]) -> None:
    """Note the lateness of marks that are about to be written, ``{student: InForce}``. Errors: CourseError."""
    with lock_rows(classroom):
        write_in_force(classroom, chapter, read_in_force(classroom, chapter) | coming)


def read_totals(classroom: ClassRoom, book: "Gradebook", assignment: Assignment) -> dict[str, Total]:
    """Return ``{student: Total}`` of one chapter, whether nbgrader's rows agree or not. Errors: CourseError."""
    totals, _ = Totals(classroom, book, assignment).all(book)
    return totals


def sync_totals(
    classroom: ClassRoom, book: "Gradebook", assignment: Assignment, accepted: Collection[str] = ()
) -> None:
    """Write the totals of one chapter into nbgrader's own rows, and note the lateness that is in force now.

    Totals that would fall through lateness wait, but for the students in ``accepted``.
    Errors: CourseError, SQLAlchemyError.
    """
    with lock_rows(classroom):
        totals, marked = Totals(classroom, book, assignment, accepted).all(book)
        write_in_force(classroom, assignment.chapter, marked)
        sync_rows(classroom, book, assignment.chapter, totals)


def sync_gradebook(classroom: ClassRoom, chosen: Iterable[Assignment]) -> None:
    """Bring nbgrader's rows of these chapters up to date; a class without a gradebook gets none.

    A deadline, an extension or a mark by hand that changed since the last command takes effect here.
    Errors: CourseError if the gradebook cannot be used.
    """
    if not has_gradebook(classroom):
        return
    with gradebook(classroom) as book:
        for assignment in chosen:
            sync_totals(classroom, book, assignment)
