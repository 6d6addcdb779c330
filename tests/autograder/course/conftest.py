"""These tests keep sandboxes warm, and some have a course with code of its instructor's own."""

import shutil

import nbformat
import pytest

from autograder.course.course import Course
from autograder.diagnosis import exercises_in
from tests.support.hand_in import CHAPTER
from tests.support.mini_class import warm  # noqa: F401
from tests.support.own_code import HALVE, TRIPLED, own_cells, shipped_mistakes_only


@pytest.fixture
def mine(root, tmp_path):
    """The mini course with its own exercise, mistake and points; the mistakes are forgotten afterwards."""
    folder = tmp_path / "mini"
    shutil.copytree(root / "tests" / "mini_course", folder, ignore=shutil.ignore_patterns("__pycache__"))
    own = folder / "own" / "doubling"
    own.mkdir(parents=True)
    solution = folder / "solutions" / CHAPTER / f"{CHAPTER}.ipynb"
    nbformat.write(own_cells(solution), own / "cells.ipynb")
    (own / "halve.py").write_text(HALVE)
    (own / "mistakes_double.py").write_text(TRIPLED)
    (folder / "course.toml").write_text("[points]\nhalve = 3\n")
    exercises_in("mini_checks", "doubling")  # the mistakes that it has anyway
    with shipped_mistakes_only("mini_checks.doubling.double"):
        yield Course(folder, exercises_package="mini_checks")
