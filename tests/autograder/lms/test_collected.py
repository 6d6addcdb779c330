"""Which of two hand-ins is later, and what is remembered of each."""

from datetime import UTC, datetime, timedelta

import pytest

from autograder.lms.collected import HandIn
from autograder.lms.platforms import Label
from autograder.lms.scan import Item

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def hand_in(content, came=None, lms="canvas", attempt="7", when=100):
    """Return a hand-in; its content stands for the file's hash."""
    return HandIn(Item(("zip", "a.ipynb"), sha256=content, when=when), Label(lms, "1", "Ada", "ada_1", attempt), came)


@pytest.mark.parametrize(
    ("again", "later"),
    [({"came": NOON - SECOND}, False), ({"came": NOON}, False), ({"came": NOON + SECOND}, True)],
)
def test_of_two_known_times_only_a_later_one_replaces(again, later):
    """The order of uploads does not count then, and the same second is not later."""
    entry = hand_in("old", NOON).kept({})
    assert hand_in("new", attempt="9", **again).is_later(entry, "old") is later


@pytest.mark.parametrize(
    ("lms", "again", "later"),
    [
        ("canvas", {"attempt": "6"}, False),
        ("canvas", {"attempt": "7"}, False),
        ("canvas", {"attempt": "10"}, True),
        ("moodle", {"when": 100}, False),
        ("moodle", {"when": 101}, True),
    ],
)
def test_without_times_the_order_of_one_lms_decides(lms, again, later):
    """Canvas numbers its uploads, as numbers and not as text; of Moodle the time of the download counts."""
    entry = hand_in("old", lms=lms).kept({})
    assert hand_in("new", lms=lms, **again).is_later(entry, "old") is later


def test_orders_of_two_lms_are_not_compared():
    """A download from Moodle has a larger number than any upload to Canvas."""
    entry = hand_in("old").kept({})
    assert not hand_in("new", lms="moodle", when=10**9).is_later(entry, "old")


def test_a_file_that_was_put_there_by_hand_is_never_earlier():
    """Its hash is not that of the remembered hand-in, so nothing says when it came."""
    entry = hand_in("old", NOON).kept({})
    assert not hand_in("new", NOON + SECOND).is_later(entry, "by hand")


def test_a_time_stays_with_its_file():
    """The same file without a time keeps the time that is known; another one does not inherit it."""
    entry = hand_in("old", NOON).kept({})
    assert hand_in("old").kept(entry)["came"] == entry["came"] == "2026-11-20T12:00:00+00:00"
    assert hand_in("new").kept(entry)["came"] == ""
    assert hand_in("old", NOON + SECOND).kept(entry)["came"] == "2026-11-20T12:00:01+00:00"
