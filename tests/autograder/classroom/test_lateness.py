"""Lateness by worked numbers: to the second, over zones, and over the two nights on which clocks change."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from autograder.classroom.arrival import arrival, moment_of
from autograder.classroom.class_file import ClassFile, Extension, Late
from autograder.classroom.gradebook.total import describe_total, total_of
from autograder.classroom.lateness import Lateness, describe_lateness, duration, lateness, when
from autograder.classroom.roster import Enrolled, Roster

CHAPTER = "01_doubling"
ROME = ZoneInfo("Europe/Rome")
DUE = datetime(2026, 12, 4, 23, 59, tzinfo=ROME)
POLICY = Late(grace_minutes=15, percent_per_day=10, at_most_percent=50, closed_after_days=7)


def rome(*clock, fold=0):
    """A moment as clocks in Rome show it."""
    return datetime(*clock, tzinfo=ROME, fold=fold)


def rules(due=DUE, late=POLICY, extensions=(), zone=ROME):
    """A class with one deadline; ada is in a group, cy has left."""
    students = (Enrolled("ada", group="tuesday"), Enrolled("ben"), Enrolled("cy", left=date(2026, 11, 30)))
    return ClassFile(
        timezone=zone, roster=Roster(students), late=late, deadlines={CHAPTER: due}, extensions=tuple(extensions)
    )


def judged(came, login="ben", **kinds):
    """State and per cent of a submission that came at a moment."""
    found = lateness(rules(**kinds), login, CHAPTER, came)
    return found.state, found.percent


@pytest.mark.parametrize(
    ("came", "expected"),
    [
        (rome(2026, 12, 1, 9, 0), ("in_time", 0)),
        (rome(2026, 12, 4, 23, 59, 0), ("in_time", 0)),
        (rome(2026, 12, 4, 23, 59, 0, 1), ("grace", 0)),
        (rome(2026, 12, 5, 0, 14, 0), ("grace", 0)),
        (rome(2026, 12, 5, 0, 14, 1), ("late", 10)),
        (rome(2026, 12, 5, 10, 12), ("late", 10)),
        (rome(2026, 12, 5, 23, 59, 0), ("late", 10)),
        (rome(2026, 12, 5, 23, 59, 1), ("late", 20)),
        (rome(2026, 12, 8, 23, 59, 1), ("late", 50)),
        (rome(2026, 12, 9, 23, 59, 1), ("late", 50)),
        (rome(2026, 12, 11, 23, 59, 0), ("late", 50)),
        (rome(2026, 12, 11, 23, 59, 1), ("closed", 100)),
        (rome(2030, 1, 1, 0, 0), ("closed", 100)),
    ],
)
def test_boundaries_to_the_second(came, expected):
    """Deadline, end of grace, end of a day and closing time still count as within; a second more does not."""
    assert judged(came) == expected
    assert judged(came.astimezone(ZoneInfo("Asia/Kathmandu"))) == expected


@pytest.mark.parametrize(
    ("due", "came", "expected"),
    [
        # In the night to 25 October 2026 clocks go back: the day after the 24th at 23:59 has 25 hours.
        (rome(2026, 10, 24, 23, 59), rome(2026, 10, 25, 23, 59), ("late", 10)),
        (rome(2026, 10, 24, 23, 59), rome(2026, 10, 25, 23, 59, 1), ("late", 20)),
        # 02:30 comes twice: the second one, an hour later, is the deadline and the end of a day.
        (rome(2026, 10, 25, 2, 30, fold=1), rome(2026, 10, 25, 2, 30, 0, 1, fold=0), ("in_time", 0)),
        (rome(2026, 10, 24, 2, 30), rome(2026, 10, 25, 2, 30, fold=1), ("late", 10)),
        (rome(2026, 10, 24, 2, 30), rome(2026, 10, 25, 2, 30, 1, fold=1), ("late", 20)),
        # In the night to 29 March 2026 they go forward: the day after the 28th at 23:59 has 23 hours.
        (rome(2026, 3, 28, 23, 59), rome(2026, 3, 29, 23, 59), ("late", 10)),
        (rome(2026, 3, 28, 23, 59), rome(2026, 3, 29, 23, 59, 1), ("late", 20)),
        # The 29th has no 02:30: the day that would end then ends at 03:30.
        (rome(2026, 3, 28, 2, 30), rome(2026, 3, 29, 3, 30), ("late", 10)),
        (rome(2026, 3, 28, 2, 30), rome(2026, 3, 29, 3, 30, 1), ("late", 20)),
        # Seven days over that night are an hour short, and still seven days.
        (rome(2026, 3, 28, 12, 0), rome(2026, 4, 4, 12, 0), ("late", 50)),
        (rome(2026, 3, 28, 12, 0), rome(2026, 4, 4, 12, 0, 1), ("closed", 100)),
    ],
)
def test_days_end_by_the_clock_of_the_class(due, came, expected):
    """On the nights when clocks change, a day is what clocks show, and in doubt the later moment."""
    assert judged(came, due=due) == expected


def test_grace_is_time_that_passes():
    """A quarter of an hour has fifteen minutes, also while clocks go back."""
    due = rome(2026, 10, 25, 2, 50, fold=0)
    assert judged(due.astimezone(UTC) + timedelta(minutes=15), due=due) == ("grace", 0)
    assert judged(due.astimezone(UTC) + timedelta(minutes=15, seconds=1), due=due) == ("late", 10)


@pytest.mark.parametrize(
    ("policy", "days", "expected"),
    [
        (None, 400, ("late", 0)),
        (Late(), 400, ("late", 0)),
        (Late(percent_per_day=10), 9, ("late", 90)),
        (Late(percent_per_day=10), 11, ("late", 100)),
        (Late(percent_per_day=2.5), 3, ("late", 7.5)),
        (Late(closed_after_days=0), 0, ("in_time", 0)),
        (Late(closed_after_days=0), 0.001, ("closed", 100)),
        (Late(closed_after_days=1.5), 1.5, ("late", 0)),
        (Late(grace_minutes=60 * 24 * 2, closed_after_days=1), 2, ("grace", 0)),
    ],
)
def test_a_policy_costs_what_it_says(policy, days, expected):
    """Without one lateness costs nothing; a share for each day begun, up to a most; grace comes before closing."""
    due = rome(2026, 6, 1, 12, 0)
    assert judged(due + timedelta(days=days), due=due, late=policy) == expected


def test_extensions_of_students_and_groups():
    """One's own and one's group's move the deadline for those alone, and lateness counts from there."""
    own = Extension("ben", "", CHAPTER, rome(2026, 12, 7, 23, 59))
    group = Extension("", "tuesday", CHAPTER, rome(2026, 12, 5, 12, 0))
    for login, until in (("ben", own.until), ("ada", group.until), ("cy", rules().deadlines[CHAPTER])):
        found = lateness(rules(extensions=(own, group)), login, CHAPTER, until + timedelta(hours=1))
        assert (found.state, found.percent, found.seconds, found.extended) == ("late", 10, 3600, login != "cy")


