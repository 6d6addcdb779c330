"""Computes how late a submission is, and what that costs."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from autograder.plain import plural

from .class_file import ClassFile, Late

DAY = timedelta(days=1)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Lateness:
    """When a submission arrived, when it was due, and the share of its points that is deducted.

    ``state`` is ``no_deadline``, ``unknown`` (no arrival noted), ``in_time``, ``grace``, ``late`` or ``closed``.
    ``seconds`` count from the deadline; ``left`` is the day on which the student left the class.
    """

    state: str
    handed_in: datetime | None = None
    due: datetime | None = None
    seconds: float = 0.0
    percent: float = 0.0
    extended: bool = False
    left: date | None = None


def lateness(class_file: ClassFile, login: str, chapter: str, handed_in: datetime | None) -> Lateness:
    """Apply the class's rules to one submission; ``handed_in`` is zone-aware, or None if unknown.

    The deadline itself, the end of the grace and the end of each day are still in time. A day of lateness ends when
    clocks in the class's zone show the deadline's time again, so one day in spring has 23 hours.
    """
    due, student = class_file.due(login, chapter), class_file.roster.find(login)
    known: dict[str, Any] = {"handed_in": handed_in, "due": due, "left": student.left if student else None}
    known["extended"] = due is not None and due != class_file.deadlines[chapter]
    if due is None or handed_in is None:
        return Lateness("no_deadline" if due is None else "unknown", **known)
    due_at, came_at, late = due.astimezone(UTC), handed_in.astimezone(UTC), class_file.late or Late()
    if came_at <= due_at:
        return Lateness("in_time", **known)
    known["seconds"] = (came_at - due_at).total_seconds()
    if came_at <= due_at + timedelta(minutes=late.grace_minutes):
        return Lateness("grace", **known)
    closes = late.closed_after_days
    if closes is not None and came_at > days_after(due, closes, class_file.timezone):
        return Lateness("closed", percent=100.0, **known)
    days = days_begun(due, came_at, class_file.timezone)
    return Lateness("late", percent=min(late.at_most_percent, days * late.percent_per_day), **known)


def days_after(moment: datetime, days: float, zone: tzinfo) -> datetime:
    """Return when clocks show the same time some days later; the later moment if that time comes twice or never."""
    shown = (moment.astimezone(zone) + timedelta(days=days)).replace(tzinfo=None)
    return max(shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def days_begun(due: datetime, came_at: datetime, zone: tzinfo) -> int:
    """Return the number of days since the deadline, the current one included."""
    days = max(1, (came_at - due) // DAY - 1)
    while came_at > days_after(due, days, zone):
        days += 1
    return days


def when(moment: datetime, zone: tzinfo, with_year: bool = False, with_seconds: bool = False) -> tuple[str, str]:
    """Format a moment's date and time in a zone."""
    there = moment.astimezone(zone)
    day = f"{WEEKDAYS[there.weekday()]} {there.day} {MONTHS[there.month - 1]}"
    return f"{day} {there.year}" if with_year else day, there.strftime("%H:%M:%S" if with_seconds else "%H:%M")


def zone_name(zone: tzinfo) -> str:
    """Return a time zone's city, or else its name."""
    return getattr(zone, "key", str(zone)).rpartition("/")[2].replace("_", " ")


def duration(seconds: float) -> str:
    """Format a duration, rounded down: 59 seconds, 3 minutes, 10 hours, 2 days and 1 hour."""
    if seconds < 60:
        return plural(max(1, int(seconds)), "second")
    if seconds < 3600:
        return plural(int(seconds // 60), "minute")
    hours = int(seconds // 3600)
    if hours < 48:
        return plural(hours, "hour")
    rest = f" and {plural(hours % 24, 'hour')}" if hours % 24 else ""
    return f"{plural(hours // 24, 'day')}{rest}"


def describe_lateness(late: Lateness, rules: ClassFile) -> str:
    """Describe when a submission arrived relative to its deadline, without a full stop; "" if unknown."""
    if late.handed_in is None:
        return "" if late.due is None else "When this was handed in is not known"
    few = 0 < late.seconds < 60
    day, time = when(late.handed_in, rules.timezone, with_year=True, with_seconds=few)
    came = f"Handed in on {day} at {time}"
    if late.due is None:
        return f"{came}, {zone_name(rules.timezone)}"
    day, time = when(late.due, rules.timezone, late.due.year != late.handed_in.year, with_seconds=few)
    deadline = "your extended deadline" if late.extended else "the deadline"
    there = f"{deadline} ({day}, {time}, {zone_name(rules.timezone)})"
    return f"{came}, {f'{duration(late.seconds)} after' if late.seconds else 'before'} {there}"
