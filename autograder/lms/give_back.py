"""Packs feedback pages into the zip that Moodle or Canvas imports, each under the name that identifies the student.

``lms.py`` documents how both read those names, with sources.
"""

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.load import nothing_graded, submitters
from autograder.classroom.results.records import RESULT
from autograder.course.course import Assignment
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.pages.feedback import page_path

from .collected import read_memory
from .platforms import LMS_NAMES, canvas_entry, moodle_entry

FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the first date a zip can hold, so that the same pages make the same zip


@dataclass(frozen=True)
class GivenBack:
    """What was written, and whose page is missing from it: none, an old one, or work collected elsewhere."""

    path: Path
    students: tuple[str, ...]
    without_page: tuple[str, ...]
    from_elsewhere: tuple[str, ...]


def give_back(classroom: ClassRoom, assignment: Assignment, lms: str, path: Path) -> GivenBack:
    """Write all pages into a zip for ``lms``, in one step.

    Errors: UsageError for an unknown LMS, a path that cannot be written, nothing graded, no page, or nothing collected
    from that LMS; CourseError if ``collected.json`` cannot be read.
    """
    if lms not in LMS_NAMES:
        raise UsageError(f"unknown format {lms!r}: expected one of {', '.join(LMS_NAMES)}")
    if not path.parent.is_dir() or path.is_dir():
        raise UsageError(f"{path} cannot be written: name a file in a folder that is there, with --to")
    chapter = assignment.chapter
    graded = [one for one in submitters(classroom, chapter) if (classroom.autograded(one, chapter) / RESULT).exists()]
    if not graded:
        raise nothing_graded(classroom, chapter)
    kept = read_memory(classroom).get(chapter, {})
    labels = {login: kept[login]["labels"][lms] for login in graded if lms in kept.get(login, {}).get("labels", {})}
    if not labels:
        raise UsageError(
            f"nothing of {chapter} was collected from {LMS_NAMES[lms]}: run `autograder collect` on its zip first"
        )
    pages = {login: page_path(classroom, assignment, login) for login in labels}
    ready = {login: page for login, page in pages.items() if is_up_to_date(classroom, chapter, login, page)}
    if not ready:
        raise UsageError(f"no page of {chapter} is there and up to date: run `autograder feedback {chapter}` first")
    write_whole(path, zipped(dict(zip_entry(lms, labels[login], chapter, page) for login, page in ready.items())))
    without = tuple(login for login in pages if login not in ready)
    return GivenBack(path, tuple(ready), without, tuple(login for login in graded if login not in labels))


def is_up_to_date(classroom: ClassRoom, chapter: str, login: str, page: Path) -> bool:
    """Say whether a page exists and is not older than its result."""
    result = classroom.autograded(login, chapter) / RESULT
    return page.exists() and page.stat().st_mtime_ns >= result.stat().st_mtime_ns


def zip_entry(lms: str, label: Any, chapter: str, page: Path) -> tuple:
    """Return an entry's name and bytes."""
    html = page.read_bytes()
    if lms == "moodle":
        return f"{moodle_entry(label)}/{chapter}.html", html
    name = canvas_entry(label)
    return name, in_the_form_of(name, chapter, html)


def in_the_form_of(name: str, chapter: str, html: bytes) -> bytes:
    """Convert a page to the file type that its name promises.

    Canvas shows the comment's file under the name of the hand-in, whatever the zip calls it: a page would reach its
    student as a notebook that no program opens. So it goes into a notebook, or into a zip.
    Source: instructure/canvas-lms, app/models/abstract_assignment.rb, generate_comments_from_files (display_name).
    """
    ending = Path(name).suffix.lower()
    if ending == ".zip":
        return zipped({f"{chapter}.html": html})
    return in_notebook(chapter, html.decode()) if ending == ".ipynb" else html


def in_notebook(chapter: str, html: str) -> Any:
    """Return a notebook that shows a page as the output of an empty cell."""
    body = html.partition("<body")[2].partition(">")[2].rpartition("</body>")[0]
    shown = {"text/html": body, "text/plain": "Open this notebook in JupyterLab to read your feedback."}
    output = {"output_type": "display_data", "data": shown, "metadata": {}}
    cell = {"cell_type": "code", "id": "feedback", "metadata": {}, "source": "", "execution_count": None}
    metadata = {"title": f"Feedback on {chapter}", "language_info": {"name": "python"}}
    notebook = {"cells": [{**cell, "outputs": [output]}], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    """Return a zip of ``{name: bytes}``, byte-identical for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
