"""A tiny course of one exercise, released once, and ways to hand something in."""

import copy
import shutil

import nbformat
import pytest

from autograder.pipeline.course import ClassRoom, Course
from autograder.pipeline.grade import grade_notebook
from autograder.pipeline.release import release
from autograder.sandbox import Limits

CHAPTER = "01_doubling"
LIMITS = Limits(step_seconds=2.0)
RIGHT = "def double(x):\n    return x + x"


@pytest.fixture(scope="session")
def mini(tmp_path_factory, root):
    """The mini course, copied and released."""
    folder = tmp_path_factory.mktemp("course") / "mini"
    shutil.copytree(root / "tests" / "mini_course", folder, ignore=shutil.ignore_patterns("__pycache__"))
    course = Course(folder, checks_package="mini_checks")
    release(course.assignment(CHAPTER))
    return course


@pytest.fixture(scope="session")
def assignment(mini):
    """The mini course's one assignment."""
    return mini.assignment(CHAPTER)


@pytest.fixture(scope="session")
def released(mini):
    """The released notebook; tests work on copies of it."""
    return nbformat.read(mini.exercises / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)


@pytest.fixture
def notebook(released):
    """A fresh copy of the released notebook."""
    return copy.deepcopy(released)


def cell_of(notebook, grade_id):
    """Return the cell with this id."""
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


@pytest.fixture
def answered(notebook):
    """Write a source into the notebook's answer cell, and return the notebook."""

    def write(source=RIGHT):
        cell_of(notebook, "double").source = source
        return notebook

    return write


@pytest.fixture
def grade(assignment, tmp_path):
    """Grade a notebook, or the bytes of a file, under tight limits."""

    def run(submission):
        path = tmp_path / f"{CHAPTER}.ipynb"
        if isinstance(submission, bytes):
            path.write_bytes(submission)
        else:
            nbformat.write(submission, path)
        return grade_notebook(assignment, path, seed=7, limits=LIMITS)

    return run


@pytest.fixture
def classroom(tmp_path):
    """An empty class."""
    return ClassRoom(tmp_path)


@pytest.fixture
def submit(classroom):
    """Hand a notebook, or bytes, in for a student."""

    def write(student, submission, chapter=CHAPTER):
        folder = classroom.submitted(student, chapter)
        folder.mkdir(parents=True)
        if isinstance(submission, bytes):
            (folder / f"{chapter}.ipynb").write_bytes(submission)
        else:
            nbformat.write(submission, folder / f"{chapter}.ipynb")

    return write
