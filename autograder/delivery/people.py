"""Finds the student that a folder name, login, address or number refers to, using the roster. Never guesses."""

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.classroom.roster import (
    Enrolled,
    content_of,
    decoded,
    read_roster,
    refuse_twice,
    shortened,
    table_of,
    wrong_login,
)
from autograder.errors import CourseError
from autograder.plain import visible

from .lms import Label

ROTATED = 8  # words of a name, any of which may come first
MOODLE_MONTHS = (  # as Moodle writes them in English, German, French, Spanish, Italian, Portuguese and Dutch
    "january januar janvier enero gennaio janeiro januari",
    "february februar février febrero febbraio fevereiro februari",
    "march märz mars marzo março maart",
    "april avril abril aprile",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august août agosto augustus",
    "september septembre septiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember décembre diciembre dicembre dezembro",
)
MOODLE_DATE = re.compile(
    r"[^\d:]{0,20}?(\d{1,2})\.? (?:de )?([^\W\d]+) (?:de )?(\d{4})\D{1,6}(\d{1,2})[:.h](\d\d)(?:\s?([AP]M))?", re.I
)
CANVAS_LOGIN = "SIS Login ID"
CANVAS_TEST_STUDENT = "Student, Test"  # Canvas's test student, whose login is a hash


@dataclass(frozen=True)
class Row:
    """One participant in Moodle's grading worksheet; ``came`` is when the work was handed in, or None."""

    participant: str
    name: str
    told: tuple[str, ...]  # all cells: addresses and logins are among them where the site shows them
    came: datetime | None


@dataclass(frozen=True)
class People:
    """The class. ``rows`` are those of Moodle's grading worksheets, by participant."""

    students: tuple = ()
    rows: dict[str, Row] = field(default_factory=dict)

    @cached_property
    def keys(self) -> dict[str, set[str]]:
        """All keys for each student: ``{key: logins}``."""
        found = {}
        for student in self.students:
            for known in {letters(student.login), letters(student.email), *name_keys(student.name)} - {""}:
                found.setdefault(known, set()).add(student.login)
        return found

    def called(self, text: str) -> set[str]:
        """Return the logins that a text may mean: exact logins come before addresses and names."""
        text = unicodedata.normalize("NFC", text)
        exact = {one.login for one in self.students if unicodedata.normalize("NFC", one.login) == text}
        return exact or self.keys.get(letters(text), set())

    def labelled(self, label: Label) -> set[str]:
        """Return the logins that an LMS's label may mean.

        Canvas's number comes before the name. Moodle's participant is looked up in the worksheet, with all its columns.
        """
        if label.lms == "canvas":
            known = {one.login for one in self.students if one.lms_id and one.lms_id == label.id}
            others = {one.login for one in self.students if one.lms_id and one.lms_id != label.id}
            return known or self.called(label.name) - others
        row = self.rows.get(label.id)
        for cell in row.told if row else ():
            exact = {one.login for one in self.students if cell and cell in (one.login, one.email)}
            if len(exact) == 1:
                return exact
        return self.called(row.name if row else label.name)


def letters(text: str) -> str:
    """Return a text's letters, marks and digits in one form: all that the different spellings of a name share."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(letter for letter in text if unicodedata.category(letter)[0] in "LMN")


def name_keys(name: str) -> set[str]:
    """Return a name's keys, for either word order: "Ada King Lovelace" and "Lovelace, Ada King"."""
    words = re.split(r"[\s,]+", name.strip())[:ROTATED]
    return {letters("".join(words[at:] + words[:at])) for at in range(len(words))}


def read_people(path: Path) -> Any:
    """Return the students of a roster, or of a gradebook that Canvas exported, whose ID is its number of a person.

    Errors: CourseError in one line: the file, its line, what was found and what to do.
    """
    table = read_table(path)
    header = [cell.strip() for cell in table[0][1]] if table else []
    if CANVAS_LOGIN not in header:
        return read_roster(path).students
    at, number = header.index(CANVAS_LOGIN), header.index("ID") if "ID" in header else None
    students, lines = [], []
    for line, row in table[1:]:
        if row[0].strip() != CANVAS_TEST_STUDENT and is_login(path, line, row[at].strip() if len(row) > at else ""):
            lms_id = row[number].strip() if number is not None else ""
            students.append(Enrolled(row[at].strip(), visible(" ".join(row[0].split())), lms_id=lms_id))
            lines.append(line)
    refuse_twice(path, "login", lines, [student.login for student in students])
    return tuple(students)


def is_login(path: Path, line: int, login: str) -> bool:
    """Say whether a cell holds a login; the row of maximum points has none.

    Errors: CourseError for one that cannot be a folder's name.
    """
    if login and (wrong := wrong_login(login)):
        raise CourseError(f"{path}, line {line}: the login {shortened(login)!r} {wrong}")
    return bool(login)


def read_table(path: Path) -> list[tuple[int, list[str]]]:
    """Return ``(line, cells)`` of each row of a CSV file. Errors: CourseError."""
    return table_of(path, decoded(path, content_of(path)))


def read_worksheet(path: Path, zone: tzinfo | None = None) -> dict[str, Row]:
    """Return the rows of Moodle's grading worksheet by participant, in any language.

    The participant comes first, "Participant 17", then the full name; one column holds when the work was handed in.
    Source: moodle/moodle, mod/assign/gradingtable.php; lang/en/assign.php (hiddenuser). Errors: CourseError.
    """
    table = read_table(path)[1:]
    dates = [[read_date(cell, zone) for cell in row] for _, row in table]
    column = min(
        (at for line in dates for at, date in enumerate(line) if date), default=0
    )  # the other belongs to the grade
    found = {}
    for (line, row), days in zip(table, dates, strict=True):
        number = re.search(r"(\d{1,18})\s*$", row[0])
        if number is None or len(row) < 2:
            raise CourseError(
                f"{path}, line {line}: not Moodle's grading worksheet, found {shortened(row[0])!r}, expected "
                "Participant 17 or the like: download it again; a roster is named with --roster"
            )
        came = days[column] if column < len(days) else None
        found[number[1]] = Row(number[1], row[1].strip(), tuple(cell.strip() for cell in row[2:]), came)
    return found


def read_date(text: str, zone: tzinfo | None = None) -> datetime | None:
    """Parse a date as Moodle writes it, "Sunday, 22 November 2026, 3:45 PM"; None if it is not one."""
    found = MOODLE_DATE.fullmatch(text.strip()[:80])
    month = next((at for at, names in enumerate(MOODLE_MONTHS, 1) if found and found[2].lower() in names.split()), None)
    if found is None or month is None:
        return None
    day, year, hour, minute = (int(found[group]) for group in (1, 3, 4, 5))
    if found[6]:
        hour = hour % 12 + 12 * (found[6].upper() == "PM")
    try:
        return datetime(year, month, day, hour, minute, tzinfo=zone).astimezone(zone)
    except (ValueError, OverflowError):
        return None
