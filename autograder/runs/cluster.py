"""Grades on the workers of a Dask cluster: the bytes of notebooks go there, results come back.

Every worker needs this package, the same course and bubblewrap, and sandboxes student code as any machine does.
"""

import gc
import logging
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from distributed import Client, Future

from autograder.classroom.results.provenance import course_provenance
from autograder.course.which_course import find_course
from autograder.errors import InfrastructureError, InvalidSubmission, ServiceLost, UsageError
from autograder.grading.grade import Grader
from autograder.grading.intake import submission_bytes
from autograder.grading.result import Result, failed, invalid

from .schedule import Facts, RetryBudget, as_they_are_done, may_be_the_machines
from .scheduler_address import ENCRYPTED, parts

CONNECT_SECONDS = 10
ANSWER_SECONDS = 60.0  # seconds for the scheduler to list its workers
WORKERS_SECONDS = 60.0  # seconds without any worker before the run gives up
AT_LEAST, EACH = 64, 4  # submissions in flight: in total, and per worker thread
RESULT_SECONDS = 10.0  # seconds to wait for a result before checking the workers
graders = {}  # of a worker's process: a grader for each of its threads
turn = (
    threading.Lock()
)  # Python 3.11's parser fails in two threads at once (python/cpython#106905): processes share work


