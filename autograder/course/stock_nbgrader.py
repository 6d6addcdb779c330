"""The function that hidden test cells call when stock nbgrader runs the notebook.

The autograder itself never calls it: it runs student code where no answer is known.
"""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of
from autograder.errors import UsageError

from .which_course import find_course

COURSE_VARIABLE = "AUTOGRADER_COURSE"  # nbgrader's configuration sets it: the kernel runs in a submission's folder


def grade(name: str, function: Callable) -> float:
    """Judge a function in this process and return its points, for the test cell's last value.

    Errors: UsageError for a name that no exercise of the course has.
    """
    named = os.environ.get(COURSE_VARIABLE)
    course = find_course(Path(named) if named else None)
    for assignment in map(course.assignment, course.chapters()):
        if name in assignment.exercises:
            exercise, seed = assignment.exercises[name], secrets.randbits(63)
            verdict = judge(exercise, seed, [reply_of(function, case) for _, case in exercise.questions(seed)])
            print(verdict.message)
            return verdict.score
    raise UsageError(f"expected the name of an exercise, got {name!r}: look at the test cell's grade(…)")
