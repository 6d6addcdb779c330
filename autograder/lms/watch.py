"""Grades what arrives below submitted/ for as long as it runs.

It checks the files once a second instead of asking the kernel for notifications: a class's folder is often on a network
drive that other machines write to, where the kernel reports nothing, and checking costs two `stat` calls each.

All its state is on disk. Killed at any moment and restarted, it grades what is not yet recorded, as `grade` does.
"""

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from autograder import sandbox
from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.classroom.gradebook.exchange import TIMESTAMP
from autograder.classroom.gradebook.total import Total
from autograder.classroom.results.load import load_run
from autograder.classroom.results.provenance import is_current, provenance
from autograder.course.course import Assignment
from autograder.errors import CourseError, IncompleteNotebook, InvalidSubmission, UsageError
from autograder.grading.intake import cells_of, submission_bytes, submission_hash
from autograder.grading.result import Result, describe_faults
from autograder.plain import can_be_named, join_first, visible_line
from autograder.runs.class_run import ClassRun
from autograder.runs.schedule import RetryBudget
from autograder.sandbox.host.limited_child import run_limited

from .exchange_arrivals import Inbound, nbgrader_of

LOOK_SECONDS, SETTLE_SECONDS = 1.0, 2.0
PATIENCE_SECONDS = 60.0  # for an incomplete notebook that no longer changes: a slow copy may have stalled
AGAIN_SECONDS = 60.0  # until an infrastructure failure is retried
RATE_SECONDS = 60.0
READ_SECONDS = 10  # of processor time, to see whether a notebook is complete
AT_ONCE = 64  # submissions; then it checks again for new arrivals
MAX_NAMED = 3  # students in one line
FileState = tuple[int, int, int, int] | None  # inode, size, both times; None where there is no file


@dataclass
class Arrival:
    """One submission's files: their state, since when it holds, and which state has been handled."""

    state: tuple[FileState, FileState]
    since: float
    done: tuple[FileState, FileState] | None = None
    is_whole: bool | None = None  # whether the notebook is complete; None if not checked


