"""Updates a gradebook that already holds marks to the current assignment, and reports every mark that this changes.

nbgrader itself refuses when cells were added or removed, and leaves marks as they were when points changed.
"""

import copy
import uuid
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

import nbformat

from autograder.course.course import Assignment
from autograder.course.course_cell import CourseCell
from autograder.errors import CourseError

from .by_hand import ByHand, Remark, rescale_mark

if TYPE_CHECKING:
    from nbgrader.api import Gradebook


@dataclass(frozen=True)
class Pending:
    """What a gradebook must learn before new marks can be written to it.

    ``points`` holds changed exercises, ``{exercise: (before, now)}``; ``new`` and ``gone`` are exercises.
    """

    points: dict[str, tuple[float, float]] = field(default_factory=dict)
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    by_hand: tuple[ByHand | Remark, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.points or self.new or self.gone)

    @property
    def why(self) -> str:
        """What changed, as text."""
        said = [f"{name} is worth {now:g} instead of {was:g}" for name, (was, now) in self.points.items()]
        return ", ".join(said + [f"{name} is new" for name in self.new] + [f"{name} is gone" for name in self.gone])


def pending(api: ModuleType, book: "Gradebook", assignment: Assignment) -> Pending:
    """Return how an assignment's exercises differ from those marked in the gradebook; falsy if they agree."""
    try:
        notebook = book.find_notebook(assignment.chapter, assignment.chapter)
    except api.MissingEntry:
        return Pending()
    was = {cell.name.removeprefix("test_"): cell.max_score for cell in notebook.grade_cells}
    now = {name: float(exercise.points) for name, exercise in assignment.exercises.items()}
    points = {name: (was[name], now[name]) for name in now if name in was and was[name] != now[name]}
    new, gone = (tuple(name for name in these if name not in those) for these, those in ((now, was), (was, now)))
    if not (points or new or gone) or not is_handed_in(api, book, notebook):
        return Pending()
    hand: list[ByHand | Remark] = [
        ByHand(grade.student.id, assignment.chapter, name, grade.manual_score, was[name], now.get(name))
        for cell in notebook.grade_cells
        if (name := cell.name.removeprefix("test_")) in points or name in gone
        for grade in cell.grades
        if grade.manual_score is not None
    ]
    hand += [
        Remark(comment.student.id, assignment.chapter, cell.name, comment.manual_comment)
        for cell in notebook.solution_cells
        if cell.name in gone
        for comment in cell.comments
        if comment.manual_comment
    ]
    return Pending(points, new, gone, tuple(sorted(hand, key=lambda one: (one.student, one.exercise))))


def is_handed_in(api: ModuleType, book: "Gradebook", notebook: Any) -> bool:
    """Say whether the gradebook has any marks for this notebook."""
    submitted = book.db.query(api.SubmittedNotebook.id).filter(api.SubmittedNotebook.notebook_id == notebook.id)
    return submitted.first() is not None


def bring_up_to_date(
    api: ModuleType, book: "Gradebook", assignment: Assignment, registered: dict[str, CourseCell]
) -> None:
    """Rescale marks if points changed, delete cells that are gone, and insert new ones, in one transaction.

    ``registered`` are the cells that nbgrader stores. Texts are updated by nbgrader, if ids agree.
    Errors: CourseError if a cell was added or removed and the exercises were not released since.
    """
    try:
        notebook = book.find_notebook(assignment.chapter, assignment.chapter)
    except api.MissingEntry:
        return
    if not is_handed_in(api, book, notebook):
        return
    graded = [name for name, locked in registered.items() if locked.exercise]
    answers = [name for name in registered if assignment.is_answer(name)]
    try:
        rescale(book, notebook, assignment)
        for kind, cells, wanted in (
            (api.GradeCell, notebook.grade_cells, graded),
            (api.SolutionCell, notebook.solution_cells, answers),
            (api.SourceCell, notebook.source_cells, [*registered]),
        ):
            known = {cell.name: cell for cell in cells}
            for name in known.keys() - set(wanted):
                take_out(book, known[name])
            for name in [name for name in wanted if name not in known]:
                put_in(api, book, notebook, kind, assignment, registered[name])
        book.db.commit()
    except BaseException:
        book.db.rollback()
        raise


def rescale(book: "Gradebook", notebook: Any, assignment: Assignment) -> None:
    """Set exercises' new points, and rescale all their marks in proportion."""
    now = {f"test_{name}": float(exercise.points) for name, exercise in assignment.exercises.items()}
    for cell in notebook.grade_cells:
        was, points = cell.max_score, now.get(cell.name, cell.max_score)
        if was == points:
            continue
        for grade in cell.grades:
            grade.auto_score = rescale_mark(grade.auto_score, was, points)
            grade.manual_score = rescale_mark(grade.manual_score, was, points)
        cell.max_score = points


def take_out(book: "Gradebook", cell: Any) -> None:
    """Delete a cell with its marks and comments."""
    for found in (*getattr(cell, "grades", ()), *getattr(cell, "comments", ())):
        book.db.delete(found)
    book.db.flush()
    book.db.expire(cell)
    book.db.delete(cell)


def put_in(
    api: ModuleType, book: "Gradebook", notebook: Any, kind: type, assignment: Assignment, locked: CourseCell
) -> None:
    """Insert a cell as nbgrader would, with an empty mark or comment for everyone who has handed in."""
    facts = {"id": uuid.uuid4().hex, "name": locked.grade_id, "notebook": notebook}
    if kind is api.SourceCell:
        book.db.add(api.SourceCell(**facts, **source_facts(api, assignment, locked)))
        return
    if kind is api.GradeCell and locked.exercise:
        facts |= {"max_score": float(locked.exercise.points), "cell_type": locked.cell.cell_type}
    cell = kind(**facts)
    book.db.add(cell)
    for submitted in notebook.submissions:
        row = {"cell": cell, "notebook": submitted}
        empty = api.Grade(needs_manual_grade=False, **row) if kind is api.GradeCell else api.Comment(**row)
        book.db.add(empty)


def source_facts(api: ModuleType, assignment: Assignment, locked: CourseCell) -> dict[str, Any]:
    """Return what nbgrader stores of a cell's text. Errors: CourseError if the released notebook has no such cell."""
    cell = copy.deepcopy(locked.cell)
    if assignment.is_answer(locked.grade_id):
        released = nbformat.read(assignment.released_path, as_version=4)
        stubs = {found.metadata.get("nbgrader", {}).get("grade_id"): found.source for found in released.cells}
        if locked.grade_id not in stubs:
            raise CourseError(
                f"{assignment.released_path} has no cell {locked.grade_id}: "
                f"run `autograder release {assignment.chapter}`"
            )
        cell.source = stubs[locked.grade_id]
    facts = {"source": cell.source, "checksum": api.utils.compute_checksum(cell), "cell_type": cell.cell_type}
    return {**facts, "locked": not assignment.is_answer(locked.grade_id)}
