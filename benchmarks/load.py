"""How many results a second one run records, what memory and disk that takes, and when more workers stop helping.

    python benchmarks/load.py [--results 1000 10000] [--workers 2 8 32 128 512]

Grades a small honest class for real, then replays its results under as many names, through all of a run but the
grading, into SQLite and into PostgreSQL where that is installed; then once more, as the same command given again.
With the durations and rates found, it simulates a class of 100,000 on so many workers.
"""

import argparse
import heapq
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from grading import CHAPTER, MIB, make_class

from autograder.pipeline import class_run
from autograder.pipeline.class_run import ClassRun
from autograder.pipeline.course import FOLDERS, ClassRoom, find_course
from autograder.pipeline.grade import Grader
from autograder.pipeline.schedule import RECORD_SECONDS

REAL = 20  # notebooks that are graded; the others are theirs again
CLASS = 100_000
FILES = "autograded/*/*/*"


class Replay:
    """What hands results to a run in the place of processes or a cluster: those that are there, as fast as it can."""

    def __init__(self, results, students):
        self.results, self.students = results, students

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def grade_all(self):
        """Yield ``(student, Result)``, and None when it is time to record, as a schedule does."""
        due = time.monotonic() + RECORD_SECONDS
        for number, student in enumerate(self.students):
            yield student, self.results[number % len(self.results)]
            if time.monotonic() >= due:
                yield None
                due = time.monotonic() + RECORD_SECONDS


class ReplayRun(ClassRun):
    """A run that is all there but for the grading."""

    def __init__(self, results, *facts, **settings):
        super().__init__(*facts, **settings)
        self.results = results

    def schedule(self, facts, paths):
        """Return what replays."""
        return Replay(self.results, paths)


def real_results(assignment, folder):
    """Grade a small class; return its notebooks and results."""
    make_class(assignment.course, folder, REAL)
    notebooks = sorted(folder.glob(f"submitted/*/{CHAPTER}/*.ipynb"))
    with Grader(assignment, seed=7) as grader:
        grader.grade(notebooks[0], FOLDERS)  # the first one warms up
        return notebooks, [grader.grade(path, FOLDERS) for path in notebooks]


def hand_in(notebooks, room, students):
    """Hand the notebooks in under many names, as links to the same bytes."""
    for number in range(students):
        folder = room.submitted(f"student{number:06d}", CHAPTER)
        folder.mkdir(parents=True)
        os.link(notebooks[number % REAL], folder / f"{CHAPTER}.ipynb")


def replay(root, url, students):
    """Record a class in this process; return what it took, and what the same command took once more."""
    assignment = find_course().assignment(CHAPTER)
    notebooks, results = real_results(assignment, Path(root) / "real")
    room, process = ClassRoom(Path(root) / "class", url), psutil.Process()
    room.root.mkdir()
    hand_in(notebooks, room, students)
    found = {"seconds of each": [result.seconds for result in results], "before": process.memory_info().rss}
    for turn in ("first", "again"):
        started, marks, last = time.perf_counter(), [], 0.0
        for number, _ in enumerate(ReplayRun(results, room, [assignment], jobs=1, seed=7)):
            last = time.perf_counter()
            if number == 0:
                begun = last
            if number * 10 % students < 10:
                marks.append(process.memory_info().rss)
        found[turn] = {"whole": last - started, "recording": last - begun, "memory": marks}
    return found


def measure(name, url, students, folder):
    """Measure one class in a process of its own, print a line, and return what was found."""
    root = Path(tempfile.mkdtemp(dir=folder))
    command = [sys.executable, __file__, "--one", str(root), url, str(students)]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    found["files"] = sum(path.stat().st_size for path in root.glob(f"class/{FILES}"))
    own = root / "class/gradebook.db"
    found["database"] = own.stat().st_size if own.exists() else None
    shutil.rmtree(root)
    first, again = found["first"], found["again"]
    found["rate"] = students / first["recording"]
    memory = " ".join(f"{value / MIB:.0f}" for value in (found["before"], *first["memory"][:: max(1, students // 1000)]))
    print(
        f"{name:10} {students:7} {found['rate']:7.0f}/s recorded {students / first['whole']:7.0f}/s with all before it, "
        f"{students / again['whole']:7.0f}/s again; {max(first['memory']) / MIB:5.0f} MiB at most "
        f"(+{(max(first['memory']) - first['memory'][0]) / MIB:.0f} while recording); "
        f"{found['files'] / students / 1024:.0f} KiB of files each",
        flush=True,
    )
    del memory
    return found


def simulate(durations, workers, rate, students=CLASS, at_once=None):
    """Return seconds until a class is recorded, and the part of them in which the writer was at work.

    Each worker takes the next notebook when it is done with one and there is room: only so many are on the way, handed
    out and not recorded. Durations are drawn from those that were measured; the writer takes one at a time.
    """
    draw, at_once = random.Random(0), at_once or max(64, 4 * workers)
    free, written = [0.0] * workers, []  # when each worker is free; when each result is recorded
    writer, queue, started = 0.0, [], 0
    while len(written) < students:
        while started < students and free and (started - len(written)) < at_once:
            begin = heapq.heappop(free)
            if started >= at_once:
                begin = max(begin, written[started - at_once])
            heapq.heappush(queue, begin + draw.choice(durations))
            started += 1
        arrived = heapq.heappop(queue)
        heapq.heappush(free, arrived)
        writer = max(writer, arrived) + 1 / rate
        written.append(writer)
    return writer, students / rate / writer


def main():
    """Print the table of what was measured, then the one of what is simulated from it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, nargs="*", default=[1000, 10_000])
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 8, 32, 64, 128, 512])
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        root, url, students = options.one
        print(json.dumps(replay(root, "" if url == "-" else url, int(students))))
        return
