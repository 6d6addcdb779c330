"""A class run: every submission of some chapters through grading into the record, with a progress bar.

A run can be killed at any moment and started again: what is recorded and still up to date is not graded twice.
"""

import json
import secrets
import sys
from contextlib import contextmanager
from dataclasses import dataclass

from tqdm import tqdm

from autograder import sandbox
from autograder.errors import CourseError, ServiceLost, UsageError
from autograder.plain import visible
from autograder.sandbox import Limits

from .course import FOLDERS, ClassRoom, can_be_named
from .database import is_full, is_lost, locked, only_writer, reason_of
from .files import FULL, in_words, write_whole
from .gradebook import automatic_marks, gradebook, register, write_marks
from .intake import digest
from .record import bound_to, read_result, read_run, why_stale, write_record
from .result import failed
from .schedule import Schedule

BATCH = 128  # submissions per transaction, at most; after a second it is written all the same


@dataclass(frozen=True)
class Change:
    """A mark that a regrade would change: automatic points of each exercise before and after, and why."""

    student: str
    chapter: str
    before: dict
    after: dict
    why: str

    def __str__(self):
        """Say who, by how much and why, in one line."""
        moved = [
            f"{name} {self.before.get(name) or 0:g} -> {score:g}"
            for name, score in self.after.items()
            if self.before.get(name) != score
        ]
        totals = [sum(score or 0 for score in marks.values()) for marks in (self.before, self.after)]
        return f"{self.student} {self.chapter}: {totals[0]:g} -> {totals[1]:g} ({', '.join(moved)}): {self.why}"


class ClassRun:
    """Grades and records every submission of the chosen assignments.

    Iterating yields ``(student, Result)`` as each is done; what is up to date comes from the record. One seed,
    which nobody knew before, serves the whole run; what a student is asked follows from it and from what was handed in.
    Marks that would change are kept in ``changes``, and are written only where ``accept`` is set.
    Errors, before anything is graded: SandboxUnavailable, UsageError (nobody submitted, another run is going on),
    CourseError (gradebook).
    """

    def __init__(
        self,
        classroom: ClassRoom,
        chosen,
        jobs=1,
        protected=True,
        seed=None,
        limits: Limits | None = None,
        accept=False,
        scheduler="",
    ):
        self.classroom, self.chosen, self.jobs, self.scheduler = classroom, chosen, jobs, scheduler
        self.protected, self.seed, self.limits, self.accept = protected, seed, limits or Limits(), accept
        self.changes = []

    def __iter__(self):
        """Grade."""
        if not self.scheduler:
            sandbox.level(self.protected)
        students = {assignment: self.classroom.students(assignment.chapter) for assignment in self.chosen}
        total = sum(map(len, students.values()))
        with (
            only_run(self.classroom) as self.still_alone,
            tqdm(total=total, unit="notebook", file=sys.stderr) as progress,
        ):
            try:
                for assignment, names in students.items():
                    for student, result in self.assignment(assignment, names):
                        yield student, result
                        progress.update(result.status != "infrastructure")  # the bar shows what is recorded
            except ServiceLost as error:
                raise ServiceLost(
                    f"{error}; {progress.n} of {total} are done and stay; run the same command again for the rest"
                ) from error

    def assignment(self, assignment, students):
        """Grade and record one assignment."""
        assignment.companions()
        bounds = {
            student: bound_to(
                assignment, self.limits, digest(self.classroom.notebook(student, assignment.chapter), FOLDERS)
            )
            for student in students
            if can_be_named(student)
        }
        runs = {}  # of those whose mark is missing or out of date: those of a whole class need much memory
        for student, bound in bounds.items():
            run = read_run(self.classroom, student, assignment.chapter)
            if not run or run["bound"] != bound:
                runs[student] = run
        waiting = list(runs)
        seed = self.run_seed(assignment) if waiting else 0
        facts = (assignment, seed, self.limits, self.protected)
        paths = {student: self.classroom.notebook(student, assignment.chapter) for student in waiting}
        with self.schedule(facts, paths) as schedule:
            register(self.classroom, assignment)
            with gradebook(self.classroom) as book:
                recorder = Recorder(self, assignment, book, bounds, runs, seed)
                kept = [student for student in bounds if student not in runs]
                yield from recorder.keep(kept)
                yield from recorder.record(schedule.grade_all())
        for student in students:
            if student not in bounds:
                yield visible(student), unnameable(assignment)
        if self.seed is None:  # a run that has come to its end: what it asked is not asked again
            self.seed_file(assignment).unlink(missing_ok=True)

    def schedule(self, facts, paths):
        """Return what grades many: processes of this machine, or the workers of a cluster.

        Errors: UsageError where the package that speaks with clusters is not installed.
        """
        if self.scheduler and paths:
            try:
                from .cluster import Cluster
            except ModuleNotFoundError as error:
                raise UsageError(
                    f"grading on a cluster needs the package {error.name}, which is not installed: "
                    "run `pip install '.[cluster]'` in the course's folder"
                ) from error
            return Cluster(facts, paths, self.scheduler, FOLDERS)
        return Schedule(facts, paths, self.jobs, FOLDERS)

    def seed_file(self, assignment):
        """Where the seed of a run that is not finished is kept, so that its rest is asked the same."""
        return self.classroom.root / f".grading-{assignment.chapter}.json"

    def run_seed(self, assignment):
        """Return the seed: the one given, that of the run which was broken off, or a new one."""
        if self.seed is not None:
            return self.seed
        path = self.seed_file(assignment)
        try:
            return int(json.loads(path.read_text(encoding="utf-8"))["seed"])
        except (OSError, ValueError, KeyError, TypeError):
            seed = secrets.randbits(63)
            write_whole(path, json.dumps({"seed": seed}))
            return seed


