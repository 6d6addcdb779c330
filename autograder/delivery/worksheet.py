"""Reads the grading worksheet that Moodle exports beside the hand-ins, in any language."""

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from autograder.classroom.roster import composed, content_of, decoded, shortened, table_of
from autograder.errors import CourseError
from autograder.plain import plural, visible_line

from .dates import is_date, read_dates

CELL_SHOWN = 80  # letters of a cell that is quoted


@dataclass(frozen=True)
class Row:
    """One participant in Moodle's grading worksheet ``sheet``; ``came`` is when the work was handed in, or None.

    ``told`` are the cells in front of that time; addresses and logins are among them where the site shows them.
    ``unread`` is the time as the worksheet has it, if it is not understood or could be either of two days.
    """

    participant: str
    name: str
    told: tuple[str, ...]
    came: datetime | None
    sheet: str = ""
    unread: str = ""


def read_table(path: Path) -> list[tuple[int, list[str]]]:
    """Return ``(line, cells)`` of each row of a CSV file. Errors: CourseError."""
    return table_of(path, decoded(path, content_of(path)))


def read_worksheet(path: Path, zone: tzinfo | None = None) -> dict[str, Row]:
    """Return the rows of Moodle's grading worksheet by participant, in any language.

    The participant comes first, "Participant 17", then the full name; one column holds when the work was handed in.
    Source: moodle/moodle, mod/assign/gradingtable.php; lang/en/assign.php (hiddenuser). Errors: CourseError.
    """
    table = read_table(path)[1:]
    column = _time_column([row for _, row in table])
    texts = ["".join(row[column : column + 1]) if column else "" for _, row in table]
    rows = {}
    for (line, row), text, came in zip(table, texts, read_dates(texts, zone), strict=True):
        number = re.search(r"(\d{1,18})\s*$", row[0])
        if number is None or len(row) < 2:
            raise CourseError(
                f"{path}, line {line}: not Moodle's grading worksheet, found {shortened(row[0])!r}, expected "
                "Participant 17 or the like: download it again; a roster is named with --roster"
            )
        told = tuple(composed(cell.strip()) for cell in (row[2:column] if column else row[2:]))
        unread = text.strip() if came is None and _is_filled(text) else ""
        rows[number[1]] = Row(number[1], row[1].strip(), told, came, str(path), unread)
    return rows


def describe_unread(rows: dict[str, Row]) -> list[str]:
    """Return a line for each worksheet with times that are not understood: one of them, what counts, what to do."""
    sheets: dict[str, list[str]] = {}
    for row in rows.values():
        if row.unread:
            sheets.setdefault(row.sheet, []).append(row.unread)
    return [
        f"{visible_line(Path(sheet).name)}: {plural(len(texts), 'time')} not understood, or of two possible days, "
        f"such as “{visible_line(texts[0])[:CELL_SHOWN]}”: what was noted before counts, or else "
        "no time, and such work is never late. Set Moodle to English, and download the worksheet again"
        for sheet, texts in sheets.items()
    ]


def _time_column(rows: list[list[str]]) -> int:
    """Return which column holds when the work was handed in, 0 for none: the first whose cells are mostly dates.

    A later one belongs to the grade. A student's name, or what they wrote about themselves, may be a date as well.
    """
    for at in range(2, max(map(len, rows), default=0)):
        cells = [cell for row in rows for cell in row[at : at + 1] if _is_filled(cell)]
        if cells and len(cells) <= 2 * sum(map(is_date, cells)):
            return at
    return 0


def _is_filled(cell: str) -> bool:
    return any(letter.isalnum() for letter in cell)
