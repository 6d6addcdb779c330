"""Rebuilds a clean notebook from the cells of a submission. Only the source of the student's cells survives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.course.course import Assignment, CourseCell
from autograder.course.ledger import normalise_text
from autograder.plain import TextBudget

from .intake import one_line
from .known_release import Received
from .lost_ids import LOST, has_ids, with_ids

MAX_TEXT, MAX_TEXTS = 64 << 10, 1 << 20  # characters of an added text cell, and of all; they are only shown
CHECKED_METADATA = ("grade", "locked", "solution", "task", "points", "schema_version", "cell_type")


@dataclass(frozen=True)
class RebuiltCell:
    """One cell of the rebuilt notebook.

    ``kind``: "course" (locked), "test", "answer", "own" (added), or "earlier" (locked in an earlier release, now gone).
    """

    kind: str
    cell_type: str
    source: str
    grade_id: str = ""


@dataclass(frozen=True)
class Rebuilt:
    """A clean notebook, and descriptions of what was restored in it.

    ``tampered`` is about code, ``harmless`` about texts only, and ``missing`` names cells of the course that were not
    there, which cannot raise a mark; all are empty where ids were lost. ``lost`` holds the
    lines of code that were written into locked cells, ``{grade_id: lines}``. ``notes`` say that ids were lost
    (``without_ids``) and what the course has changed since an earlier release; ``dropped`` holds the lines of cells
    that no longer exist, and ``absent`` the exercises that the release did not have. ``python`` reads the version
    that the notebook says it was written with, "3.14", or "".
    """

    pieces: tuple[RebuiltCell, ...]
    tampered: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()
    lost: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    dropped: dict[str, tuple[str, ...]] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    without_ids: bool = False
    missing: tuple[str, ...] = ()
    python: Callable[[], str] = str


def rebuild(assignment: Assignment, submitted: list[dict[str, Any]]) -> Rebuilt:
    """Return the clean notebook, and what was altered.

    Course cells come from the solution notebook, in its order; answers and added cells come from the submission. An
    added cell stays after the course cell that it follows. Anything that was ever released does not count as altered.
    """
    had_ids, submitted = has_ids(submitted), with_ids(assignment, submitted)
    received = Received(assignment, submitted)
    by_id, added, found = sort_out(assignment, submitted, received)
    pieces, lost, dropped, told = list(added.get("", ())), {}, {}, {True: [], False: []}
    for grade_id, locked in assignment.cells.items():
        mine = by_id.get(grade_id)
        if assignment.is_answer(grade_id):
            pieces.append(RebuiltCell("answer", "code", mine["source"] if mine else "", grade_id))
        else:
            kind = "test" if locked.exercise else "course"
            pieces.append(RebuiltCell(kind, locked.cell.cell_type, locked.source, grade_id))
            if lines := lost_lines(locked, mine):
                (dropped if received.holds(mine) else lost)[grade_id] = lines
        found += [(grade_id, words) for words in differences(assignment, grade_id, mine, received)] if mine else []
        pieces += added.get(grade_id, ())
    notes, absent, without_ids = received.notes(by_id), received.absent, bool(by_id) and not had_ids
    missing = tuple(name for name in received.order if name not in by_id and not assignment.is_answer(name))
    if without_ids:  # nothing tells a cell that was altered or is missing from one that was not recognised
        notes, absent, found, missing = (LOST, *notes), frozenset(), [], ()
    for grade_id, words in dict.fromkeys(found):  # a cell that appears a thousand times is reported once
        told[assignment.is_text(grade_id)].append(f"{grade_id}: {words}")
    told_apart = tuple(told[False]), tuple(told[True])
    return Rebuilt(tuple(pieces), *told_apart, lost, notes, dropped, absent, without_ids, missing)


def sort_out(assignment: Assignment, submitted: list, received: Received) -> tuple[dict, dict, list]:
    """Separate the course's cells, by their ids, from added ones, and note which were moved or duplicated."""
    counts, texts = which_count(assignment, submitted), TextBudget(MAX_TEXTS, MAX_TEXT)
    by_id, added, found, anchor = {}, {}, [], ""
    for index, cell in enumerate(submitted):
        grade_id = cell["nbgrader"].get("grade_id")
        if is_course_cell(assignment, cell) and counts[grade_id] == index:
            by_id[grade_id], anchor = cell, grade_id
        elif is_course_cell(assignment, cell) and not assignment.is_answer(grade_id):
            if not are_two_releases(received, cell, submitted[counts[grade_id]]):
                found.append((grade_id, "appears twice"))
        elif cell["source"].strip():
            added.setdefault(anchor, []).extend(piece_of(cell, texts, received))
    return by_id, added, found + moved(assignment, by_id, received.order)


