"""Watch: what arrives is graded once it is whole, by one writer, and nothing is lost or doubled by a kill."""

import fcntl
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.classroom.gradebook import database
from autograder.classroom.gradebook.exchange import TIMESTAMP
from autograder.classroom.results.load import load_run
from autograder.course.course import COURSE_ID, Course
from autograder.errors import UsageError
from autograder.lms.watch import PATIENCE_SECONDS, SETTLE_SECONDS, ArrivalWatcher
from autograder.runs.class_run import ClassRun, lock_class
from tests.support.hand_in import CHAPTER
from tests.support.patience import LONG
from tests.support.root import ROOT

SQUARED = "def double(x):\n    return x ** 2"
COURSE = Course(ROOT)
REAL = COURSE.chapters()[0]


class Clock:
    """Time that passes only while the watch sleeps, and what happens meanwhile."""

    def __init__(self):
        self.now, self.plan, self.until = 0.0, [], 0.0

    def sleep(self, seconds):
        """Let time pass, and what was planned happen."""
        self.now += seconds
        while self.plan and self.plan[0][0] <= self.now:
            self.plan.pop(0)[1]()


@pytest.fixture
def clock():
    """A clock of our own."""
    return Clock()


@pytest.fixture
def watch(classroom, assignment, clock):
    """Watch the class for so many seconds of that clock; return the lines that were said, and the results."""

    def watched(seconds, **settings):
        said, results, until = [], [], clock.now + seconds
        run = ClassRun(classroom, [assignment], **settings)
        kept = {"clock": lambda: clock.now, "sleep": clock.sleep, "is_over": lambda: clock.now >= until}
        ArrivalWatcher(run, said.append, lambda student, result: results.append((student, result.score)), **kept)()
        return said, results

    return watched


@pytest.fixture
def copied(classroom, answered):
    """Write so much of a student's notebook, as a slow copy does."""

    def write(student, part=1.0, source=None):
        folder = classroom.submitted(student, CHAPTER)
        folder.mkdir(parents=True, exist_ok=True)
        data = nbformat.writes(answered(source) if source else answered()).encode()
        (folder / f"{CHAPTER}.ipynb").write_bytes(data[: int(part * len(data))])

    return write


