"""The diagnosis: an answer and the right one in, a sentence out.

A course's exercises are written with the names below, and need nothing else of the autograder.
"""

from autograder.step_table import StepTable

from .alterations import without_powers
from .compare import Answer, ask
from .difference import plural
from .exercise import Case, Exercise, IntermediateStep, Prerequisite, mistake
from .package import chapters_in, exercises_in
from .rules import problem, sentence
from .slips import Slips, in_part
from .untouched import copied_arguments
from .whose_function import COURSE_PACKAGES

__all__ = [
    "COURSE_PACKAGES",
    "Answer",
    "Case",
    "Exercise",
    "IntermediateStep",
    "Prerequisite",
    "Slips",
    "StepTable",
    "ask",
    "chapters_in",
    "copied_arguments",
    "exercises_in",
    "in_part",
    "mistake",
    "plural",
    "problem",
    "sentence",
    "without_powers",
]
