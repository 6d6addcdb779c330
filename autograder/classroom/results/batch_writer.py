"""The one writer of a run: files first, then all marks of a batch in one transaction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from autograder.classroom.arrival import TIMESTAMP, arrival_beside, moment_of
from autograder.classroom.gradebook.chapter_totals import note_coming
from autograder.classroom.gradebook.database import is_full, is_lost, reason_of
from autograder.classroom.gradebook.exchange import keep_stamps, parse_arrival
from autograder.classroom.gradebook.gradebook import gradebook_id, marks_by_hand, times, write_marks
from autograder.classroom.gradebook.lateness_in_force import InForce, why_later
from autograder.classroom.gradebook.registration import Pending
from autograder.classroom.gradebook.total import Total, is_lower
from autograder.course.course import Assignment
from autograder.errors import CourseError, ServiceLost
from autograder.files import FULL, describe_os_error
from autograder.grading.result import Result, failed

from .changes import Change, describe_page_changes
from .load import load_result
from .marks_left_behind import LeftBehind, left_behind, origin_of
from .provenance import why_stale
from .records import SavedOrigin, SavedRun
from .save import save, save_origin

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

BATCH = 128  # submissions per transaction, at most; after a second it is written all the same


@dataclass(frozen=True)
class Before:
    """What is known about an assignment before a run writes anything, by student.

    ``provenance`` is what each mark would be computed from now. ``stamps`` are the files of nbgrader's exchange beside
    each submission. ``stale`` is the record of each student to be graded again, or None. ``origins`` is where each
    graded submission was graded, None where its record does not say. ``marks`` are the automatic marks in the
    gradebook, and ``pending`` is what the gradebook has yet to learn about the assignment.
    """

    provenance: dict[str, dict]
    stamps: dict[str, dict[str, str]]
    stale: dict[str, SavedRun | None]
    origins: dict[str, SavedOrigin | None]
    marks: dict[str, dict]
    pending: Pending


class BatchWriter:
    """Saves the results of one assignment for a class run, and adds to its ``changes`` what waits for ``--yes``."""

    def __init__(self, run: Any, assignment: Assignment, book: "Gradebook", before: Before, seed: int) -> None:
        self.run, self.assignment, self.book, self.before, self.seed = run, assignment, book, before, seed
        self.pending, self.times = before.pending, times(book, assignment)
        self.gradebook = gradebook_id(book, assignment.chapter)
        self.unreadable: list[str] = []  # students whose saved result is to be replaced
        self.left_behind: list[LeftBehind] = []  # submissions with marks by hand elsewhere
        self.coming: dict[str, InForce] = {}  # the lateness of marks that may be written, where it is another one

    def keep(self, students: list[str]) -> Iterator[tuple[str, Result]]:
        """Yield results that are up to date, and write those marks that never reached the gradebook.

        A result that cannot be read is not among them; its student is added to ``unreadable``.
        """
        yield from self.in_batches(self.saved(students), with_files=False)

    def saved(self, students: list[str]) -> Iterator[tuple[str, Result]]:
        """Yield the saved results that can be read."""
        for student in students:
            if result := load_result(self.run.classroom, student, self.assignment.chapter):
                yield student, result
            else:
                self.unreadable.append(student)

    def record(self, results: Iterator[tuple[str, Result] | None]) -> Iterator[tuple[str, Result]]:
        """Save results and yield them."""
        yield from self.in_batches(results, with_files=True)

    def in_batches(
        self, results: Iterator[tuple[str, Result] | None], with_files: bool
    ) -> Iterator[tuple[str, Result]]:
        """Save results in batches, and yield each once it is saved. None among them means that it is time to save."""
        batch = {}
        try:
            for found in results:
                batch |= dict([found] if found else ())
                if found is None or len(batch) == BATCH:
                    yield from self.write(batch, with_files).items()
                    batch = {}
        except ServiceLost:  # raised by grading: earlier results are saved all the same
            yield from self.write(batch, with_files).items()
            raise
        yield from self.write(batch, with_files).items()

    def write(self, batch: dict[str, Result], with_files: bool) -> dict[str, Result]:
        """Write a batch except infrastructure failures and changes that nobody has accepted; return its results."""
        allowed = {student: result for student, result in batch.items() if self.may_be_written(student, result)}
        self.left_behind += filter(None, (self.from_elsewhere(*one) for one in allowed.items()))
        self.note_lateness()
        lost = {}
        for student, result in allowed.items():
            lost |= self.attempt(
                student, lambda student=student, result=result: self.write_files(student, result, with_files)
            )
        due = {
            student: result.as_dict()
            for student, result in allowed.items()
            if student not in lost
            and result.status != "no_notebook"
            and (with_files or not self.is_in_gradebook(student, result))
        }
        if due:
            lost |= self.write_due(due)
        return {**batch, **lost}

    def may_be_written(self, student: str, result: Result) -> bool:
        """Say whether a result may be written; if it changes a mark, add the change to those that need ``--yes``."""
        if result.status == "infrastructure":
            return False
        before, after = self.before.marks.get(student, {}), points_by_exercise(result, self.assignment)
        is_first = all(score is None for score in before.values())
        if result.status == "no_notebook" and not is_first:
            return False  # the mark belongs to a notebook that was here
        page, totals = self.page(student, result), self.run.totals
        old, new = totals.of(student, before), totals.by_rules(student, after, self.came(student))
        falls = not is_first and is_lower(new, old)
        differs = not is_first and (page or falls or {**dict.fromkeys(after, 0.0), **zero_if_none(before)} != after)
        if differs or self.pending:
            page = page or (("graded out of other points",) if self.pending else ())
            why = self.why(student, is_first, why_later(old.lateness, new.lateness) if falls else "")
            people = totals.from_people.get(student, {})
            by_hand = tuple(name for name, (mark, _) in people.items() if mark is not None)
            # If points change, marks by hand change too, and the new total is known only when they are written.
            counts = (None, None) if self.pending else (new.score, old.score)
            self.run.changes.append(
                Change(student, self.assignment.chapter, before, after, why, page, by_hand, *counts)
            )
        if may := self.run.write_changes or not (differs or self.pending):
            totals.accepted.add(student)
            if result.status != "no_notebook":
                self.add_coming(student, old, new, after)
        return may

    def add_coming(self, student: str, old: Total, new: Total, marks: dict[str, float]) -> None:
        """Add the lateness of marks that may be written to what is noted first, unless the same is in force."""
        if self.run.totals.in_force.get(student) != InForce(replace(new.lateness, left=None)):
            is_only = old.points is None
            self.coming[student] = InForce(new.lateness) if is_only else InForce(old.lateness, new.lateness, marks)

    def came(self, student: str) -> datetime | None:
        """Return when a submission came, as is noted beside the graded notebook once that is written."""
        room, text = self.run.classroom, self.before.stamps[student].get(TIMESTAMP, "")
        zone = room.class_file.timezone
        return moment_of(text, zone) or arrival_beside(room.submitted(student, self.assignment.chapter), zone)

    def note_lateness(self) -> None:
        """Note the lateness of the marks of a batch before anything of it is written: the run may be killed."""
        try:
            if self.coming:
                note_coming(self.run.classroom, self.assignment.chapter, self.coming)
        except OSError as error:
            if error.errno in FULL:
                raise CourseError(f"{describe_os_error(error)}; saved results stay") from error
            raise
        self.coming = {}

    def why(self, student: str, is_first: bool, later: str = "") -> str:
        """Explain why a mark, a page or a total changes; ``later`` says why lateness costs more."""
        old, now = self.before.stale.get(student), self.before.provenance[student]
        if is_first:
            return f"a first mark, which waits because {self.pending.why}"
        if self.pending:
            same = old and old["bound"].get("submission") == now["submission"]
            return self.pending.why + ("" if same else "; the submission changed")
        stale = why_stale(old, now) if old else ""
        return "; ".join(filter(None, (stale, later))) or "the gradebook held a different mark"

    def page(self, student: str, result: Result) -> tuple[str, ...]:
        """Describe what changes on a student's page because of us; new work is expected to change it."""
        old, now = self.before.stale.get(student), self.before.provenance[student]
        if not old or old["bound"] == now or old["bound"].get("submission") != now["submission"]:
            return ()
        recorded = load_result(self.run.classroom, student, self.assignment.chapter)
        return describe_page_changes(recorded, result) if recorded else ()

    def is_in_gradebook(self, student: str, result: Result) -> bool:
        """Say whether the gradebook has a result's marks and the time of its submission."""
        marks = self.before.marks.get(student) == points_by_exercise(result, self.assignment)
        return marks and self.times.get(student) == parse_arrival(self.before.stamps[student])

    def from_elsewhere(self, student: str, result: Result) -> LeftBehind | None:
        """Return what stays behind of a submission that was graded for another student, or into another gradebook."""
        if student not in self.before.origins:
            return None
        before, now = self.before.origins[student], self.origin(student, result)
        one = left_behind(self.assignment.chapter, before, now, student in self.before.marks)
        if not one or not one.is_here:
            return one
        _, comments = marks_by_hand(self.book, self.assignment.chapter)
        by_hand = tuple(self.origin(one.was, result)["by_hand"].items())  # those of today
        return replace(one, by_hand=by_hand) if by_hand or one.was in comments else None

    def origin(self, student: str, result: Result) -> SavedOrigin:
        """Return for whom and where a submission is graded now; what has no notebook is in no gradebook."""
        gradebook = "" if result.status == "no_notebook" else self.gradebook
        return origin_of(student, gradebook, self.run.totals.from_people.get(student, {}))

    def write_files(self, student: str, result: Result, anew: bool) -> None:
        """Write one result's files, or only its time and origin: the same notebook may have been handed in again."""
        origin = self.origin(student, result)
        if anew:
            save(self.run.classroom, self.assignment, origin, result, self.before.provenance[student], self.seed)
        elif origin != self.before.origins.get(student):
            save_origin(self.run.classroom, self.assignment.chapter, origin)
        keep_stamps(self.run.classroom, student, self.assignment.chapter, self.before.stamps[student])

    def write_due(self, due: dict[str, dict[str, Any]]) -> dict:
        """Write the marks of a batch; if that fails, one by one, so that one cannot cost the others theirs."""
        from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

        self.run.still_alone()
        try:
            self.put(due)
            return {}
        except SQLAlchemyError as error:
            if is_full(error) or is_lost(error):
                raise
            lost = {}
            for student, data in due.items():
                lost |= self.attempt(student, lambda one={student: data}: self.put(one))
            if len(lost) == len(due) and not isinstance(error, DataError | IntegrityError):
                raise  # all failed: this has nothing to do with the students
            return lost

    def put(self, due: dict[str, dict[str, Any]]) -> None:
        """Put marks and submission times into the gradebook."""
        write_marks(
            self.book, self.assignment, due, {student: parse_arrival(self.before.stamps[student]) for student in due}
        )

    def attempt(self, student: str, action: Callable) -> dict:
        """Do something for one student; a failure affects that student only, except when the disk is full."""
        try:
            action()
        except Exception as error:
            if isinstance(error, OSError) and error.errno in FULL:
                raise CourseError(f"{describe_os_error(error)}; saved results stay") from error
            if is_full(error) or is_lost(error):
                raise
            reason = f"{type(error).__name__}: {reason_of(error)}"
            return {student: failed(self.assignment, f"graded, but not saved ({reason})")}
        return {}


def zero_if_none(marks: dict[str, float]) -> dict[str, float]:
    """Return marks with 0 where there is none yet, as nbgrader counts them."""
    return {name: score or 0.0 for name, score in marks.items()}


def points_by_exercise(result: Result, assignment: Assignment) -> dict[str, float]:
    """Return the points of each exercise; 0 for all of a submission that could not be run."""
    return {verdict.name: verdict.score for verdict in result.verdicts} or dict.fromkeys(assignment.exercises, 0.0)
