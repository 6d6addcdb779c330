"""Grade an honest class with ``nbgrader autograde`` and with the autograder, in one run; a larger one with ours."""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
from nbgrader.api import Gradebook

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.sample_class import hands, write_submission
from autograder.course.course import COURSE_ID
from autograder.course.which_course import find_course

CHAPTER = "04_query_key_value"
HONEST = ("right", "mistakes", "right", "half_done", "empty")
NBGRADER = (sys.executable, "-m", "nbgrader")
AS_IT_IS = "--Autograde.exporter_class=nbconvert.exporters.NotebookExporter"  # not by our grader, as configured
OURS = (sys.executable, "-m", "autograder", "grade", CHAPTER, "--root", ".")
MIB = 1 << 20


def make_class(course, root, students):
    """Write honest submissions, so that both engines have to give the same marks."""
    assignment, rng = course.assignment(CHAPTER), np.random.default_rng(0)
    dealt = hands(assignment.exercises)
    for index in range(students):
        folder = ClassRoom(root).submitted(f"student{index:04d}", CHAPTER)
        write_submission(assignment, folder, HONEST[index % len(HONEST)], index, dealt, rng)


def make_course(course, root, students):
    """Write a class with a course around it, so that both engines find their files."""
    for name in ("solutions", "exercises"):
        shutil.copytree(course.root / name, root / name)
    shutil.copy(course.root / "nbgrader_config.py", root)
    make_class(course, root, students)


def run(command, folder):
    """Run a command quietly; return its wall time in seconds and the most memory that its processes held together.

    A page that several processes share is counted once for each of them.
    """
    started, most = time.perf_counter(), 0
    with tempfile.TemporaryFile() as said:
        process = psutil.Popen(command, cwd=folder, stdout=said, stderr=said)
        while process.poll() is None:
            most = max(most, resident(process))
            time.sleep(0.2)
        taken = time.perf_counter() - started
        if process.returncode:
            said.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{said.read().decode(errors='replace')[-2000:]}")
    return taken, most


def resident(process):
    """Return the bytes in memory of a process and all that came from it."""
    total = 0
    for member in [process, *process.children(recursive=True)]:
        try:
            total += member.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def marks(root):
    """Return everybody's total."""
    with Gradebook(ClassRoom(root).database, COURSE_ID) as book:
        return {entry["student"]: entry["score"] for entry in book.submission_dicts(CHAPTER)}


def require_equal(theirs, ours):
    """Stop if somebody got two different marks: engines that do not do the same work cannot be compared."""
    apart = [
        f"{student}: {theirs.get(student)} and {mark}" for student, mark in ours.items() if theirs.get(student) != mark
    ]
    if apart:
        sys.exit(f"no ratio: the marks differ for {len(apart)} students: {', '.join(apart[:5])}")


def show(name, students, taken, most):
    """Print one line of the table."""
    rate, each = students / taken, 1000 * taken / students
    print(f"{name:20} {students:6} {taken:8.1f} s {rate:7.2f}/s {each:8.1f} ms each {most / MIB:6.0f} MiB", flush=True)


def main():
    """Print seconds, rate and the ratio, and whether the marks agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--many", type=int, default=2000, help="the larger class, for ours alone; 0 for none")
    options = parser.parse_args()
    course = find_course()
    if not (course.root / "solutions" / CHAPTER / "selfcheck.py").exists():
        sys.exit("stock nbgrader needs the companions of the notebooks: run `autograder release`, then again")
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    print(f"honest submissions of {CHAPTER} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        stock, ours, many = (Path(folder) / name for name in ("stock", "ours", "many"))
        for root in (stock, ours):
            make_course(course, root, options.students)
        run([*NBGRADER, "generate_assignment", CHAPTER, "--force"], stock)
        fast = run(OURS, ours)
        show("autograder grade", options.students, *fast)
        slow = run([*NBGRADER, "autograde", CHAPTER, AS_IT_IS], stock)
        show("nbgrader autograde", options.students, *slow)
        require_equal(marks(stock), marks(ours))
        print(f"ratio {slow[0] / fast[0]:.1f}; marks agree", flush=True)
        if options.many:
            make_course(course, many, options.many)
            show("autograder grade", options.many, *run(OURS, many))


if __name__ == "__main__":
    main()
