"""Finds the students that a folder name, login, address or number refers to, using the roster.

A number that the roster has, and an address or login in Moodle's worksheet, say who somebody is. Where neither does, it
is the name that is displayed, which its owner may have typed: it names a student only if the roster has one person of
that name, and if two of the LMS's numbers have it, ``lms_numbers.py`` takes neither, or the one that was taken before.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.classroom.roster import Enrolled, composed, read_roster, refuse_twice, shortened, wrong_login
from autograder.errors import CourseError
from autograder.plain import visible

from .platforms import Label
from .worksheet import Row, read_table

ROTATED = 8  # words of a name, any of which may come first
CANVAS_LOGIN = "SIS Login ID"
CANVAS_TEST_STUDENT = "Student, Test"  # Canvas's test student, whose login is a hash


@dataclass(frozen=True)
class People:
    """The class. ``rows`` are those of Moodle's grading worksheets, by participant."""

    students: tuple = ()
    rows: dict[str, Row] = field(default_factory=dict)

    @cached_property
    def keys(self) -> dict[str, set[str]]:
        """All keys for each student: ``{key: logins}``."""
        return self.keyed(lambda one: {letters(one.login), letters(one.email), *name_keys(one.name)})

    @cached_property
    def names(self) -> dict[str, set[str]]:
        """The keys of each student's name alone, or of the login where the roster has no name."""
        return self.keyed(lambda one: name_keys(one.name or one.login))

    def keyed(self, keys_of: Callable[[Enrolled], set[str]]) -> dict[str, set[str]]:
        """Return ``{key: logins}``."""
        found: dict[str, set[str]] = {}
        for student in self.students:
            for key in keys_of(student) - {""}:
                found.setdefault(key, set()).add(student.login)
        return found

    def called(self, text: str) -> set[str]:
        """Return the logins that the instructor's own text may mean: exact logins come before addresses and names."""
        exact = {one.login for one in self.students if composed(one.login) == composed(text)}
        return exact or self.keys.get(letters(text), set())

    def labelled(self, label: Label) -> set[str]:
        """Return the logins that an LMS's label may mean.

        Canvas's number and the address or login in Moodle's worksheet come before the name, which a student may change:
        it is compared with names alone, and never means somebody whose number or row is another one. A label that can
        be read in several ways means nobody.
        """
        if len(label.numbers) > 1:
            return set()
        if label.lms == "canvas":
            known = {one.login for one in self.students if one.lms_id and one.lms_id == label.id}
            return known or self.named(label.name) - {one.login for one in self.students if one.lms_id}
        if label.id in self.told_by_rows:
            return {self.told_by_rows[label.id]}
        row = self.rows.get(label.id)
        return self.named(row.name if row else label.name) - set(self.told_by_rows.values())

    def is_proven(self, lms: str, number: str) -> bool:
        """Say whether the roster or a worksheet says whose an LMS's number is, and not a name alone."""
        return number in (self.told_by_rows if lms == "moodle" else {one.lms_id for one in self.students})

    def named(self, text: str) -> set[str]:
        """Return the logins of those who have this name."""
        return self.names.get(letters(text), set())

    @cached_property
    def told_by_rows(self) -> dict[str, str]:
        """The login of each participant whose row in a worksheet holds their login or address."""
        sheets: dict[str, list[Row]] = {}
        for row in self.rows.values():
            sheets.setdefault(row.sheet, []).append(row)
        return {number: login for rows in sheets.values() for number, login in self.told_in(rows).items()}

    def told_in(self, rows: list[Row]) -> dict[str, str]:
        """Return ``{participant: login}`` by the column of a worksheet that holds the most logins or addresses.

        It holds those of half the class, or of half the rows: a single cell may be a student's own text.
        """
        keys = self.keyed(lambda one: {composed(one.login), composed(one.email)})
        logins = {key: next(iter(who)) for key, who in keys.items() if len(who) == 1}
        columns = [
            {row.participant: logins[row.told[at]] for row in rows if row.told[at : at + 1] and row.told[at] in logins}
            for at in range(max((len(row.told) for row in rows), default=0))
        ]
        best = max(columns, key=len, default={})
        return best if 2 * len(best) >= min(len(rows), len(self.students)) else {}

    def participants(self, login: str, like: str) -> set[str]:
        """Return the numbers of all whose row means this login, in the worksheet that has the participant ``like``."""
        if like not in self.rows:
            return set()
        rows = (row for row in self.rows.values() if row.sheet == self.rows[like].sheet)
        labels = (Label("moodle", row.participant, row.name, "") for row in rows)
        return {label.id for label in labels if self.labelled(label) == {login}}


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
