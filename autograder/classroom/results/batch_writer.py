"""The one writer of a run: files first, then all marks of a batch in one transaction."""

from collections.abc import Callable, Iterator, Mapping
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
from autograder.classroom.gradebook.total import Total, is_lower
from autograder.course.course import Assignment
from autograder.errors import CourseError, ServiceLost
from autograder.files import FULL, describe_os_error
from autograder.grading.result import WITHOUT_MARK, Result, failed

from .changes import Change, describe_page_changes
from .load import load_result
from .marks_left_behind import LeftBehind, left_behind, origin_of, points_by_hand
from .provenance import describe_differences
from .records import SavedOrigin
from .save import save, save_origin
from .snapshot import Snapshot

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

BATCH = 128  # submissions per transaction, at most; the schedule may have it written earlier


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
    the students whose change is not written. ``confirm_lock`` is called before marks are written: it raises if somebody
    else may write, too. ``unreadable`` are the students whose saved result is to be replaced, ``left_behind`` the
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
        self.written_arrivals = times(self.book, self.assignment)
        self.book_id = gradebook_id(self.book, self.assignment.chapter)

    def total_in_force(self, student: str, result: Result) -> Total | None:
        """Return the total in force for a result that was yielded: while its change waits, the old one.

        None without a mark.
        """
        if result.status in WITHOUT_MARK:
            return None
        old_marks = self.snapshot.marks.get(student, {})
        marks = old_marks if student in self.waiting else scores_by_exercise(result, self.assignment)
        return self.totals.of(student, marks)

    def write_missing_marks(self, students: list[str]) -> Iterator[tuple[str, Result]]:
        """Yield results that are up to date, and write those marks that never reached the gradebook.

        A result that cannot be read is not among them; its student is added to ``unreadable``.
        """
        for batch in in_batches(self._saved_results(students)):
            yield from self._write_batch(batch, is_fresh=False).items()

    def write_all(self, results: Iterator[tuple[str, Result] | None]) -> Iterator[tuple[str, Result]]:
        """Save results and yield them. None among them means that it is time to save."""
        for batch in in_batches(results):
            yield from self._write_batch(batch, is_fresh=True).items()

    def _saved_results(self, students: list[str]) -> Iterator[tuple[str, Result]]:
        """Yield the saved results that can be read."""
        for student in students:
            if result := load_result(self.classroom, student, self.assignment.chapter):
                yield student, result
            else:
                self.unreadable.append(student)

    def _write_batch(self, batch: dict[str, Result], is_fresh: bool) -> dict[str, Result]:
        """Write a batch except infrastructure failures and changes that nobody has accepted; return its results.

        ``is_fresh`` says that it was graded just now. What was saved before lacks its marks or its origin at most.
        """
        allowed = self._decide(batch)
        self._note_marks_left_behind(allowed)
        failures = {}
        for student, result in allowed.items():
            failures |= self._isolate(student, partial(self._write_files, student, result, is_fresh))
        graded = {
            student: result.as_dict()
            for student, result in allowed.items()
            if student not in failures
            and result.status != "no_notebook"
            and (is_fresh or not self._is_in_gradebook(student, result))
        }
        if graded:
            failures |= self._write_marks(graded)
        return {**batch, **failures}

    def _decide(self, batch: dict[str, Result]) -> dict[str, Result]:
        """Decide which results of a batch are written, and return those.

        The decision is noted: the changes that need ``--yes``, who waits for it, whose total may fall, who was
        regraded, and on disk the lateness of the marks to come.
        """
        effects = {
            student: self._effect(student, result)
            for student, result in batch.items()
            if self._is_worth_writing(student, result)
        }
        allowed = {
            student: batch[student] for student, effect in effects.items() if self.write_changes or not effect.change
        }
        self.changes += [effect.change for effect in effects.values() if effect.change]
        self.waiting |= effects.keys() - allowed.keys()
        self.totals.accepted |= allowed.keys()
        for student in allowed:
            if not effects[student].change and self.snapshot.is_regrade(student):
                why = describe_differences(self.snapshot.changed_parts(student))
                self.regraded.setdefault(why, []).append(student)
        self._note_lateness(allowed, effects)
        return allowed

    def _is_worth_writing(self, student: str, result: Result) -> bool:
        """Say whether a result is worth writing: no failure of the machine, and no notebook that has gone."""
        # Where a mark is and no notebook any more, the mark belongs to one that was here.
        is_gone = result.status == "no_notebook" and not self._is_first(student)
        return result.status != "infrastructure" and not is_gone

    def _is_first(self, student: str) -> bool:
        """Say whether a student has no mark yet."""
        return all(score is None for score in self.snapshot.marks.get(student, {}).values())

    def _effect(self, student: str, result: Result) -> Effect:
        """Return what writing a result does to a student's total, page and marks."""
        old_marks, new_marks = self.snapshot.marks.get(student, {}), scores_by_exercise(result, self.assignment)
        old = self.totals.of(student, old_marks)
        new = self.totals.by_rules(student, new_marks, self._arrival(student))
        page, pending = self._page_changes(student, result), self.snapshot.pending
        is_first = self._is_first(student)
        is_fall = not is_first and is_lower(new, old)
        has_other_marks = {**dict.fromkeys(new_marks, 0.0), **zero_if_none(old_marks)} != new_marks
        needs_yes = bool(pending) or (not is_first and (bool(page) or is_fall or has_other_marks))
        if not needs_yes:
            return Effect(old, new, None)
        change = Change(
            student,
            self.assignment.chapter,
            before=old_marks,
            after=new_marks,
            why=self._reason(student, is_first, why_later(old.lateness, new.lateness) if is_fall else ""),
            page=page or (("graded out of other points",) if pending else ()),
            by_hand=tuple(name for name, (mark, _) in self._from_people(student).items() if mark is not None),
            # If points change, marks by hand change too, and the new total is known only when they are written.
            counts=None if pending else new.score,
            counted=None if pending else old.score,
        )
        return Effect(old, new, change)

    def _from_people(self, student: str) -> Mapping[str, tuple[float | None, float | None]]:
        """Return what people gave a student in the gradebook, ``{exercise: (mark by hand, extra credit)}``."""
        return self.totals.from_people.get(student, {})

    def _coming(self, student: str, result: Result, effect: Effect) -> InForce | None:
        """Return the lateness to note before a mark is written; None if the same is in force, or there is no mark."""
        old, new = effect.old, effect.new
        in_force = self.totals.in_force.get(student)
        if result.status == "no_notebook" or in_force == InForce(replace(new.lateness, left=None)):
            return None
        if old.points is None:
            return InForce(new.lateness)
        return InForce(old.lateness, new.lateness, scores_by_exercise(result, self.assignment))

    def _arrival(self, student: str) -> datetime | None:
        """Return when a submission came, as is noted beside the graded notebook once that is written."""
        zone, text = self.classroom.class_file.timezone, self.snapshot.stamps[student].get(TIMESTAMP, "")
        return moment_of(text, zone) or arrival_beside(self.classroom.submitted(student, self.assignment.chapter), zone)

    def _note_lateness(self, allowed: dict[str, Result], effects: dict[str, Effect]) -> None:
        """Note the lateness of the marks of a batch before anything of it is written: the run may be killed."""
        coming = {student: self._coming(student, result, effects[student]) for student, result in allowed.items()}
        to_note = {student: in_force for student, in_force in coming.items() if in_force}
        try:
            if to_note:
                note_coming(self.classroom, self.assignment.chapter, to_note)
        except OSError as error:
            refuse_full_disk(error)
            raise

    def _reason(self, student: str, is_first: bool, later: str = "") -> str:
        """Explain why a mark, a page or a total changes; ``later`` says why lateness costs more."""
        pending = self.snapshot.pending
        if is_first:
            return f"a first mark, which waits because {pending.why}"
        if pending:
            return pending.why + ("" if self.snapshot.is_regrade(student) else "; the submission changed")
        changed = describe_differences(self.snapshot.changed_parts(student))
        return "; ".join(filter(None, (changed, later))) or "the gradebook held a different mark"

    def _page_changes(self, student: str, result: Result) -> tuple[str, ...]:
        """Describe what changes on a student's page because of us; new work is expected to change it."""
        if not self.snapshot.is_regrade(student):
            return ()
        recorded = load_result(self.classroom, student, self.assignment.chapter)
        return describe_page_changes(recorded, result) if recorded else ()

    def _is_in_gradebook(self, student: str, result: Result) -> bool:
        """Say whether the gradebook has a result's marks and the time of its submission."""
        has_marks = self.snapshot.marks.get(student) == scores_by_exercise(result, self.assignment)
        return has_marks and self.written_arrivals.get(student) == parse_arrival(self.snapshot.stamps[student])

    def _note_marks_left_behind(self, allowed: dict[str, Result]) -> None:
        """Add to ``left_behind`` which of these submissions have marks by hand elsewhere."""
        for student, result in allowed.items():
            if moved := self._marks_left_behind(student, result):
                self.left_behind.append(moved)

    def _marks_left_behind(self, student: str, result: Result) -> LeftBehind | None:
        """Return what stays behind of a submission that was graded for another student, or into another gradebook."""
        if student not in self.snapshot.origins:
            return None
        before, now = self.snapshot.origins[student], self._origin(student, result)
        moved = left_behind(self.assignment.chapter, before, now, student in self.snapshot.marks)
        if not moved or not moved.is_here:
            return moved
        _, comments = marks_by_hand(self.book, self.assignment.chapter)
        by_hand = tuple(points_by_hand(self._from_people(moved.was)).items())  # those of today
        return replace(moved, by_hand=by_hand) if by_hand or moved.was in comments else None

    def _origin(self, student: str, result: Result) -> SavedOrigin:
        """Return for whom and where a submission is graded now; what has no notebook is in no gradebook."""
        book_id = "" if result.status == "no_notebook" else self.book_id
        return origin_of(student, book_id, self._from_people(student))

    def _write_files(self, student: str, result: Result, is_fresh: bool) -> None:
        """Write a fresh result's files, or of a saved one its time and origin: it may have been handed in again."""
        origin = self._origin(student, result)
        if is_fresh:
            save(self.classroom, self.assignment, origin, result, self.snapshot.provenance[student], self.seed)
        elif origin != self.snapshot.origins.get(student):
            save_origin(self.classroom, self.assignment.chapter, origin)
        keep_stamps(self.classroom, student, self.assignment.chapter, self.snapshot.stamps[student])

    def _write_marks(self, graded: dict[str, dict[str, Any]]) -> dict[str, Result]:
        """Write the marks of a batch; if that fails, one by one, so that one cannot cost the others theirs.

        Return the results of those whose marks could not be written.
        """
        from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

        self.confirm_lock()
        try:
            self._write_together(graded)
            return {}
        except SQLAlchemyError as error:
            if is_full(error) or is_lost(error):
                raise
            failures = {}
            for student, data in graded.items():
                failures |= self._isolate(student, partial(self._write_together, {student: data}))
            if len(failures) == len(graded) and not isinstance(error, DataError | IntegrityError):
                raise  # all failed: this has nothing to do with the students
            return failures

    def _write_together(self, graded: dict[str, dict[str, Any]]) -> None:
        """Write marks and submission times into the gradebook, in one transaction."""
        came = {student: parse_arrival(self.snapshot.stamps[student]) for student in graded}
        write_marks(self.book, self.assignment, graded, came)

    def _isolate(self, student: str, action: Callable[[], None]) -> dict[str, Result]:
        """Do something for one student; a failure affects that student only, except when the disk is full or
        the database is lost.

        Return the failed result by student, {} after success.
        """
        try:
            action()
        except Exception as error:
            refuse_full_disk(error)
            if is_full(error) or is_lost(error):
                raise
            reason = f"{type(error).__name__}: {reason_of(error)}"
            return {student: failed(self.assignment, f"graded, but not saved ({reason})")}
        return {}


