"""Reads ``class.toml``: roster, deadlines, late policy, and the gradebook's address."""

import math
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from autograder.course.course import CHAPTER
from autograder.errors import CourseError
from autograder.plain import did_you_mean, nearest, visible, visible_line

from .gradebook_url import has_password, parse_url
from .roster import Roster, composed, read_roster, shortened

CLASS_FILE = "class.toml"
CLASS_BYTES = 1 << 20
SECTIONS = ("class", "late", "due", "extension")
CLASS_KEYS = ("name", "timezone", "gradebook", "roster", "course")
EXTENSION_KEYS = ("login", "group", "chapter", "until")
MAX_VALUES = {"grace_minutes": 60 * 24 * 366, "percent_per_day": 100, "at_most_percent": 100, "closed_after_days": 366}


@dataclass(frozen=True)
class Late:
    """A late policy: nothing within the grace, then a share of the points for each day that has begun."""

    grace_minutes: float = 0.0
    percent_per_day: float = 0.0
    at_most_percent: float = 100.0
    closed_after_days: float | None = None


@dataclass(frozen=True)
class Extension:
    """A later deadline for one chapter, for one login or one group; the other of the two is ""."""

    login: str
    group: str
    chapter: str
    until: datetime


@dataclass(frozen=True)
class ClassFile:
    """A class's settings; all empty without a ``class.toml``.

    All times are zone-aware. ``late`` is None if no policy is set: lateness costs nothing then.
    """

    path: Path | None = None
    name: str = ""
    timezone: tzinfo = UTC
    gradebook: str = ""
    roster: Roster = field(default_factory=Roster)
    late: Late | None = None
    deadlines: dict[str, datetime] = field(default_factory=dict)
    extensions: tuple[Extension, ...] = ()

    def due(self, login: str, chapter: str) -> datetime | None:
        """Return a student's deadline for a chapter, or None.

        The latest of the deadline, the student's own extension, and their group's.
        """
        if chapter not in self.deadlines:
            return None
        student = self.roster.find(login)
        mine = {("login", composed(login)), ("group", student.group if student and student.group else None)}
        later = [until for who, until in self.later_dates.get(chapter, ()) if who in mine]
        return max([self.deadlines[chapter], *later])

    @cached_property
    def later_dates(self) -> dict[str, list[tuple[tuple, datetime]]]:
        """The extensions as ``{chapter: [(who, until)]}``."""
        found = {}
        for one in self.extensions:
            who = ("login", composed(one.login)) if one.login else ("group", one.group)
            found.setdefault(one.chapter, []).append((who, one.until))
        return found


def read_class(root: Path, chapters: Collection[str] | None = None) -> ClassFile:
    """Read a class's ``class.toml``; return an empty ClassFile if there is none.

    ``chapters`` are the course's; if given, deadlines of other chapters are refused.
    Errors: CourseError in one line: the file, the line or key, what was found, and what to do.
    """
    path = Path(root) / CLASS_FILE
    if not path.exists() and not path.is_symlink():
        return ClassFile()
    data = data_of(path)
    refuse_unknown_keys(path, "section", data, SECTIONS)
    tables = {name: table_in(path, data, name) for name in ("class", "late", "due")}
    about = tables["class"]
    refuse_unknown_keys(path, "key", about, CLASS_KEYS, "class.")
    words = {key: text_in(path, f"class.{key}", about.get(key, "")) for key in CLASS_KEYS}
    zone = zone_in(path, words["timezone"])
    roster = read_roster(Path(root) / words["roster"]) if words["roster"] else Roster()
    deadlines = {}
    for chapter, moment in tables["due"].items():
        deadlines[known_chapter(path, f"due.{chapter}", chapter, chapters)] = moment_in(
            path, f"due.{chapter}", moment, zone
        )
    return ClassFile(
        path=path,
        name=visible(" ".join(words["name"].split())),
        timezone=zone or UTC,
        gradebook=gradebook_in(path, words["gradebook"]),
        roster=roster,
        late=late_in(path, tables["late"]) if "late" in data else None,
        deadlines=deadlines,
        extensions=tuple(extensions_in(path, data.get("extension", []), zone, roster, deadlines)),
    )


