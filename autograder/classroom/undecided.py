"""Students of whom `autograder collect` found several different notebooks and took none: it asks which counts."""

from autograder.errors import CourseError
from autograder.shape import read_json

from .classroom import ClassRoom

COLLECTED_FILE = "collected.json"
UNDECIDED = "undecided"  # in a student's entry: the number of different notebooks


def undecided(classroom: ClassRoom, chapter: str) -> dict[str, int]:
    """Return the number of different notebooks of each such student, by login; {} if that cannot be read."""
    try:
        entries = read_json(classroom.root / COLLECTED_FILE)[chapter].items()
        return {login: int(entry[UNDECIDED]) for login, entry in entries if UNDECIDED in entry}
    except (OSError, CourseError, ValueError, KeyError, TypeError, AttributeError):
        return {}
