"""How many results a second one run records, what memory and disk that takes, and when more workers stop helping.

    python benchmarks/load.py [--results 1000 10000] [--workers 2 8 32 128 512] [--gradebooks SQLite]

Grades a small honest class for real, then replays its results under as many names, through all of a run but the
grading, into SQLite and into PostgreSQL where that is installed; then once more, as the same command given again.
With the durations and rates found, it simulates a class of 100,000 on so many workers.
"""

import argparse
import heapq
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/ starts the server

import psutil
from grading import CHAPTER, MIB, make_class

from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.course.which_course import find_course
from autograder.grading.grade import Grader
from autograder.runs.class_run import ClassRun
from autograder.runs.schedule import RECORD_SECONDS
from tests.autograder.classroom.gradebook.postgresql import MISSING, Server, programs

KIB = 1024
REAL = 20  # notebooks that are graded; the others are theirs again
CLASS = 100_000
TIMES = 4  # memory is looked at while a class is recorded
FILES = "autograded/*/*/*"


class Replay:
    """What hands results to a run in place of processes or a cluster: those that are there, as fast as it can."""

    def __init__(self, results):
        self.results, self.students, self.began = results, [], 0.0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def add(self, paths, more=False):
        """Add submissions, as a schedule does."""
        self.students += paths

    def grade_all(self):
        """Yield ``(student, Result)``, and None when it is time to record, as a schedule does."""
        self.began = time.perf_counter()
        due = time.monotonic() + RECORD_SECONDS
        for number, student in enumerate(self.students):
            yield student, self.results[number % len(self.results)]
            if time.monotonic() >= due:
                yield None
                due = time.monotonic() + RECORD_SECONDS


class ReplayRun(ClassRun):
    """A run that is all there except the grading."""

    def __init__(self, results, *facts, **settings):
        super().__init__(*facts, **settings)
        self.results = results

    def schedule(self, facts):
        """Return what replays."""
        self.replay = Replay(self.results)
        return self.replay


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
        run = ReplayRun(results, room, [assignment], jobs=1, seed=7)
        started, memory, before = time.perf_counter(), [], time.process_time()
        for number, _ in enumerate(run):
            if number % (students // TIMES) == 0:
                memory.append(process.memory_info().rss)
        done = time.perf_counter()
        found[turn] = {"whole": done - started, "recording": done - run.replay.began, "memory": memory}
        found[turn]["processor"] = (time.process_time() - before) / students
    return found


def measure(name, url, students, folder):
    """Measure one class in a separate process, print a line, and return what was found."""
    root = Path(tempfile.mkdtemp(dir=folder))
    command = [sys.executable, __file__, "--one", str(root), url, str(students)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    found = json.loads(done.stdout)
    files = [path.stat() for path in root.glob(f"class/{FILES}")]
    taken = 512 * sum(file.st_blocks for file in files) / students / KIB
    shutil.rmtree(root)
    first, again = found["first"], found["again"]
    found["rate"] = students / first["recording"]
    rates = (found["rate"], students / first["whole"], students / again["whole"])
    memory = " ".join(f"{size / MIB:.0f}" for size in first["memory"])
    print(
        f"{name:10} {students:8} {''.join(f'{rate:8.0f}/s' for rate in rates)} {memory} MiB, "
        f"{max(again['memory']) / MIB:.0f} again; {taken:.0f} KiB on disk and "
        f"{1000 * first['processor']:.1f} ms of this process's processor each",
        flush=True,
    )
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
    parser.add_argument("--gradebooks", nargs="*", default=["SQLite", "PostgreSQL"], metavar="SQLite|PostgreSQL")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        root, url, students = options.one
        print(json.dumps(replay(root, "" if url == "-" else url, int(students))))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(f"{CHAPTER}, {REAL} real results under many names; memory at each {1 / TIMES:.0%} of the class")
        print(f"{'gradebook':10} {'results':>8} {'recorded':>9} {'whole run':>9} {'again':>9}")
        found = []
        if "SQLite" in options.gradebooks:
            found += [measure("SQLite", "-", students, folder) for students in options.results]
        if "PostgreSQL" in options.gradebooks and programs():
            found += on_postgresql(options.results, folder)
        elif "PostgreSQL" in options.gradebooks:
            print(MISSING)
    rate, durations = min(one["rate"] for one in found), found[0]["seconds of each"]
    print(
        f"simulated: {CLASS} submissions of {sum(durations) / REAL:.3f} s on average, a writer of {rate:.0f} results/s"
    )
    for workers in options.workers:
        seconds, busy = simulate(durations, workers, rate)
        print(f"{workers:5} workers {seconds / 60:8.1f} min {CLASS / seconds:7.0f}/s, the writer at work {busy:.0%}")


def on_postgresql(sizes, folder):
    """Measure classes on a server of our own that waits for the disk, as servers do."""
    server, found = Server(programs(), options=""), []
    try:
        for students in sizes:
            server.execute(f"CREATE DATABASE class_{students}")
            found.append(measure("PostgreSQL", server.url(f"class_{students}"), students, folder))
    finally:
        server.end()
    return found


if __name__ == "__main__":
    main()
