"""People: who is meant by a folder's name, a login, an address or a number, as the roster knows them; never a guess."""

import csv
import io
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from autograder.errors import UsageError
from autograder.plain import visible

TABLE_BYTES = 8 << 20
ROTATED = 8  # words of a name, of which any may stand first
MONTHS = (  # as Moodle writes them in English, German, French, Spanish, Italian, Portuguese and Dutch
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
DATE = re.compile(
    r"[^\d:]{0,20}?(\d{1,2})\.? (?:de )?([^\W\d]+) (?:de )?(\d{4})\D{1,6}(\d{1,2})[:.h](\d\d)(?: ?([AP]M))?", re.I
)
CANVAS_LOGIN, CANVAS_ID = "SIS Login ID", "ID"


@dataclass(frozen=True)
class Person:
    """Somebody of the class. ``lms_id`` is Canvas's number of a person."""

    login: str
    name: str = ""
    email: str = ""
    lms_id: str = ""


@dataclass(frozen=True)
class Row:
    """What a grading worksheet of Moodle's says of a participant; ``came`` is when the work was handed in, or None."""

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
    def keys(self):
        """Every way to call somebody: ``{key: logins}``."""
        found = {}
        for student in self.students:
            for known in {letters(student.login), letters(student.email), *name_keys(student.name)} - {""}:
                found.setdefault(known, set()).add(student.login)
        return found

    def called(self, text):
        """Return the logins that a text may mean: a login to the letter before an address or a name."""
        text = unicodedata.normalize("NFC", text)
        exact = {one.login for one in self.students if unicodedata.normalize("NFC", one.login) == text}
        return exact or self.keys.get(letters(text), set())

    def labelled(self, label):
        """Return the logins that an LMS's label may mean.

        Canvas's number comes before the name. Moodle's is looked for in the worksheet, and there all that it tells.
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


def letters(text):
    """Return a text's letters, marks and digits alone, in one form: what all that write names leave of them."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(letter for letter in text if unicodedata.category(letter)[0] in "LMN")


def name_keys(name):
    """Return a name's keys: whatever word of it stands first, as in "Ada King Lovelace" and "Lovelace, Ada King"."""
    words = re.split(r"[\s,]+", name.strip())[:ROTATED]
    return {letters("".join(words[at:] + words[:at])) for at in range(len(words))}


def read_people(path):
    """Return the people of a CSV file: a roster of ours (login, name, email, lms_id), or Canvas's gradebook.

    Errors: UsageError, which names the file, what was found and what is expected.
    """
    rows = read_table(path)
    header = [cell.strip() for cell in rows[0]]
    if "login" in map(str.lower, header):
        columns = {name: place(header, name) for name in ("login", "name", "email", "lms_id")}
    elif CANVAS_LOGIN in header:
        columns = {"login": header.index(CANVAS_LOGIN), "name": 0, "lms_id": place(header, CANVAS_ID)}
    else:
        raise UsageError(
            f"{path}: no column login, found {visible(', '.join(header)[:80])}: expected login, name, email, lms_id, "
            f"or Canvas's exported gradebook with its column {CANVAS_LOGIN}"
        )
    people = [
        Person(**{name: row[at].strip() for name, at in columns.items() if at is not None and at < len(row)})
        for row in rows[1:]
        if len(row) > columns["login"] and row[columns["login"]].strip()
    ]
    logins = [person.login for person in people]
    if twice := next((login for login in logins if logins.count(login) > 1), None):
        raise UsageError(f"{path}: the login {visible(twice)} stands in two rows: leave one of them")
    return tuple(people)


def place(header, name):
    """Return where a column stands, or None."""
    found = [at for at, cell in enumerate(header) if cell.casefold() == name.casefold()]
    return found[0] if found else None


def read_table(path):
    """Return a CSV file's rows, whatever separates their cells. Errors: UsageError."""
    try:
        with path.open("rb") as file:
            data = file.read(TABLE_BYTES + 1)
        if len(data) > TABLE_BYTES:
            raise ValueError(f"larger than {TABLE_BYTES >> 20} MB")
        if b"\0" in data:
            raise ValueError("no text in UTF-8")
        text = data.decode("utf-8-sig")
        head = text.split("\n", 1)[0]
        separator = max(",;\t", key=head.count)
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if any(row)]
    except (OSError, ValueError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: cannot be read as a table ({reason}): save it as CSV in UTF-8") from error
    if not rows:
        raise UsageError(f"{path}: an empty table: expected a header and a row for each student")
    return rows


def read_worksheet(path, zone=None):
    """Return the rows of Moodle's grading worksheet by participant, whatever language its words are in.

    The participant comes first, "Participant 17", then the full name; one column holds when the work was handed in.
    Source: moodle/moodle, mod/assign/gradingtable.php; lang/en/assign.php (hiddenuser). Errors: UsageError.
    """
    rows = read_table(path)[1:]
    dates = [[read_date(cell, zone) for cell in row] for row in rows]
    column = min((at for line in dates for at, date in enumerate(line) if date), default=0)  # the other is of the grade
    found = {}
    for row, line in zip(rows, dates, strict=True):
        number = re.search(r"(\d+)\s*$", row[0])
        if number is None or len(row) < 2:
            raise UsageError(
                f"{path}: no grading worksheet of Moodle's, found {visible(row[0][:40])!r} where Participant 17 is "
                "expected: download the worksheet of this assignment again, or name a roster with --roster"
            )
        came = line[column] if column < len(line) else None
        found[number[1]] = Row(number[1], row[1].strip(), tuple(cell.strip() for cell in row[2:]), came)
    return found


def read_date(text, zone=None):
    """Return a date as Moodle writes it, "Sunday, 22 November 2026, 3:45 PM", or None."""
    found = DATE.fullmatch(text.strip()[:80])
    month = next((at for at, names in enumerate(MONTHS, 1) if found and found[2].lower() in names.split()), None)
    if month is None:
        return None
    day, year, hour, minute = (int(found[group]) for group in (1, 3, 4, 5))
    if found[6]:
        hour = hour % 12 + 12 * (found[6].upper() == "PM")
    try:
        return datetime(year, month, day, hour, minute, tzinfo=zone).astimezone(zone)
    except (ValueError, OverflowError):
        return None
