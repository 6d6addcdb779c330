"""``{checked}``: what is checked about the course, counted or computed when the page is read; nothing is typed in."""

import ast
import platform
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import yaml
from course_facts import Fact

from attention.models import corpus, shipped_translator
from autograder.course.course import Course
from autograder.plain import plural


def parsed(paths):
    """Yield the syntax trees of files."""
    return (ast.parse(path.read_text(encoding="utf-8")) for path in paths)


def tests_in(root):
    """Count the functions that test something, methods among them."""
    nodes = (node for tree in parsed((root / "tests").rglob("test_*.py")) for node in ast.walk(tree))
    return sum(isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in nodes)


def wrong_answers(root):
    """Return how many plausible wrong answers there are, and how many of them get full marks, each for a reason."""
    listed = imported(root, "tests.plausible.full_marks").FULL_MARKS
    paths = [path for author in listed for path in (root / "tests/data/plausible" / author).rglob("*.py")]
    written = sum(isinstance(node, ast.FunctionDef) for tree in parsed(paths) for node in tree.body)
    return written, sum(map(len, listed.values()))


def imported(root, name):
    """Import a module of the tests, which are no installed package."""
    if str(root) not in sys.path:
        sys.path.append(str(root))
    return import_module(name)


def of_mutants(root):
    """Return how many small changes of the solutions there are, and how many of them change nothing."""
    mutants, known = (
        imported(root, "tests.autograder.course.mutants"),
        imported(root, "tests.autograder.course.survivors").SURVIVORS,
    )
    course = Course(root)
    solved = [mutants.solutions(course.assignment(chapter)) for chapter in course.chapters()]
    made = sum(len(mutants.mutants_of(name, source)) for one in solved for name, source in one.items())
    return made, sum(map(len, known.values()))


def facts(root):
    """Return ``{name: number or version}``; every number is counted in the files below ``root``."""
    course = Course(root)
    exercises = [one for chapter in course.chapters() for one in course.assignment(chapter).exercises.values()]
    mutants, harmless = of_mutants(root)
    plausible, forgiven = wrong_answers(root)
    held_out = len(corpus().held_out)
    return {
        "version": yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))["version"],
        "python": platform.python_version(),
        "numpy": np.__version__,
        "chapters": plural(len(course.chapters()), "chapter"),
        "exercises": len(exercises),
        "mistakes": sum(len(exercise.mistakes) for exercise in exercises),
        "mutants": mutants,
        "harmless": harmless,
        "plausible": plausible,
        "forgiven": forgiven,
        "hostile": sum(len(entries) for entries in imported(root, "tests.hostile.corpus").corpus().values()),
        "odd": len(imported(root, "tests.odd.corpus").ENTRIES),
        "tests": tests_in(root),
        "held_out": held_out,
        "right": round(shipped_translator().held_out * held_out),
    }


ROWS = (
    ("exercises, in {chapters}", "{exercises}", "each is solved by a function that is tested against another "
     "implementation or a number worked out by hand"),
    ("listed mistakes", "{mistakes:,}", "each is recognised as itself, and none gets full marks"),
    ("small changes to the solutions", "{mutants:,}", "all lose points but {harmless}, which change no answer: each of "
     "these is listed with the reason"),
    ("plausible wrong answers", "{plausible:,}", "written from the exercises alone, without a look at the listed "
     "mistakes; all lose points but {forgiven}, each of which is listed with the reason"),
    ("hostile notebooks", "{hostile}", "handed in together with honest work, which is graded all the same"),
    ("unusual notebooks that are right", "{odd}", "get the points that they deserve"),
    ("sentences that the translator had never seen", "{held_out}", "it translates {right} of them without a fault"),
    ("test functions in Python", "{tests:,}", "many of them run once for each page, chapter or exercise"),
)  # fmt: skip


class Checked(Fact):
    """``{checked}``: the table."""

    def markdown(self):
        """Write the table, and above it what the book was built with."""
        root = Path(self.env.srcdir).resolve().parent
        for path in (root / "CITATION.cff", *(root / "tests").rglob("*.py"), *(root / "solutions").rglob("*.ipynb")):
            self.env.note_dependency(str(path))
        found = facts(root)
        rows = ["| {} | {} | {} |".format(*(cell.format(**found) for cell in row)) for row in ROWS]
        head = ["| what | how many | how it is checked |", "|---|---|---|"]
        built = "This book, version {version}, was built with Python {python} and NumPy {numpy}.".format(**found)
        return "\n".join([built, "", "{.stacked .checked}", *head, *rows])


def setup(app):
    """Register with Sphinx."""
    app.add_directive("checked", Checked)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
