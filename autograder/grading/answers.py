"""Tells whether two notebooks give the same answers: all that is a student's own code, but for comments and layout.

What a student may change without a change of the mark makes no difference: outputs, texts, the course's own cells,
which are restored before grading. Added code cells are work, as answers are. Code is split into tokens, never parsed.
Code can read its own comments and blanks, so equal answers may earn different marks; equal sources run alike.
"""

import hashlib
import io
import json
import token
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from autograder.course.course import Assignment, Course
from autograder.course.ledger import normalise_text, text_hash

from .lost_ids import has_ids

_CELL_LETTERS, _ALL_LETTERS = 32 << 10, 256 << 10  # that are split into tokens, of a cell and of a notebook
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
_STRUCTURE = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


@dataclass(frozen=True)
class CourseCells:
    """Which cells of a chapter are the course's own: ids, and hashes of texts for notebooks that lost their ids.

    ``answers`` are the ids of the cells that students fill in with code, ``texts`` those with text.
    """

    locked: frozenset[str] = frozenset()
    hashes: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()


@cache
def cells_by_chapter(course: Course) -> dict[str, CourseCells]:
    """Return the cells of each chapter, ``{chapter: CourseCells}``. Errors: CourseError."""
    return {chapter: course_cells(course.assignment(chapter)) for chapter in course.chapters()}


def course_cells(assignment: Assignment) -> CourseCells:
    """Return a chapter's cells. Errors: CourseError."""
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in assignment.notebook.cells if "nbgrader" in cell.metadata}
    flags = {name: cell.metadata.nbgrader for name, cell in cells.items()}
    is_open = {name: flag.get("solution") or not flag.get("locked") for name, flag in flags.items()}
    return CourseCells(
        locked=frozenset(name for name in cells if not is_open[name]),
        hashes=frozenset(version.digest for version in assignment.ledger.versions if not version.was_open),
        answers=frozenset(name for name in cells if is_open[name] and cells[name].cell_type == "code"),
        texts=frozenset(name for name in cells if is_open[name] and cells[name].cell_type != "code"),
    )


def answers_digest(cells: list[dict[str, Any]], own: CourseCells) -> str:
    """Return the hash of a notebook's answers; those of equal answers are equal."""
    return hashlib.sha256(json.dumps(list(_work_in(cells, own))).encode()).hexdigest()


def sources_digest(cells: list[dict[str, Any]], own: CourseCells) -> str:
    """Return the hash of all code in a notebook, and of its texts that are answers, letter by letter."""
    filled = own.answers | own.texts
    work = [cell for cell in cells if cell["cell_type"] == "code" or str(cell["nbgrader"].get("grade_id")) in filled]
    return hashlib.sha256(json.dumps(["sources", work], sort_keys=True).encode()).hexdigest()


def _work_in(cells: list[dict[str, Any]], own: CourseCells) -> Iterator[list[str]]:
    """Yield the normal form of each of a student's own cells, without those that hold none."""
    room, is_known = _ALL_LETTERS, has_ids(cells)
    for cell in cells:
        source, grade_id = cell["source"], str(cell["nbgrader"].get("grade_id"))
        if grade_id in own.locked or (not is_known and text_hash(source) in own.hashes):
            continue
        if grade_id in own.answers or (cell["cell_type"] == "code" and grade_id not in own.texts):
            is_small = len(source) <= min(_CELL_LETTERS, room)
            form = _tokens(source) if is_small else _lines(source)
            room -= len(source) if is_small else 0
        else:
            form = _lines(source) if grade_id in own.texts else []
        if form:
            yield form


def _tokens(source: str) -> list[str]:
    """Return the tokens of some code, but for comments and layout; its lines where it is not Python throughout.

    Below a cell magic, such as ``%%writefile``, a comment may be what counts.
    """
    if source.lstrip().startswith("%%"):
        return _lines(source)
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return _lines(source)
    if any(each.type == token.ERRORTOKEN for each in tokens):
        return _lines(source)
    form = [
        token.tok_name[each.type] if each.type in _STRUCTURE else f"={each.string}"
        for each in tokens
        if each.type not in _LAYOUT
    ]
    return form if any(each.startswith("=") for each in form) else []


def _lines(source: str) -> list[str]:
    """Return a text's lines without blanks at their ends; nothing if all are empty."""
    return [f"-{line}" for line in normalise_text(source) if line]