def test_what_is_not_known_costs_nothing():
    """No note of when it came is unknown, never late; a chapter without a deadline is neither; who left is noted."""
    assert judged(None) == ("unknown", 0)
    assert lateness(rules(), "ben", "02_other", rome(2026, 12, 4, 0, 0)).state == "no_deadline"
    assert lateness(ClassFile(), "ben", CHAPTER, None).state == "no_deadline"
    assert lateness(rules(), "cy", CHAPTER, None).left == date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-12-05 09:12:00 UTC", datetime(2026, 12, 5, 9, 12)),
        ("2026-12-05 09:12:00.250000 UTC\n", datetime(2026, 12, 5, 9, 12, 0, 250_000)),
        ("2026-12-05T10:12:00+01:00", datetime(2026, 12, 5, 9, 12)),
        ("2026-12-05 10:12:00 +0100", datetime(2026, 12, 5, 9, 12)),
        ("2026-12-05 10:12:00 +01", datetime(2026, 12, 5, 9, 12)),
        ("2026-12-05 03:42:00 -05:30", datetime(2026, 12, 5, 9, 12)),
        ("2026-12-05 10:12 Europe/Rome", datetime(2026, 12, 5, 9, 12)),
        ("2026-12-05 10:12:00 CET", datetime(2026, 12, 5, 9, 12)),
        ("2026-10-25 02:30:00 CEST", datetime(2026, 10, 25, 0, 30)),
        ("2026-10-25 02:30:00 CET", datetime(2026, 10, 25, 1, 30)),
        ("2026-12-05 09:12:00", datetime(2026, 12, 5, 9, 12)),
    ],
)
def test_a_note_of_nbgrader_is_read(text, expected):
    """Whatever zone its exchange was told to write: UTC, an offset, a name, or letters of the class's clocks."""
    assert moment_of(text, ROME) == expected.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", "yesterday", "2026-12-05", "10:12", "2026-02-30 09:12:00 UTC", "2026-12-05 25:12:00 UTC"),
        *(
            "2026-12-05 10:12:00 EST",
            "2026-12-05 10:12:00 ../etc/x",
            "2026-12-05 10:12:00 UTC UTC",
            "9999-12-31 23:59 -12",
        ),
        *("٢٠٢٦-12-05 09:12:00 UTC", "2026-12-05 09:12:00 +99:99", "0001-01-01 00:00:00 UTC", "1765011120"),
    ],
)
def test_what_is_no_such_note_is_unknown(text):
    """Half a date, a foreign zone's letters and nonsense are not guessed at."""
    assert moment_of(text, ROME) is None


