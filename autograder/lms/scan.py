"""Finds the course's notebooks in a file by the grade ids inside them; file names do not count.

Students' archives are read in a limited child process, which writes a log and the notebooks. Its limits begin anew
with each hand-in, and after one that exceeds them another process goes on with the next.
"""

import errno
import hashlib
import json
import os
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.errors import CourseError, InvalidSubmission, NoRoom
from autograder.files import FULL
from autograder.grading.answers import CourseCells, answers_digest, sources_digest
from autograder.grading.file_kind import kind_of_file
from autograder.grading.intake import NOTEBOOK_BYTES, cells_of
from autograder.grading.which_chapter import chapters_of
from autograder.plain import visible_line
from autograder.sandbox.host.limited_child import SECONDS, renew_limits, run_limited

from .hand_ins import StoredHandIn, hand_ins
from .platforms import label_of

CHAPTER_BYTES = 2 * NOTEBOOK_BYTES  # of copies of one student's notebooks of a chapter, or of what is of none
MAX_DAMAGED = 8  # copies of one hand-in that are of no chapter
ORDINARY_BYTES, SPARE_BYTES = 8 << 20, 256 << 20  # of a hand-in; what a larger one must leave free on the disk
NAME_SHOWN = 80  # letters of a hand-in's name
HAND_IN_SECONDS, SECONDS_A_MB = 10, 3  # of processor time: for a hand-in, and for each MB of it as it is stored


@dataclass(frozen=True)
class Item:
    """A file that was found; ``parts`` is its path, starting with the name of the file that was read.

    ``staged`` is a copy of its bytes, or ""; ``chapter`` is the one that a notebook's grade ids name, or "".
    ``reason`` says why it is not one of the course's notebooks or cannot be read, and what to do.
    ``kind`` says what it is if it is all that was handed in and no notebook, and then it is staged as it is.
    ``outside`` is how many parts are outside a hand-in's own archives. ``answers`` is equal for equal answers,
    ``sources`` for the same code letter by letter.
    """

    parts: tuple[str, ...]
    staged: str = ""
    chapter: str = ""
    sha256: str = ""
    reason: str = ""
    when: int = 0
    kind: str = ""
    outside: int = 0
    answers: str = ""
    sources: str = ""


@dataclass(frozen=True)
class Chapters:
    """The course's chapters: ``by_cell`` says which one a cell belongs to, ``cells`` which cells are the course's."""

    by_cell: dict[str, str]
    cells: dict[str, CourseCells]


def scan(path: Path, staging: Path, chapters: Chapters) -> list[Item]:
    """Return the Items of a folder, a zip or a file; notebooks are copied below ``staging``.

    What takes too much ends its own hand-in: one Item says so, and the next hand-in is read in a new process. What
    keeps the file itself from being read to its end is an Item in the file's own name.
    Errors: NoRoom if the copies of an ordinary hand-in do not fit on the disk; a large one is left out by name.
    """
    staging.mkdir()
    items: list[Item] = []
    first: int | None = 0
    while first is not None:
        more, first = scan_from(first, path, staging, chapters)
        items += more
    return items


def scan_from(first: int, path: Path, staging: Path, chapters: Chapters) -> tuple[list[Item], int | None]:
    """Read the hand-ins from number ``first`` on; return Items, and the number to go on with, None at the end."""
    log, reason = staging / f"{first}.log", ""
    try:
        run_limited(lambda: write_items(path, log, chapters, first), SECONDS)
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
        for copy in staging.glob(f"{after - 1}-*"):
            copy.unlink()
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


class Copies:
    """Writes copies of what was handed in, each hash of a hand-in once, within budgets: none may fill the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number, self.size = folder, 0, 0
        self.taken: Counter[tuple[str, str]] = Counter()  # bytes, by student and chapter
        self.staged: dict[str, Path] = {}  # of this hand-in, by hash

    def begin(self, number: int, name: str) -> None:
        """Go on with the hand-in of this number and name."""
        label = label_of(name)
        self.student = f"{label.lms} {label.id}" if label else name
        self.number, self.size, self.damaged, self.staged = number, 0, 0, {}

    def stage(self, data: bytes, chapter: str = "") -> dict[str, str]:
        """Write a copy, and return its path and hash as fields of an Item; none if that would be too much.

        Errors: OSError if it does not fit on the disk, or if a large hand-in would leave too little room for others.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self.staged:
            size = self.taken[self.student, chapter] + len(data)
            if size > CHAPTER_BYTES or (not chapter and self.damaged == MAX_DAMAGED):
                return {}
            self.taken[self.student, chapter] = size
            self.damaged += not chapter
            self.size += len(data)
            path = self.staged[sha256] = self.folder / f"{self.number}-{len(self.staged)}"
            if self.size > ORDINARY_BYTES and shutil.disk_usage(self.folder).free - len(data) < SPARE_BYTES:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            write_copy(data, path)
        return {"staged": str(self.staged[sha256]), "sha256": sha256}

    def drop(self) -> None:
        """Delete this hand-in's copies. Errors: OSError."""
        for path in self.staged.values():
            path.unlink(missing_ok=True)


