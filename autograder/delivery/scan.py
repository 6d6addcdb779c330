"""Finds the course's notebooks in a file by the grade ids inside them; file names do not count.

Students' archives are read in a limited child process, which writes a log and the notebooks. Its limits begin anew
with each hand-in, and after one that exceeds them another process goes on with the next.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.errors import CourseError, InvalidSubmission, NoRoom
from autograder.grading.file_kind import kind_of_file
from autograder.grading.intake import cells_of
from autograder.grading.which_chapter import chapters_of
from autograder.plain import visible_line
from autograder.sandbox.limited_child import SECONDS, renew_limits, run_limited

from .hand_ins import StoredHandIn, hand_ins

NAME_SHOWN = 80  # letters of a hand-in's name
HAND_IN_SECONDS, SECONDS_A_MB = 10, 3  # of processor time: for a hand-in, and for each MB of it as it is stored


@dataclass(frozen=True)
class Item:
    """A file that was found; ``parts`` is its path, starting with the name of the file that was read.

    ``staged`` is a copy of its bytes, or ""; ``chapter`` is the one that a notebook's grade ids name, or "".
    ``reason`` says why it is not one of the course's notebooks or cannot be read, and what to do.
    ``kind`` says what it is if it is all that was handed in and no notebook, and then it is staged as it is.
    ``outside`` is how many parts are outside a hand-in's own archives.
    """

    parts: tuple[str, ...]
    staged: str = ""
    chapter: str = ""
    sha256: str = ""
    reason: str = ""
    when: int = 0
    kind: str = ""
    outside: int = 0


def scan(path: Path, staging: Path, by_cell: dict[str, str]) -> list[Item]:
    """Return the Items of a folder, a zip or a file; notebooks are copied below ``staging``.

    What takes too much ends its own hand-in: one Item says so, and the next hand-in is read in a new process. What
    keeps the file itself from being read to its end is an Item in the file's own name.
    Errors: NoRoom if the copies do not fit on the disk.
    """
    staging.mkdir()
    items: list[Item] = []
    first: int | None = 0
    while first is not None:
        more, first = scan_from(first, path, staging, by_cell)
        items += more
    return items


def scan_from(first: int, path: Path, staging: Path, by_cell: dict[str, str]) -> tuple[list[Item], int | None]:
    """Read the hand-ins from number ``first`` on; return Items, and the number to go on with, None at the end."""
    log, reason = staging / f"{first}.log", ""
    try:
        run_limited(lambda: write_items(path, log, by_cell, first), SECONDS)
    except NoRoom:
        raise
    except CourseError as error:
        reason = str(error)
    begun, ended = read_log(log)
    items = [item for group in ended for item in group]
    if not reason:
        return items, None
    if not begun:  # the folder or zip itself is at fault
        return [*items, Item((path.name,), reason=f"{reason}; unpack it and give the folder")], None
    parts, after = begun[-1], first + len(begun)
    if len(begun) > len(ended):
        return [*items, Item(parts, reason=f"{reason}: ask for the notebook itself", outside=len(parts))], after
    where = f"what comes after {visible_line(parts[-1])[:NAME_SHOWN]}"  # it failed on its way to the next hand-in
    return [*items, Item((path.name,), reason=f"{where}: {reason}; unpack it, and give that alone")], after + 1


def read_log(log: Path) -> tuple[list[tuple[str, ...]], list[list[Item]]]:
    """Return the paths of the hand-ins that were begun, and the Items of those that were read to the end."""
    begun, ended = [], []
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    for line in text.split("\n")[:-1]:  # the last one may be cut short
        kind, data = json.loads(line)
        if kind == "begun":
            begun.append(tuple(data))
        else:
            ended.append([Item(**{**item, "parts": tuple(item["parts"])}) for item in data])
    return begun, ended


def write_items(path: Path, log: Path, by_cell: dict[str, str], first: int) -> None:
    """Read hand-ins, and write their notebooks and a log: each hand-in as it begins, and its items as it ends."""
    with log.open("w", encoding="utf-8") as file:
        for number, hand_in in enumerate(hand_ins(path)):
            if number < first:
                continue
            renew_limits(HAND_IN_SECONDS)
            file.write(json.dumps(["begun", hand_in.parts]) + "\n")
            file.flush()  # before anything inside it is looked at
            renew_limits(HAND_IN_SECONDS + SECONDS_A_MB * (hand_in.size() >> 20))
            items = items_of(hand_in, log.with_name(f"{number}"), by_cell)
            file.write(json.dumps(["ended", items]) + "\n")
            file.flush()


def items_of(hand_in: StoredHandIn, staging: Path, by_cell: dict[str, str]) -> list[dict[str, Any]]:
    """Return a hand-in's Items as plain data, and write its notebooks to ``<staging>-<number>``.

    If it is one file and holds no notebook, that file is written as it is.
    """
    items: list[dict[str, Any]] = []
    for number, found in enumerate(hand_in.read()):
        item = {"parts": found.parts, "reason": found.refused, "when": found.when, "outside": found.outside}
        if found.data is not None:
            chapter, reason = recognised(found.data, by_cell)
            if chapter or found.parts[-1].lower().endswith(".ipynb"):
                item |= {"chapter": chapter, "reason": reason, **stage(found.data, f"{staging}-{number}")}
        items.append(item)
    if not any("staged" in item for item in items) and (only := hand_in.only_file()):
        parts, data = only
        first = {key: items[0][key] for key in ("reason", "when")} if items else {}  # of what an archive holds
        kind = kind_of_file(data) or "a file of another kind"
        return [{"parts": parts, "outside": len(parts), "kind": kind, **first, **stage(data, f"{staging}-whole")}]
    return items


def stage(data: bytes, path: str) -> dict[str, str]:
    """Write a copy, and return its path and hash as fields of an Item."""
    Path(path).write_bytes(data)
    return {"staged": path, "sha256": hashlib.sha256(data).hexdigest()}


def recognised(data: bytes, by_cell: Any) -> tuple[str, str]:
    """Return a notebook's chapter and "", or "" and the reason."""
    try:
        found = chapters_of(cells_of(data), by_cell)
    except InvalidSubmission as error:
        kind = kind_of_file(data)
        return "", f"{kind}, not a notebook: ask for the notebook itself" if kind else str(error)
    (first, most), (second, next_most) = [*found, ("", 0), ("", 0)][:2]
    if not first:
        return "", "a notebook without a cell of this course's exercises: ask for the released one, filled in"
    if most == next_most:
        return "", f"as many exercises of {first} as of {second}: ask for one notebook for each chapter"
    return first, ""
