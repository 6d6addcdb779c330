"""Chapter 1 of the mini course: one exercise."""

from . import double

EXERCISES = (double.EXERCISE,)