class Cluster:
    """Grades many submissions of one assignment on a cluster, as Schedule does locally."""

    def __init__(self, facts: Facts, address: str, folders: int = 0, retries: RetryBudget | None = None) -> None:
        self.facts, self.address, self.folders, self.retries = facts, address, folders, retries or RetryBudget()
        self.paths: dict[str, Path] = {}
        self.client: Any = None
        self.side = course_provenance(facts[0], facts[2])
        self.threads, self.seen = 0, time.monotonic()
        self.heard = None  # when any of them was last heard, by the scheduler's clock

    def __enter__(self) -> Self:
        return self

    def add(self, paths: dict[str, Path], more: bool = False) -> None:
        """Add submissions, as Schedule.add does.

        Errors: UsageError if no scheduler answers at the address, or it has no worker.
        """
        self.paths |= paths
        if self.paths and not self.client:
            self.connect()

    def connect(self) -> None:
        """Connect to the scheduler. Errors: as for add."""
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # losses are reported here, in one line
        gc.collect()  # a lost client that is collected while the next one's thread starts takes its lock for ever
        try:
            self.client = Client(self.address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise UsageError(no_scheduler(self.address, error)) from error
        self.look()
        if not self.threads:
            self.client.close()
            raise UsageError(f"the Dask scheduler at {self.address} has no workers: start some with `dask worker`")

    def __exit__(self, kind: str, *exception: Any) -> None:
        if not self.client:
            return
        if self.is_there() and kind is not ServiceLost:  # it would wait for a lost worker forever
            self.client.run(end_graders, on_error="ignore")
        with suppress(TimeoutError):
            self.client.close(timeout=CONNECT_SECONDS)

    def is_there(self) -> bool:
        """Say whether the scheduler is still at its address."""
        return self.client.status == "running"

    def look(self) -> None:
        """Count the workers' threads. Errors: ServiceLost if there have been none for too long.

        A machine that vanished stays in the scheduler's list for some minutes, so only workers that answer count.
        """
        try:
            scheduler: Any = self.client.scheduler
            known = self.client.sync(scheduler.identity, n_workers=-1, callback_timeout=ANSWER_SECONDS)
        except (OSError, RuntimeError) as error:
            raise self.lost() from error
        workers = known["workers"].values()
        self.threads = sum(worker["nthreads"] for worker in workers)
        heard = max((worker["last_seen"] for worker in workers), default=self.heard)
        if heard != self.heard:
            self.heard, self.seen = heard, time.monotonic()
        elif time.monotonic() - self.seen > WORKERS_SECONDS:
            raise ServiceLost(
                f"the Dask scheduler at {self.address} has had no worker for {WORKERS_SECONDS:g} seconds: "
                "start some with `dask worker`"
            )

    def lost(self) -> ServiceLost:
        """Return the error that the cluster was lost."""
        return ServiceLost(f"the Dask scheduler at {self.address} went away: start it and its workers again")

    def grade_all(self) -> Iterator[tuple[str, Result] | None]:
        """Yield ``(key, Result)`` as each is finished, and None when it is time to save what has come so far.

        What waited too long is retried once, alone, while the run has time for it.
        Errors: ServiceLost if the scheduler or all workers went away.
        """
        late = {}
        for found in self.finished(self.paths):
            if found and may_be_the_machines(found[1]):
                late[found[0]] = found[1]
            else:
                yield found
        for key in self.retries.choose(late):
            yield from self.finished({key: self.paths[key]})
        yield from ((key, late[key]) for key in self.retries.skipped if key in late)

    def finished(self, paths: dict[str, Path]) -> Iterator[tuple[str, Result] | None]:
        """Yield the results of notebooks, with a limited number in flight, as grade_all does."""
        waiting, unreadable = {}, []
        handed_in = self.handed_in(paths, waiting, unreadable)
        for future in as_they_are_done(handed_in, lambda: max(AT_LEAST, EACH * self.threads)):
            yield from unreadable
            unreadable.clear()
            yield future and (waiting.pop(future), self.result(future))
            if future is None:
                self.look()
        yield from unreadable

    def handed_in(
        self, paths: dict[str, Path], waiting: dict[Future, str], unreadable: list[tuple[str, Result]]
    ) -> Iterator[Future]:
        """Yield a future for each notebook, noted in ``waiting``; unreadable notebooks go to ``unreadable``."""
        for key, path in paths.items():
            try:
                data = submission_bytes(path, self.folders)
            except InvalidSubmission as error:
                unreadable.append((key, invalid(self.facts[0], error)))
                continue
            if not self.is_there():
                raise self.lost()
            future = self.client.submit(grade_there, self.facts, self.side, data, pure=False)
            waiting[future] = key
            yield future

    def result(self, future: Future) -> Result:
        """Return a future's result; a worker that was lost repeatedly is an infrastructure failure.

        Errors: ServiceLost if there can be no result because the scheduler went away.
        """
        while future.status != "error":
            if future.cancelled():
                raise self.lost()
            with suppress(TimeoutError, CancelledError):
                return future.result(timeout=RESULT_SECONDS)
            self.look()  # its worker is gone, and another recomputes it
        return failed(self.facts[0], f"{type(future.exception()).__name__}: {future.exception()}")


def no_scheduler(address: str, error: BaseException) -> str:
    """Say that no scheduler answers, and what to check."""
    wrong = f"no Dask scheduler at {address!r} ({type(error).__name__}): "
    if parts(address)[0] in ENCRYPTED:
        return wrong + "expected it to run there, with certificates that distributed.comm.tls in Dask's settings names"
    return wrong + "expected an address like tcp://host:8786, as `dask scheduler` prints it"


def grade_there(facts: Facts, side: dict[str, str], data: bytes) -> Result:
    """Grade one submission on a worker, one at a time in each process."""
    with turn:
        thread, assignment = threading.get_ident(), facts[0]
        known, grader = graders.get(thread, (None, None))
        if known != facts:
            if grader:
                grader.box.stop()
            if not assignment.solution_path.exists():  # another machine: the course that is installed there
                assignment = find_course().assignment(assignment.chapter)
            if course_provenance(assignment, facts[2]) != side:
                raise InfrastructureError(
                    "this worker's course, checks, Python or NumPy differ from yours: make them the same"
                )
            grader = Grader(assignment, facts[1], facts[2], facts[3], os.cpu_count() or 1)
            graders[thread] = facts, grader
        return grader.grade_bytes(data)


def end_graders() -> None:
    """End all sandboxes of a worker's process."""
    while graders:
        _, (_, grader) = graders.popitem()
        grader.box.stop()