class Recorder:
    """The one writer of a run: files first, then all marks of a batch in one transaction."""

    def __init__(self, run, assignment, book, bounds, runs, seed):
        self.run, self.assignment, self.book = run, assignment, book
        self.bounds, self.runs, self.seed = bounds, runs, seed
        self.marks = automatic_marks(book, assignment)

    def keep(self, students):
        """Yield what is recorded and up to date; marks that did not reach the gradebook get there now."""
        results = ((student, self.kept(student)) for student in students)
        yield from self.in_batches(results, with_files=False)

    def kept(self, student):
        """Return a recorded result."""
        result = read_result(self.run.classroom, student, self.assignment.chapter)
        return result or failed(self.assignment, "its record cannot be read: delete its folder below autograded/")

    def record(self, results):
        """Record results and yield them."""
        yield from self.in_batches(results, with_files=True)

    def in_batches(self, results, with_files):
        """Record results some at a time, and yield each once it is recorded. None among them: it is time for that."""
        batch = {}
        try:
            for found in results:
                batch |= dict([found] if found else ())
                if found is None or len(batch) == BATCH:
                    yield from self.write(batch, with_files).items()
                    batch = {}
        except ServiceLost:  # of what grades: what has come until then is recorded all the same
            yield from self.write(batch, with_files).items()
            raise
        yield from self.write(batch, with_files).items()

    def write(self, batch, with_files):
        """Write a batch, but for failures of ours and changes that nobody has accepted; return what became of it."""
        wanted = {student: result for student, result in batch.items() if self.is_wanted(student, result)}
        lost = {}
        if with_files:
            for student in wanted:
                lost |= self.attempt(student, lambda student=student: self.write_files(student, wanted[student]))
        due = {
            student: result.as_dict()
            for student, result in wanted.items()
            if student not in lost and (with_files or self.marks.get(student) != scores(result, self.assignment))
        }
        if due:
            lost |= self.write_due(due)
        return {**batch, **lost}

    def is_wanted(self, student, result):
        """Say whether a result is to be written, and note the change where it awaits a word from a person."""
        if result.status == "infrastructure":
            return False
        before, after = self.marks.get(student, {}), scores(result, self.assignment)
        if all(score is None for score in before.values()) or before == after:
            return True
        old = self.runs.get(student)
        why = (why_stale(old, self.bounds[student]) if old else "") or "the gradebook held another mark"
        self.run.changes.append(Change(student, self.assignment.chapter, before, after, why))
        return self.run.accept

    def write_files(self, student, result):
        """Write one result's files."""
        write_record(self.run.classroom, self.assignment, student, result, self.bounds[student], self.seed)

    def write_due(self, due):
        """Write the marks of a batch; where that fails, one by one, so that one cannot cost the others theirs."""
        from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

        self.run.still_alone()
        try:
            write_marks(self.book, self.assignment, due)
            return {}
        except SQLAlchemyError as error:
            if is_full(error) or is_lost(error):
                raise
            lost = {}
            for student, data in due.items():
                lost |= self.attempt(
                    student, lambda student=student, data=data: write_marks(self.book, self.assignment, {student: data})
                )
            if len(lost) == len(due) and not isinstance(error, DataError | IntegrityError):
                raise  # it is not what these students are called
            return lost

    def attempt(self, student, action):
        """Do something for one student; a failure is that student's alone, but for a disk that takes no more."""
        try:
            action()
        except Exception as error:
            if isinstance(error, OSError) and error.errno in FULL:
                raise CourseError(f"{in_words(error)}; what is recorded stays") from error
            if is_full(error) or is_lost(error):
                raise
            reason = f"{type(error).__name__}: {reason_of(error)}"
            return {student: failed(self.assignment, f"graded, but not recorded ({reason})")}
        return {}


def scores(result, assignment):
    """Return the points of each exercise; 0 for all where a submission could not be run."""
    return {verdict.name: verdict.score for verdict in result.verdicts} or dict.fromkeys(assignment.exercises, 0.0)


@contextmanager
def only_run(classroom):
    """Be the only run in a class's folder and with its gradebook; yields what is to be called before each writing.

    Errors: UsageError where another one is going on; CourseError where the gradebook's server does not answer.
    """
    with (
        locked(classroom.root / ".grading.lock", f"in {classroom.root}"),
        only_writer(classroom.database) as still_alone,
    ):
        yield still_alone


def unnameable(assignment):
    """Return the result of a submission whose folder has a name that cannot be written down."""
    reason = (
        "its folder's name is not UTF-8, begins with a dot, or holds control characters: "
        "rename the folder and grade again"
    )
    return failed(assignment, reason)
