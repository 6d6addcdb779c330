"""A class run: every submission of some chapters through grading into the record, with a progress bar.

A run can be killed at any moment and started again: what is recorded and still up to date is not graded twice.
"""

import json
import secrets
import sys
from contextlib import contextmanager

from tqdm import tqdm

from autograder import sandbox
from autograder.errors import CourseError, ServiceLost, UsageError
from autograder.plain import visible
from autograder.sandbox import Limits

from ..term.total import Total, Totals, settled
from ..term.which_gradebook import keep
from .changes import NAMED, Change, on_the_page
from .course import FOLDERS, ClassRoom, can_be_named
from .database import is_full, is_lost, locked, only_writer, reason_of
from .exchange import came, keep_stamps, read_stamps
from .files import FULL, in_words, write_whole
from .gradebook import automatic_marks, gradebook, register, times, to_register, write_marks
from .intake import beside, digest
from .record import bound_to, read_result, read_run, why_stale, write_record
from .result import WITHOUT_MARK, failed
from .schedule import Schedule

BATCH = 128  # submissions per transaction, at most; after a second it is written all the same


class ClassRun:
    """Grades and records every submission of the chosen assignments.

    Iterating yields ``(student, Result)`` as each is done; what is up to date comes from the record. One seed,
    which nobody knew before, serves the whole run; what a student is asked follows from it and from what was handed in.
    Marks and pages that would change are kept in ``changes``, and are written only where ``accept`` is set.
    ``only`` names the students whose submissions are looked at; everybody's where it is empty.
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
        only=(),
    ):
        self.classroom, self.chosen, self.jobs, self.scheduler = classroom, chosen, jobs, scheduler
        self.only = frozenset(only)
        self.protected, self.seed, self.limits, self.accept = protected, seed, limits or Limits(), accept
        self.changes = []
        self.notes = []  # what lies in a folder under another name, a line each
        self.failed = {}  # whom the machine failed, by chapter and reason

    def __iter__(self):
        """Grade."""
        if not self.scheduler:
            sandbox.level(self.protected)
        students = {assignment: self.students(assignment.chapter) for assignment in self.chosen}
        total = sum(map(len, students.values()))
        with (
            only_run(self.classroom) as self.still_alone,
            tqdm(total=total, unit="notebook", file=sys.stderr) as progress,
        ):
            try:
                for assignment, names in students.items():
                    for student, result in self.assignment(assignment, names):
                        self.note(assignment, student, result)
                        yield student, result
                        progress.update(result.status != "infrastructure")  # the bar shows what is recorded
            except ServiceLost as error:
                raise ServiceLost(
                    f"{error}; {progress.n} of {total} are done and stay; run the same command again for the rest"
                ) from error

    def students(self, chapter):
        """Return whose submissions of a chapter are looked at. Errors: UsageError where somebody has none."""
        found = self.classroom.students(chapter)
        if missing := sorted(self.only - set(found)):
            raise UsageError(f"no submission of {chapter} by {visible(missing[0])} in {self.classroom.root}/submitted")
        return [student for student in found if not self.only or student in self.only]

    def note(self, assignment, student, result):
        """Note what lies in a student's folder and was not graded."""
        others = beside(self.classroom.notebook(student, assignment.chapter))
        if result.status == "infrastructure":
            self.failed.setdefault((assignment.chapter, result.message), []).append(student)
        elif result.status == "no_notebook":
            self.notes.append(f"{student} {assignment.chapter}: no mark: {result.message}")
        elif others:
            self.notes.append(
                f"{student} {assignment.chapter}: not looked at, beside the notebook: {', '.join(others)}"
            )

    def failures(self):
        """Return a line for each reason why the machine failed somebody, who has no mark until this is run again."""
        return [
            f"{', '.join(students[:NAMED])}{f' and {len(students) - NAMED} more' if len(students) > NAMED else ''} "
            f"{chapter}: no mark, the machine failed: {reason}"
            for (chapter, reason), students in self.failed.items()
        ]

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
        stamps = {student: read_stamps(self.classroom.submitted(student, assignment.chapter)) for student in bounds}
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
            marks, changed = self.prepare(assignment)
            keep(self.classroom.root, self.classroom.database)
            with gradebook(self.classroom) as book:
                self.totals = Totals(self.classroom, book, assignment)
                recorder = Recorder(self, assignment, book, bounds, stamps, runs, seed, marks, changed)
                kept = [student for student in bounds if student not in runs]
                yield from recorder.keep(kept)
                yield from recorder.record(schedule.grade_all())
                if self.classroom.class_file.path:
                    settled(self.classroom, book, assignment)
        for student in students:
            if student not in bounds:
                yield visible(student), unnameable(assignment)
        if self.seed is None:  # a run that has come to its end: what it asked is not asked again
            self.seed_file(assignment).unlink(missing_ok=True)

    def prepare(self, assignment):
        """Make the gradebook know an assignment, but for points and exercises that change: they await a word.

        Return the marks that it held before, and what changes.
        """
        with gradebook(self.classroom) as book:
            marks, changed = automatic_marks(book, assignment), to_register(book, assignment)
        self.changes += changed.by_hand
        if self.accept or not changed:
            register(self.classroom, assignment)
        return marks, changed

    def total(self, student, result) -> Total | None:
        """Return what counts of the result that was just yielded; of a change that awaits a word, what did before.

        None where there is no mark.
        """
        if result.status in WITHOUT_MARK:
            return None
        latest = () if self.accept else self.changes[-2 * BATCH :]  # a change is noted with the batch it belongs to
        changes = (one for one in latest if isinstance(one, Change))
        waiting = [one.before for one in changes if (one.student, one.chapter) == (student, result.assignment)]
        return self.totals.of(student, waiting[0] if waiting else scores(result, self.totals.assignment))

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

    def __init__(self, run, assignment, book, bounds, stamps, runs, seed, marks, changed):
        self.run, self.assignment, self.book = run, assignment, book
        self.bounds, self.stamps, self.runs, self.seed = bounds, stamps, runs, seed
        self.marks, self.changed, self.times = marks, changed, times(book, assignment)

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
        for student, result in wanted.items():
            lost |= self.attempt(
                student, lambda student=student, result=result: self.write_files(student, result, with_files)
            )
        due = {
            student: result.as_dict()
            for student, result in wanted.items()
            if student not in lost
            and result.status != "no_notebook"
            and (with_files or not self.is_in_gradebook(student, result))
        }
        if due:
            lost |= self.write_due(due)
        return {**batch, **lost}

    def is_wanted(self, student, result):
        """Say whether a result is to be written, and note the change where it awaits a word from a person."""
        if result.status == "infrastructure":
            return False
        before, after = self.marks.get(student, {}), scores(result, self.assignment)
        is_first = all(score is None for score in before.values())
        if result.status == "no_notebook" and not is_first:
            return False  # the mark is of a notebook that was here
        page = self.page(student, result)
        differs = not is_first and (page or {**dict.fromkeys(after, 0.0), **known(before)} != after)
        if differs or self.changed:
            page = page or (("graded out of other points",) if self.changed else ())
            why = self.why(student, is_first)
            self.run.changes.append(Change(student, self.assignment.chapter, before, after, why, page))
        return self.run.accept or not (differs or self.changed)

    def why(self, student, is_first):
        """Say in words why a mark or a page changes."""
        old, now = self.runs.get(student), self.bounds[student]
        if is_first:
            return f"a first mark, which waits since {self.changed.why}"
        if self.changed:
            same = old and old["bound"].get("submission") == now["submission"]
            return self.changed.why + ("" if same else "; the submission is another one")
        return (why_stale(old, now) if old else "") or "the gradebook held another mark"

    def page(self, student, result):
        """Say what changes on a student's page by what we did; of new work that is handed in, it is meant to change."""
        old, now = self.runs.get(student), self.bounds[student]
        if not old or old["bound"] == now or old["bound"].get("submission") != now["submission"]:
            return ()
        recorded = read_result(self.run.classroom, student, self.assignment.chapter)
        return on_the_page(recorded, result) if recorded else ()

    def is_in_gradebook(self, student, result):
        """Say whether the gradebook holds a result's marks, and when its submission came."""
        marks = self.marks.get(student) == scores(result, self.assignment)
        return marks and self.times.get(student) == came(self.stamps[student])

    def write_files(self, student, result, anew):
        """Write one result's files, or only when it came: the same notebook may have been handed in once more."""
        if anew:
            write_record(self.run.classroom, self.assignment, student, result, self.bounds[student], self.seed)
        keep_stamps(self.run.classroom, student, self.assignment.chapter, self.stamps[student])

    def write_due(self, due):
        """Write the marks of a batch; where that fails, one by one, so that one cannot cost the others theirs."""
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
                raise  # it is not what these students are called
            return lost

    def put(self, due):
        """Put marks into the gradebook, and when their submissions came."""
        write_marks(self.book, self.assignment, due, {student: came(self.stamps[student]) for student in due})

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


def known(marks):
    """Return marks with 0 for what nobody has marked yet, as nbgrader counts it."""
    return {name: score or 0.0 for name, score in marks.items()}


def scores(result, assignment):
    """Return the points of each exercise; 0 for all where a submission could not be run."""
    return {verdict.name: verdict.score for verdict in result.verdicts} or dict.fromkeys(assignment.exercises, 0.0)


@contextmanager
def only_run(classroom, command="autograder grade"):
    """Be the only run in a class's folder and with its gradebook; yields what is to be called before each writing.

    Errors: UsageError where another one is going on; CourseError where the gradebook's server does not answer.
    """
    folder = locked(classroom.root / ".grading.lock", f"in {classroom.root}", command)
    with folder, only_writer(classroom.database, command) as still_alone:
        yield still_alone


def unnameable(assignment):
    """Return the result of a submission whose folder has a name that cannot be written down."""
    reason = (
        "its folder's name is not UTF-8, begins with a dot, or holds control characters: "
        "rename the folder and grade again"
    )
    return failed(assignment, reason)
