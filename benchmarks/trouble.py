"""Grade honest classes that hold endless loops, and say how many times an honest class of the same size they cost.

Beside each class is its floor: the honest class's time, and every limit that is due, once, spread over the cores.
"""

import argparse
import os
import tempfile
from collections import Counter
from pathlib import Path

import nbformat
from grading import CHAPTER, OURS, make_class, run, show

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.load import load_as_graded, load_cells
from autograder.course.which_course import find_course
from autograder.sandbox import Limits

LOOP = "row, total = 0, 0\n    while row < 3:\n        total += 1"
HOG = "import numpy as np\n    kept = []\n    while True:\n        kept.append(np.ones(1 << 20))"
SLEEP = "import time\n    time.sleep(1000)"
CELL = "while True:\n    pass"
# Seconds that each takes at least until it is ended; memory fills as fast as the machine can.
LIMITS = Limits()
DUE = {LOOP: LIMITS.call_seconds, CELL: LIMITS.cell_seconds, SLEEP: LIMITS.waiting_seconds, HOG: 0.0}


def main():
    """Print the time of each class, its ratio to the honest one's, and the statuses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--classes", type=int, default=4, help="how many of the classes; the last takes longest")
    options = parser.parse_args()
    course = find_course()
    print(f"submissions of {CHAPTER} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        honest = None
        for name, troubled in list(classes(course.assignment(CHAPTER), options.students).items())[: options.classes]:
            root = Path(folder) / name.replace(" ", "_")
            make_class(course, root, options.students)
            for student, changes in troubled.items():
                change(ClassRoom(root).notebook(f"student{student:04d}", CHAPTER), changes)
            taken, most = run((*OURS[:-1], str(root)), course.root)
            honest = honest or taken
            show(name, options.students, taken, most)
            due = sum(DUE[source] for changes in troubled.values() for source in changes.values())
            floor = honest + due / (os.cpu_count() or 1)
            print(f"{'':20} {taken / honest:6.2f} times the honest class; {statuses(course, root)}")
            print(
                f"{'':20} floor {floor:6.1f} s: limits of {due:g} s are due; {taken / floor:.2f} times it", flush=True
            )


def classes(assignment, students):
    """Return each class as ``{name: {number of a student: {exercise, or "" for a cell at the end: source}}}``."""
    names = list(assignment.exercises)
    spread = [students * place // 11 + 1 for place in range(11)]
    one = [{names[place % len(names)]: source} for place, source in enumerate(5 * [LOOP] + 3 * [HOG] + [SLEEP])]
    return {
        "honest": {},
        "5 loops": dict(zip(spread, one[:5], strict=False)),
        "5 + 2 + 3 + 1": dict(zip(spread, [*one, {"": CELL}, {"": CELL}], strict=True)),
        "a tenth loops": {student: dict.fromkeys(names, LOOP) for student in range(1, students, 10)},
    }


def change(path, changes):
    """Put sources into a notebook: as bodies of functions, or as a cell at its end."""
    notebook = nbformat.read(path, as_version=4)
    for name, source in changes.items():
        if not name:
            notebook.cells.append(nbformat.v4.new_code_cell(source))
            continue
        cell = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name)
        cell.source = f"def {name}(*given, **named):\n    {source}"
    nbformat.write(notebook, path)


def statuses(course, root):
    """Return in words how often exercises ended in each way that is none of the ordinary ones."""
    room = ClassRoom(root)
    results = load_as_graded(room, course.assignment(CHAPTER))
    found = Counter(exercise.status for result in results.values() for exercise in result["exercises"])
    shown = [cell for student in results for cell in load_cells(room, student, CHAPTER)]
    cells = Counter(f"cell {cell['status']}" for cell in shown if cell["status"])
    return ", ".join(f"{count} {status}" for status, count in sorted((found + cells).items()))


if __name__ == "__main__":
    main()
