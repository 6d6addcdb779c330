"""The ledger ``releases/<chapter>.txt``: every released version of every cell, one per line.

Each line is complete in itself and the order does not matter, so a merge may keep the lines of both sides.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.plain import plural

from .course_cell import CourseCell

FLAGS = ("grade", "locked", "solution", "task")  # what nbgrader says of a cell by yes or no
OPEN = "open"  # none of them
HASH_LETTERS = 16  # of a hash
DATE = r"(?P<date>\d{4}-\d\d-\d\d)"
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
CELL = re.compile(
    rf"{DATE} cell (?P<grade_id>\S+) (?P<cell_type>code|markdown|raw) (?P<flags>[a-z]+(?:\+[a-z]+)*) "
    rf"(?:points=(?P<points>{NUMBER}) )?schema=(?P<schema>\d{{1,4}}) (?P<digest>[0-9a-f]{{{HASH_LETTERS}}})"
)
ORDER = re.compile(rf"{DATE} order(?P<ids>(?: \S+)+)")
CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")  # the beginnings of git's lines where it could not merge
HEADER = """\
# What students were given of {chapter}: a line for each version of a cell, and for each order of the cells.
# Written by `autograder release`. What stands here is never called altered; after a merge keep the lines of both sides.
"""


@dataclass(frozen=True)
class Version:
    """One released version of a cell: its nbgrader metadata, and the hash of its text."""

    grade_id: str
    cell_type: str
    flags: tuple[str, ...]
    points: float | None
    schema: int
    digest: str
    date: str = field(compare=False)  # the first day on which it was released

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The released cell's nbgrader metadata."""
        points = {} if self.points is None else {"points": self.points}
        said = {flag: flag in self.flags for flag in FLAGS}
        return {**said, **points, "schema_version": self.schema, "cell_type": self.cell_type}

    @property
    def was_open(self) -> bool:
        """Say whether students could write in this cell."""
        return "solution" in self.flags or "locked" not in self.flags

    def __str__(self) -> str:
        """Write its line."""
        points = "" if self.points is None else f"points={str(self.points).removesuffix('.0')} "
        flags = "+".join(self.flags) or OPEN
        return f"{self.date} cell {self.grade_id} {self.cell_type} {flags} {points}schema={self.schema} {self.digest}"


@dataclass(frozen=True)
class Order:
    """The cells of one release, in order."""

    ids: tuple[str, ...]
    date: str = field(compare=False)

    def __str__(self) -> str:
        """Write its line."""
        return f"{self.date} order {' '.join(self.ids)}"


@dataclass(frozen=True)
class Ledger:
    """Every released version of every cell, and every released order."""

    versions: tuple[Version, ...] = ()
    orders: tuple[Order, ...] = ()

    def __add__(self, other: "Ledger") -> "Ledger":
        """Return both together without duplicates; the first date is kept."""
        return Ledger(
            tuple(dict.fromkeys(self.versions + other.versions)), tuple(dict.fromkeys(self.orders + other.orders))
        )

    def __bool__(self) -> bool:
        return bool(self.versions)

    @cached_property
    def by_id(self) -> dict[str, list[Version]]:
        """The versions of each cell, ``{grade_id: versions}``."""
        found = {}
        for version in self.versions:
            found.setdefault(version.grade_id, []).append(version)
        return found

    def lines(self) -> list[str]:
        """Return the ledger's lines."""
        return [str(entry) for entry in (*self.versions, *self.orders)]

    def without(self, other: "Ledger") -> "Ledger":
        """Return what ``other`` does not contain."""
        versions, orders = set(other.versions), set(other.orders)
        return Ledger(
            tuple(entry for entry in self.versions if entry not in versions),
            tuple(entry for entry in self.orders if entry not in orders),
        )


def normalise_text(source: str) -> list:
    """Return a text without differences that editors introduce: line ends and trailing blanks."""
    return [line.rstrip() for line in source.strip().splitlines()]


def text_hash(source: str) -> str:
    """Return the hash of a normalised text."""
    return hashlib.sha256("\n".join(normalise_text(source)).encode("utf-8", "replace")).hexdigest()[:HASH_LETTERS]


