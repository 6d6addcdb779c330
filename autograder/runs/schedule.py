"""Grades many submissions in several processes. Whatever was interrupted is retried once, alone.

So is what waited too long or failed on our side, perhaps because of what ran beside it, within one budget of time for
the whole run.
"""

import gc
import os
import queue
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from multiprocessing import parent_process
from multiprocessing.util import Finalize
from pathlib import Path
from threading import Thread
from typing import Any

from autograder.course.course import Assignment
from autograder.grading.grade import Grader
from autograder.grading.result import Result, failed
from autograder.sandbox import Limits

from . import fork_server

RECORD_SECONDS = 1.0  # seconds until a result must be saved
RETRY_SECONDS = 60.0  # of a run, for repeating notebooks alone: all other cores are idle meanwhile
Facts = tuple[Assignment, int, Limits, bool]  # the arguments of Grader: what is graded, the seed, limits, protected
own_grader: Any = None  # of a process of the pool


def as_they_are_done(futures: Iterable[Any], at_once: Callable[[], int | None] = lambda: None) -> Iterator[Any]:
    """Yield each future when it is done, and None once a second: time to save what there is.

    ``futures``, the standard library's or Dask's, are taken as room allows: at_once() returns the limit on those in
    flight, None for no limit.
    A yielded future is released together with its result, so a class need not be in memory all at once.
    """
    done, left, futures = queue.SimpleQueue(), 0, iter(futures)
    due = time.monotonic() + RECORD_SECONDS / 10  # some were done while the gradebook was being opened
    while True:
        most = at_once()
        for future in islice(futures, None if most is None else max(0, most - left)):
            left += 1
            future.add_done_callback(done.put)
        if not left:
            return
        try:
            future = done.get(timeout=max(0.0, due - time.monotonic()))
        except queue.Empty:
            future = None
        if future:
            left -= 1
            yield future
        if time.monotonic() >= due:
            yield None
            due = time.monotonic() + RECORD_SECONDS


def may_be_the_machines(result: Result) -> bool:
    """Say whether a result may come from what ran beside it: it waited too long, or our machinery failed."""
    return result.ran_late or result.status == "infrastructure"


class RetryBudget:
    """The time that a run may spend on repeating notebooks, one after another, that waited too long.

    ``skipped`` are those that did not fit: their first result counts.
    """

    def __init__(self, seconds: float = RETRY_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.left, self.clock = seconds, clock
        self.skipped: list[str] = []

    def choose(self, late: dict[str, Result]) -> Iterator[str]:
        """Yield the keys to repeat, quickest first, while there is time; what the caller does meanwhile takes of it.

        An honest notebook that met a busy machine is quick; one that sleeps is not, and takes nobody else's turn.
        """
        for key, result in sorted(late.items(), key=lambda pair: pair[1].seconds):
            if result.seconds > self.left:
                self.skipped.append(key)
                continue
            began = self.clock()
            yield key
            self.left -= self.clock() - began


class Schedule:
    """Grades many submissions of one assignment in up to ``jobs`` processes: add some, then grade_all yields results.

    Use it as a context manager. ``facts`` are the arguments of Grader; ``folders`` is as in Grader.grade.
    """

    def __init__(self, facts: Facts, jobs: int, folders: int = 0, retries: RetryBudget | None = None) -> None:
        self.facts, self.jobs, self.folders, self.retries = facts, jobs, folders, retries or RetryBudget()
        self.paths: dict[str, Path] = {}
        self.pool: ProcessPoolExecutor | None = None
        self.waiting: dict[Future, str] = {}

    def __enter__(self) -> "Schedule":
        return self

    def add(self, paths: dict[str, Path], more: bool = False) -> None:
        """Add submissions, ``{key: path of a notebook}``; their processes start at once.

        ``more`` says that others may follow: if there are too few yet for all processes, it waits for these.
        """
        self.paths |= paths
        if self.pool:
            self.waiting |= self.submitted(self.pool, paths)
        elif self.paths and (len(self.paths) >= self.jobs or not more):
            self.jobs = min(self.jobs, len(self.paths))
            if self.jobs > 1:
                self.pool = self.new_pool(self.jobs)
                self.waiting = self.submitted(self.pool, self.paths)

    def __exit__(self, *exception: Any) -> None:
        if self.pool:
            self.pool.shutdown(cancel_futures=True)

    def new_pool(self, jobs: int) -> ProcessPoolExecutor:
        """Return a pool of grading processes."""
        return ProcessPoolExecutor(jobs, fork_server.context(), open_grader, (*self.facts, jobs))

    def grade_all(self) -> Iterator[tuple[str, Result] | None]:
        """Yield ``(key, Result)`` as each is finished, and None when it is time to save what has come so far.

        What waited too long or failed on our side counts only if it does so again with nothing else running, or if the
        time for such repeats is used up. If one of our processes is killed, its
        submissions are retried, each in a process of its own.
        """
        late, left = {}, dict(self.paths)
        for found in self.finished(self.waiting) if self.pool else self.one_by_one(self.paths):
            key, result = found or ("", None)
            left.pop(key, None)
            if result and may_be_the_machines(result) and self.pool:  # without a pool it was alone already
                late[key] = result
            else:
                yield found
        for key, path in left.items():
            yield from self.once_more(key, path)
        if late:
            yield from self.one_by_one(self.retries.choose(late))
        yield from ((key, late[key]) for key in self.retries.skipped if key in late)

    def once_more(self, key: str, path: Path) -> Iterator[tuple[str, Result] | None]:
        """Retry, in a separate process, a submission that was running or queued when another process was killed."""
        found = None
        with self.new_pool(1) as pool:
            for found in self.finished(self.submitted(pool, {key: path})):
                yield found
        if not found:
            yield key, failed(self.facts[0], "the grading process was killed twice: is memory short?")

    def one_by_one(self, keys: Iterable[str]) -> Iterator[tuple[str, Result] | None]:
        """Grade in this process."""
        if self.paths:
            with Grader(*self.facts) as grader:
                for key in keys:
                    yield key, grader.grade(self.paths[key], self.folders)
                    yield None  # the next one may take long

    def submitted(self, pool: ProcessPoolExecutor, paths: dict[str, Path]) -> dict[Future, str]:
        """Submit notebooks to the pool; return ``{future: key}``."""
        waiting = {}
        with suppress(BrokenProcessPool):
            for key, path in paths.items():
                waiting[pool.submit(grade_one, path, self.folders)] = key
        return waiting

    def finished(self, waiting: dict[Future, str]) -> Iterator[tuple[str, Result] | None]:
        """Yield what a pool has graded until all is done or one of its processes is killed, as grade_all does."""
        for done in as_they_are_done(list(waiting)):
            with suppress(BrokenProcessPool):
                yield done and (waiting.pop(done), done.result())


def open_grader(*facts: Any) -> None:
    """Prepare a process of the pool: its own grader, which ends with it."""
    global own_grader
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run itself
    Thread(target=end_with_the_run, daemon=True).start()
    own_grader = Grader(*facts)
    Finalize(own_grader, own_grader.box.stop, exitpriority=10)
    gc.freeze()  # loaded modules stay: keep them out of garbage collection


def end_with_the_run() -> None:
    """End this process, and its sandbox with it, when the run is killed."""
    if parent := parent_process():
        parent.join()
    os._exit(1)


def grade_one(path: Path, folders: int) -> Result:
    """Grade one submission in a process of the pool."""
    return own_grader.grade(path, folders)
