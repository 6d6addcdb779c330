"""A tiny course of one exercise, released once, and ways to hand something in."""

import copy
import shutil
from dataclasses import replace

import nbformat
import pytest

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Course
from autograder.course.release import release
from autograder.grading.grade import Grader
from autograder.runs.class_run import ClassRun
from autograder.sandbox import Limits

from .hand_in import CHAPTER, RIGHT, answer_in, submit_in, write_submission
from .patience import LONG, seconds
from .warm import end_all, kept_warm

LIMITS = Limits(**seconds(LONG))


@pytest.fixture(scope="session")
def sandboxes():
    """End at last the sandboxes that wait."""
    yield
    end_all()


@pytest.fixture(scope="module", autouse=True)
def warm(sandboxes):
    """Start no sandbox for a run where one of a run before waits; other folders' tests start their own."""
    with kept_warm():
        yield


@pytest.fixture(scope="session")
def mini(tmp_path_factory, root):
    """The mini course, copied and released."""
    folder = tmp_path_factory.mktemp("course") / "mini"
    shutil.copytree(root / "tests" / "mini_course", folder, ignore=shutil.ignore_patterns("__pycache__"))
    course = Course(folder, exercises_package="mini_checks")
    release(course.assignment(CHAPTER))
    return course


@pytest.fixture(scope="session")
def assignment(mini):
    """The mini course's one assignment."""
    return mini.assignment(CHAPTER)


@pytest.fixture(scope="session")
def released(mini):
    """The released notebook; tests work on copies of it."""
    return nbformat.read(mini.exercises_folder / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)


@pytest.fixture
def notebook(released):
    """A fresh copy of the released notebook."""
    return copy.deepcopy(released)


@pytest.fixture
def answered(released):
    """Return a fresh notebook with a source in its answer cell."""
    return lambda source=RIGHT: answer_in(copy.deepcopy(released), source)


@pytest.fixture(scope="session")
def grader(assignment):
    """One grader for all: what a submission leaves behind must not reach the next test."""
    with Grader(assignment, seed=7, limits=LIMITS) as grader:
        yield grader


@pytest.fixture
def grade(grader, tmp_path):
    """Grade a notebook, or the bytes of a file, with so many seconds for each step."""

    def run(submission, step_seconds=LONG):
        path = tmp_path / f"{CHAPTER}.ipynb"
        write_submission(path, submission)
        grader.box.limits = replace(LIMITS, **seconds(step_seconds))
        return grader.grade(path)

    return run


@pytest.fixture
def classroom(tmp_path):
    """An empty class."""
    return ClassRoom(tmp_path)


@pytest.fixture
def submit(classroom):
    """Hand a notebook, or bytes, in for a student."""
    return lambda student, submission: submit_in(classroom, student, submission)


MISCHIEF = """
from IPython.display import HTML, display
display(HTML("<script>document.title = 'owned'</script>"))
print("<script>document.title = 'owned'</script>")
raise ValueError("</code></pre><script>document.title = 'owned'</script>")
"""


@pytest.fixture(scope="session")
def graded_once(assignment, released, tmp_path_factory):
    """A class of four, graded: right, squared, broken, and one full of mischief."""
    room = ClassRoom(tmp_path_factory.mktemp("graded"))
    submit_in(room, "ada", answer_in(copy.deepcopy(released)))
    submit_in(room, "ben", answer_in(copy.deepcopy(released), "def double(x):\n    return x ** 2"))
    submit_in(room, "cy", b"{")
    notebook = answer_in(copy.deepcopy(released))
    notebook.cells.append(nbformat.v4.new_code_cell(MISCHIEF))
    notebook.cells.append(nbformat.v4.new_markdown_cell("```\n<script>document.title = 'owned'</script>"))
    submit_in(room, "dee", notebook)
    return room, dict(ClassRun(room, [assignment], seed=7))


@pytest.fixture
def graded(graded_once, classroom):
    """The results of that class, and a copy of it in ``classroom``."""
    room, results = graded_once
    shutil.copytree(room.root, classroom.root, dirs_exist_ok=True)
    return results
