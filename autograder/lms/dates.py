"""Reads dates as Moodle writes them, in any language that Babel knows. A date that could be two is not guessed.

Source of the forms: ``strftimedaydatetime`` in the langconfig.php of Moodle's language packs. Names come from Unicode's
CLDR; a weekday has to agree with its date.
"""

import pickle
import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from babel import localedata

# Those of Moodle's language packs that Babel knows; English first, which most worksheets are in.
_LANGUAGES = """
    en af ar az be bg bn bs ca cs cy da de el eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn
    ko ky lb lo lt lv mk ml mn mr ms my ne nl nn no pl ps pt ro ru si sk sl sq sr sr_Latn sv sw ta te tg th tr uk ur uz
    uz_Cyrl vi zh zh_Hant zu
"""
_YEARS = range(1990, 2100)  # those of another calendar are outside
_LONGEST = 80  # letters of a date
_NAMED = 30  # letters in front of its first number: a weekday and a month
_STEM, _ENDING = 4, 3  # letters that a month's name has at least, and those that a language may add to it
_WORDS = 4  # of a name
_MONTH, _WEEKDAY, _HALF, _NUMBER, _UNKNOWN = range(5)
_TIME = re.compile(r"(?<![\d.:])(\d{1,2})(?:[:.]| ?h ?)(\d\d)(?::\d\d)?(?![:.]?\d)")
_WORD = re.compile(r"\d+|[^\W\d_]+")
_BETWEEN = r"(?:[./-] ?| ?[^\W\d_] ?)"  # as in 2026-12-04, 2026. 12. 4. and 2026年 12月 4日
_YEAR_FIRST = re.compile(rf"(\d{{4}}){_BETWEEN}(\d{{1,2}}){_BETWEEN}(\d{{1,2}})")
_YEAR_LAST = re.compile(r"(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4})")
_ZONES = ("z", "utc", "gmt")

_Name = tuple[str, ...]
_Dates = tuple[date | None, date | None]  # if the day comes first, and if the month does


@dataclass(frozen=True)
class _Cell:
    """A cell that may hold a date: its time of day, the words and numbers on both sides of that, and its other text."""

    time: time
    before: _Name
    after: _Name
    text: str


@dataclass(frozen=True)
class _Reading:
    """What a cell says in one language; ``unknown`` counts the words that the language does not explain.

    ``is_doubtful`` says that one of those is beside the time, and may be morning or afternoon.
    """

    dates: _Dates
    time: time
    unknown: int
    is_doubtful: bool


@dataclass(frozen=True)
class _Language:
    """The names of months, weekdays and halves of the day, each as its words."""

    months: dict[_Name, int]
    weekdays: dict[_Name, int]
    halves: dict[_Name, str]

    @cached_property
    def words(self) -> set[str]:
        """The words of all names."""
        return {word for table in (self.months, self.weekdays, self.halves) for name in table for word in name}


def is_date(text: str) -> bool:
    """Say whether a text looks like a date with a time of day, in whatever language and calendar."""
    cell = _cell_of(text)
    return cell is not None and sum(word.isdecimal() for word in cell.before + cell.after) > 1


def read_dates(texts: list[str], zone: tzinfo | None = None) -> list[datetime | None]:
    """Return the dates of a column, which is in one language; None for what is none, or could be two.

    Whether day or month comes first in 4/12/2026 is known if the other dates leave one order.
    """
    cells = [_cell_of(text) for text in texts]
    rows = _best_readings(cells)
    orders = [order for order in (0, 1) if all(reading.dates[order] for row in rows for reading in row)] or [0, 1]
    has_24_hours = any(cell and (cell.time.hour > 12 or cell.time.hour == 0) for cell in cells)
    return [_moment(row, orders, has_24_hours, zone) for row in rows]


def _moment(row: list[_Reading], orders: list[int], has_24_hours: bool, zone: tzinfo | None) -> datetime | None:
    """Return the one moment on which all readings of a cell agree, or None."""
    moments = {
        datetime.combine(day, reading.time, zone)
        for reading in row
        for order in orders
        if (day := reading.dates[order])
    }
    if len(moments) != 1 or (not has_24_hours and any(reading.is_doubtful for reading in row)):
        return None
    return moments.pop().astimezone(zone)


def _best_readings(cells: list[_Cell | None]) -> list[list[_Reading]]:
    """Return each cell's readings in the languages that read most of a column and leave the fewest words unknown."""
    words = {word for cell in cells if cell for word in cell.before + cell.after if not word.isdecimal()}
    words |= {word[:-letters] for word in words for letters in range(1, _ENDING + 1)}
    best, columns = (0, 0), []
    for name in _LANGUAGES.split():
        language = _language(name)
        if columns and words.isdisjoint(language.words - _language("en").words):
            continue  # it says what English says
        column = [_read(cell, language) if cell else None for cell in cells]
        there = [reading for reading in column if reading]
        score = (len(there), -sum(reading.unknown for reading in there))
        if score > best or not columns:
            best, columns = score, [column]
        elif score == best:
            columns.append(column)
        if name == "en" and best == (sum(cell is not None for cell in cells), 0):
            break  # the other languages take a moment to load
    return [[reading for reading in row if reading] for row in zip(*columns, strict=True)]


def _cell_of(text: str) -> _Cell | None:
    """Return a cell that has a time of day and few words in front, or None. A colon before the time introduces it."""
    text = _folded(text)
    times = list(_TIME.finditer(text))
    if not times or len(text) > _LONGEST or not re.match(rf"[^\d:]{{0,{_NAMED}}}\d", text):
        return None
    before, after = text[: times[-1].start()], text[times[-1].end() :]
    hour, minute = int(times[-1][1]), int(times[-1][2])
    if ":" in before or hour > 23 or minute > 59:
        return None
    return _Cell(
        time(hour, minute), tuple(_WORD.findall(before)), tuple(_WORD.findall(after)), f"{before} {after}".strip()
    )


