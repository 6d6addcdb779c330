"""Killed at any moment and started again, a run ends with the marks of one that nobody disturbed.

``KILLS=20 STUDENTS=100 pytest tests/autograder/runs/test_kill.py`` does it more often, on a larger class.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.chapter_totals import read_totals, sync_totals
from autograder.classroom.gradebook.gradebook import gradebook
from autograder.classroom.results import batch_writer
from autograder.classroom.sample_class import hands, write_submission
from autograder.course.course import COURSE_ID
from autograder.runs import class_run
from autograder.runs.class_run import ClassRun
from tests.support.hand_in import CHAPTER as MINI
from tests.support.hand_in import RIGHT
from tests.support.patience import LONG

CHAPTER = "04_query_key_value"
KILLS, STUDENTS = int(os.environ.get("KILLS", 1)), int(os.environ.get("STUDENTS", 8))
DUE = '[class]\ntimezone = "UTC"\n[late]\npercent_per_day = 10\n[due]\n{} = 2026-12-0{}T23:59:00\n'
KINDS = ("right", "mistakes", "half_done", "empty")


@pytest.fixture(scope="module")
def submitted(root, tmp_path_factory):
    """An honest class, handed in."""
    import numpy as np

    from autograder.course.course import Course

    room, assignment = ClassRoom(tmp_path_factory.mktemp("class")), Course(root).assignment(CHAPTER)
    dealt, rng = hands(assignment.exercises), np.random.default_rng(0)
    for index in range(STUDENTS):
        folder = room.submitted(f"student{index:03}", CHAPTER)
        write_submission(assignment, folder, KINDS[index % len(KINDS)], index, dealt, rng)
        (folder / "timestamp.txt").write_text(f"2026-12-{index % 9 + 1:02} 12:00:00 UTC")
    (room.root / "class.toml").write_text(DUE.format(CHAPTER, 3))
    return room.root


def start(folder, mark=""):
    """Start a run of the command."""
    return subprocess.Popen(
        [sys.executable, "-m", "autograder", "grade", CHAPTER, "--root", folder, "--jobs", "2"],
        stderr=subprocess.DEVNULL,
        env={**os.environ, "RUN_MARK": mark},
        start_new_session=True,
    )


def gradebook_of(folder):
    """Return every mark and comment, as ``{(student, cell): (automatic, manual, comment)}``."""
    found = {}
    with Gradebook(ClassRoom(folder).database, COURSE_ID) as book:
        for submission in book.assignment_submissions(CHAPTER):
            (notebook,) = submission.notebooks
            for grade in notebook.grades:
                found[submission.student.id, grade.name] = (grade.auto_score, grade.manual_score)
            for comment in notebook.comments:
                found[submission.student.id, f"comment on {comment.name}"] = comment.auto_comment
        assert len(book.students) == len(book.assignment_submissions(CHAPTER))
    return found


def still_running(mark):
    """Return the processes that carry a mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def handed_in(submitted, folder):
    """Return a copy of the class whose run is as if broken off at its very start, so that all runs have one seed."""
    shutil.copytree(submitted, folder)
    (folder / f".grading-{CHAPTER}.json").write_text('{"seed": 20240206}')
    return folder


def results_of(folder):
    """Return the bytes of every result."""
    return [path.read_bytes() for path in sorted(folder.glob("autograded/*/*/result.json"))]


def kill(run, mark):
    """Kill a run at once, and wait until all that it had started is gone; say whether it was still at work."""
    at_work = run.poll() is None
    run.send_signal(signal.SIGKILL)
    run.wait()
    until = time.monotonic() + LONG
    while still_running(mark) and time.monotonic() < until:
        time.sleep(0.05)
    assert not still_running(mark)
    return at_work


