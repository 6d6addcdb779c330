"""Stock nbgrader in the same folder: it releases, grades and exports, and honest work gets the same marks."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from traitlets.config.loader import PyFileConfigLoader

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.sample_class import fill_in, released
from autograder.course.course import COURSE_ID, Course
from autograder.course.release import release
from autograder.runs.class_run import ClassRun

from .support.hand_in import cell_of, write_submission

CHAPTER = "04_query_key_value"
STUDENTS = ("ada", "ben")
AS_IT_IS = "--Autograde.exporter_class=nbconvert.exporters.NotebookExporter"  # not by our grader, as configured
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
    nbgrader(course, f"generate_assignment {CHAPTER} --force", f"autograde {CHAPTER} {AS_IT_IS}", "export")
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


NOT_IN_HERE = """
def soft_lookup(query, keys, values, base=2.718281828459045):
    from pathlib import Path
    Path({path!r}).write_text("run with the instructor's rights")
"""


@pytest.fixture(scope="module")
def by_button(stock, course, root, tmp_path_factory):
    """A copy of that course, graded by us, and what nbgrader's commands and then the formgrader's buttons made of it.

    Ben's notebook is changed meanwhile into one that would write a file outside of the sandbox.
    """
    folder = tmp_path_factory.mktemp("button") / "course"
    shutil.copytree(course, folder)
    room, written = ClassRoom(folder), folder / "written"
    list(ClassRun(room, [Course(folder).assignment(CHAPTER)]))
    before = marks(room)
    notebook = nbformat.read(room.notebook("ben", CHAPTER), as_version=4)
    cell_of(notebook, "soft_lookup").source = NOT_IN_HERE.format(path=str(written))
    nbformat.write(notebook, room.notebook("ben", CHAPTER))
    said = {name: buttons(folder, name, "autograde") for name in STUDENTS}
    feedback = buttons(folder, "ada", "generate_feedback")
    return room, before, said, feedback, written


def buttons(folder, student, action):
    """Press one of the formgrader's buttons: what its server does then, and answers."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    config.CourseDirectory.root = str(folder)
    return getattr(NbGraderAPI(config=config), action)(CHAPTER, student)


def test_the_button_grades_in_the_sandbox(by_button):
    """The formgrader's button leaves what is graded as it is, and no student code runs with the instructor's rights."""
    room, before, said, _, written = by_button
    assert said["ada"]["success"], said["ada"]
    assert "1 submission: 1 graded" in said["ada"]["log"]
    assert not written.exists()
    assert marks(room) == before
    assert (room.autograded("ada", CHAPTER) / "run.json").exists()  # stock nbgrader removes the folder first


def test_the_button_says_what_waits_for_a_person(by_button):
    """A mark that would change is not changed by a click: who, by how much, and the command that does it."""
    _, _, said, _, _ = by_button
    assert not said["ben"]["success"]
    assert f"ben {CHAPTER}: " in said["ben"]["log"]
    assert "changes not written: 1; to write them, add --yes" in said["ben"]["log"]
    assert said["ben"]["error"].rstrip().endswith(f"autograder grade {CHAPTER} --student=ben --yes")


def test_the_button_for_feedback_writes_our_page(by_button):
    """The page that it leaves is ours: it holds no hidden test, and no script."""
    room, _, _, feedback, _ = by_button
    assert feedback["success"], feedback
    page = (room.feedback("ada", CHAPTER) / f"{CHAPTER}.html").read_text()
    assert "HIDDEN TESTS" not in page
    assert "<script" not in page