def in_batches(results: Iterator[tuple[str, Result] | None]) -> Iterator[dict[str, Result]]:
    """Yield results in batches, ``{student: Result}``: what came before a None, and no more than ``BATCH`` at once.

    If grading ends with ServiceLost, the results before it are yielded all the same.
    """
    batch: dict[str, Result] = {}
    try:
        for pair in results:
            if pair is not None:
                student, result = pair
                batch[student] = result
            if pair is None or len(batch) == BATCH:
                yield batch
                batch = {}
    except ServiceLost:
        yield batch
        raise
    yield batch


def refuse_full_disk(error: Exception) -> None:
    """Raise CourseError if this error is a full disk: it concerns the whole run. Return for any other."""
    if isinstance(error, OSError) and error.errno in FULL:
        raise CourseError(f"{describe_os_error(error)}; saved results stay") from error


def zero_if_none(marks: dict[str, float]) -> dict[str, float]:
    """Return marks with 0 where there is none yet, as nbgrader counts them."""
    return {name: score or 0.0 for name, score in marks.items()}


def scores_by_exercise(result: Result, assignment: Assignment) -> dict[str, float]:
    """Return the score of each exercise; 0 for all of a submission that could not be run."""
    return {verdict.name: verdict.score for verdict in result.verdicts} or dict.fromkeys(assignment.exercises, 0.0)
