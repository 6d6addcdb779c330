"""nbgrader in this folder: its release, exchange, gradebook and formgrader as they are, its grading by this grader."""

from pathlib import Path

from autograder.formgrader import configure

configure(get_config(), Path(__file__).parent)