def test_a_note_is_an_ordinary_small_file(classroom, tmp_path):
    """A link and a file that is longer than any note are none; the time of a file's last change never is one."""
    folder = classroom.submitted("ada", CHAPTER)
    folder.mkdir(parents=True)
    (folder / f"{CHAPTER}.ipynb").write_text("{}")
    assert arrival(classroom, "ada", CHAPTER) is None
    note = folder / "timestamp.txt"
    note.write_text("2026-12-05 09:12:00 UTC")
    assert arrival(classroom, "ada", CHAPTER) == datetime(2026, 12, 5, 9, 12, tzinfo=UTC)
    note.rename(tmp_path / "other.txt")
    note.symlink_to(tmp_path / "other.txt")
    assert arrival(classroom, "ada", CHAPTER) is None
    note.unlink()
    note.write_text("2026-12-05 09:12:00 UTC" + " " * 1000)
    assert arrival(classroom, "ada", CHAPTER) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 second"), (59, "59 seconds"), (60, "1 minute"), (3599, "59 minutes"), (3600, "1 hour"),
        (36_780, "10 hours"), (48 * 3600 - 1, "47 hours"), (48 * 3600, "2 days"), (49 * 3600, "2 days and 1 hour"),
        (8 * 86400 + 7300, "8 days and 2 hours"),
    ],
)  # fmt: skip
def test_durations_are_rounded_down(seconds, words):
    """Nobody is said to be later than they were."""
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("came", "words"),
    [
        (
            rome(2026, 12, 5, 10, 12),
            "Handed in on Saturday 5 December 2026 at 10:12, 10 hours after the deadline "
            "(Friday 4 December, 23:59, Rome)",
        ),
        (
            rome(2026, 12, 4, 23, 59, 7),
            "Handed in on Friday 4 December 2026 at 23:59:07, 7 seconds after the deadline "
            "(Friday 4 December, 23:59:00, Rome)",
        ),
        (
            datetime(2026, 12, 4, 8, 5, tzinfo=UTC),
            "Handed in on Friday 4 December 2026 at 09:05, before the deadline (Friday 4 December, 23:59, Rome)",
        ),
        (
            rome(2027, 1, 1, 0, 0),
            "Handed in on Friday 1 January 2027 at 00:00, 27 days after the deadline "
            "(Friday 4 December 2026, 23:59, Rome)",
        ),
        (None, "When this was handed in is not known"),
    ],
)
def test_the_readers_words(came, words):
    """Days and times are those of the class's clocks; seconds and the year are there where they tell something."""
    assert describe_lateness(lateness(rules(), "ben", CHAPTER, came), rules()) == words


