"""Starts another course: a small one that works, to change bit by bit."""

import shutil
from pathlib import Path

from autograder.errors import UsageError
from autograder.files import replace_folder

from .release import release
from .which_course import find_course

TEMPLATE = Path(__file__).with_name("course_template")


def start_course(folder: Path) -> Path:
    """Write a small working course, released, and return its folder. Errors: UsageError if there is something already.

    The folder appears in one step: if anything fails, there is none.
    """
    folder = folder.absolute()
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty: expected a new folder, or an empty one")
    new = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        shutil.copytree(TEMPLATE, new, ignore=shutil.ignore_patterns("__pycache__"))
        course = find_course(new)
        for chapter in course.chapters():
            release(course.assignment(chapter))
        replace_folder(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return folder
