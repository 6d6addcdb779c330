"""Stock nbgrader in the same folder: it releases, grades and exports, and honest work gets the same marks."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.pipeline.class_run import ClassRun
from autograder.pipeline.course import COURSE_ID, ClassRoom, Course
from autograder.pipeline.release import release
from autograder.pipeline.sample_class import fill_in, released

from .conftest import write_submission

CHAPTER = "04_query_key_value"
STUDENTS = ("ada", "ben")
# Stock nbgrader; one process for all commands, without a parser of URLs that takes seconds to load and is optional.
STOCK = """
import sys
sys.modules["rfc3987_syntax"] = None
from nbgrader.apps import NbGraderApp
for command in sys.argv[1:]:
    NbGraderApp.launch_instance(command.split())
    NbGraderApp.clear_instance()
"""


def answered(assignment, is_right):
    """Return a notebook with all answers right, or one of each kind in turn: right, wrong, empty."""
    notebook = released(assignment)
    for place, (name, exercise) in enumerate(assignment.exercises.items()):
        if is_right or place % 3 == 0:
            fill_in(assignment, notebook, name)
        elif place % 3 == 1:
            fill_in(assignment, notebook, name, exercise.mistakes[-1])
    return notebook


@pytest.fixture(scope="module")
def course(root, tmp_path_factory):
    """A copy of the course's folders that nbgrader works in, with two honest submissions."""
    folder = tmp_path_factory.mktemp("stock")
    for name in ("solutions", "exercises"):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "nbgrader_config.py", folder)
    release(Course(folder).assignment(CHAPTER))  # also writes what stock nbgrader wants beside the solution
    assignment = Course(root).assignment(CHAPTER)
    for student in STUDENTS:
        own = ClassRoom(folder).submitted(student, CHAPTER)
        own.mkdir(parents=True)
        write_submission(own / f"{CHAPTER}.ipynb", answered(assignment, student == "ada"))
    return folder


def nbgrader(folder, *commands):
    """Run commands of stock nbgrader in the course's folder."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", STOCK, *commands],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def marks(classroom):
    """Return the marks of every student, exercise by exercise."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        return {
            (student, grade.name): grade.auto_score
            for student in STUDENTS
            for grade in book.find_submission_notebook(CHAPTER, CHAPTER, student).grades
        }


@pytest.fixture(scope="module")
def stock(course):
    """The marks that stock nbgrader gives, and what it exports."""
    before = {path.name: path.read_bytes() for path in (course / "exercises" / CHAPTER).iterdir()}
    nbgrader(course, f"generate_assignment {CHAPTER} --force", f"autograde {CHAPTER}", "export")
    after = {path.name: path.read_bytes() for path in (course / "exercises" / CHAPTER).iterdir()}
    with (course / "grades.csv").open() as file:
        exported = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    return before, after, marks(ClassRoom(course)), exported


def test_stock_release_is_our_release(stock):
    """``nbgrader generate_assignment`` writes what ``autograder release`` wrote, to the byte."""
    before, after, _, _ = stock
    assert after == before


def test_honest_work_gets_the_same_marks_from_both_engines(stock, course, root, tmp_path):
    """Right, half-right, wrong and empty: every exercise of each student is marked alike."""
    _, _, stock_marks, _ = stock
    shutil.copytree(course / "submitted", tmp_path / "submitted")
    ours = ClassRoom(tmp_path)
    list(ClassRun(ours, [Course(root).assignment(CHAPTER)]))
    assert marks(ours) == stock_marks
    assert len(set(stock_marks.values())) > 3


def test_export_has_the_totals(stock):
    """``nbgrader export`` writes the sum of each student's marks."""
    _, _, stock_marks, exported = stock
    for student in STUDENTS:
        total = sum(score for (name, _), score in stock_marks.items() if name == student)
        assert exported[student] == pytest.approx(total)


def test_grading_on_top_of_stock_marks(stock, course, root):
    """Our engine grades into the gradebook that stock nbgrader made, and the marks stay the same."""
    before = marks(ClassRoom(course))
    list(ClassRun(ClassRoom(course), [Course(root).assignment(CHAPTER)]))
    assert marks(ClassRoom(course)) == before