def write_copy(data: bytes, path: Path) -> None:
    """Write a copy of a file. Errors: OSError."""
    path.write_bytes(data)


def write_items(path: Path, log: Path, chapters: Chapters, first: int) -> None:
    """Read hand-ins, and write their notebooks and a log: each hand-in as it begins, and its items as it ends."""
    copies = Copies(log.parent)
    with log.open("w", encoding="utf-8") as file:
        for number, hand_in in enumerate(hand_ins(path)):
            if number < first:
                continue
            renew_limits(HAND_IN_SECONDS)
            file.write(json.dumps(["begun", hand_in.parts]) + "\n")
            file.flush()  # before anything inside it is looked at
            renew_limits(HAND_IN_SECONDS + SECONDS_A_MB * (hand_in.size() >> 20))
            copies.begin(number, hand_in.parts[-1])
            items = items_that_fit(hand_in, copies, chapters)
            file.write(json.dumps(["ended", items]) + "\n")
            file.flush()


def items_that_fit(hand_in: StoredHandIn, copies: Copies, chapters: Chapters) -> list[dict[str, Any]]:
    """Return a hand-in's Items as plain data; one that says so if its copies are large and do not fit on the disk.

    Errors: OSError if not even those of an ordinary hand-in fit.
    """
    try:
        return items_of(hand_in, copies, chapters)
    except OSError as error:
        if error.errno not in FULL or copies.size <= ORDINARY_BYTES:
            raise
    copies.drop()
    size = f"{copies.size >> 20} MB of notebooks"
    reason = f"{size} do not fit on the disk: ask for the one that counts, or make room"
    return [{"parts": hand_in.parts, "outside": len(hand_in.parts), "reason": reason}]


def items_of(hand_in: StoredHandIn, copies: Copies, chapters: Chapters) -> list[dict[str, Any]]:
    """Return a hand-in's Items as plain data, and stage its notebooks.

    If it is one file and holds no notebook, that file is staged as it is.
    """
    items: list[dict[str, Any]] = []
    for found in hand_in.read():
        item = {"parts": found.parts, "reason": found.refused, "when": found.when, "outside": found.outside}
        if found.data is not None:
            chapter, reason, digests = recognised(found.data, chapters)
            if chapter or found.parts[-1].lower().endswith(".ipynb"):
                copy = copies.stage(found.data, chapter)
                if chapter and not copy:
                    chapter, reason = (
                        "",
                        f"more than {CHAPTER_BYTES >> 20} MB of {chapter}: ask for the one that counts",
                    )
                item |= {"chapter": chapter, "reason": reason, **copy, **(digests or _without_answers(copy))}
        items.append(item)
    if not any("chapter" in item for item in items) and (only := hand_in.only_file()):
        parts, data = only
        first = {key: items[0][key] for key in ("reason", "when")} if items else {}  # of what an archive holds
        kind = kind_of_file(data) or "a file of another kind"
        if not (copy := copies.stage(data)):
            first["reason"] = f"more than {CHAPTER_BYTES >> 20} MB of other files: ask for the notebook itself"
        return [{"parts": parts, "outside": len(parts), "kind": kind, **first, **copy, **_without_answers(copy)}]
    return items


def _without_answers(copy: dict[str, str]) -> dict[str, str]:
    """Return what stands for the answers of a file that is no notebook of the course: its bytes."""
    return dict.fromkeys(("answers", "sources"), copy.get("sha256", ""))


def recognised(data: bytes, chapters: Chapters) -> tuple[str, str, dict[str, str]]:
    """Return a notebook's chapter, "", and ``answers`` and ``sources`` of an Item; or "", the reason, and {}."""
    try:
        cells = cells_of(data)
    except InvalidSubmission as error:
        kind = kind_of_file(data)
        return "", f"{kind}, not a notebook: ask for the notebook itself" if kind else str(error), {}
    (first, most), (second, next_most) = [*chapters_of(cells, chapters.by_cell), ("", 0), ("", 0)][:2]
    if not first:
        return "", "a notebook without a cell of this course's exercises: ask for the released one, filled in", {}
    if most == next_most:
        return "", f"as many exercises of {first} as of {second}: ask for one notebook for each chapter", {}
    own = chapters.cells[first]
    return first, "", {"answers": answers_digest(cells, own), "sources": sources_digest(cells, own)}
