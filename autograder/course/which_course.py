"""Decides which course a command is about: the one named, the one in the current folder, or the installed one.

A course is Python that runs with the rights of whoever types the command. So it is never looked for near a submission
or a class, and one that others could have written is refused, as git refuses such a repository.
"""

import os
from pathlib import Path

from autograder.errors import UsageError
from autograder.safe_folder import why_unsafe

from .course import Course
from .settings import SETTINGS_FILE, installed_exercises, read_settings

TRUSTED_ANYWAY = "AUTOGRADER_SAFE_COURSE"  # the environment variable that lets folders through, separated as in PATH
_CONFIGURATION = "nbgrader_config.py"
_DECIDING = ("solutions", "own", SETTINGS_FILE, _CONFIGURATION, "_toc.yml")  # what is run, or says what is run


def find_course(named: Path | None = None) -> Course:
    """Return the course in the folder that is named, or else in the current folder, or else the installed one.

    Errors: UsageError if there is none, or if others than the caller and root could have written it.
    """
    if named:
        folders, where = [named], f"in {named}"
    else:
        folders, where = [Path.cwd(), Path(__file__).resolve().parents[2]], f"in {Path.cwd()}, and none is installed"
    root = next((folder.resolve() for folder in folders if is_course(folder)), None)
    if root is None:
        raise UsageError(
            f"no course {where}: expected a folder with solutions/ and {_CONFIGURATION}; --course names it"
        )
    return Course(root, _read_checks(root))


def course_of_book(folder: Path) -> Course:
    """Return the course of the book below a folder: the one in this folder, or, for a book alone, the default.

    Errors: as for find_course.
    """
    return find_course(folder if is_course(folder) else None)


def is_course(folder: Path) -> bool:
    """Say whether a folder holds a course."""
    return (folder / "solutions").is_dir() and (folder / _CONFIGURATION).exists()


def _read_checks(root: Path) -> str:
    """Return the package of a course's checks, once nothing in the course can be another's.

    Errors: UsageError, CourseError.
    """
    refuse_unsafe(root, *(path for name in _DECIDING for path in _with_contents(root / name)))
    package = read_settings(root).checks
    if not package:
        return installed_exercises()
    refuse_unsafe(root, *_with_contents(root / package.partition(".")[0]))
    return package


def _with_contents(path: Path) -> list[Path]:
    """Return a path and, if it is a folder, everything in it."""
    return [path, *sorted(path.rglob("*"))]


def refuse_unsafe(folder: Path, *inside: Path) -> None:
    """Errors: UsageError if others could replace a folder, or something that is inside it."""
    trusted = filter(None, os.environ.get(TRUSTED_ANYWAY, "").split(os.pathsep))
    if folder.resolve() in {Path(each).resolve() for each in trusted}:
        return
    for path in (folder, *(path for path in inside if path.exists() or path.is_symlink())):
        if why := why_unsafe(path):
            raise UsageError(
                f"{path} is not used, since what it says or holds would run with your rights: {why}. "
                f"If you trust it all the same, set {TRUSTED_ANYWAY}={folder.resolve()}"
            )
