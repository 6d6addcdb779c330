"""The course's exercises: a package for each chapter, and in it a module for each exercise.

A module holds the exercise's cases and its listed mistakes. pyproject.toml tells the autograder of this package; what
the course offers besides exercises is in ``hooks``.
"""

from autograder.diagnosis import Exercise, chapters_in, exercises_in

CHAPTERS = chapters_in(__name__)


def exercises_of(stem: str) -> dict[str, Exercise]:
    """Return one chapter's exercises as ``{name: Exercise}``, in alphabetical order."""
    return exercises_in(__name__, stem)
