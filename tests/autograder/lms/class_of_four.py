"""A class of four, two of whom have one name, and their notebooks."""

import json
from dataclasses import replace

import pytest

from autograder.classroom.roster import Enrolled
from autograder.course.course import Course
from tests.support.one_chapter import NOT_TAUGHT
from tests.support.root import ROOT

from .lms_models import Student

COURSE = Course(ROOT)
if len(COURSE.chapters()) < 2:
    pytest.skip(NOT_TAUGHT, allow_module_level=True)
CHAPTER, NEXT = COURSE.chapters()[:2]
NAME = f"{CHAPTER}.ipynb"
ADA = Student("ada", "Ada", "Lovelace", "ada@x.org", 5201, 90017)
BEN = Student("ben", "Benoît", "d'Arc", "ben@x.org", 5208, 90048)
SAM = Student("sam1", "Sam", "Lee", "sam1@x.org", 5215, 90079)
OTHER = Student("sam2", "Sam", "Lee", "sam2@x.org", 5222, 90110)
CLASS = [ADA, BEN, SAM, OTHER]
ROSTER = tuple(Enrolled(one.login, f"{one.first} {one.last}", one.email) for one in CLASS)
CANVAS = tuple(replace(one, lms_id=str(known.user)) for one, known in zip(ROSTER, CLASS, strict=True))


def notebook(text="", chapter=CHAPTER):
    """Return a released notebook with something in its first answer."""
    data = json.loads((COURSE.exercises_folder / chapter / f"{chapter}.ipynb").read_bytes())
    answers = [cell for cell in data["cells"] if cell["metadata"]["nbgrader"]["solution"]]
    answers[0]["source"] = f"answer = {text!r}"
    return json.dumps(data).encode()


def there(collect, chapter=CHAPTER):
    """Return ``{login: bytes}`` of the files in the class."""
    found = collect.room.root.glob(f"submitted/*/{chapter}/{chapter}.ipynb")
    return {path.parents[1].name: path.read_bytes() for path in found}


MINE = notebook("mine")
