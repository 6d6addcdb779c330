"""Dates of Moodle's worksheet, in many languages: read, or not understood, and never read as another."""

from datetime import UTC, datetime

import pytest

from autograder.lms.dates import is_date, read_dates
from autograder.lms.worksheet import describe_unread, read_worksheet
from tests.support.root import ROOT

LINES = (ROOT / "tests/data" / "moodle_dates.txt").read_text(encoding="utf-8").splitlines()
DATES = dict(line.split("\t") for line in LINES if not line.startswith("#"))
FRIDAY = datetime(2026, 12, 4, 23, 59, tzinfo=UTC)


@pytest.mark.parametrize("language", DATES)
def test_a_date_is_read_in_its_language(language):
    """Months by name and by number, either first, clocks of 12 and of 24 hours: all are one moment."""
    assert read_dates([DATES[language]], UTC) == [FRIDAY]


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("Sunday, 22 November 2026, 12:45 AM", 0),
        ("Sunday, 22 November 2026, 12:45 PM", 12),
        ("22 novembre 2026, 15:45", 15),
        ("Sunday, 22 November 2026, 3:45\u202fPM", 15),
        ("Sonntag, 22. November 2026, 9:45", 9),
        ("2026년 11월 22일, 일요일, 오전 12:45", 0),
    ],
)
def test_halves_of_the_day_are_understood(text, hour):
    """Midnight is 12 AM, and a morning needs no word."""
    assert read_dates([text], UTC) == [datetime(2026, 11, 22, hour, 45, tzinfo=UTC)]


@pytest.mark.parametrize(
    "text",
    [
        "جمعه، ۱۳ آذر ۱۴۰۵، ۱۱:۵۹ عصر",  # the Persian calendar
        "วันศุกร์, 4 ธันวาคม 2569, 23:59",  # the Buddhist one
        "Thứ sáu, 4 Tháng mười hai 2026, 11:59 PM",  # a month as a word that CLDR does not have
        "4 brumaire 2026, 10:00",
        "31 February 2026, 10:00",
        "Monday, 4 December 2026, 11:59 PM",  # a Friday
        "Freitag, 4. Dezember 2026, 11:59 qwe",  # which may be the afternoon
        "Friday, 4 December 2026, 23:59 AM",
        "2026-12-04T23:59:00Z",  # not the class's zone
        "5 listopada 2026, 23:59",  # October in Croatian, November in Polish
        "4/12/2026, 23:59",
        "4/12/26 23:59",
    ],
)
def test_a_date_that_is_not_certain_is_not_read(text):
    """It still looks like a date, so that its line can quote it."""
    assert read_dates([text], UTC) == [None]
    assert is_date(text)


@pytest.mark.parametrize("text", ["-", "", "2026-11-22", "9" * 99, "10:00", "Extension until: 22 November 2026, 10:00"])
def test_what_is_no_date_is_none(text):
    """No date is no reason to stop, nor one inside a sentence."""
    assert read_dates([text], UTC) == [None]
    assert not is_date(text)


@pytest.mark.parametrize(
    ("others", "month"),
    [
        (["25/11/2026 10:00"], 12),
        (["11/25/2026 10:00"], 4),
        (["5/11/2026 10:00"], None),
        (["25/11/2026 10:00", "11/26/2026 10:00"], None),
        (["Thursday, 10/12/2026 10:00"], 12),
    ],
)
def test_which_of_two_numbers_is_the_month_is_for_the_other_dates_to_say(others, month):
    """One day above 12 decides for the column; none, or two that contradict each other, decide nothing."""
    read = read_dates(["4/12/2026 23:59", *others], UTC)
    assert (read[0] and read[0].month) == month
    assert all(read[1:]) or month is None


def test_a_column_is_in_one_language():
    """With a weekday beside it, the month that two languages read differently is one of them."""
    column = ["5 listopada 2026, 23:59", "wtorek, 10 listopada 2026, 08:15"]
    assert [each.month for each in read_dates(column, UTC)] == [11, 11]
    column = ["5. listopada 2026., 23:59", "petak, 9. listopada 2026., 08:15"]
    assert [each.month for each in read_dates(column, UTC)] == [10, 10]


def test_a_time_that_is_not_understood_stays_with_its_row(tmp_path):
    """The worksheet's other columns and rows are read as ever."""
    (tmp_path / "w.csv").write_text(
        "Identifier,Full name,Email address,Last modified (submission)\n"
        'Participant 1,Ada,ada@x.org,"جمعه، ۱۳ آذر ۱۴۰۵، ۱۱:۵۹ عصر"\n'
        "Participant 2,Ben,ben@x.org,-\n",
        encoding="utf-8",
    )
    ada, ben = read_worksheet(tmp_path / "w.csv", UTC).values()
    assert (ada.came, ada.unread, ada.told) == (None, "جمعه، ۱۳ آذر ۱۴۰۵، ۱۱:۵۹ عصر", ("ada@x.org",))
    assert (ben.came, ben.unread) == (None, "")


EARLY, BORN = "Tuesday, 1 December 2026, 9:00 AM", "1 May 2001, 12:00 AM"
LATE, GRADED = "Friday, 4 December 2026, 11:59 PM", "Sunday, 6 December 2026, 8:00 AM"


def sheet_of(folder, rows):
    """Read a worksheet with ``(own text, time, time of the grade)`` in its rows; return its rows' times and lines."""
    lines = ["Identifier,Full name,Phone,Status,Maximum grade,Last modified (submission),Last modified (grade)"]
    for number, (phone, came, graded) in enumerate(rows, 1):
        lines.append(f'Participant {number},Student {number},"{phone}",Submitted,20.00,"{came}","{graded}"')
    (folder / "w.csv").write_text("\n".join(lines))
    read = read_worksheet(folder / "w.csv", UTC)
    return [row.came for row in read.values()], describe_unread(read)


@pytest.mark.parametrize(
    ("rows", "came"),
    [
        ([(EARLY, LATE, "-"), ("", LATE, "-"), ("", LATE, "-")], [FRIDAY] * 3),
        ([(EARLY, LATE, "-"), ("", "-", "-"), ("06 1234", "-", "-")], [FRIDAY, None, None]),
        ([("", LATE, GRADED), ("", "-", GRADED), ("", LATE, GRADED)], [FRIDAY, None, FRIDAY]),
    ],
    ids=["one text is a date", "one hand-in, of whose text it is", "grades have times too"],
)
def test_what_students_write_about_themselves_is_no_column_of_times(tmp_path, rows, came):
    """A time or a dash stands in most rows of that column; the time of the grade comes after it."""
    assert sheet_of(tmp_path, rows) == (came, [])


@pytest.mark.parametrize(
    "rows",
    [
        [(EARLY, LATE, "-"), ("-", LATE, "-"), ("-", LATE, "-")],
        [(BORN, LATE, GRADED), (BORN, LATE, GRADED), (BORN, "-", "-")],
        [(EARLY, "46360.99", ""), ("", "46360.99", ""), ("", "46360.99", "")],
    ],
    ids=["a field in which most write a dash", "a date of birth", "no times"],
)
def test_where_the_times_are_is_asked_and_not_guessed(tmp_path, rows):
    """No time is read; the line quotes a date of each column, with its heading."""
    came, (line,) = sheet_of(tmp_path, rows)
    assert came == [None] * 3
    assert "“Phone”" in line
    assert rows[0][0] in line
    assert (LATE in line) == (rows[0][1] == LATE)
