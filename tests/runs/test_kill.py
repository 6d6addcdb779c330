"""Killed at any moment and started again, a run ends with the marks of one that nobody disturbed.

``KILLS=20 STUDENTS=100 pytest tests/runs/test_kill.py`` does it more often, on a larger class.
"""

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
from autograder.course.course import COURSE_ID
from autograder.delivery.sample_class import hands, write_submission

from ..support.patience import LONG

CHAPTER = "04_query_key_value"
KILLS, STUDENTS = int(os.environ.get("KILLS", 1)), int(os.environ.get("STUDENTS", 8))
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
        assert not list(folder.glob("**/.*.new"))
    print(
        f"{killed} of {KILLS} killed at work, in a run of {whole:.1f} s; of {STUDENTS} were recorded then: {recorded}"
    )
