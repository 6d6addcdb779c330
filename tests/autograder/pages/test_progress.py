"""Who needs help, by facts that can be checked, and how a class goes from chapter to chapter."""

from datetime import UTC, datetime

import pytest

from autograder.pages.progress import Chapter, expected, trend_rows, who_needs_help

from .test_unlisted_answers import exercise


def chapter(number, marks, most=10.0, also=()):
    """A graded chapter; ``also`` handed in without a mark."""
    return Chapter(number, f"{number:02d}_x", most, frozenset([*marks, *also]), marks)


def helped(chapters, results=None, due=None):
    """Who is listed, with the facts."""
    everybody = {student for one in chapters for student in one.handed_in}
    due = due or dict.fromkeys(everybody, frozenset(one.name for one in chapters))
    return {row["student"]: row["facts"] for row in who_needs_help(chapters, results or {}, due)}


def ended(status="graded", **exercises):
    """A result with the score, or the status, of each exercise."""
    rows = [
        exercise(name, score=0.0, status=found) if isinstance(found, str) else exercise(name, score=found)
        for name, found in exercises.items()
    ]
    return {"status": status, "exercises": rows}


def test_each_fact_is_said_and_the_smallest_share_comes_first():
    """Missing chapters, few points, a fall and what did not end well, in words; who does well is not listed."""
    chapters = [
        chapter(3, {"ada": 10.0, "ben": 9.0, "dee": 4.0, "eve": 8.0}),
        chapter(4, {"ada": 9.0, "ben": 2.0, "cy": 6.0, "dee": 3.0, "eve": 8.0}),
    ]
    results = {
        "ben": ended(a=2.0, b=0.0),
        "cy": ended(a=6.0, b=1.0),
        "dee": ended("not_attempted", a="not_attempted", b="not_attempted"),
        "eve": ended(a=8.0, b="time_limit"),
    }
    assert helped(chapters, results) == {
        "cy": ["chapter 3 not handed in"],
        "dee": ["nothing attempted in this chapter"],
        "ben": ["20% here, 90% on average before", "no point in b"],
        "eve": ["b took too long", "no point in b"],
    }
    assert list(helped(chapters, results)) == ["cy", "dee", "ben", "eve"]


def test_what_was_not_due_is_held_against_nobody():
    """A chapter whose deadline is still to come is no missing one, and its points do not count as lost."""
    chapters = [chapter(3, {"ada": 10.0, "ben": 10.0}), chapter(4, {"ben": 9.0})]
    due = {"ada": frozenset(["03_x"]), "ben": frozenset(["03_x", "04_x"])}
    assert helped(chapters, due=due) == {}
    assert helped(chapters) == {"ada": ["chapter 4 not handed in"]}


def test_the_roster_says_who_is_there_and_who_has_left(classroom):
    """Somebody who never handed in is looked after, somebody who left is not; deadlines and extensions count."""
    classroom.root.joinpath("roster.csv").write_text("login,name,left\nada,A,\nben,B,2026-01-01\nzoe,Z,\n")
    classroom.root.joinpath("class.toml").write_text(
        '[class]\ntimezone = "UTC"\nroster = "roster.csv"\n[due]\n04_x = 2026-11-20T12:00:00\n'
        '[[extension]]\nlogin = "zoe"\nchapter = "04_x"\nuntil = 2026-11-30T12:00:00\n'
    )
    chapters = [chapter(3, {"ada": 1.0, "ben": 1.0}), chapter(4, {"ada": 1.0})]
    assert expected(classroom, chapters, datetime(2026, 11, 22, tzinfo=UTC)) == {
        "ada": {"03_x", "04_x"},
        "zoe": {"03_x"},
    }
    assert "ben" not in expected(classroom, chapters, datetime(2026, 1, 1, tzinfo=UTC))
    assert "ben" in expected(classroom, chapters, datetime(2025, 12, 31, tzinfo=UTC))


def test_without_a_class_file_whoever_hands_in_is_the_class(classroom):
    """Everybody who handed something in is expected to hand in what is graded."""
    chapters = [chapter(3, {"ada": 1.0}), chapter(4, {}, also=["ben"])]
    found = expected(classroom, chapters, datetime(2026, 11, 22, tzinfo=UTC))
    assert found == {student: {"03_x", "04_x"} for student in ("ada", "ben")}


def test_the_trend_is_that_computed_by_hand():
    """Quartiles and mean of the shares, and how many handed in; one chapter alone is no trend."""
    marks = {"a": 0.0, "b": 2.0, "c": 4.0, "d": 6.0, "e": 8.0}
    first, second = trend_rows([chapter(3, marks, most=8.0), chapter(4, {"a": 8.0}, most=8.0, also=["b", "c"])])
    assert (first["low"], first["median"], first["high"], first["mean"]) == (0.25, 0.5, 0.75, 0.5)
    assert (first["count"], second["count"]) == (5, 3)
    assert second["median"] == pytest.approx(1)
    assert trend_rows([chapter(3, marks)]) == []