def are_two_releases(received: Received, *cells: dict[str, Any]) -> bool:
    """Say whether two cells of one id come from different releases, as when a fix is pasted below the old cell."""
    first, second = (normalise_text(cell["source"]) for cell in cells)
    return first != second and all(map(received.holds, cells))


def piece_of(cell: dict, texts: TextBudget, received: Received) -> list[RebuiltCell]:
    """Return what becomes of a cell that today's course does not have; nothing if it was one of its texts or tests."""
    if received.is_gone(cell):
        is_shown = cell["cell_type"] == "code" and not received.was_test(cell["nbgrader"]["grade_id"])
        return [RebuiltCell("earlier", "code", cell["source"])] if is_shown else []
    source = cell["source"] if cell["cell_type"] == "code" else texts.cut(cell["source"])
    return [RebuiltCell("own", cell["cell_type"], source)] if source else []


def which_count(assignment: Assignment, submitted: list[dict[str, Any]]) -> dict[str, Any]:
    """Return which copy of each course cell counts, ``{grade_id: its place}``: the last one.

    For an answer, it is the last copy above its test, which is what the test sees when the notebook runs in order.
    """
    places = {}
    for index, cell in enumerate(submitted):
        if is_course_cell(assignment, cell):
            places.setdefault(cell["nbgrader"]["grade_id"], []).append(index)
    counts = {}
    for grade_id, found in places.items():
        test = places.get(f"test_{grade_id}", [len(submitted)])[-1]
        counts[grade_id] = ([index for index in found if index < test] or found)[-1]
    return counts


def moved(assignment: Assignment, by_id: dict[str, Any], order: Sequence[str]) -> list[tuple[str, str]]:
    """Return the first code cell that is out of order among the code, or else the first text that is.

    ``order`` is that of the release in question.
    """
    is_text = assignment.is_text
    right = [grade_id for grade_id in order if grade_id in by_id]
    found = [grade_id for grade_id in by_id if grade_id in right]
    code = [[grade_id for grade_id in ids if not is_text(grade_id)] for ids in (found, right)]
    for pair in (code, (found, right)):
        for mine, place in zip(*pair, strict=True):
            if mine != place:
                return [(place if is_text(place) else mine, "moved")]
    return []


def is_course_cell(assignment: Assignment, cell: dict[str, Any]) -> bool:
    """Say whether a cell has the id of one of the course's cells."""
    grade_id = cell["nbgrader"].get("grade_id")
    return isinstance(grade_id, str) and grade_id in assignment.cells


def differences(assignment: Assignment, grade_id: str, mine: dict[str, Any], received: Received) -> list[str]:
    """Describe how a submitted course cell differs from the course's own, in today's and in every release."""
    locked = assignment.cells[grade_id]
    right, found = locked.cell.metadata.nbgrader, mine["nbgrader"]
    altered = []
    ours = normalise_text(locked.source), normalise_text(locked.cell.source)  # released, and the solution notebook's
    is_other = not assignment.is_answer(grade_id) and normalise_text(mine["source"]) not in ours
    if is_other and not received.holds(mine) and not received.was_theirs(mine):
        lines = lost_lines(locked, mine)
        altered.append(f"text changed{f', without your `{one_line(lines[0][:40])}`' if lines else ''}")
    # The release locks cells and writes their types itself, so compare with what it wrote.
    wanted = {**right, "cell_type": locked.cell.cell_type}
    other = [key for key in CHECKED_METADATA if key in found and found[key] != wanted.get(key, found[key])]
    altered += [f"{key} changed" for key in other if not received.allows(mine, key)]
    if mine["cell_type"] != locked.cell.cell_type and not received.was_type(mine):
        altered.append(f"made a {mine['cell_type']} cell")
    if mine["tags"]:
        altered.append(f"tagged {one_line(', '.join(mine['tags'][:3]))}")
    return altered


def lost_lines(locked: CourseCell, mine: dict[str, Any] | None) -> tuple[str, ...]:
    """Return the lines of code that a student wrote into a locked cell; restoring the cell drops them."""
    if mine is None or locked.cell.cell_type != "code":
        return ()
    ours = {*normalise_text(locked.source), *normalise_text(locked.cell.source)}
    return tuple(line for line in normalise_text(mine["source"]) if line not in ours)