def test_kill_at_any_moment_and_resume(submitted, tmp_path):
    """Same gradebook and same results as undisturbed, nothing twice, nothing left running, nothing half-written."""
    calm = handed_in(submitted, tmp_path / "calm")
    started = time.monotonic()
    assert start(calm).wait() == 0
    whole, wanted = time.monotonic() - started, gradebook_of(calm)
    assert len(wanted) == 14 * STUDENTS
    rng, killed, recorded = random.Random(20_240_206), 0, []
    for turn in range(KILLS):
        folder, mark = handed_in(submitted, tmp_path / f"turn{turn}"), f"killed-run-{os.getpid()}-{turn}"
        run = start(folder, mark)
        time.sleep(rng.uniform(0.05, 0.9) * whole)
        killed += kill(run, mark)
        recorded.append(len(results_of(folder)))
        assert start(folder).wait() == 0
        assert gradebook_of(folder) == wanted
        assert results_of(folder) == results_of(calm)
        lateness = f".lateness-{CHAPTER}.json"
        assert json.loads((folder / lateness).read_text()) == json.loads((calm / lateness).read_text())
        assert not list(folder.glob("**/.*.new"))
    print(
        f"{killed} of {KILLS} killed at work, in a run of {whole:.1f} s; of {STUDENTS} were recorded then: {recorded}"
    )


STEPS = {
    "before its marks": (batch_writer, "write_marks"),
    "before its end": (class_run, "sync_totals"),
}
SQUARED = "def double(x):\n    return x ** 2"
IN_TIME, LATE = "2026-12-01 12:00:00 UTC", "2026-12-05 12:00:00 UTC"


class Killed(BaseException):
    """Nothing handles it, as a signal."""


def killed_run(room, assignment, step):
    """Start a run that is killed at one of its steps."""

    def end(*arguments):
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*STEPS[step], end)
        with pytest.raises(Killed):
            list(ClassRun(room, [assignment], seed=7, write_changes=True))


def in_force(room, assignment):
    """Return ``{student: (points, lateness, total)}``, as any command that reads marks finds and updates them."""
    with gradebook(ClassRoom(room.root)) as book:
        totals = read_totals(ClassRoom(room.root), book, assignment)
        sync_totals(ClassRoom(room.root), book, assignment)
    return {student: (total.points, total.lateness.state, total.score) for student, total in totals.items()}


@pytest.mark.parametrize("step", STEPS)
def test_no_mark_has_the_lateness_of_another(classroom, assignment, submit, answered, step):
    """Late work after punctual work, punctual after late: each mark stays with its own time until the next run."""
    (classroom.root / "class.toml").write_text(DUE.format(MINI, 3))
    work = {"ada": [(SQUARED, IN_TIME), (RIGHT, LATE)], "ben": [(RIGHT, LATE), (SQUARED, IN_TIME)]}
    before = {"ada": (0, "in_time", 0), "ben": (10, "late", 8)}
    after = {"ada": (10, "late", 8), "ben": (0, "in_time", 0)}

    def hand_in(number):
        for student, versions in work.items():
            shutil.rmtree(classroom.submitted(student, MINI), ignore_errors=True)
            submit(student, answered(versions[number][0]))
            (classroom.submitted(student, MINI) / "timestamp.txt").write_text(versions[number][1])

    hand_in(0)
    list(ClassRun(classroom, [assignment], seed=7))
    assert in_force(classroom, assignment) == before
    hand_in(1)
    killed_run(classroom, assignment, step)
    for _ in range(2):
        assert in_force(classroom, assignment) == (after if step == "before its end" else before)
    list(ClassRun(classroom, [assignment], seed=7, write_changes=True))
    assert in_force(classroom, assignment) == after


def test_a_first_mark_keeps_its_lateness_through_a_stricter_deadline(classroom, assignment, submit, answered):
    """The run is killed after its marks, and the deadline moves before anything else reads them: no total falls."""
    (classroom.root / "class.toml").write_text(DUE.format(MINI, 3))
    submit("ada", answered(RIGHT))
    (classroom.submitted("ada", MINI) / "timestamp.txt").write_text(LATE)
    killed_run(classroom, assignment, "before its end")
    (classroom.root / "class.toml").write_text(DUE.format(MINI, 1))
    assert in_force(classroom, assignment) == {"ada": (10, "late", 8)}