def test_what_a_total_says():
    """Grace, the maximum deduction and a closed chapter are named; of nothing nothing is taken."""
    after = {days: lateness(rules(), "ben", CHAPTER, DUE + timedelta(days=days)) for days in (0.01, 6, 9)}
    assert describe_total(total_of(8.0, after[0.01]), rules()).endswith(
        "which is within the grace period: nothing is deducted."
    )
    assert describe_total(total_of(8.0, after[6]), rules()).endswith(": 50% less, the maximum deduction, 8 becomes 4.")
    assert describe_total(total_of(8.0, after[9]), rules()).endswith("more than 7 days late counts 0, so 8 becomes 0.")
    assert describe_total(total_of(0.0, after[6]), rules()).endswith(
        "6 days after the deadline (Friday 4 December, 23:59, Rome)."
    )
    assert describe_total(total_of(None, after[6]), rules()).endswith(", Rome).")
    assert describe_total(total_of(8.0, Lateness("no_deadline"), 9.0), ClassFile()) == (
        "9 points are deducted for lateness, as your instructor decided: 8 becomes 0."
    )
    assert describe_total(total_of(8.0, Lateness("no_deadline"), 1.0), ClassFile()) == (
        "1 point is deducted for lateness, as your instructor decided: 8 becomes 7."
    )


@pytest.mark.parametrize(
    ("per_day", "at_most", "days", "words"),
    [
        (10, 50, 6, ": 50% less, the maximum deduction, 8 becomes 4."),
        (10, 100, 11, ": 100% less, 8 becomes 0."),
        (25, 25, 3, ": 25% less, 8 becomes 6."),
    ],
)
def test_a_maximum_is_named_only_where_it_limits(per_day, at_most, days, words):
    """Losing everything is not a maximum, and neither is a single share for any lateness."""
    late = rules(late=Late(percent_per_day=per_day, at_most_percent=at_most))
    came = lateness(late, "ben", CHAPTER, DUE + timedelta(days=days))
    assert describe_total(total_of(8.0, came), late).endswith(words)


def test_shares_of_points_are_rounded_like_marks():
    """A third of a point's tenth is two decimals, below 0 nothing goes, and a mark that is not there stays none."""
    late = lateness(rules(), "ben", CHAPTER, DUE + timedelta(hours=2))
    assert (total_of(3.33, late).penalty, total_of(3.33, late).score) == (0.33, 3.0)
    assert (total_of(None, late).score, total_of(2.0, late, 5.0).score, total_of(2.0, late, 0.0).score) == (None, 0, 2)


def test_other_words():
    """An extended deadline is called so; without a deadline only the time is told, without both nothing."""
    late = rules(extensions=[Extension("ben", "", CHAPTER, rome(2026, 12, 7, 23, 59))])
    assert "before your extended deadline (Monday 7 December, 23:59, Rome)" in describe_lateness(
        lateness(late, "ben", CHAPTER, rome(2026, 12, 5, 0, 0)), late
    )
    free = ClassFile()
    came = Lateness("no_deadline", handed_in=datetime(2026, 12, 5, 9, 12, tzinfo=UTC))
    assert describe_lateness(came, free) == "Handed in on Saturday 5 December 2026 at 09:12, UTC"
    assert describe_lateness(Lateness("no_deadline"), free) == ""
    assert when(rome(2026, 12, 5, 10, 12), ZoneInfo("America/Argentina/Buenos_Aires"))[1] == "06:12"
