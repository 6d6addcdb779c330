"""Remembers where each hand-in came from, in ``collected.json`` in the class's folder.

``return`` can then name its files as the LMS expects, and a later hand-in is recognised as later.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from autograder.classroom.arrival import TIMESTAMP
from autograder.classroom.classroom import ClassRoom
from autograder.classroom.undecided import COLLECTED_FILE
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.plain import visible_line
from autograder.shape import read_json

from .first_arrivals import WORK, Work
from .platforms import Label
from .scan import Item

MAX_PATH_SHOWN, MAX_REASON = 120, 200  # letters of a path, and of one reason of several
MAX_NAMED = 8  # files, students or reasons in one line


class Order(NamedTuple):
    """A hand-in's place in an LMS's own order: Canvas's number of an upload, or the time of Moodle's download."""

    lms: str = ""
    number: int = 0


@dataclass(frozen=True)
class HandIn:
    """A student's file as it was found; ``came`` is when it was handed in, or None.

    ``file`` is the number of the folder or zip on the command line in which it was.
    """

    item: Item
    label: Label | None = None
    came: datetime | None = None
    file: int = 0

    @property
    def where(self) -> str:
        """The path at which it was found, on one line."""
        return short_path(self.item.parts)

    @property
    def work(self) -> Work:
        """Its hashes."""
        return Work(self.item.answers, self.item.sources, self.item.sha256)

    @property
    def order(self) -> Order:
        """Its place in the order of its LMS, which is none without a label."""
        if self.label is None:
            return Order()
        return Order(self.label.lms, int(self.label.attempt or 0) if self.label.lms == "canvas" else self.item.when)

    def is_later(self, known: dict[str, Any], there: str) -> bool:
        """Say whether it is later than the present hand-in, with hash ``there`` and entry ``known``."""
        if known.get("sha256") != there:
            return False  # not what was collected
        if self.came and known.get("came"):
            return self.came.isoformat() > known["came"]
        before = Order(*known["order"])
        return bool(self.order.lms) and self.order.lms == before.lms and self.order.number > before.number

    def kept(self, known: dict[str, Any], is_notebook: bool = True) -> dict[str, Any]:
        """Return the entry to store, given the previous one, whose labels stay."""
        came = self.came.isoformat() if self.came else ""
        if not came and known.get("sha256") == self.item.sha256:
            came = known.get("came", "")
        order = list(self.order) if self.label else known.get("order", list(Order()))
        about = {"from": self.where, "sha256": self.item.sha256, "came": came, "order": order}
        about |= {name: known[name] for name in (*WORK, "first") if name in known}
        return {**about, **({} if is_notebook else {"as_it_is": True}), "labels": known.get("labels", {})}

    def kept_beside(self, known: dict[str, Any], there: str) -> dict[str, Any]:
        """Return the entry to store, given the previous one, where the file with hash ``there`` stays."""
        is_older = known.get("sha256") == there and not self.is_later(known, there)
        return known if is_older else {**self.kept(known), "sha256": there}


def write_hand_in(path: Path, hand: HandIn, is_new: bool, came: datetime | None) -> None:
    """Write a notebook and the arrival time that counts, as nbgrader does; identical files are left alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if is_new:
        write_whole(path, Path(hand.item.staged).read_bytes())
    stamp = path.with_name(TIMESTAMP)
    if came:
        text = f"{came:%Y-%m-%d %H:%M:%S} UTC"
        if not stamp.exists() or stamp.read_text(encoding="utf-8", errors="replace").strip() != text:
            write_whole(stamp, text)
    elif is_new:
        stamp.unlink(missing_ok=True)  # that is the previous hand-in's time


def read_memory(classroom: ClassRoom) -> dict[str, Any]:
    """Return ``{chapter: {login: entry}}``. Errors: CourseError if the file is damaged."""
    path = classroom.root / COLLECTED_FILE
    try:
        memory = read_json(path)
        for kept in (kept for logins in memory.values() for kept in logins.values()):
            if not isinstance(kept["labels"], dict) or not all(Label(**label) for label in kept["labels"].values()):
                raise ValueError("no labels")
            if "sha256" in kept and list(map(type, (kept["came"], *kept["order"]))) != [str, str, int]:
                raise ValueError("no order")
            times = [datetime.fromisoformat(text) for text in kept.get("first", {}).values()]
            if not (all(isinstance(kept.get(name, ""), str) for name in WORK) and all(time.tzinfo for time in times)):
                raise ValueError("no answers")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise CourseError(f"cannot read {path} ({error}): remove it, and collect the same files again") from error
    return memory


def write_memory(classroom: ClassRoom, memory: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Write the entries in one step, if they changed."""
    path, text = classroom.root / COLLECTED_FILE, json.dumps(memory, indent=1, sort_keys=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_whole(path, text)


def short_path(parts: Iterable[str]) -> str:
    """Shorten a path to one safe line; its end, which is the most specific part, is kept."""
    text = visible_line("/".join(parts))
    return text if len(text) <= MAX_PATH_SHOWN else f"…{text[1 - MAX_PATH_SHOWN :]}"
