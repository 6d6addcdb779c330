"""Grades every submission of some chapters and saves the results, with a progress bar.

A run can be killed at any moment and restarted: what is recorded and up to date is not graded twice.
"""

import json
import secrets
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from autograder import sandbox
from autograder.classroom.class_course import course_identity
from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.classroom.gradebook.by_hand import ByHand, Remark
from autograder.classroom.gradebook.chapter_totals import Totals, sync_totals
from autograder.classroom.gradebook.exchange import read_stamps
from autograder.classroom.gradebook.gradebook import automatic_marks, gradebook, register, to_register
from autograder.classroom.gradebook.locks import lock_file, lock_gradebook
from autograder.classroom.gradebook.registration import Pending
from autograder.classroom.gradebook.total import Total
from autograder.classroom.results.batch_writer import BatchWriter
from autograder.classroom.results.changes import Change
from autograder.classroom.results.load import load_run, was_graded
from autograder.classroom.results.marks_left_behind import describe_left_behind
from autograder.classroom.results.provenance import is_current, provenance
from autograder.classroom.results.snapshot import Snapshot
from autograder.classroom.which_gradebook import remember_gradebook
from autograder.course.course import Assignment
from autograder.diagnosis.faults import Fault
from autograder.errors import ServiceLost, UsageError
from autograder.files import write_whole
from autograder.grading.intake import beside, submission_hash
from autograder.grading.result import Result, failed
from autograder.plain import can_be_named, join_first, plural, visible, visible_line
from autograder.sandbox import Limits
from autograder.shape import read_json

from .schedule import Facts, RetryBudget, Schedule

if TYPE_CHECKING:
    from .cluster import Cluster


