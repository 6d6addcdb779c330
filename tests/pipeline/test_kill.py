"""Killed at any moment and started again, a run ends with the marks of one that nobody disturbed.

``KILLS=20 STUDENTS=100 pytest tests/pipeline/test_kill.py`` does it more often, on a larger class.
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

from autograder.pipeline.course import COURSE_ID, ClassRoom
from autograder.pipeline.sample_class import hands, write_submission

CHAPTER = "04_query_key_value"
KILLS, STUDENTS = int(os.environ.get("KILLS", 1)), int(os.environ.get("STUDENTS", 12))
KINDS = ("right", "mistakes", "half_done", "empty")


@pytest.fixture(scope="module")
def submitted(root, tmp_path_factory):
    """An honest class, handed in."""
    import numpy as np

    from autograder.pipeline.course import Course

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


def test_kill_at_any_moment_and_resume(submitted, tmp_path):
    """Same gradebook and same results as undisturbed, nothing twice, nothing left running, nothing half-written."""
    calm, disturbed = tmp_path / "calm", tmp_path / "disturbed"
    for folder in (calm, disturbed):
        shutil.copytree(submitted, folder)
        (folder / f".grading-{CHAPTER}.json").write_text('{"seed": 20240206}')  # as if broken off at its very start
    started = time.monotonic()
    assert start(calm).wait() == 0
    whole = time.monotonic() - started
    rng, too_late = random.Random(20_240_206), 0
    for turn in range(KILLS):
        mark = f"killed-run-{os.getpid()}-{turn}"
        run = start(disturbed, mark)
        time.sleep(rng.uniform(0.1, 0.95) * whole)
        too_late += run.poll() is not None
        run.send_signal(signal.SIGKILL)
        run.wait()
        until = time.monotonic() + 10
        while still_running(mark) and time.monotonic() < until:
            time.sleep(0.05)
        assert not still_running(mark)
    assert start(disturbed).wait() == 0
    assert gradebook_of(disturbed) == gradebook_of(calm)
    assert len(gradebook_of(calm)) == 14 * STUDENTS
    results = [sorted(folder.glob("autograded/*/*/result.json")) for folder in (calm, disturbed)]
    assert [path.read_bytes() for path in results[0]] == [path.read_bytes() for path in results[1]]
    assert not list(disturbed.glob("**/.*.new"))
    print(f"killed {KILLS} times, {too_late} of them too late, in a run of {whole:.1f} s with {STUDENTS} submissions")
