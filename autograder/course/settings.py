"""What a course sets for itself: the file ``course.toml`` in its folder, and the chapters that ``_toc.yml`` lists."""

import re
import tomllib
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import yaml

from autograder.errors import CourseError

SETTINGS_FILE = "course.toml"
ENTRY_POINTS = "autograder.exercises"  # the group in which an installed course names its package
COURSE_ID_FORM = re.compile(r"\w([\w .-]*[\w.-])?")
# The words of feedback pages that `[words]` may replace.
REPLACEABLE_WORDS = (
    *("points", "no mark yet", "marked by hand", "Comment", "Criteria", "yes", "not yet"),
    *("Your code", "Cells that you added", "The shares of an exercise", "Questions about this mark"),
)


@cache
def installed_exercises() -> str:
    """Return the package of exercises that an installed course declares as an entry point, as pyproject.toml shows.

    Errors: CourseError unless exactly one course is installed.
    """
    packages = sorted({point.value for point in entry_points(group=ENTRY_POINTS)})
    if len(packages) != 1:
        got = ", ".join(packages) or "none"
        raise CourseError(f"expected one installed package of exercises, got {got}: name yours in {SETTINGS_FILE}")
    return packages[0]


@dataclass(frozen=True)
class Settings:
    """A course's own settings; each has a default, so that ``course.toml`` holds only what is changed."""

    title: str = ""  # of the book; "" keeps the title of _config.yml
    course_id: str = "attention-row-by-row"  # nbgrader's, in the exchange and in the gradebook
    institution: str = ""  # below the title on feedback pages, and in the book's footer
    contact: str = ""  # where students ask about a mark: an e-mail address, a link, or a sentence
    logo: str = ""  # a picture, by its path from the course's folder
    address: str = ""  # where the book is published; "" takes html: baseurl of _config.yml
    whole_course: str = ""  # where all chapters are published, for references to chapters left out
    language: str = "en"  # of the buttons and labels around a page's text
    checks: str = ""  # the Python package that holds the exercises; "" takes the one that is installed
    points: dict[str, int] = field(default_factory=dict)  # exercise -> points; 0 leaves it out
    words: dict[str, str] = field(default_factory=dict)  # a word of feedback pages -> the word used instead


@cache
def read_settings(root: Path) -> Settings:
    """Return the settings of the course in a folder, read once per process.

    Errors: CourseError if course.toml cannot be read, or holds a setting or a value that is not known.
    """
    path = root / SETTINGS_FILE
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        raise CourseError(f"cannot read {path}: {error}") from error
    kinds = {one.name: dict if one.name in ("points", "words") else str for one in fields(Settings)}
    for name, value in found.items():
        if name not in kinds:
            raise CourseError(f"unknown setting {name!r} in {path}: expected one of {', '.join(kinds)}")
        if not isinstance(value, kinds[name]):
            wanted = "a table" if kinds[name] is dict else "text in quotes"
            raise CourseError(f"expected {wanted} for {name} in {path}, got {value!r}")
    _check_tables(path, found)
    _check_logo(path, found.get("logo", ""))
    _check_addresses(path, found)
    return Settings(**found)


def _check_logo(path: Path, logo: str) -> None:
    """Raise CourseError for a logo that is no file of the course: the book publishes it."""
    picture = (path.parent / logo).resolve()
    if logo and not (picture.is_file() and picture.is_relative_to(path.parent.resolve())):
        raise CourseError(f"expected logo in {path} as the path of a picture in {path.parent}, got {logo!r}")


def _check_addresses(path: Path, found: dict[str, Any]) -> None:
    """Raise CourseError for an address that is none on the web, or a course id that is no folder's name."""
    for name in ("address", "whole_course"):
        if found.get(name) and not as_folder(found[name]):
            raise CourseError(f"expected {name} in {path} to begin with https://, got {found[name]!r}")
    if not COURSE_ID_FORM.fullmatch(found.get("course_id", "ours")):
        said = "letters, digits, spaces, `-`, `_` and `.`, since nbgrader makes a folder of it"
        raise CourseError(f"expected course_id in {path} of {said}, got {found['course_id']!r}")


def _check_tables(path: Path, found: dict[str, Any]) -> None:
    """Raise CourseError for points that are no whole number from 0, or a word that feedback pages do not have."""
    for name, points in found.get("points", {}).items():
        if type(points) is not int or points < 0:
            raise CourseError(f"expected a whole number from 0 for points.{name} in {path}, got {points!r}")
    for word, instead in found.get("words", {}).items():
        if word not in REPLACEABLE_WORDS or not isinstance(instead, str):
            expected = ", ".join(REPLACEABLE_WORDS)
            raise CourseError(f"unknown word {word!r} in {path}: expected text for one of {expected}")


@cache
def pages_in_toc(root: Path) -> frozenset[str] | None:
    """Return the pages that ``_toc.yml`` lists, at any depth; None where there is no such file.

    Errors: CourseError if it cannot be read.
    """
    path = root / "_toc.yml"
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise CourseError(f"cannot read {path}: {error}") from error
    return frozenset(_files(content))


def _files(part: Any) -> list[str]:
    """Return every page named below a part of the table of contents."""
    if isinstance(part, list):
        return [name for one in part for name in _files(one)]
    if not isinstance(part, dict):
        return []
    own = [str(part[key]) for key in ("root", "file") if key in part]
    return own + [name for key, value in part.items() if key not in ("root", "file") for name in _files(value)]


def as_folder(address: str) -> str:
    """Return a web address ending in a slash; "" for anything else."""
    return f"{address.rstrip('/')}/" if address.startswith(("https://", "http://")) else ""
