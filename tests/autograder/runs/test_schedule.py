"""Results are yielded as they come, with the moments at which to save them."""

import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import islice

import pytest

from autograder.grading.result import Result
from autograder.runs import schedule


@pytest.fixture
def done():
    """A future that is done."""
    future = Future()
    future.set_result("done")
    return future


def test_one_that_never_ends_keeps_no_other_waiting(done, monkeypatch):
    """What is done comes at once, and then, again and again, the word to record it."""
    monkeypatch.setattr(schedule, "RECORD_SECONDS", 0.01)
    arrivals = list(islice(schedule.as_they_are_done([Future(), done]), 4))
    assert [found for found in arrivals if found] == [done]
    assert arrivals[-2:] == [None, None]


def test_a_steady_stream_is_recorded_too(monkeypatch):
    """Where something is always ready, the word to record still comes when it is due."""
    monkeypatch.setattr(schedule, "RECORD_SECONDS", 0.0)
    futures = [Future() for _ in range(3)]
    for future in futures:
        future.set_result("done")
    arrivals = list(schedule.as_they_are_done(futures))
    assert [found for found in arrivals if found] == futures
    assert arrivals.count(None) >= len(futures)


def late(seconds):
    """A result that came late."""
    return Result("01_doubling", "time_limit", 0.0, 10.0, seconds=seconds, ran_late=True)


def test_repeats_share_one_budget():
    """The quickest come first, and each takes of the time that is left; what no longer fits is not repeated."""
    now = [0.0]
    budget = schedule.RetryBudget(20.0, lambda: now[0])
    repeated = []
    for key in budget.choose({"slow": late(13.0), "sleeper": late(164.0), "quick": late(5.0), "quicker": late(3.0)}):
        repeated.append(key)
        now[0] += 7.0
    assert repeated == ["quicker", "quick"]
    assert budget.skipped == ["slow", "sleeper"]
    assert list(budget.choose({"next chapter's": late(6.5)})) == []


def test_what_is_not_repeated_keeps_its_result(tmp_path, monkeypatch):
    """It is neither lost nor graded a second time, and everybody else is yielded as before."""
    results = {"ada": replace(late(1.0), ran_late=False), "ben": late(100.0), "cy": late(2.0)}
    monkeypatch.setattr(schedule.Schedule, "finished", lambda self, waiting: iter(results.items()))
    monkeypatch.setattr(schedule.Schedule, "one_by_one", lambda self, keys: ((key, "again") for key in keys))
    one = schedule.Schedule((None,), jobs=2)
    one.paths, one.pool = dict.fromkeys(results, tmp_path), object()
    assert dict(one.grade_all()) == {"ada": results["ada"], "ben": results["ben"], "cy": "again"}


class Graded:
    """A result that can be counted."""


def test_what_was_handed_out_is_let_go():
    """Of a class's results, those that are recorded are not kept: one or two are in memory beside those that wait."""
    alive, waiting = weakref.WeakSet(), {}
    for key in range(13):
        result, future = Graded(), Future()
        alive.add(result)
        future.set_result(result)
        waiting[future] = key
    del result, future
    kept = []
    for found in schedule.Schedule((None,), jobs=2).finished(waiting):
        kept += [len(alive) - len(waiting)] if found else []
    assert len(kept) == 13
    assert max(kept) <= 2


def test_only_so_many_are_on_the_way():
    """The next one is taken when there is room for it, so that a large class is never in memory as a whole."""
    taken, room = [], 3

    def futures():
        for number in range(11):
            taken.append(number)
            future = Future()
            future.set_result(number)
            yield future

    found, most = 0, 0
    for future in schedule.as_they_are_done(futures(), lambda: room):
        found += future is not None
        most = max(most, len(taken) - found)
    assert (found, len(taken)) == (11, 11)
    assert most < room


def test_a_few_that_others_may_follow_start_no_process(tmp_path, monkeypatch):
    """How many processes there are, and so what memory each may use, follows from how many are graded in the end."""
    started = []
    monkeypatch.setattr(schedule.Schedule, "new_pool", lambda self, jobs: started.append(jobs) or ThreadPoolExecutor(1))
    monkeypatch.setattr(schedule, "grade_one", lambda path, folders: path)
    one, two, three = (tmp_path / name for name in "abc")
    with schedule.Schedule((None,), jobs=3) as few, schedule.Schedule((None,), jobs=2) as enough:
        few.add({"ada": one, "ben": two}, more=True)
        enough.add({"ada": one, "ben": two}, more=True)
        assert started == [2]
        few.add({})
        enough.add({"cy": three})
        assert (started, few.jobs) == ([2, 2], 2)
        assert [sorted(each.waiting.values()) for each in (few, enough)] == [["ada", "ben"], ["ada", "ben", "cy"]]
