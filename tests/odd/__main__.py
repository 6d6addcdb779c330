"""Print what each odd notebook gets here, beside what stock nbgrader gives it. Stock takes seconds for each."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import COURSE_ID, Course
from autograder.course.release import release
from autograder.grading.grade import Grader
from tests.support.root import ROOT
from tests.test_nbgrader import AS_IT_IS, STOCK

from .corpus import CHAPTER, ENTRIES
from .test_odd import solved


def hand_in(folder, entries):
    """Copy the course to a folder that stock nbgrader can work in, and hand every notebook in; return the paths."""
    for name in ("solutions", "exercises"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    release(Course(folder).assignment(CHAPTER))
    paths = {}
    for odd in entries:
        paths[odd.name] = ClassRoom(folder).notebook(odd.name, CHAPTER)
        paths[odd.name].parent.mkdir(parents=True)
        odd.write(paths[odd.name], solved(Course(ROOT).assignment(CHAPTER)))
    return paths


def stock(folder, names):
    """Let stock nbgrader grade them, and return its points; who has none could not be graded.

    One notebook can end its batch, so those that are left are handed to it once more, one by one.
    """
    nbgrader(folder, f"generate_assignment {CHAPTER} --force", f"autograde {CHAPTER} {AS_IT_IS}")
    marks = marks_in(folder)
    for name in names:
        if name not in marks:
            nbgrader(folder, f"autograde {CHAPTER} {AS_IT_IS} --student {name}")
    return marks_in(folder)


def nbgrader(folder, *commands):
    """Run commands of stock nbgrader, whatever comes of them."""
    subprocess.run(
        [sys.executable, "-c", STOCK, *commands],
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        check=False,
    )


def marks_in(folder):
    """Return the points of all whose graded notebook is there."""
    with Gradebook(ClassRoom(folder).database, COURSE_ID) as book:
        return {
            entry["student"]: entry["score"]
            for entry in book.submission_dicts(CHAPTER)
            if ClassRoom(folder).autograded(entry["student"], CHAPTER).joinpath(f"{CHAPTER}.ipynb").exists()
        }


def main():
    """Print the table of the notebooks that are named, or of all."""
    parser = argparse.ArgumentParser(prog="python -m tests.odd", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as as_it_is; all, if none")
    known = [odd.name for odd in ENTRIES]
    chosen = parser.parse_args().names or known
    if unknown := set(chosen) - set(known):
        parser.error(f"unknown notebook {min(unknown)}: expected one of {', '.join(known)}")
    entries = [odd for odd in ENTRIES if odd.name in chosen]
    with tempfile.TemporaryDirectory() as place, Grader(Course(ROOT).assignment(CHAPTER), seed=13) as grader:
        paths = hand_in(Path(place), entries)
        ours = {name: grader.grade(path) for name, path in paths.items()}
        theirs = stock(Path(place), paths)
    print(f"{'notebook':<20}{'ours':>6}{'stock':>7}  what is odd, and what is said where points are lost")
    for odd in entries:
        result = ours[odd.name]
        lost = [f"{verdict.name}: {verdict.message}" for verdict in result.verdicts if verdict.score < verdict.points]
        mark = f"{theirs[odd.name]:g}" if odd.name in theirs else "-"
        print(f"{odd.name:<20}{result.score:>6g}{mark:>7}  {'; '.join([odd.does, *lost])}")
    below = [odd.name for odd in entries if ours[odd.name].score < theirs.get(odd.name, 0)]
    print(f"{len(entries)} notebooks, below stock: {', '.join(below) or 'none'}")


if __name__ == "__main__":
    main()
