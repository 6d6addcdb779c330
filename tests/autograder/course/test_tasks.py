"""What a solution notebook says of its exercises."""

import nbformat
import pytest

from autograder.course.course import Course
from autograder.course.tasks import Task, tasks
from autograder.errors import CourseError

CHAPTER = "03_context"


def test_a_task_is_what_the_notebook_says(root):
    """Call and purpose come from the stub, difficulty and minutes from the text above it, points from the test."""
    found = tasks(Course(root).assignment(CHAPTER))
    purpose = "Return the tokens that the rows of weights mix from x."
    assert found[0] == Task("mix", "mix(weights, x)", purpose, 3.0, 1, found[0].minutes)
    assert found[1].call == "softmax(scores, axis=-1)"
    assert [task.name for task in found][-1] == "strongest_neighbour"


@pytest.mark.parametrize(
    ("cell", "said", "complaint"),
    [
        (
            "about_mix",
            "difficulty 1 of 5",
            r"expected a line like 'difficulty 2 of 5 · 8 minutes' in the cell about_mix",
        ),
        ("mix", '"""Return', r"expected a docstring of one line in the cell mix of .*03_context.ipynb: say what"),
    ],
)
def test_a_task_that_says_too_little_is_named(root, tmp_path, cell, said, complaint):
    """A missing line, or a missing docstring, is told with its cell and what to write."""
    (tmp_path / "solutions" / CHAPTER).mkdir(parents=True)
    notebook = nbformat.read(root / f"solutions/{CHAPTER}/{CHAPTER}.ipynb", as_version=4)
    found = next(each for each in notebook.cells if each.metadata.nbgrader.grade_id == cell)
    found.source = found.source.replace(said, "")
    nbformat.write(notebook, tmp_path / f"solutions/{CHAPTER}/{CHAPTER}.ipynb")
    with pytest.raises(CourseError, match=complaint):
        tasks(Course(tmp_path).assignment(CHAPTER))
