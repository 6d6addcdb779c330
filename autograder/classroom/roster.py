"""Reads the roster from a CSV file, as spreadsheets and learning platforms write it."""

import codecs
import csv
import io
import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from autograder.errors import CourseError
from autograder.plain import JOINERS, can_be_named, nearest, visible

COLUMNS = ("login", "name", "email", "group", "lms_id", "left")
SEPARATORS = (",", ";", "\t")
ROSTER_BYTES = 16 << 20
LOGIN_LETTERS, LOGIN_BYTES = 128, 255  # what nbgrader's gradebook and a file system hold
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Enrolled:
    """One student; ``left`` is the day on which they left the class, or None. Unknown fields are ""."""

    login: str
    name: str = ""
    email: str = ""
    group: str = ""
    lms_id: str = ""
    left: date | None = None


@dataclass(frozen=True)
class Roster:
    """The students of a class, in the order of the file."""

    students: tuple[Enrolled, ...] = ()

    @cached_property
    def by_login(self) -> dict[str, Enrolled]:
        """The students by login, in composed form: a Mac's file system may decompose it."""
        return {composed(student.login): student for student in self.students}

    def find(self, login: str) -> Enrolled | None:
        """Return the student with this login, or None."""
        return self.by_login.get(composed(login))

    @property
    def groups(self) -> tuple:
        """The names of all groups, in order."""
        return tuple(dict.fromkeys(student.group for student in self.students if student.group))


def composed(text: str) -> str:
    """Return text in Unicode's composed form (NFC): a letter and its accent as one character."""
    return unicodedata.normalize("NFC", text)


def look_alike_key(login: str) -> str:
    """Return what logins have in common that differ only in case, in how an accent is encoded, or in joiners."""
    return composed(composed(login).casefold()).translate(dict.fromkeys(map(ord, JOINERS)))


def read_roster(path: Path) -> Roster:
    """Read a roster. Errors: CourseError in one line: the file, its line, what was found and what to do."""
    return roster_in(path, content_of(path))


def roster_in(path: Path, data: bytes) -> Roster:
    """Parse a roster from a file's bytes. Errors: CourseError."""
    rows = filled_rows(path, decoded(path, data))
    students = [parse_student(path, number, row) for number, row in rows]
    lines = [number for number, _ in rows]
    for what, value_of in (("login", lambda student: student.login), ("lms_id", lambda student: student.lms_id)):
        refuse_twice(path, what, lines, [value_of(student) for student in students])
    return Roster(tuple(students))


def content_of(path: Path) -> bytes:
    """Return the bytes of a roster. Errors: CourseError."""
    try:
        with path.open("rb") as file:
            data = file.read(ROSTER_BYTES + 1)
    except OSError as error:
        raise CourseError(f"cannot read the roster {path}: {error.strerror}. Name another in class.toml") from error
    if len(data) > ROSTER_BYTES:
        raise CourseError(f"{path} is larger than {ROSTER_BYTES >> 20} MB: expected a row a student")
    return data