def course_line(root: Path) -> str:
    """Return the folder that a class's ``class.toml`` names as its course, as it is written there, or "".

    Errors: CourseError if the file cannot be read.
    """
    path = Path(root) / CLASS_FILE
    if not path.exists():
        return ""
    return text_in(path, "class.course", table_in(path, data_of(path), "class").get("course", ""))


def data_of(path: Path) -> dict[str, Any]:
    """Return the file's contents as plain data. Errors: CourseError."""
    try:
        with path.open("rb") as file:
            data = file.read(CLASS_BYTES + 1)
        if len(data) > CLASS_BYTES:
            raise CourseError(f"{path} is larger than {CLASS_BYTES >> 20} MB: put the roster into its own file")
        return tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is not UTF-8: save it again as UTF-8") from error
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else visible_line(str(error)[:200])
        raise CourseError(f"{path} is not TOML: {reason}; the page for instructors has an example") from error


def refuse_unknown_keys(path: Path, what: str, table: dict[str, Any], names: Collection[str], before: str = "") -> None:
    """Refuse unknown keys in a table. Errors: CourseError."""
    for name in table:
        if name not in names:
            raise CourseError(f"{path}: unknown {what} {before}{shortened(name)}: {did_you_mean(name, names)}")


def table_in(path: Path, data: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a section. Errors: CourseError if it is not a table."""
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise CourseError(f"{path}: {name} is {format_value(table)}: expected a section that begins with [{name}]")
    return table


def text_in(path: Path, key: str, value: str) -> str:
    """Return a text. Errors: CourseError if it is not one."""
    if not isinstance(value, str):
        raise CourseError(f"{path}: {key} is {format_value(value)}: expected a text in quotes")
    return value.strip()


def zone_in(path: Path, name: str) -> ZoneInfo | None:
    """Return the time zone of this name, or None if none is named. Errors: CourseError."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        like = nearest(name, sorted(available_timezones()))
        hint = f"did you mean {like!r}?" if like else "expected a name like Europe/Rome"
        raise CourseError(f"{path}: class.timezone is {shortened(name)!r}: {hint}") from error


def known_chapter(path: Path, key: str, chapter: str, chapters: Collection[str] | None) -> str:
    """Return a chapter's name. Errors: CourseError if there is no such chapter."""
    if not isinstance(chapter, str) or (chapter not in chapters if chapters else not CHAPTER.fullmatch(chapter)):
        hint = did_you_mean(str(chapter), chapters) if chapters else "expected a name like 04_title"
        raise CourseError(f"{path}: {shortened(key)}: unknown chapter {format_value(chapter)}: {hint}")
    return chapter


def moment_in(path: Path, key: str, value: datetime, zone: tzinfo | None) -> datetime:
    """Return a zone-aware moment, in its own zone or the class's. A time that comes twice in autumn is the later one.

    Errors: CourseError for anything but a date with a time, for a missing zone, and for a time that clocks skip.
    """
    if not isinstance(value, datetime):
        raise CourseError(
            f"{path}: {key} is {format_value(value)}: expected a date and a time like 2026-12-04T23:59:00"
        )
    try:
        if value.tzinfo:
            return in_range(value)
        if zone is None:
            raise CourseError(f'{path}: {key} has no time zone: add `timezone = "Europe/Rome"` below [class]')
        moment = in_range(value.replace(tzinfo=zone, fold=1))  # in doubt, in the student's favour
        there = moment.astimezone(UTC).astimezone(zone)
    except OverflowError as error:
        raise CourseError(f"{path}: {key} is {value}: expected a year of this century") from error
    if there.replace(tzinfo=None) != value:
        raise CourseError(
            f"{path}: {key} is {value}, which clocks in {getattr(zone, 'key', zone)} skip that day: "
            "name a time before or after"
        )
    return moment


def in_range(moment: datetime) -> datetime:
    """Return a moment that leaves room to count days. Errors: OverflowError."""
    if not 1970 < moment.year < 9000:
        raise OverflowError
    return moment


def late_in(path: Path, table: dict[str, Any]) -> Late:
    """Return the policy. Errors: CourseError."""
    refuse_unknown_keys(path, "key", table, MAX_VALUES, "late.")
    for key, value in table.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        most = MAX_VALUES[key]
        if not is_number or not 0 <= value <= most:
            raise CourseError(f"{path}: late.{key} is {format_value(value)}: expected a number from 0 to {most}")
    return Late(**{key: float(value) for key, value in table.items()})


def extensions_in(
    path: Path,
    entries: list[Any],
    zone: tzinfo | None,
    roster: Roster,
    deadlines: dict[str, datetime],
) -> Iterator[Extension]:
    """Return the extensions. Errors: CourseError for one that is empty, duplicate, or names an unknown student."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise CourseError(
            f"{path}: extension is {format_value(entries)}: expected sections that begin with [[extension]]"
        )
    seen = set()
    for number, entry in enumerate(entries, 1):
        one = extension_in(path, f"extension {number}", entry, zone, roster, deadlines)
        key = (composed(one.login), one.group, one.chapter)
        if key in seen:
            raise CourseError(f"{path}: extension {number}: {one.login or one.group} has one of {one.chapter} already")
        seen.add(key)
        yield one


def extension_in(
    path: Path,
    where: str,
    entry: Any,
    zone: tzinfo | None,
    roster: Roster,
    deadlines: dict[str, datetime],
) -> Extension:
    """Return one extension. Errors: CourseError."""
    refuse_unknown_keys(path, f"key in {where}:", entry, EXTENSION_KEYS)
    login, group, chapter = (text_in(path, f"{where}, {key}", entry.get(key, "")) for key in EXTENSION_KEYS[:3])
    if bool(login) == bool(group):
        raise CourseError(f"{path}: {where} names {'both' if login else 'neither'}: expected a login or a group")
    if login and roster.students and not roster.find(login):
        hint = did_you_mean(login, [student.login for student in roster.students][:1000])
        hint = hint if hint.startswith("did") else "add it to the roster"
        raise CourseError(f"{path}: {where}: no login {shortened(login)!r} in the roster: {hint}")
    if group and group not in roster.groups:
        hint = did_you_mean(group, roster.groups) if roster.groups else "the roster has no groups"
        raise CourseError(f"{path}: {where}: no group {shortened(group)!r} in the roster: {hint}")
    if chapter not in deadlines:
        hint = did_you_mean(chapter, deadlines) if deadlines else "add the section [due]"
        raise CourseError(f"{path}: {where}: no deadline of {shortened(chapter)!r} below [due]: {hint}")
    until = moment_in(path, f"{where}, until", entry.get("until"), zone)
    if until < deadlines[chapter]:
        raise CourseError(f"{path}: {where} ends before the deadline of {chapter}: expected a later date")
    return Extension(login, group, chapter, until)


def gradebook_in(path: Path, url: str) -> str:
    """Return the gradebook's address. Errors: CourseError if it is not a database's, or holds a password."""
    if not url:
        return ""
    try:
        place = parse_url(url)
    except ValueError as error:
        raise CourseError(
            f"{path}: class.gradebook is not a database's address: expected one like sqlite:///gradebook.db "
            "or postgresql://ana@db/attention"
        ) from error
    if has_password(place):
        raise CourseError(
            f"{path}: class.gradebook holds a password: take it out, and put it into ~/.pgpass or PGPASSWORD"
        )
    return url


def format_value(value: Any) -> str:
    """Format a value for a message."""
    return shortened("nothing" if value is None else str(value) if isinstance(value, date | time) else repr(value))
