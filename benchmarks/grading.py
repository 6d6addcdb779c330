"""Grade the same honest class with ``nbgrader autograde`` and with the autograder, in one run, and print both."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from nbgrader.api import Gradebook

from autograder.pipeline.course import COURSE_ID, ClassRoom, find_course
from autograder.pipeline.sample_class import hands, write_submission

CHAPTER = "04_query_key_value"
HONEST = ("right", "mistakes", "right", "half_done", "empty")


def make_class(course, root, students):
    """Write honest submissions, so that both engines have to give the same marks."""
    assignment, rng = course.assignment(CHAPTER), np.random.default_rng(0)
    dealt = hands(assignment.exercises)
    for index in range(students):
        folder = ClassRoom(root).submitted(f"student{index:04d}", CHAPTER)
        write_submission(assignment, folder, HONEST[index % len(HONEST)], index, dealt, rng)


def seconds(command, folder):
    """Run a command quietly and return its wall time in seconds."""
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - started


def marks(root):
    """Return everybody's total."""
    with Gradebook(ClassRoom(root).database, COURSE_ID) as book:
        return {entry["student"]: entry["score"] for entry in book.submission_dicts(CHAPTER)}


def main():
    """Print seconds, rate and the ratio, and whether the marks agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=20)
    students = parser.parse_args().students
    course = find_course()
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        stock, ours = Path(folder) / "stock", Path(folder) / "ours"
        for root in (stock, ours):
            for name in ("solutions", "exercises"):
                shutil.copytree(course.root / name, root / name)
            shutil.copy(course.root / "nbgrader_config.py", root)
            make_class(course, root, students)
        nbgrader = [sys.executable, "-m", "nbgrader"]
        seconds([*nbgrader, "generate_assignment", CHAPTER, "--force"], stock)
        taken = {
            "nbgrader autograde": seconds([*nbgrader, "autograde", CHAPTER], stock),
            "autograder grade": seconds([sys.executable, "-m", "autograder", "grade", CHAPTER, "--root", "."], ours),
        }
        agree = marks(stock) == marks(ours)
    print(f"{students} honest submissions of {CHAPTER} on {os.cpu_count()} cores")
    for name, time_taken in taken.items():
        print(f"{name:20} {time_taken:8.1f} s {students / time_taken:8.2f} notebooks/s")
    slow, fast = taken.values()
    print(f"ratio {slow / fast:.1f}; marks {'agree' if agree else 'DIFFER'}")


if __name__ == "__main__":
    main()