def decoded(path: Path, data: bytes) -> str:
    """Decode a roster: UTF-8, or UTF-16 with a byte order mark. Guessing another encoding would garble names.

    Errors: CourseError.
    """
    try:
        text = data.decode("utf-16" if data.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CourseError(
            f"{path}, line {line}: not UTF-8 (byte 0x{data[error.start]:02x}): "
            "save it again as `CSV UTF-8`, as spreadsheets call it"
        ) from error
    if "\0" in text:
        raise CourseError(f"{path}, line {text.count(chr(10), 0, text.index(chr(0))) + 1}: a zero byte: save it as CSV")
    return text


def filled_rows(path: Path, text: str) -> list[tuple[int, dict[str, str]]]:
    """Return ``(line, {column: cell})`` for each non-empty row. Errors: CourseError."""
    table = table_of(path, text)
    if not table:
        raise CourseError(f"{path} is empty: expected a first line like {','.join(COLUMNS)}")
    header = columns_of(path, *table[0])
    rows = []
    for number, cells in table[1:]:
        if any(cell.strip() for cell in cells[len(header) :]):
            raise CourseError(
                f"{path}, line {number}: {len(cells)} cells under {len(header)} columns: "
                'put quotes around what holds a separator, as in "Lovelace, Ada"'
            )
        row = dict(zip(header, cells, strict=False))
        rows.append((number, {column: row.get(column, "").strip() for column in COLUMNS}))
    return rows


def table_of(path: Path, text: str) -> list[tuple[int, list[str]]]:
    """Return ``(line, cells)`` for each non-empty line, split by the separator of the first."""
    lines = text.splitlines(keepends=True)
    hint = lines[0].strip().lower() if lines else ""
    is_hint = hint.startswith("sep=")  # Excel's own word for it, in a line before all others
    first = lines[is_hint] if len(lines) > is_hint else ""
    separator = hint[4:5] if is_hint and hint[4:5] in SEPARATORS else max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    table, before = [], 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not (is_hint and before == 0):
                table.append((before + 1, cells))
            before = reader.line_num
    except csv.Error as error:
        raise CourseError(f"{path}, line {before + 1}: {error}: look for a quote that is not closed") from error
    return table


def columns_of(path: Path, number: int, cells: list[str]) -> list[str]:
    """Return the columns' names; unknown ones are ignored unless they look like a typo.

    Errors: CourseError.
    """
    names = [cell.strip().lower() for cell in cells]
    while names and not names[-1]:
        names.pop()
    where = f"{path}, line {number}"
    for name in names:
        like = nearest(name, COLUMNS)
        if like and name not in COLUMNS and like not in names:
            raise CourseError(f"{where}: unknown column {visible(name)!r}: is it {like!r}?")
        if name in COLUMNS and names.count(name) > 1:
            raise CourseError(f"{where}: the column {name!r} is there {names.count(name)} times: keep one")
    if "login" not in names:
        found = visible(", ".join(name[:20] for name in names[:9]))
        raise CourseError(f"{where}: no column 'login', found {found!r}: expected some of {', '.join(COLUMNS)}")
    return names


def parse_student(path: Path, number: int, row: dict[str, str]) -> Enrolled:
    """Return one student. Errors: CourseError."""
    where = f"{path}, line {number}"
    if wrong := wrong_login(row["login"]):
        raise CourseError(f"{where}: the login {shortened(row['login'])!r} {wrong}")
    if len(row["lms_id"]) > LOGIN_LETTERS:
        raise CourseError(f"{where}: the lms_id of {row['login']} has {len(row['lms_id'])} letters: expected an id")
    # A name is only shown: what in it could act on a page or in a terminal is made visible at once.
    words = {column: visible(" ".join(row[column].split())) for column in ("name", "email", "group", "lms_id")}
    return Enrolled(row["login"], **words, left=day_of(where, row["left"]))


def wrong_login(login: str) -> str:
    """Say why this cannot be a student's folder and login, and what to do; "" if it can."""
    if not login:
        return "is empty: every row needs one"
    if "/" in login or not can_be_named(login):
        return "cannot be a folder's name: expected no slash, no dot in front, no control characters"
    if len(login) > LOGIN_LETTERS or len(login.encode()) > LOGIN_BYTES:
        return f"is too long: expected at most {LOGIN_LETTERS} letters and {LOGIN_BYTES} bytes"
    return ""


def day_of(where: str, text: str) -> date | None:
    """Parse a cell's date; None if it is empty. Errors: CourseError."""
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise CourseError(
            f"{where}: left is {shortened(text)!r}: expected a date like 2026-12-04, or nothing"
        ) from error


def refuse_twice(path: Path, what: str, lines: list[int], values: list[str]) -> None:
    """Refuse duplicate values, also those that only look alike.

    Errors: CourseError.
    """
    seen = {}
    for line, value in zip(lines, values, strict=True):
        key = look_alike_key(value)
        if value and key in seen:
            raise CourseError(
                f"{path}, lines {seen[key]} and {line}: both have the {what} {shortened(value)!r}: keep one"
            )
        seen[key] = line


def shortened(text: str) -> str:
    """Shorten text for a message."""
    return visible(text if len(text) <= 40 else f"{text[:40]}…")
