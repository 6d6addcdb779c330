"""Finds the course's notebooks in a file by the grade ids inside them; file names do not count.

Students' archives are read in a limited child process, which writes a list and the notebooks.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.errors import CourseError, InvalidSubmission, NoRoom
from autograder.grading.intake import cells_of
from autograder.grading.which_chapter import chapters_of
from autograder.sandbox.limited_child import SECONDS, run_limited

from .archives import contents, describe_archive_error

LIST = "list.json"
SECONDS_A_MB = 3  # of what is read: unpacking, and looking for grade ids


@dataclass(frozen=True)
class Item:
    """A file that was found; ``parts`` is its path, starting with the name of the file that was read.

    ``staged`` is the copy of a notebook's bytes, "" for anything else; ``chapter`` is named by its grade ids, or "".
    ``reason`` says why it is not one of the course's notebooks or cannot be read, and what to do.
    """

    parts: tuple[str, ...]
    staged: str = ""
    chapter: str = ""
    sha256: str = ""
    reason: str = ""
    when: int = 0


def scan(path: Path, staging: Path, by_cell: dict[str, str]) -> list[Item]:
    """Return the Items of a folder, a zip or a file; notebooks are copied below ``staging``.

    If reading fails or takes too much, one Item says so. Errors: NoRoom if the copies do not fit on the disk.
    """
    staging.mkdir()
    try:
        size = sum(each.lstat().st_size for each in path.rglob("*")) if path.is_dir() else path.stat().st_size
        seconds = SECONDS + SECONDS_A_MB * (size >> 20)
        run_limited(lambda: write_list(path, staging, by_cell), seconds)
        read = json.loads((staging / LIST).read_text(encoding="utf-8"))
    except NoRoom:
        raise
    except (CourseError, OSError, ValueError) as error:
        reason = str(error) if isinstance(error, CourseError) else describe_archive_error(error)
        return [Item((path.name,), reason=f"{reason}; unpack it and give the folder")]
    return [Item(**{**data, "parts": tuple(data["parts"])}) for data in read]


def write_list(path: Path, staging: Path, by_cell: dict[str, str]) -> None:
    """Read a file, and write the list and the notebooks."""
    items = []
    for number, found in enumerate(contents(path)):
        item = {"parts": found.parts, "reason": found.refused, "when": found.when}
        if found.data is not None:
            chapter, reason = recognised(found.data, by_cell)
            is_meant = found.parts[-1].lower().endswith(".ipynb")
            if chapter or is_meant:
                (staging / str(number)).write_bytes(found.data)
                item |= {"staged": str(staging / str(number)), "chapter": chapter, "reason": reason}
                item["sha256"] = hashlib.sha256(found.data).hexdigest()
        items.append(item)
    (staging / LIST).write_text(json.dumps(items), encoding="utf-8")


def recognised(data: bytes, by_cell: Any) -> tuple[str, str]:
    """Return a notebook's chapter and "", or "" and the reason."""
    try:
        found = chapters_of(cells_of(data), by_cell)
    except InvalidSubmission as error:
        return "", str(error)
    (first, most), (second, next_most) = [*found, ("", 0), ("", 0)][:2]
    if not first:
        return "", "a notebook without a cell of this course's exercises: ask for the released one, filled in"
    if most == next_most:
        return "", f"as many exercises of {first} as of {second}: ask for one notebook for each chapter"
    return first, ""
