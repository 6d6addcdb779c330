"""The one writer of a run: files first, then all marks of a batch in one transaction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from autograder.classroom.arrival import TIMESTAMP, arrival_beside, moment_of
from autograder.classroom.gradebook.chapter_totals import Totals, note_coming
from autograder.classroom.gradebook.database import is_full, is_lost, reason_of
from autograder.classroom.gradebook.exchange import keep_stamps, parse_arrival
from autograder.classroom.gradebook.gradebook import gradebook_id, marks_by_hand, times, write_marks
from autograder.classroom.gradebook.lateness_in_force import InForce, why_later
from autograder.classroom.gradebook.registration import Pending
from autograder.classroom.gradebook.total import Total, is_lower
from autograder.course.course import Assignment
from autograder.errors import CourseError, ServiceLost
from autograder.files import FULL, describe_os_error
from autograder.grading.result import WITHOUT_MARK, Result, failed

from .changes import Change, describe_page_changes
from .load import load_result
from .marks_left_behind import LeftBehind, left_behind, origin_of
from .provenance import Provenance, describe_differences, differences
from .records import SavedOrigin, SavedRun
from .save import save, save_origin

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

BATCH = 128  # submissions per transaction, at most; after a second it is written all the same


@dataclass(frozen=True)
class Snapshot:
    """What is known about an assignment before a run writes anything, by student.

    ``provenance`` is what each mark would be computed from now. ``stamps`` are the files of nbgrader's exchange beside
    each submission. ``stale`` is the record of each student to be graded again, or None. ``origins`` is where each
    graded submission was graded, None where its record does not say. ``marks`` are the automatic marks in the
    gradebook, and ``pending`` is what the gradebook has yet to learn about the assignment.
    """

    provenance: dict[str, Provenance]
    stamps: dict[str, dict[str, str]]
    stale: dict[str, SavedRun | None]
    origins: dict[str, SavedOrigin | None]
    marks: dict[str, dict[str, float]]
    pending: Pending

    def differences(self, student: str) -> tuple[str, ...]:
        """Return which parts of what a recorded mark was computed from have changed; () without a record."""
        old = self.stale.get(student)
        return differences(old["bound"], self.provenance[student]) if old else ()


@dataclass(frozen=True)
class Effect:
    """What writing a result does to a student's total, and the change that needs ``--yes``, if any."""

    old: Total
    new: Total
    change: Change | None