@dataclass
class ArrivalWatcher:
    """Grades what arrives for some assignments. ``say`` gets each line for people, ``finished`` each result.

    It holds the lock of a class run for as long as it runs.
    Errors, before anything is graded: SandboxUnavailable, UsageError (another run is in progress), CourseError.
    """

    run: ClassRun
    say: Callable
    finished: Callable
    collect: bool = False
    settle: float = SETTLE_SECONDS
    clock: Callable = time.monotonic
    sleep: Callable = time.sleep
    is_over: Callable = lambda: False
    nbgrader: Callable = nbgrader_of
    seen: dict[tuple[Assignment, str], Arrival] = field(default_factory=dict)
    ends: deque[float] = field(default_factory=deque)  # when the last submissions were finished

    def __call__(self) -> None:
        """Watch until interrupted, or until ``is_over`` returns True when everything has been handled."""
        sandbox.require(self.run.protected)
        classroom = self.run.classroom
        with self.run.hold_lock("autograder watch"):
            nbgrader = self.nbgrader(classroom) if self.collect else None
            boxes = [Inbound(nbgrader, assignment.chapter) for assignment in self.run.chosen if nbgrader]
            self.say(f"watching {classroom.root / 'submitted'} for {self.names()}; Ctrl+C ends it")
            self.take_up()
            while not self.is_over():
                try:
                    self.sleep(0.0 if self.turn(boxes) else LOOK_SECONDS)
                except CourseError as error:  # for example, a gradebook that stays locked: retry later
                    self.say(f"{error}. Retrying in {AGAIN_SECONDS:g} seconds")
                    self.sleep(AGAIN_SECONDS)

    def turn(self, boxes: list[Inbound]) -> bool:
        """Collect, check and grade once; say whether there was anything to grade."""
        for line in (line for box in boxes for line in box.collected()):
            self.say(line)
        self.look()
        return self.grade_what_is_ready()

    def take_up(self) -> None:
        """Mark as handled what is recorded and up to date; write marks that did not reach the gradebook."""
        self.look(quietly=True)
        for assignment in self.run.chosen:
            kept = [student for of, student in self.seen if of == assignment and self.is_recorded(of, student)]
            for student, _ in self.run.grade_assignment(assignment, kept) if kept else ():
                self.seen[assignment, student].done = self.seen[assignment, student].state
        self.say_notes()
        self.tell_changes()
        self.run.changes.clear()
        self.say(f"{len(self.seen) - len(self.waiting())} graded and up to date; {self.queue()}")

    def say_notes(self) -> None:
        """Say what a class run has noted."""
        while self.run.notes:
            self.say(self.run.notes.pop(0))

    def is_recorded(self, assignment: Assignment, student: str) -> bool:
        """Say whether a submission's record matches its present notebook."""
        classroom, chapter = self.run.classroom, assignment.chapter
        run = load_run(classroom, student, chapter) if can_be_named(student) else None
        now = submission_hash(classroom.notebook(student, chapter), FOLDERS)
        return is_current(run, provenance(assignment, self.run.limits, now))

    def names(self) -> str:
        """Format the chapters."""
        return ", ".join(assignment.chapter for assignment in self.run.chosen)

    def look(self, quietly: bool = False) -> None:
        """Check every submission's files, and name those that were not in the queue yet."""
        now, found, queued = self.clock(), {}, self.waiting()
        for assignment in self.run.chosen:
            for student in present(self.run.classroom, assignment.chapter):
                key, state = (assignment, student), self.state(student, assignment.chapter)
                known = self.seen.get(key)
                if known is None:
                    known = Arrival(state, now)
                elif known.state != state:
                    known = Arrival(state, now, known.done)
                found[key] = known
        arrived = [key for key, seen in found.items() if self.seen.get(key) is not seen and key not in queued]
        self.seen = found
        if arrived and not quietly:
            names = join_first((visible_line(student) for _, student in arrived), MAX_NAMED)
            self.say(f"{len(arrived)} arrived: {names}; {self.queue()}")

    def state(self, student: str, chapter: str) -> tuple[FileState, FileState]:
        """Return a value that identifies the present state of a submission's files."""
        folder = f"{self.run.classroom.root}/submitted/{student}/{chapter}"  # a Path costs more than the check
        return state_of(f"{folder}/{chapter}.ipynb"), state_of(f"{folder}/{TIMESTAMP}")

    def waiting(self) -> dict[tuple[Assignment, str], Arrival]:
        """Return what has arrived and has not been handled."""
        return {key: seen for key, seen in self.seen.items() if seen.done != seen.state}

    def queue(self) -> str:
        """Describe the queue's length and speed."""
        while self.ends and self.ends[0] < self.clock() - RATE_SECONDS:
            self.ends.popleft()
        rate = f", {len(self.ends)} graded in the last minute" if self.ends else ""
        return f"{len(self.waiting())} in the queue{rate}"

    def is_ready(self, key: tuple[Assignment, str], seen: Arrival) -> bool:
        """Say whether a submission's files are final.

        They have not changed for a while, and the notebook is complete; an incomplete one gets more time.
        """
        still = self.clock() - seen.since
        if still < self.settle:
            return False
        if seen.is_whole is None:
            seen.is_whole = is_whole(self.run.classroom.notebook(key[1], key[0].chapter))
        return seen.is_whole or still >= max(self.settle, PATIENCE_SECONDS)

    def grade_what_is_ready(self) -> bool:
        """Grade and save some of what is ready, oldest first; say whether there was any."""
        waiting = sorted(self.waiting().items(), key=lambda item: item[1].since)
        ready = [key for key, seen in waiting if self.is_ready(key, seen)][:AT_ONCE]
        for assignment in self.run.chosen:
            if students := [student for of, student in ready if of == assignment]:
                self.grade(assignment, students)
        return bool(ready)

    def grade(self, assignment: Assignment, students: list[str]) -> None:
        """Grade and save some submissions of one assignment."""
        self.run.changes.clear()
        self.run.retries = RetryBudget()
        states = {student: self.seen[assignment, student].state for student in students}
        names = join_first(map(visible_line, students), MAX_NAMED)
        self.say(f"grading {names} ({assignment.chapter}); {self.queue()}")
        for student, result in self.run.grade_assignment(assignment, students):
            seen = self.seen.get((assignment, student))
            self.ends.append(self.clock())
            self.finished(student, result)
            if seen and result.status != "infrastructure":
                seen.done = states[student]
            elif seen:
                seen.since = self.clock() + AGAIN_SECONDS - self.settle
            outcome = describe_outcome(result, self.run.total(student, result))
            self.say(f"{student} {assignment.chapter}: {outcome}; {self.queue()}")
        for student in students:  # an unprintable name is retried under another
            if not can_be_named(student):
                self.seen[assignment, student].done = states[student]
        self.say_notes()
        self.tell_changes()

    def tell_changes(self) -> None:
        """Tell which marks, pages and totals changed, or wait."""
        for change in self.run.changes:
            self.say(str(change) if self.run.write_changes else f"{change}; not written: add --yes")


def describe_outcome(result: Result, total: Total | None) -> str:
    """Describe a submission's result, and its total if lateness or a person changes it."""
    score = f", {result.score:g} of {result.max_score:g}" if result.verdicts else ""
    counts = total.score if total else None
    faults = f", faults of the checks: {describe_faults(result.faults)}" if result.faults else ""
    return f"{result.status}{score}{f', {counts:g} counts' if counts not in (None, result.score) else ''}{faults}"


def present(classroom: ClassRoom, chapter: str) -> list[str]:
    """Return the names in this chapter's folders; none is not an error here."""
    try:
        return classroom.students(chapter)
    except UsageError:
        return []


def state_of(path: str) -> FileState:
    """Return a value that changes whenever a file does, or None if there is no file."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def is_whole(path: Path) -> bool:
    """Say whether a notebook is complete. What can never become complete counts too: grading explains it.

    A student wrote it, so it is read in a limited child; what exceeds its limits is graded later, as if incomplete.
    """
    try:
        run_limited(lambda: _refuse_incomplete(path), READ_SECONDS)
    except CourseError:
        return False
    return path.is_symlink() or path.exists()


def _refuse_incomplete(path: Path) -> None:
    """Errors: CourseError if a notebook's bytes are the beginning of something."""
    try:
        cells_of(submission_bytes(path, FOLDERS))
    except IncompleteNotebook as error:
        raise CourseError("incomplete") from error
    except InvalidSubmission:
        pass