def _folded(text: str) -> str:
    """Return a text without differences of case, width, blanks, apostrophes and invisible letters."""
    text = unicodedata.normalize("NFKC", text.strip()[: 2 * _LONGEST]).casefold()
    text = "".join(letter for letter in text if unicodedata.category(letter) != "Cf" and letter not in "'’‘ʼ׳״")
    return re.sub(r"(?<=\d)t(?=\d)", " ", " ".join(text.split()))


def _read(cell: _Cell, language: _Language) -> _Reading | None:
    """Return what a cell says in a language, or None."""
    before, after = (list(_meanings(words, language)) for words in (cell.before, cell.after))
    beside = [*before[-1:], *after]
    values = [{value for kind, value in before + after if kind == wanted} for wanted in (_MONTH, _WEEKDAY)]
    halves = {value for kind, value in beside if kind == _HALF}
    numbers = [str(value) for kind, value in before + after if kind == _NUMBER]
    at = _in_24_hours(cell.time, halves)
    if max(len(values[0]), len(values[1])) > 1 or at is None or cell.after[:1] in {(zone,) for zone in _ZONES}:
        return None
    dates = _named(int(values[0].pop()), numbers) if values[0] else _numeric(cell.text, numbers)
    first, second = (day if day and values[1] <= {day.weekday()} else None for day in dates)
    unknown = sum(kind == _UNKNOWN for kind, _ in before + after)
    is_doubtful = not halves and any(kind == _UNKNOWN for kind, _ in beside)
    return _Reading((first, second), at, unknown, is_doubtful) if first or second else None


def _in_24_hours(shown: time, halves: set[Any]) -> time | None:
    """Return a time of day on a clock of 24 hours; None if it contradicts the half of the day."""
    if not halves:
        return shown
    if len(halves) > 1 or (halves == {"am"} and shown.hour > 12):
        return None
    return shown.replace(hour=shown.hour % 12 + 12 * (halves == {"pm"}))


def _meanings(words: _Name, language: _Language) -> Iterator[tuple[int, int | str]]:
    """Yield the kind and the value of what some words stand for; longer names come before shorter ones."""
    tables: list[tuple[int, dict[_Name, Any]]] = [
        (_MONTH, language.months),
        (_WEEKDAY, language.weekdays),
        (_HALF, language.halves),
    ]
    while words:
        names = (words[:length] for length in range(min(_WORDS, len(words)), 0, -1))
        known = ((kind, table[name], len(name)) for name in names for kind, table in tables if name in table)
        kind, value, length = next(known, None) or _alone(words[0], language)
        yield kind, value
        words = words[length:]


def _alone(word: str, language: _Language) -> tuple[int, int | str, int]:
    """Return the meaning of a word that is no name, and that it is one: a number, or a month's name with an ending."""
    if word.isdecimal():
        return _NUMBER, word, 1
    months = {
        month
        for name, month in language.months.items()
        if len(name) == 1 and len(name[0]) >= _STEM and word.startswith(name[0]) and len(word) <= len(name[0]) + _ENDING
    }
    return (_MONTH, months.pop(), 1) if len(months) == 1 else (_UNKNOWN, word, 1)


def _named(month: int, numbers: list[str]) -> _Dates:
    """Return the date that a month's name makes with a day and a year, in either order."""
    day, year = sorted(numbers, key=len) if len(numbers) == 2 else ("", "")
    return (_date(year, month, day),) * 2 if len(day) < len(year) == 4 else (None, None)


def _numeric(text: str, numbers: list[str]) -> _Dates:
    """Return the dates that three numbers make. With points, the day comes before the month everywhere."""
    if len(numbers) != 3:
        return None, None
    if found := _YEAR_FIRST.search(text):
        return (_date(*found.groups()),) * 2
    if not (found := _YEAR_LAST.search(text)):
        return None, None
    first, sign, second, year = found.groups()
    return _date(year, second, first), _date(year, *((second, first) if sign == "." else (first, second)))


def _date(year: int | str, month: int | str, day: int | str) -> date | None:
    try:
        return date(int(year), int(month), int(day)) if int(year) in _YEARS else None
    except ValueError:
        return None


@cache
def _language(name: str) -> _Language:
    """Return a language's names and the English ones, since some of Moodle's packs mix both.

    The file is read as it is: in Babel 2.18, ``Locale`` may give one language the names of another, which was asked
    for first and has the same alias.
    """
    data = pickle.loads(Path(localedata.resolve_locale_filename(name)).read_bytes())
    months = _names(data, "months", range(1, 13), wide=1)
    weekdays = _names(data, "days", range(7), wide=1, abbreviated=2)
    halves = _names(data, "day_periods", ("am", "pm"), wide=1, abbreviated=1, narrow=2)
    halves |= {("".join(name),): half for name, half in halves.items()}
    english = _language("en") if name != "en" else _Language({}, {}, {})
    return _Language(english.months | months, english.weekdays | weekdays, english.halves | halves)


def _names(data: dict[str, Any], kind: str, wanted: Collection[Any], **shortest: int) -> dict[_Name, Any]:
    """Return ``{words of a name: what it stands for}`` of some widths, which have so many letters at least."""
    names = {}
    for table in data.get(kind, {}).values():
        for width, least in shortest.items():
            entries = table.get(width)
            for value, text in entries.items() if isinstance(entries, dict) else ():
                words = tuple(_WORD.findall(_folded(text)))
                if value in wanted and len("".join(words)) >= least:
                    names[words] = value
    return names