@dataclass
class BatchWriter:
    """Saves the results of one assignment for a class run.

    ``changes`` are those that need ``--yes``; they are written only if ``write_changes`` is set, and ``waiting`` are
    the students whose change is not. ``confirm_lock`` is called before marks are written: it raises if somebody else
    may write, too. ``unreadable`` are the students whose saved result is to be replaced, ``left_behind`` the
    submissions with marks by hand elsewhere, and ``regraded`` the students whose mark was computed anew although the
    submission is the same, by reason.
    """

    totals: Totals
    book: "Gradebook"
    snapshot: Snapshot
    seed: int
    write_changes: bool
    confirm_lock: Callable[[], None]
    changes: list[Change] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    unreadable: list[str] = field(default_factory=list)
    left_behind: list[LeftBehind] = field(default_factory=list)
    regraded: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.classroom, self.assignment = self.totals.classroom, self.totals.assignment
        self.times = times(self.book, self.assignment)
        self.gradebook = gradebook_id(self.book, self.assignment.chapter)

    def total_in_force(self, student: str, result: Result) -> Total | None:
        """Return the total in force for a result that was yielded: while its change waits, the old one.

        None without a mark.
        """
        if result.status in WITHOUT_MARK:
            return None
        before = self.snapshot.marks.get(student, {})
        marks = before if student in self.waiting else points_by_exercise(result, self.assignment)
        return self.totals.of(student, marks)

    def write_missing_marks(self, students: list[str]) -> Iterator[tuple[str, Result]]:
        """Yield results that are up to date, and write those marks that never reached the gradebook.

        A result that cannot be read is not among them; its student is added to ``unreadable``.
        """
        yield from self._write_in_batches(self._saved_results(students), with_files=False)

    def write_all(self, results: Iterator[tuple[str, Result] | None]) -> Iterator[tuple[str, Result]]:
        """Save results and yield them. None among them means that it is time to save."""
        yield from self._write_in_batches(results, with_files=True)

    def _saved_results(self, students: list[str]) -> Iterator[tuple[str, Result]]:
        """Yield the saved results that can be read."""
        for student in students:
            if result := load_result(self.classroom, student, self.assignment.chapter):
                yield student, result
            else:
                self.unreadable.append(student)

    def _write_in_batches(
        self, results: Iterator[tuple[str, Result] | None], with_files: bool
    ) -> Iterator[tuple[str, Result]]:
        """Save results in batches, and yield each once it is saved."""
        batch: dict[str, Result] = {}
        try:
            for pair in results:
                batch |= dict([pair] if pair else ())
                if pair is None or len(batch) == BATCH:
                    yield from self._write_batch(batch, with_files).items()
                    batch = {}
        except ServiceLost:  # raised by grading: earlier results are saved all the same
            yield from self._write_batch(batch, with_files).items()
            raise
        yield from self._write_batch(batch, with_files).items()

    def _write_batch(self, batch: dict[str, Result], with_files: bool) -> dict[str, Result]:
        """Write a batch except infrastructure failures and changes that nobody has accepted; return its results."""
        allowed = self._accept(batch)
        self.left_behind += filter(None, (self._marks_left_behind(*one) for one in allowed.items()))
        lost = {}
        for student, result in allowed.items():
            lost |= self._isolate(student, partial(self._write_files, student, result, with_files))
        due = {
            student: result.as_dict()
            for student, result in allowed.items()
            if student not in lost
            and result.status != "no_notebook"
            and (with_files or not self._is_in_gradebook(student, result))
        }
        if due:
            lost |= self._write_marks(due)
        return {**batch, **lost}

    def _accept(self, batch: dict[str, Result]) -> dict[str, Result]:
        """Return the results that may be written; list the changes, and note the lateness of the marks to come."""
        due = {student: result for student, result in batch.items() if self._is_due(student, result)}
        effects = {student: self._effect(student, result) for student, result in due.items()}
        self.changes += [effect.change for effect in effects.values() if effect.change]
        allowed = {one: batch[one] for one, effect in effects.items() if self.write_changes or not effect.change}
        self.waiting |= effects.keys() - allowed.keys()
        self.totals.accepted |= allowed.keys()
        for student in (student for student in allowed if not effects[student].change):
            changed = self.snapshot.differences(student)
            if changed and "submission" not in changed:
                self.regraded.setdefault(describe_differences(changed), []).append(student)
        coming = {student: self._coming(student, each, effects[student]) for student, each in allowed.items()}
        self._note_lateness({student: each for student, each in coming.items() if each})
        return allowed

    def _is_due(self, student: str, result: Result) -> bool:
        """Say whether a result is worth writing: no failure of the machine, and no notebook that has gone."""
        # Where a mark is and no notebook any more, the mark belongs to one that was here.
        is_gone = result.status == "no_notebook" and not self._is_first(student)
        return result.status != "infrastructure" and not is_gone

    def _is_first(self, student: str) -> bool:
        """Say whether a student has no mark yet."""
        return all(score is None for score in self.snapshot.marks.get(student, {}).values())

    def _effect(self, student: str, result: Result) -> Effect:
        """Return what writing a result does to a student's total, page and marks."""
        before, after = self.snapshot.marks.get(student, {}), points_by_exercise(result, self.assignment)
        is_first, pending = self._is_first(student), self.snapshot.pending
        old, new = self.totals.of(student, before), self.totals.by_rules(student, after, self._arrival(student))
        page = self._page_changes(student, result)
        falls = not is_first and is_lower(new, old)
        moves = not is_first and {**dict.fromkeys(after, 0.0), **zero_if_none(before)} != after
        if not (page or falls or moves or pending) or (is_first and not pending):
            return Effect(old, new, None)
        why = self._reason(student, is_first, why_later(old.lateness, new.lateness) if falls else "")
        people = self.totals.from_people.get(student, {})
        by_hand = tuple(name for name, (mark, _) in people.items() if mark is not None)
        page = page or (("graded out of other points",) if pending else ())
        # If points change, marks by hand change too, and the new total is known only when they are written.
        counts = (None, None) if pending else (new.score, old.score)
        change = Change(student, self.assignment.chapter, before, after, why, page, by_hand, *counts)
        return Effect(old, new, change)

    def _coming(self, student: str, result: Result, effect: Effect) -> InForce | None:
        """Return the lateness to note before a mark is written; None if the same is in force, or there is no mark."""
        old, new = effect.old, effect.new
        in_force = self.totals.in_force.get(student)
        if result.status == "no_notebook" or in_force == InForce(replace(new.lateness, left=None)):
            return None
        if old.points is None:
            return InForce(new.lateness)
        return InForce(old.lateness, new.lateness, points_by_exercise(result, self.assignment))

    def _arrival(self, student: str) -> datetime | None:
        """Return when a submission came, as is noted beside the graded notebook once that is written."""
        zone, text = self.classroom.class_file.timezone, self.snapshot.stamps[student].get(TIMESTAMP, "")
        return moment_of(text, zone) or arrival_beside(self.classroom.submitted(student, self.assignment.chapter), zone)

    def _note_lateness(self, coming: dict[str, InForce]) -> None:
        """Note the lateness of the marks of a batch before anything of it is written: the run may be killed."""
        try:
            if coming:
                note_coming(self.classroom, self.assignment.chapter, coming)
        except OSError as error:
            if error.errno in FULL:
                raise CourseError(f"{describe_os_error(error)}; saved results stay") from error
            raise

    def _reason(self, student: str, is_first: bool, later: str = "") -> str:
        """Explain why a mark, a page or a total changes; ``later`` says why lateness costs more."""
        pending, changed = self.snapshot.pending, self.snapshot.differences(student)
        if is_first:
            return f"a first mark, which waits because {pending.why}"
        if pending:
            is_same = changed and "submission" not in changed
            return pending.why + ("" if is_same else "; the submission changed")
        return "; ".join(filter(None, (describe_differences(changed), later))) or "the gradebook held a different mark"

    def _page_changes(self, student: str, result: Result) -> tuple[str, ...]:
        """Describe what changes on a student's page because of us; new work is expected to change it."""
        changed = self.snapshot.differences(student)
        if not changed or "submission" in changed:
            return ()
        recorded = load_result(self.classroom, student, self.assignment.chapter)
        return describe_page_changes(recorded, result) if recorded else ()

    def _is_in_gradebook(self, student: str, result: Result) -> bool:
        """Say whether the gradebook has a result's marks and the time of its submission."""
        has_marks = self.snapshot.marks.get(student) == points_by_exercise(result, self.assignment)
        return has_marks and self.times.get(student) == parse_arrival(self.snapshot.stamps[student])

    def _marks_left_behind(self, student: str, result: Result) -> LeftBehind | None:
        """Return what stays behind of a submission that was graded for another student, or into another gradebook."""
        if student not in self.snapshot.origins:
            return None
        before, now = self.snapshot.origins[student], self._origin(student, result)
        one = left_behind(self.assignment.chapter, before, now, student in self.snapshot.marks)
        if not one or not one.is_here:
            return one
        _, comments = marks_by_hand(self.book, self.assignment.chapter)
        by_hand = tuple(self._origin(one.was, result)["by_hand"].items())  # those of today
        return replace(one, by_hand=by_hand) if by_hand or one.was in comments else None

    def _origin(self, student: str, result: Result) -> SavedOrigin:
        """Return for whom and where a submission is graded now; what has no notebook is in no gradebook."""
        gradebook = "" if result.status == "no_notebook" else self.gradebook
        return origin_of(student, gradebook, self.totals.from_people.get(student, {}))

    def _write_files(self, student: str, result: Result, anew: bool) -> None:
        """Write one result's files, or only its time and origin: the same notebook may have been handed in again."""
        origin = self._origin(student, result)
        if anew:
            save(self.classroom, self.assignment, origin, result, self.snapshot.provenance[student], self.seed)
        elif origin != self.snapshot.origins.get(student):
            save_origin(self.classroom, self.assignment.chapter, origin)
        keep_stamps(self.classroom, student, self.assignment.chapter, self.snapshot.stamps[student])

    def _write_marks(self, due: dict[str, dict[str, Any]]) -> dict[str, Result]:
        """Write the marks of a batch; if that fails, one by one, so that one cannot cost the others theirs.

        Return the results of those whose marks could not be written.
        """
        from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

        self.confirm_lock()
        try:
            self._write_together(due)
            return {}
        except SQLAlchemyError as error:
            if is_full(error) or is_lost(error):
                raise
            lost = {}
            for student, data in due.items():
                lost |= self._isolate(student, partial(self._write_together, {student: data}))
            if len(lost) == len(due) and not isinstance(error, DataError | IntegrityError):
                raise  # all failed: this has nothing to do with the students
            return lost

    def _write_together(self, due: dict[str, dict[str, Any]]) -> None:
        """Write marks and submission times into the gradebook, in one transaction."""
        came = {student: parse_arrival(self.snapshot.stamps[student]) for student in due}
        write_marks(self.book, self.assignment, due, came)

    def _isolate(self, student: str, action: Callable[[], None]) -> dict[str, Result]:
        """Do something for one student; a failure affects that student only, except when the disk is full.

        Return the failed result by student, {} after success.
        """
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
