"""Cluster: the same grading on the workers of a Dask cluster. Bytes of notebooks travel there, results come back.

Every worker needs this package, the same course and bubblewrap. It holds student code as any machine here does.
"""

import os
import threading

from distributed import Client

from autograder.errors import InfrastructureError, InvalidSubmission, UsageError

from .course import find_course
from .grade import Grader
from .intake import submission_bytes
from .record import course_side
from .result import failed, invalid
from .schedule import as_they_are_done

CONNECT_SECONDS = 10
graders = {}  # of a worker's process: a grader for each of its threads


class Cluster:
    """Grades many submissions of one assignment, ``{key: path of a notebook}``, on a cluster, as Schedule does here.

    Errors: UsageError where nobody answers at the address, or no worker is there.
    """

    def __init__(self, facts, paths, address: str, folders: int = 0):
        self.facts, self.paths, self.address, self.folders = facts, paths, address, folders
        self.side = course_side(facts[0], facts[2])

    def __enter__(self):
        try:
            self.client = Client(self.address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(
                f"no Dask scheduler at {self.address!r} ({type(error).__name__}): expected an address like "
                "tcp://host:8786, as `dask scheduler` prints it"
            ) from error
        if not self.client.scheduler_info(n_workers=-1)["workers"]:
            self.client.close()
            raise UsageError(f"the Dask scheduler at {self.address} has no workers: start some with `dask worker`")
        return self

    def __exit__(self, *exception):
        self.client.run(end_graders)
        self.client.close()

    def grade_all(self):
        """Yield ``(key, Result)`` as each is finished, and None when it is time to record what has come until then.

        What was late is tried once more, alone.
        """
        late = {}
        for found in self.finished(self.paths):
            if found and found[1].ran_late:
                late[found[0]] = self.paths[found[0]]
            else:
                yield found
        for key, path in late.items():
            yield from self.finished({key: path})

    def finished(self, paths):
        """Yield ``(key, Result)`` of notebooks that are handed to the cluster at once."""
        waiting = {}
        for key, path in paths.items():
            try:
                waiting[self.submit(submission_bytes(path, self.folders))] = key
            except InvalidSubmission as error:
                yield key, invalid(self.facts[0], error)
        for future in as_they_are_done(list(waiting)):
            yield future and (waiting.pop(future), self.result(future))

    def submit(self, data):
        """Hand one submission to the cluster."""
        return self.client.submit(grade_there, self.facts, self.side, data, pure=False)

    def result(self, future):
        """Return what came back; a worker that was lost again and again is a failure of ours."""
        try:
            return future.result()
        except Exception as error:
            return failed(self.facts[0], f"{type(error).__name__}: {error}")


def grade_there(facts, side, data):
    """Grade one submission on a worker."""
    thread, assignment = threading.get_ident(), facts[0]
    known, grader = graders.get(thread, (None, None))
    if known != facts:
        if grader:
            grader.box.stop()
        if not assignment.path.exists():  # another machine: the course that is installed there
            assignment = find_course().assignment(assignment.chapter)
        if course_side(assignment, facts[2]) != side:
            raise InfrastructureError(
                "this worker's course, checks, Python or NumPy differ from yours: make them the same"
            )
        grader = Grader(assignment, *facts[1:], beside=os.cpu_count())
        graders[thread] = facts, grader
    return grader.grade_bytes(data)


def end_graders():
    """End all sandboxes of a worker's process."""
    while graders:
        _, (_, grader) = graders.popitem()
        grader.box.stop()
