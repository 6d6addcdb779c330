"""Writes late penalties, deadlines and names into nbgrader's rows, so that its pages and exports agree with ours."""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.classroom.arrival import TIMESTAMP, note_of
from autograder.classroom.classroom import ClassRoom
from autograder.classroom.roster import LOGIN_LETTERS, Enrolled, composed
from autograder.errors import CourseError
from autograder.files import write_whole
from autograder.shape import read_json

from .exchange import parse_arrival
from .gradebook import models
from .total import Total

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

TOLERANCE = 1e-6  # smaller differences are ignored


def ours_path(classroom: ClassRoom, chapter: str) -> Path:
    """The file that lists the penalties we wrote, by student: any other is a person's."""
    return classroom.root / f".late-{chapter}.json"


def read_ours(classroom: ClassRoom, chapter: str) -> dict:
    """Return the penalties that we wrote, ``{student: [points, …]}``. Errors: CourseError if they cannot be read."""
    path = ours_path(classroom, chapter)
    try:
        return {str(student): [float(one) for one in known] for student, known in read_json(path).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise CourseError(
            f"cannot read {path}, which distinguishes our late penalties from those that people set. If you "
            f"remove it, every penalty in the gradebook counts as a person's"
        ) from error


def penalty_rows(book: "Gradebook", chapter: str) -> dict:
    """Return every late penalty in the gradebook, 0 included: ``{student: points}``."""
    api = models()

    notebook, submission = api.SubmittedNotebook, api.SubmittedAssignment
    asked = book.db.query(submission.student_id, notebook.late_submission_penalty).select_from(notebook)
    asked = asked.join(submission).join(api.Assignment)
    asked = asked.filter(api.Assignment.name == chapter, notebook.late_submission_penalty.is_not(None))
    found = {}
    for student, penalty in asked:
        found[student] = found.get(student, 0.0) + penalty
    return found


def penalties_by_person(classroom: ClassRoom, book: "Gradebook", chapter: str) -> dict:
    """Return the penalties that a person set through nbgrader, ``{student: points}``: those we did not write."""
    found = penalty_rows(book, chapter)  # before ours: whoever writes a row meanwhile has noted it first
    ours = read_ours(classroom, chapter)
    return {
        student: penalty
        for student, penalty in found.items()
        if not any(abs(penalty - known) < TOLERANCE for known in ours.get(student, ()))
    }


@contextmanager
def lock_rows(classroom: ClassRoom) -> Iterator[None]:
    """Wait until no other command is updating this class's rows, and make others wait."""
    with (classroom.root / ".late.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def sync_rows(classroom: ClassRoom, book: "Gradebook", chapter: str, totals: dict[str, Total]) -> None:
    """Update nbgrader's rows of one chapter: penalties, arrival times, deadlines, and names.

    ``totals`` is ``{student: Total}``. Rows that agree are not written, and neither is anything that a person set.
    Errors: SQLAlchemyError; CourseError.
    """
    wanted = {student: total.penalty or None for student, total in totals.items() if not total.by_person}
    found = penalty_rows(book, chapter)
    changed = {
        student: penalty
        for student, penalty in wanted.items()
        if (found.get(student) is None) != (penalty is None)
        or abs((found.get(student) or 0) - (penalty or 0)) > TOLERANCE
    }
    remember_penalties(
        classroom, chapter, {student: penalty for student, penalty in changed.items() if penalty is not None}
    )
    try:
        write_changed_rows(classroom, book, chapter, totals, changed)
        book.db.commit()
    except BaseException:
        book.db.rollback()
        raise


def remember_penalties(classroom: ClassRoom, chapter: str, penalties: dict) -> None:
    """Store which penalties will be written, beside the previous ones: a run may be killed in between."""
    if not penalties:
        return
    ours = read_ours(classroom, chapter)
    for student, penalty in penalties.items():
        ours[student] = [*[one for one in ours.get(student, []) if one != penalty][-1:], penalty]
    write_whole(ours_path(classroom, chapter), json.dumps(ours, ensure_ascii=False, sort_keys=True))


def write_changed_rows(
    classroom: ClassRoom, book: "Gradebook", chapter: str, totals: dict[str, Total], penalties: dict
) -> None:
    """Write the rows that differ."""
    api = models()

    assignment = book.db.query(api.Assignment).filter(api.Assignment.name == chapter).one_or_none()
    if assignment is None:
        return
    due = as_naive_utc(classroom.class_file.deadlines.get(chapter))
    if due is not None and assignment.duedate != due:
        assignment.duedate = due
    submission = api.SubmittedAssignment
    asked = book.db.query(submission.student_id, submission.id, submission.timestamp, submission.extension)
    for student, number, timestamp, extension in asked.filter(submission.assignment_id == assignment.id).all():
        total = totals.get(student)
        wanted = wanted_row(classroom, chapter, total, student, due) if total else {}
        if any({"timestamp": timestamp, "extension": extension}[name] != value for name, value in wanted.items()):
            book.db.query(submission).filter(submission.id == number).update(wanted)
        if student in penalties:
            notebooks = book.db.query(api.SubmittedNotebook).filter(api.SubmittedNotebook.assignment_id == number)
            notebooks.update({"late_submission_penalty": penalties[student]})
    write_students(classroom, book)


def wanted_row(classroom: ClassRoom, chapter: str, total: Total, student: str, due: datetime | None) -> dict[str, Any]:
    """Return the wanted row of a submission, as far as known: its arrival, and its extension."""
    late = total.lateness
    wanted: dict[str, Any] = {}
    if late.handed_in:
        # In nbgrader's format: its formgrader shows a submission as ungraded if the times differ.
        stamps = {TIMESTAMP: note_of(classroom, student, chapter)}
        wanted["timestamp"] = parse_arrival(stamps) or as_naive_utc(late.handed_in)
    if due is not None:
        extended = as_naive_utc(late.due) if late.extended else None
        wanted["extension"] = extended - due if extended else None
    return wanted


def as_naive_utc(moment: datetime | None) -> datetime | None:
    """Return a moment as nbgrader stores it: in UTC, without a zone."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment else None


def write_students(classroom: ClassRoom, book: "Gradebook") -> None:
    """Add the roster's students to nbgrader, and the details that it lacks."""
    api = models()

    enrolled_students = classroom.class_file.roster.students
    known = {composed(student.id): student for student in book.db.query(api.Student)} if enrolled_students else {}
    for enrolled in enrolled_students:
        student = known.get(composed(enrolled.login))
        if student is None and enrolled.left is None:
            student = api.Student(id=enrolled.login)
            book.db.add(student)
        for name, value in student_details(enrolled).items() if student is not None else ():
            if value and not getattr(student, name):
                setattr(student, name, value)


def student_details(enrolled: Enrolled) -> dict:
    """Return a student's details as in nbgrader; the last name is before the comma, or after the last blank."""
    name = enrolled.name
    first, last = name.split(",", 1)[::-1] if "," in name else name.rpartition(" ")[::2]
    facts = {"first_name": first, "last_name": last, "email": enrolled.email, "lms_user_id": enrolled.lms_id}
    return {key: value.strip()[:LOGIN_LETTERS] for key, value in facts.items()}