def marks(classroom):
    """Return everybody's mark in the gradebook."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        return {entry["student"]: entry["score"] for entry in book.submission_dicts(CHAPTER)}


def test_what_arrives_is_graded_and_what_was_graded_is_not(watch, classroom, clock, copied):
    """One is there, two come later; another watch grades nothing again."""
    copied("ada")
    clock.plan = [(5.0, lambda: copied("ben", source=SQUARED)), (9.0, lambda: copied("cy"))]
    said, results = watch(15.0)
    assert [student for student, _ in results] == ["ada", "ben", "cy"]
    assert marks(classroom) == dict(results)
    assert f"ada {CHAPTER}: graded, 10 of 10; 0 in the queue, 1 graded in the last minute" in said
    again, nothing = watch(5.0)
    assert (nothing, again[1]) == ([], "3 graded and up to date; 0 in the queue")


def test_it_says_what_counts_where_that_is_less(watch, classroom, clock, copied):
    """Two days late at a tenth a day: ten points are graded, and eight count."""
    (classroom.root / "class.toml").write_text(
        f'[class]\ntimezone = "UTC"\n[late]\npercent_per_day = 10\n[due]\n{CHAPTER} = 2026-11-20T12:00:00\n'
    )
    copied("ada")
    (classroom.submitted("ada", CHAPTER) / TIMESTAMP).write_text("2026-11-22 10:00:00 UTC")
    said, _ = watch(5.0)
    assert f"ada {CHAPTER}: graded, 10 of 10, 8 counts; 0 in the queue, 1 graded in the last minute" in said
    text = (classroom.root / "class.toml").read_text()
    (classroom.root / "class.toml").write_text(text.replace("= 10\n", "= 20\n"))
    del vars(classroom)["class_file"]  # as a new command reads it
    said, _ = watch(2.0)
    assert [line for line in said if line.startswith(f"ada {CHAPTER}: total 8 -> 6: ") and "--yes" in line]


def test_a_half_copied_notebook_is_not_graded(watch, clock, copied):
    """While it grows it waits, named once, and where the copy halts as well; it is graded once, when it is whole."""
    clock.plan = [(float(second), lambda part=second / 5: copied("ada", part)) for second in range(1, 4)]
    clock.plan.append((30.0, lambda: copied("ada")))
    said, results = watch(40.0)
    assert results == [("ada", 10)]
    assert [line for line in said if "arrived" in line] == ["1 arrived: ada; 1 in the queue"]


def test_what_stays_broken_is_graded_as_that(watch, clock, copied):
    """A file that never becomes a notebook is given a minute, then its student hears what is wrong with it."""
    copied("ada", 0.5)
    assert watch(PATIENCE_SECONDS - 2)[1] == []
    said, results = watch(PATIENCE_SECONDS + 5)
    assert results == [("ada", 0)]
    assert any(line.startswith(f"ada {CHAPTER}: invalid_submission") for line in said)


def test_it_waits_until_files_are_still(watch, clock, copied):
    """A whole notebook that is written again and again is graded when that has stopped."""
    clock.plan = [(second / 1.0, lambda: copied("ada")) for second in range(1, 20)]
    _, results = watch(19.0 + SETTLE_SECONDS - 1)
    assert results == []
    assert watch(SETTLE_SECONDS + 3)[1] == [("ada", 10)]


def test_changed_marks_wait_for_a_person(watch, classroom, clock, copied):
    """A better notebook that comes later is graded and told of once; its mark is written where that was allowed."""
    copied("ada", source=SQUARED)
    clock.plan = [(6.0, lambda: copied("ada"))]
    said, results = watch(20.0)
    assert [score for _, score in results] == [results[0][1], 10]
    (change,) = [line for line in said if "not written" in line]
    assert change.startswith(f"ada {CHAPTER}: {results[0][1]:g} -> 10")
    assert marks(classroom)["ada"] == results[0][1]
    watch(5.0, write_changes=True)
    assert marks(classroom)["ada"] == 10


def test_a_new_time_alone_is_taken_up(watch, classroom, clock, copied):
    """The same notebook handed in again: the gradebook gets the new time, and the mark stays."""
    copied("ada")
    stamp = classroom.submitted("ada", CHAPTER) / TIMESTAMP
    clock.plan = [(6.0, lambda: stamp.write_text("2026-11-22 10:00:00 UTC"))]
    watch(12.0)
    with Gradebook(classroom.database, COURSE_ID) as book:
        assert str(book.find_submission(CHAPTER, "ada").timestamp) == "2026-11-22 10:00:00"


def test_a_gradebook_that_is_locked_does_not_end_it(watch, classroom, clock, copied, monkeypatch):
    """Somebody else keeps the gradebook for a while: it says so, tries again, and grades then."""
    copied("ada")
    watch(5.0)
    monkeypatch.setattr(database, "OPEN_SECONDS", 0.1)
    other = sqlite3.connect(classroom.root / "gradebook.db", isolation_level=None)
    copied_and_locked = [lambda: copied("ben"), lambda: other.execute("BEGIN EXCLUSIVE")]
    clock.plan = [(7.0, act) for act in copied_and_locked] + [(30.0, other.close)]
    said, results = watch(100.0)
    (told,) = [line for line in said if "is locked by another program" in line]
    assert told.endswith("Retrying in 60 seconds")
    assert results == [("ben", 10)]


def test_one_writer(watch, classroom, assignment, copied, clock):
    """A grade that is started meanwhile hears who is running, and a watch that is started beside a grade too."""
    copied("ada")
    heard = []

    def grade():
        with pytest.raises(UsageError) as refused:
            list(ClassRun(classroom, [assignment]))
        heard.append(str(refused.value))

    clock.plan = [(1.0, grade)]
    watch(3.0)
    assert heard[0].startswith(f"another `autograder watch` is running in {classroom.root} (process {os.getpid()} on ")
    with (
        lock_class(classroom, "autograder grade"),
        pytest.raises(UsageError, match="another `autograder grade` is running"),
    ):
        watch(3.0)


def start(folder):
    """Start the command on the real course; its words go into a file."""
    command = [sys.executable, "-m", "autograder", "watch", REAL, "--root", folder, "--jobs", "1"]
    with (folder / "said").open("a") as said:
        return subprocess.Popen(command, stderr=said, start_new_session=True)


def until(is_so, what, run):
    """Wait until something is so, while a command runs."""
    end = time.monotonic() + 4 * LONG
    while not is_so():
        assert run.poll() is None, f"it ended before {what}"
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.1)


def is_free(path):
    """Say whether nobody holds a lock."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def test_killed_and_started_again_and_ended(classroom):
    """After kill -9 the same command takes up what is left; TERM ends it with a line, exit 0 and a free lock."""
    source = COURSE.assignment(REAL).released_path.read_bytes()

    def hand_in(student):
        classroom.submitted(student, REAL).mkdir(parents=True)
        classroom.notebook(student, REAL).write_bytes(source)

    hand_in("ada")
    run = start(classroom.root)
    until(lambda: load_run(classroom, "ada", REAL), "Ada is graded", run)
    run.kill()
    run.wait()
    hand_in("ben")
    run = start(classroom.root)
    until(lambda: load_run(classroom, "ben", REAL), "Ben is graded", run)
    until(lambda: f"ben {REAL}: not_attempted" in (classroom.root / "said").read_text(), "it is said", run)
    run.send_signal(signal.SIGTERM)
    assert run.wait(4 * LONG) == 0
    said = (classroom.root / "said").read_text()
    assert said.rstrip().endswith("ended; what has been graded so far is saved")
    assert said.count(f"ada {REAL}: not_attempted") <= 1
    assert is_free(classroom.root / ".grading.lock")
    with Gradebook(classroom.database, COURSE_ID) as book:
        assert sorted(one.student.id for one in book.assignment_submissions(REAL)) == ["ada", "ben"]


HUGE = {
    "objects": b'{"cells": [' + b"{}," * (6 << 20) + b"{}]}",
    "brackets": b"[" * (63 << 20),
}


@pytest.mark.parametrize("kind", HUGE)
def test_a_hostile_notebook_is_its_students_alone(watch, submit, answered, classroom, clock, kind, little_memory):
    """It is refused by intake's limits, whatever memory reading it as JSON would take, and others are graded."""
    submit("ada", answered())
    path = classroom.notebook("eve", CHAPTER)
    path.parent.mkdir(parents=True)
    path.write_bytes(HUGE[kind])
    said, results = watch(PATIENCE_SECONDS + 5)
    assert sorted(results) == [("ada", 10), ("eve", 0)]
    assert any("eve" in line and "invalid_submission" in line for line in said)


@pytest.fixture
def little_memory():
    """The process may take some memory more than it has, far less than such a notebook would become."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + (350 << 20), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)
