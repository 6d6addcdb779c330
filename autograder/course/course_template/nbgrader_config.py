"""nbgrader in this folder, with the autograder in place of its own grading."""

from pathlib import Path

from autograder.formgrader import configure

configure(get_config(), Path(__file__).parent)
