"""Reads the grading worksheet that Moodle exports beside the hand-ins, in any language."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import zip_longest
from pathlib import Path

from autograder.classroom.roster import composed, content_of, decoded, shortened, table_of
from autograder.errors import CourseError
from autograder.plain import plural, visible_line

from .dates import is_date, read_dates

CELL_SHOWN = 80  # letters of a cell that is quoted
MAX_QUOTED = 3  # columns in one line


@dataclass(frozen=True)
class Row:
    """One participant in Moodle's grading worksheet ``sheet``; ``came`` is when the work was handed in, or None.

    ``told`` are the cells in front of that time; addresses and logins are among them where the site shows them.
    ``unread`` is the time as the worksheet has it, if it is not understood or could be either of two days.
    ``rivals`` are ``(heading, a date)`` of each column that may hold the times, if it is not clear which one does.
    """

    participant: str
    name: str
    told: tuple[str, ...]
    came: datetime | None
    sheet: str = ""
    unread: str = ""
    rivals: tuple[tuple[str, str], ...] = ()


def read_table(path: Path) -> list[tuple[int, list[str]]]:
    """Return ``(line, cells)`` of each row of a CSV file. Errors: CourseError."""
    return table_of(path, decoded(path, content_of(path)))


def read_worksheet(path: Path, zone: tzinfo | None = None) -> dict[str, Row]:
    """Return the rows of Moodle's grading worksheet by participant, in any language.

    The participant comes first, "Participant 17", then the full name; one column holds when the work was handed in.
    Where it is not clear which one, no time is read. Errors: CourseError.
    Source: moodle/moodle, mod/assign/gradingtable.php; lang/en/assign.php (hiddenuser).
    """
    (_, headings), *table = read_table(path) or [(0, [])]
    column, rivals = _time_column([row for _, row in table], headings)
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
        rows[number[1]] = Row(number[1], row[1].strip(), told, came, str(path), unread, rivals)
    return rows


def describe_unread(rows: dict[str, Row]) -> list[str]:
    """Return a line for each worksheet with times that are not understood or not found: what counts, what to do."""
    sheets: dict[str, list[Row]] = {}
    for row in rows.values():
        if row.unread or row.rivals:
            sheets.setdefault(row.sheet, []).append(row)
    return [_describe_unread(sheet, there) for sheet, there in sheets.items()]


def _describe_unread(sheet: str, rows: list[Row]) -> str:
    name, texts = visible_line(Path(sheet).name), [row.unread for row in rows if row.unread]
    counts = "what was noted before counts, or else no time, and such work is never late"
    if texts:
        return (
            f"{name}: {plural(len(texts), 'time')} not understood, or of two possible days, such as "
            f"{_quoted(texts[0])}: {counts}. Set Moodle to English, and download the worksheet again"
        )
    columns = " and ".join(f"{_quoted(heading)} ({_quoted(date)})" for heading, date in rows[0].rivals[:MAX_QUOTED])
    return (
        f"{name}: which column holds the times is not clear, since there are dates in {columns}: {counts}. Download "
        "the worksheet again, or delete the columns in which there are other dates"
    )


def _quoted(text: str) -> str:
    return f"“{visible_line(text.strip())[:CELL_SHOWN]}”"


def _time_column(rows: list[list[str]], headings: list[str]) -> tuple[int, tuple[tuple[str, str], ...]]:
    """Return which column holds when the work was handed in, 0 for none, and ``rivals`` of a Row.

    Moodle writes a time or a dash for every participant, so this column has one of them in most rows; what students
    wrote about themselves may be dates as well. The time of the grade comes later, and no column between the two has
    one text in most rows; in front of both are the maximum grade and whether the grade can be changed.
    """
    columns = list(zip_longest(*rows, fillvalue=""))
    dated = [at for at in range(2, len(columns)) if any(map(_may_be_date, columns[at]))]
    likely = [at for at in dated if 2 * sum(_may_be_date(cell) or _is_dash(cell) for cell in columns[at]) > len(rows)]
    others = [at for at in likely if any(map(_is_uniform, columns[likely[0] + 1 : at]))]
    if likely and not others:
        return likely[0], ()
    doubtful = [likely[0], *others] if likely else dated
    return 0, tuple(("".join(headings[at : at + 1]), next(filter(_may_be_date, columns[at]))) for at in doubtful)


def _is_uniform(cells: tuple[str, ...]) -> bool:
    text, count = Counter(cells).most_common(1)[0]
    return _is_filled(text) and 2 * count > len(cells)


def _may_be_date(cell: str) -> bool:
    return any(map(str.isdecimal, cell[:CELL_SHOWN])) and is_date(cell)


def _is_dash(cell: str) -> bool:
    return bool(cell.strip()) and not _is_filled(cell)


def _is_filled(cell: str) -> bool:
    return any(letter.isalnum() for letter in cell)