@dataclass(eq=False)
class ClassRun:
    """Grades and saves every submission of the chosen assignments.

    Iterating yields ``(student, Result)`` as each is done; results that are up to date are loaded. One seed, unknown
    beforehand, serves the whole run; each student's questions follow from it and from the submission.
    Marks and pages that would change are listed in ``changes``, and written only if ``write_changes`` is set.
    ``only`` names the students to grade; empty means everybody.
    Errors, before anything is graded: SandboxUnavailable, UsageError (no submissions, another run in progress),
    CourseError (gradebook).
    """

    classroom: ClassRoom
    chosen: list[Assignment]
    jobs: int = 1
    protected: bool = True
    seed: int | None = None
    limits: Limits = field(default_factory=Limits)
    write_changes: bool = False
    scheduler: str = ""
    only: Collection[str] = ()
    changes: list[Change | ByHand | Remark] = field(default_factory=list, init=False)
    # A line each: misnamed files, marks by hand elsewhere, regraded submissions, time-outs that were not repeated.
    notes: list[str] = field(default_factory=list, init=False)
    failed: dict[tuple[str, str], list[str]] = field(default_factory=dict, init=False)  # by chapter and reason
    faults: dict[tuple[str, str, Fault], list[str]] = field(default_factory=dict, init=False)  # students
    retries: RetryBudget = field(default_factory=RetryBudget, init=False)

    @contextmanager
    def hold_lock(self, command: str = "autograder grade") -> Iterator[None]:
        """Admit no other run on this class meanwhile. Errors: as for ``lock_class``."""
        with lock_class(self.classroom, command) as self.confirm_lock:
            yield

    def __iter__(self) -> Iterator[tuple[str, Result]]:
        """Grade all, and yield each result."""
        if not self.scheduler:
            sandbox.require(self.protected)
        students = {assignment: self.students(assignment.chapter) for assignment in self.chosen}
        total = sum(map(len, students.values()))
        with self.hold_lock(), tqdm(total=total, unit="notebook", file=sys.stderr) as progress:
            try:
                for assignment, names in students.items():
                    for student, result in self.grade_assignment(assignment, names):
                        self.note_problems(assignment, student, result)
                        yield student, result
                        progress.update(result.status != "infrastructure")  # the bar shows what is recorded
            except ServiceLost as error:
                raise ServiceLost(
                    f"{error}; {progress.n} of {total} are done and saved; run the same command again for the rest"
                ) from error

    def students(self, chapter: str) -> list[str]:
        """Return whose submissions of a chapter to grade. Errors: UsageError for a student without one."""
        found = self.classroom.students(chapter)
        if missing := sorted(set(self.only) - set(found)):
            raise UsageError(f"no submission of {chapter} by {visible(missing[0])} in {self.classroom.root}/submitted")
        return [student for student in found if not self.only or student in self.only]

    def note_problems(self, assignment: Assignment, student: str, result: Result) -> None:
        """Note a submission that the machine failed, one without a notebook, and files that were not graded."""
        for name, some in result.faults.items():
            for fault in some:
                self.faults.setdefault((assignment.chapter, name, fault), []).append(student)
        others = beside(self.classroom.notebook(student, assignment.chapter))
        if result.status == "infrastructure":
            self.failed.setdefault((assignment.chapter, result.message), []).append(student)
        elif result.status == "no_notebook":
            self.notes.append(f"{student} {assignment.chapter}: no mark: {result.message}")
        elif others:
            self.notes.append(f"{student} {assignment.chapter}: not graded, beside the notebook: {', '.join(others)}")

    def failures(self) -> list[str]:
        """Return one line for each reason why the machine failed somebody; they have no mark until the next run."""
        return [
            f"{join_first(students)} {chapter}: no mark, infrastructure failure: {reason}"
            for (chapter, reason), students in self.failed.items()
        ]

    def describe_faults(self) -> list[str]:
        """Return at most one line: what failed in the checks while messages were made, and for how many answers."""
        if not self.faults:
            return []
        each = [
            f"{chapter} {name}: {fault.part} ({fault.error}, {plural(len(students), 'answer')})"
            for (chapter, name, fault), students in self.faults.items()
        ]
        return [f"faults of the checks, which cost a sentence and no mark: {join_first(each)}; the report lists them"]

    def grade_assignment(self, assignment: Assignment, students: list[str]) -> Iterator[tuple[str, Result]]:
        """Grade and save one assignment, and yield ``(student, Result)``."""
        assignment.companions()
        named = filter(can_be_named, students)
        paths = {student: self.classroom.notebook(student, assignment.chapter) for student in named}
        # Hashed before anything is graded: what changes meanwhile is out of date, and graded again by the next run.
        hashes = {student: submission_hash(path, FOLDERS) for student, path in paths.items()}
        new = {
            student: path
            for student, path in paths.items()
            if not was_graded(self.classroom, student, assignment.chapter)
        }
        seed = self.run_seed(assignment)
        with self.schedule((assignment, seed, self.limits, self.protected)) as schedule:
            schedule.add(new, more=True)  # processes start, while this one finds out what is out of date
            provenances = {student: provenance(assignment, self.limits, digest) for student, digest in hashes.items()}
            stale = {}  # only for missing or stale marks: a whole class would need much memory
            origins = {}
            for student, now in provenances.items():
                run = load_run(self.classroom, student, assignment.chapter)
                if run:
                    origins[student] = run.get("origin")
                if not is_current(run, now):
                    stale[student] = run
            schedule.add({student: paths[student] for student in stale if student not in new})
            # What follows loads the gradebook's library, while the pool starts.
            stamps = {
                student: read_stamps(self.classroom.submitted(student, assignment.chapter)) for student in provenances
            }
            marks, pending = self.prepare(assignment)
            remember_gradebook(self.classroom.root, self.classroom.database, course_identity(assignment.course))
            snapshot = Snapshot(provenances, stamps, stale, origins, marks, pending)
            with self.writing(assignment, snapshot, seed) as writer:
                yield from writer.write_missing_marks([student for student in provenances if student not in stale])
                schedule.add({student: paths[student] for student in writer.unreadable})
                yield from writer.write_all(schedule.grade_all())
        self.note_skipped(assignment)
        for student in students:
            if student not in provenances:
                yield visible_line(student), unnameable(assignment)
        if self.seed is None:  # a finished run: its questions are not asked again
            self.seed_file(assignment).unlink(missing_ok=True)

    def note_skipped(self, assignment: Assignment) -> None:
        """Note whose time-out counts although it was not repeated alone."""
        if self.retries.skipped:
            names = join_first(map(visible_line, self.retries.skipped))
            self.notes.append(
                f"{names} {assignment.chapter}: not repeated alone, since the time for that is used up. "
                "If the machine was busy, grade them again with --student and --jobs 1"
            )
            self.retries.skipped = []

    def prepare(self, assignment: Assignment) -> tuple[dict[str, dict[str, float]], Pending]:
        """Register an assignment in the gradebook, unless points or exercises changed: that waits for ``--yes``.

        Return the marks that it held before, and what changes.
        """
        with gradebook(self.classroom) as book:
            marks, changed = automatic_marks(book, assignment), to_register(book, assignment)
        self.changes += changed.by_hand
        if self.write_changes or not changed:
            register(self.classroom, assignment)
        return marks, changed

    @contextmanager
    def writing(self, assignment: Assignment, snapshot: Snapshot, seed: int) -> Iterator[BatchWriter]:
        """Yield the writer of an assignment's results, then note what it found and update nbgrader's own rows."""
        with gradebook(self.classroom) as book:
            totals = Totals(self.classroom, book, assignment)
            self.writer = BatchWriter(totals, book, snapshot, seed, self.write_changes, self.confirm_lock)
            yield self.writer
            sync_totals(self.classroom, book, assignment, totals.accepted)
        self.changes += self.writer.changes
        self.notes += describe_left_behind(self.writer.left_behind)
        self.notes += [
            f"{join_first(students)} {assignment.chapter}: graded again: {why}"
            for why, students in self.writer.regraded.items()
        ]

    def total(self, student: str, result: Result) -> Total | None:
        """Return the total in force for the result that was just yielded; None without a mark."""
        return self.writer.total_in_force(student, result)

    def schedule(self, facts: Facts) -> "Schedule | Cluster":
        """Return what grades many: processes of this machine, or the workers of a cluster.

        Errors: UsageError if the package for clusters is not installed.
        """
        if self.scheduler:
            try:
                from .cluster import Cluster
            except ModuleNotFoundError as error:
                raise UsageError(
                    f"grading on a cluster needs the package {error.name}, which is not installed: "
                    "run `pip install -e '.[cluster]'` in the course's folder"
                ) from error
            return Cluster(facts, self.scheduler, FOLDERS, self.retries)
        return Schedule(facts, self.jobs, FOLDERS, self.retries)

    def seed_file(self, assignment: Assignment) -> Path:
        """Where the seed of an unfinished run is kept, so that the rest is asked the same questions."""
        return self.classroom.root / f".grading-{assignment.chapter}.json"

    def run_seed(self, assignment: Assignment) -> int:
        """Return the seed: the given one, that of the interrupted run, or a new one."""
        if self.seed is not None:
            return self.seed
        path = self.seed_file(assignment)
        try:
            return int(read_json(path)["seed"])
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            seed = secrets.randbits(63)
            write_whole(path, json.dumps({"seed": seed}))
            return seed


@contextmanager
def lock_class(classroom: ClassRoom, command: str) -> Iterator[Callable[[], None]]:
    """Hold the lock on a class's folder and gradebook; yields a function that makes sure of it, before each write.

    Errors: UsageError if another run is in progress; CourseError if the gradebook's server does not answer.
    """
    folder = lock_file(classroom.root / ".grading.lock", f"in {classroom.root}", command)
    with folder, lock_gradebook(classroom.database, command) as confirm_lock:
        yield confirm_lock


def unnameable(assignment: Assignment) -> Result:
    """Return the result of a submission whose folder name cannot be written down."""
    reason = (
        "its folder's name is not UTF-8, begins with a dot, or holds control characters: "
        "rename the folder and grade again"
    )
    return failed(assignment, reason)
