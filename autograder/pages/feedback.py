"""Writes one safe feedback page per student: criteria, messages, their code and its output."""

import gc
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.exchange import release_stamps
from autograder.classroom.results.load import SavedResult, load_cells, load_results
from autograder.classroom.results.records import SavedCell, SavedOutput
from autograder.course.course import Assignment
from autograder.diagnosis.exercise import CRITERIA, SHARES
from autograder.diagnosis.judge import NOT_EARNED_YET
from autograder.errors import CourseError
from autograder.files import make_student_folder, write_whole
from autograder.plain import TextBudget, join_first
from autograder.sandbox.host.limited_child import start_limited

from .marks_page import page_path, write_marks_page
from .pictures import Pictures
from .templating import PAGES, title_of

MAX_OUTPUTS, MAX_IMAGES = 100, 10  # of one cell
MAX_TEXT, MAX_TEXTS = 20_000, 1 << 20  # characters of a cell's code or of an output, and of all on a page
TEMPLATES = ("feedback.html", "page.html", "look.css", "pages.css")  # of a page, and what they include
PAGES_A_COPY = 25


def feedback(classroom: ClassRoom, *chosen: Assignment) -> list[Path]:
    """Write a page for every graded student and chapter, then marks.html for the instructor; return students' pages.

    Errors: UsageError if nothing of a chapter has been graded yet; CourseError if a page cannot be written, or the
    gradebook cannot be read.
    """
    pages, lost = [], []
    for assignment in chosen:
        results = load_results(classroom, assignment)
        load_libraries(assignment, results.values())
        failed = write_pages(classroom, assignment, results)
        pages += [page_path(classroom, assignment, student) for student in results if student not in failed]
        lost += [f"{student} ({error})" for student, error in failed.items()]
    write_marks_page(classroom, chosen[0].course)
    if lost:
        raise CourseError(f"{len(pages)} pages written, {len(lost)} failed: {join_first(lost)}")
    return pages


def write_pages(classroom: ClassRoom, assignment: Assignment, results: dict[str, SavedResult]) -> dict[str, Exception]:
    """Write every student's page, several in each forked copy and one copy a core; return the errors by student.

    Where a copy fails, each of its pages is made anew in a copy of its own: a failing page must not affect the others.
    """
    gc.freeze()  # or each copy's collector would touch, and so copy, all that was loaded
    students = list(results)
    batches = [students[start : start + PAGES_A_COPY] for start in range(0, len(students), PAGES_A_COPY)]
    running: deque[tuple[list[str], Callable]] = deque()
    lost = {}
    while batches or running:
        while batches and len(running) < (os.cpu_count() or 1):
            students = batches.pop(0)
            running.append((students, start_limited(partial(write_each, classroom, assignment, results, students))))
        students, wait = running.popleft()
        try:
            wait()
        except Exception as error:
            if len(students) > 1:
                batches[:0] = [[student] for student in students]
            else:
                lost[students[0]] = error
    return dict(sorted(lost.items()))


def write_each(
    classroom: ClassRoom, assignment: Assignment, results: dict[str, SavedResult], students: list[str]
) -> None:
    """Write these students' pages."""
    for student in students:
        write_page(classroom, assignment, student, results[student])


def load_libraries(assignment: Assignment, results: Iterable[SavedResult]) -> None:
    """Load what pages need, once: pages are made in forked copies, each of which would load it again."""
    for name in TEMPLATES:
        PAGES.get_template(name)
    exercises = [exercise for result in results for exercise in result["exercises"]]
    for name, mistake in {(one.name, one.mistake) for one in exercises if one.mistake}:
        with suppress(Exception):  # only the pages that need it fail, and say so
            assignment.course.hooks.consequence(name, mistake)


def write_page(classroom: ClassRoom, assignment: Assignment, student: str, result: SavedResult) -> None:
    """Write one student's page."""
    text = feedback_page(assignment, result, load_cells(classroom, student, assignment.chapter))
    path = page_path(classroom, assignment, student)
    make_student_folder(path.parent)
    write_whole(path, text)
    release_stamps(classroom, student, assignment.chapter)


def feedback_page(assignment: Assignment, result: SavedResult, cells: Sequence[SavedCell] = ()) -> str:
    """Return one student's page. Everything is escaped; it holds no script and loads nothing."""
    pictures, room = Pictures(), TextBudget(MAX_TEXTS, MAX_TEXT)
    theirs = [cell for kind in ("answer", "own") for cell in cells if cell["kind"] == kind and cell["source"].strip()]
    cells = [cell for cell in (shown_cell(cell, pictures, room) for cell in theirs) if cell["source"]]
    settings = assignment.course.settings
    return PAGES.get_template("feedback.html").render(
        settings=settings,
        contact_link=link_of(settings.contact),
        say=lambda word: settings.words.get(word, word),
        result=result,
        title=title_of(assignment),
        later=NOT_EARNED_YET,
        slip=assignment.slip,
        shows_slip=assignment.shows_slip,
        consequence=assignment.course.hooks.consequence,
        book=assignment.course.book_url,
        example=assignment.course.hooks.example,
        answers={cell["id"]: cell for cell in cells if cell["id"]},
        shares={CRITERIA[name]: share for name, share in SHARES.items()},
        own=[cell for cell in cells if not cell["id"]],
    )


def link_of(contact: str) -> str:
    """Return where a contact leads: a web address as it is, an e-mail address as one; "" for a sentence."""
    if contact.startswith(("https://", "http://")):
        return contact
    return f"mailto:{contact}" if re.fullmatch(r"[^\s@]+@[^\s@]+", contact) else ""


def shown_cell(cell: SavedCell, pictures: Pictures, room: TextBudget) -> dict[str, Any]:
    """Return a cell with its outputs as text and safe pictures; excessive output is left out."""
    source, shown, left_out, most = room.cut(cell["source"]), [], 0, MAX_IMAGES
    for output in cell["outputs"][:MAX_OUTPUTS]:
        data = picture_of(output)
        uri = pictures.shown(data) if data is None or most > 0 else None
        most -= bool(data)
        left_out += uri is None
        if uri:
            shown.append(("image", uri))
        elif uri is not None:
            kind, content = shown_text(output)
            shown.append((kind, room.cut(content)))
    if left_out:
        shown.append(("left", f"… {left_out} more picture{'s were' if left_out > 1 else ' was'} left out"))
    return {**cell, "source": source, "shown": [(kind, content) for kind, content in shown if content]}


def picture_of(output: SavedOutput) -> str | None:
    """Return an output's picture, as it was saved, or None."""
    if output["output_type"] == "stream" or output["output_type"] == "error":
        return None
    return output["data"].get("image/png")


def shown_text(output: SavedOutput) -> tuple[str, str]:
    """Return an output as shown on the page, unless it is a picture: ``("text" or "error", content)``."""
    if output["output_type"] == "stream":
        return "text", output["text"]
    if output["output_type"] == "error":
        return "error", "\n".join(output["traceback"]) or f"{output['ename']}: {output['evalue']}"
    return "text", output["data"].get("text/plain", "")