def read_ledger(path: Path) -> Ledger:
    """Read a ledger; empty if there is no such file.

    Errors: CourseError if it is damaged, with the first line that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Ledger()
    except (OSError, ValueError) as error:
        raise CourseError(f"cannot read {path} ({error}): restore it with git") from error
    versions, orders = {}, {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            entry = parse_entry(line.strip(), f"{path}, line {number}")
            (orders if isinstance(entry, Order) else versions).setdefault(entry)
    return Ledger(tuple(versions), tuple(orders))


def parse_entry(line: str, place: str) -> Version | Order:
    """Read one line. Errors: CourseError."""
    if found := CELL.fullmatch(line):
        flags = tuple(found["flags"].split("+"))
        if flags == (OPEN,) or set(flags) <= set(FLAGS):
            points = None if found["points"] is None else float(found["points"])
            facts = {name: found[name] for name in ("grade_id", "cell_type", "digest", "date")}
            return Version(flags=() if flags == (OPEN,) else flags, points=points, schema=int(found["schema"]), **facts)
    if found := ORDER.fullmatch(line):
        return Order(tuple(found["ids"].split()), found["date"])
    if line.startswith(CONFLICT):
        raise CourseError(f"{place} is a merge marker: keep the lines of both sides, and delete this one")
    raise CourseError(
        f"{place}: expected `DATE cell ID …` or `DATE order ID …` as `autograder release` writes, got "
        f"{line[:60]!r}: delete the line, or restore the file with git"
    )


def released_in(path: Path, date: str) -> Ledger:
    """Return the contents of a released notebook; nothing if there is none, or it cannot be read."""
    try:
        return entries_of(nbformat.read(path, as_version=4), date)
    except CourseError:
        raise
    except Exception:  # nobody received a notebook that nbformat cannot read, or nbgrader did not write
        return Ledger()


def entries_of(notebook: NotebookNode, date: str) -> Ledger:
    """Return the contents of a notebook. Errors: CourseError for an id that no line can hold."""
    known = [cell for cell in notebook.cells if isinstance(cell.metadata.get("nbgrader", {}).get("grade_id"), str)]
    versions = tuple(version_of(cell, date) for cell in known)
    return Ledger(versions, (Order(tuple(version.grade_id for version in versions), date),) if versions else ())


def version_of(cell: NotebookNode, date: str, source: str | None = None) -> Version:
    """Return a released cell as a ledger entry; ``source`` replaces its text if given.

    Errors: CourseError for an id that no line can hold.
    """
    said = cell.metadata.nbgrader
    if not re.fullmatch(r"\S+", said.grade_id):
        raise CourseError(f"the id {said.grade_id!r} of a cell has blanks: give it another in JupyterLab's panel")
    return Version(
        said.grade_id,
        cell.cell_type,
        tuple(flag for flag in FLAGS if said.get(flag)),
        float(said.points) if "points" in said else None,
        int(said.get("schema_version", 0)),
        text_hash(cell.source if source is None else source),
        date,
    )


def add_releases(path: Path, *releases: Ledger) -> Ledger:
    """Add these releases to a ledger, and return what it held before; nothing is written if nothing is new.

    Errors: CourseError if the ledger is damaged; it stays as it is then.
    """
    before = read_ledger(path)
    new = sum(releases, before).without(before)
    if new.versions or new.orders:
        text = path.read_text(encoding="utf-8") if path.exists() else HEADER.format(chapter=path.stem)
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text.rstrip("\n") + "\n" + "\n".join(new.lines()) + "\n")
    return before


def changed_since(last: Ledger, now: Ledger) -> list[str]:
    """Describe what changed between two releases, cell by cell, as ``setup changed``."""
    old, new = ({version.grade_id: version for version in ledger.versions} for ledger in (last, now))
    said = [f"{name} is gone" for name in old if name not in new]
    for name, version in new.items():
        if name not in old:
            said.append(f"{name} is new")
        elif version.points != old[name].points:
            worth, before = version.points or 0, old[name].points or 0
            said.append(f"{name} has {plural(worth, 'point')} instead of {before:g}")
        elif version != old[name]:
            said.append(f"{name} changed")
    both = [[name for name in ledger if name in old and name in new] for ledger in (old, new)]
    return said + (["the order changed"] if both[0] != both[1] else [])


def earlier(known: Ledger, cells: Mapping[str, CourseCell]) -> Ledger:
    """Return what was released but differs from an assignment's present cells, given by their ids."""
    now = [version_of(locked.cell, "", locked.source) for locked in cells.values()]
    others = known.without(Ledger(tuple(now), (Order(tuple(cells), ""),)))
    answers = {nbgrader_metadata(version) for version in now if version.was_open}  # whose text is the student's
    return Ledger(
        tuple(version for version in others.versions if nbgrader_metadata(version) not in answers), others.orders
    )


def nbgrader_metadata(version: Version) -> tuple:
    """Return a cell's nbgrader metadata."""
    return version.grade_id, *version.facts.values()


def fingerprint(ledger: Ledger) -> str:
    """Return a hash of everything released, whatever the date or order of lines; "" for nothing."""
    found = sorted(line.partition(" ")[2] for line in ledger.lines())
    return hashlib.sha256("\n".join(found).encode()).hexdigest() if found else ""
