"""Writes exercises/ from solutions/: each notebook with its examples, and the self-check that they share."""

import ast
import contextlib
import io
import json
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import nbformat
import numpy as np
from traitlets.config import Config

from autograder import returned_values, step_table
from autograder.checks import (
    alive,
    compare,
    dictionaries,
    factors,
    finding,
    forms,
    keep,
    likeness,
    occasions,
    raised,
    relations,
    selfcheck,
    untouched,
    weights,
)
from autograder.checks.compare import Answer, ask
from autograder.checks.exercise import Exercise, Mistake
from autograder.checks.judge import answer_to, shown_by
from autograder.errors import CourseError
from autograder.files import replace_folder, write_whole
from autograder.step_table import StepTable

from . import ledger
from .course import Assignment, Course
from .settings import as_folder
from .tasks import tidied

SELFCHECK = (
    *(step_table, returned_values, compare, untouched, forms, likeness, dictionaries, factors, weights, occasions),
    *(raised, relations),
    *(finding, keep, alive, selfcheck),
)
# It comes first: an older Python would end at the next lines, with an error that says nothing of its age.
OLDEST = """import sys

if sys.version_info < (3, 10):
    raise ImportError(
        "This notebook needs Python 3.10 or newer, and this is Python " + sys.version.split()[0] + ". "
        "Make an environment with a newer one, or open the assignment in the browser: its page has the link."
    )
"""
OLDEST_NUMPY = """
if tuple(int(part) for part in np.__version__.split(".")[:2]) < (1, 23):
    raise ImportError(
        f"This notebook needs NumPy 1.23 or newer, and this is NumPy {np.__version__}. "
        "Update it, for example with: pip install --upgrade numpy"
    )
"""
SHARED = "selfcheck.py"  # the same in all chapters
BUILT = "../../_build/html/"  # where a notebook's links lead while the book has no address
CHAPTERS = re.compile(r"(?<!whole course’s )\b([Cc])hapters?[  ](\d+)(?:(?:, | and | to |–)(\d+))*")
LINK = re.compile(rf"\[([^\]]*)\]\({re.escape(BUILT)}(\w+)\.html([^)]*)\)")


def release(assignment: Assignment, tell: Callable = lambda line: None) -> Path:
    """Write one chapter's exercise folder and return its path; ``tell`` is called with what changed since the last one.

    The solution notebook is tidied first. The companions are also written beside it, where stock nbgrader looks for
    them. The release is recorded in the chapter's ledger.
    Errors: CourseError if notebook and checks disagree, a cell is not the course's own, nbgrader refuses the notebook,
    or the ledger is damaged.
    """
    ledger.read_ledger(assignment.ledger_path)  # before anything is written
    assignment.cells  # noqa: B018 - every cell is looked at before anything is written
    assignment = tidy(assignment)
    if assignment.source != assignment.path:
        write_changed_source(assignment)
    companions = {SHARED: one_file(SELFCHECK), "examples.json": examples(assignment.exercises)}
    for name, content in assignment.course.extras.companions(assignment.exercises).items():
        companions[name] = content if isinstance(content, str) else one_file(content, SELFCHECK)
    for name, text in companions.items():
        write_if_changed(assignment.source.with_name(name), text)
    target = assignment.course.exercises / assignment.chapter
    target.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".release-") as folder:
        generate(assignment, folder)
        link_to_book(Path(folder) / assignment.chapter / assignment.path.name, assignment.course)
        note_release(assignment, Path(folder) / assignment.chapter / assignment.path.name, tell)
        link_to_shared(Path(folder) / assignment.chapter / SHARED, target.parent / SHARED)
        replace_folder(Path(folder) / assignment.chapter, target)
    return target


def write_changed_source(assignment: Assignment) -> None:
    """Write the notebook that nbgrader releases, where it is not the solution notebook, with what is beside it."""
    folder = assignment.source.parent
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(assignment.path.parent, folder, ignore=shutil.ignore_patterns("*.ipynb", "__pycache__"))
    nbformat.write(assignment.notebook, assignment.source)


def link_to_shared(copy: Path, shared: Path) -> None:
    """Write a file that all chapters share once, and replace a chapter's copy by a link.

    Whatever copies a chapter's folder (a zip, nbgrader's exchange, JupyterLite) copies the link's target.
    """
    write_if_changed(shared, copy.read_text(encoding="utf-8"))
    copy.unlink()
    copy.symlink_to(Path("..", shared.name))


def note_release(assignment: Assignment, new: Path, tell: Callable) -> None:
    """Record a release in the ledger before it is in place, and also the one it replaces if that is missing."""
    today = f"{datetime.now():%Y-%m-%d}"
    last, now = (ledger.released_in(path, today) for path in (assignment.released, new))
    existed = assignment.ledger_path.exists()
    ledger.add_releases(assignment.ledger_path, last, now)
    if last and not existed:
        tell(f"{assignment.ledger_path} did not exist: started from {assignment.released.parent}")
    if last and (changes := ledger.changed_since(last, now)):
        tell(f"changed: {', '.join(changes)}; what was handed in before stays valid")


def tidy(assignment: Assignment) -> Assignment:
    """Bring the solution notebook into canonical form, if it is not, and return the assignment as it is then."""
    notebook = tidied(assignment.written)
    if notebook == assignment.written:
        return assignment
    write_whole(assignment.path, nbformat.writes(notebook) + "\n")
    return Assignment(assignment.course, assignment.chapter)


def write_if_changed(path: Path, text: str) -> None:
    """Write a file only if its content changes, so that builds that watch its date stay quiet."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def generate(assignment: Assignment, release_folder: str, db_url: str | None = None) -> None:
    """Run nbgrader's generate_assignment on one chapter, into a gradebook if one is named.

    Errors: CourseError if nbgrader refuses, with its reason.
    """
    from nbgrader.converters import GenerateAssignment
    from nbgrader.converters.base import NbGraderException
    from nbgrader.coursedir import CourseDirectory

    config = Config()
    config.CourseDirectory.root = str(assignment.course.root)
    config.CourseDirectory.course_id = assignment.course.settings.course_id
    config.CourseDirectory.source_directory = str(assignment.source.parents[1].relative_to(assignment.course.root))
    config.CourseDirectory.release_directory = os.path.relpath(release_folder, assignment.course.root)
    config.CourseDirectory.assignment_id = assignment.chapter
    config.GenerateAssignment.force = True
    if db_url:
        config.CourseDirectory.db_url = db_url
    else:
        config.GenerateAssignment.no_database = True
        config.SaveCells.enabled = False
    said = io.StringIO()
    with quietly(said):
        try:
            GenerateAssignment(coursedir=CourseDirectory(config=config), config=config).start()
        except (NbGraderException, SystemExit) as error:
            reason = (said.getvalue().strip().splitlines() or [str(error)])[-1]
            raise CourseError(f"nbgrader could not release {assignment.chapter}: {reason}") from error


def link_to_book(released: Path, course: Course) -> None:
    """Let a released notebook's links lead to the published book; without an address they lead to the built one.

    A page that the course does not list is linked in the whole course, or not at all; its texts name chapters that are
    not taught as the whole course's.
    """
    from nbgrader.utils import compute_checksum

    def link(found: re.Match) -> str:
        words, page, rest = found.groups()
        place = course.book or BUILT if course.is_listed(page) else as_folder(course.settings.whole_course)
        return f"[{words}]({place}{page}.html{rest})" if place else words

    notebook, left_out = nbformat.read(released, as_version=4), course.left_out()
    changed = False
    for cell in notebook.cells:
        text = cell.cell_type == "markdown"
        source = name_whole_course(LINK.sub(link, cell.source), left_out) if text else cell.source
        if source != cell.source:
            cell.source, changed = source, True
            cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    if changed:
        nbformat.write(notebook, released)


def name_whole_course(text: str, left_out: frozenset[int]) -> str:
    """Return a text in which the chapters with these numbers are called those of the whole course."""

    def called(found: re.Match) -> str:
        if left_out.isdisjoint(int(number) for number in re.findall(r"\d+", found[0])):
            return found[0]
        return ("The" if found[1] == "C" else "the") + f" whole course’s c{found[0][1:]}"

    return CHAPTERS.sub(called, text)


@contextlib.contextmanager
def quietly(said: TextIO) -> Iterator[None]:
    """Capture what nbgrader logs instead of printing it, and restore the current folder."""
    handler, logger, here = logging.StreamHandler(said), logging.getLogger("traitlets"), Path.cwd()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    try:
        yield
    finally:
        os.chdir(here)
        logger.removeHandler(handler)
        logger.setLevel(level)


def one_file(modules: tuple[Any, ...], beside: tuple = ()) -> str:
    """Return modules merged into the one file that students get; it needs only NumPy and, via ``beside``, selfcheck.py.

    The last module's docstring becomes the file's. Without ``beside`` it refuses an old Python or NumPy.
    """
    parts = [split_module(Path(module.__file__).read_text(encoding="utf-8")) for module in modules]
    imports = merged({line for part in parts for line in part.absolute})
    plain = [line for line in imports if "numpy" not in line]
    note = "# Made by `autograder release` from the grader's own rules: it speaks in the same words as the grader.\n"
    names = {module.__name__.rpartition(".")[2] for module in beside}
    ours = {name for part in parts for module, name in part.relative if module in names}
    python, after = (OLDEST + "\n", OLDEST_NUMPY) if not beside else ("", "")
    after += f"\nfrom selfcheck import {', '.join(sorted(ours))}\n" if ours else ""
    head = f"{parts[-1].docstring}\n\n{note}\n{python}" + "\n".join(plain) + f"\n\nimport numpy as np\n{after}\n"
    return head + "\n\n\n".join(part.rest for part in parts) + "\n"


def merged(imports: set[str]) -> list[str]:
    """Return import statements in order, one per module; NumPy's come last."""
    names: dict[str, set[str]] = {}
    for line in imports:
        module, _, wanted = line.partition(" import ")
        names.setdefault(module, set()).update(wanted.split(", ") if wanted else ())
    lines = [f"{module} import {', '.join(sorted(wanted))}" if wanted else module for module, wanted in names.items()]
    return sorted(lines, key=lambda line: ("numpy" in line, line))


class Split(NamedTuple):
    """A module in parts: docstring, absolute imports as lines, relative ones as (module, name), and the rest."""

    docstring: str
    absolute: list[str]
    relative: list[tuple[str, str]]
    rest: str


@cache
def split_module(source: str) -> Split:
    """Split a module's text; cached, because every chapter merges the same ones."""
    tree, lines = ast.parse(source), source.splitlines()
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    absolute = [ast.unparse(node) for node in imports if not getattr(node, "level", 0)]
    relative = [
        (node.module or "", name.name)
        for node in imports
        if isinstance(node, ast.ImportFrom) and node.level
        for name in node.names
    ]
    docstring = "\n".join(lines[: tree.body[0].end_lineno])
    return Split(docstring, absolute, relative, "\n".join(lines[imports[-1].end_lineno :]).strip("\n"))


def examples(exercises: dict[str, Exercise]) -> str:
    """Return examples.json: each exercise's worked examples, and what the known mistakes answer to them."""
    entries = [f"{json.dumps(name)}: {example_entry(exercise)}" for name, exercise in exercises.items()]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def example_entry(exercise: Exercise) -> str:
    """Write one exercise, a case and a mistake per line."""
    by_value = exercise.rule == "equals"  # an answer judged by effect is not given away
    cases = [
        {
            "label": case.label,
            "args": [plain(arg) for arg in case.args],
            "kwargs": {name: plain(value) for name, value in case.kwargs.items()},
            "answer": plain_answer(ask(exercise.reference, case.args, case.kwargs) if by_value else Answer()),
        }
        for case in exercise.examples
    ]
    mistakes = [
        {
            "id": mistake.id,
            "message": mistake.message,
            "answers": [plain_answer(answer, decimals=8) for answer in shown_by(exercise, mistake)],
        }
        for mistake in exercise.mistakes
        if shows_in_examples(exercise, mistake)
    ]
    rows = {
        name: ",\n    ".join(json.dumps(row, allow_nan=False, separators=(",", ":")) for row in items)
        for name, items in (("cases", cases), ("mistakes", mistakes))
    }
    return (
        f'{{\n  "signature": {json.dumps({name: plain(value) for name, value in exercise.signature.items()})},\n'
        f'  "returns": {json.dumps(exercise.returns)},\n  "rule": {json.dumps(exercise.rule)},\n'
        f'  "cases": [\n    {rows["cases"]}\n  ],\n  "mistakes": [\n    {rows["mistakes"]}\n  ]\n}}'
    )


def shows_in_examples(exercise: Exercise, mistake: Mistake) -> bool:
    """Say whether a mistake gives a wrong answer to some worked example; others show only on unseen inputs."""
    return any(
        not compare.counts_as(answer_to(case, mistake.wrong), answer_to(case, exercise.reference))
        for case in exercise.examples
    )


def plain_answer(answer: Answer, decimals: int = 12) -> dict[str, Any]:
    """Convert an Answer to plain data."""
    return {"error": list(answer.error)} if answer.error else {"value": plain(answer.value, decimals)}


def plain(value: Any, decimals: int = 12) -> Any:
    """Convert a value to plain data that selfcheck.decode reads.

    Twelve decimals: the last bits differ between machines, but the released file must not. Wrong answers are only
    compared, far more coarsely than to eight (``compare.ABSOLUTE_TOLERANCE``).
    """
    if isinstance(value, np.ndarray | np.generic):
        rounded = np.round(value, decimals) + 0 if value.dtype.kind == "f" else value
        kind = {} if value.dtype == float else {"dtype": str(value.dtype)}
        shape = {} if value.size else {"shape": list(value.shape)}  # otherwise its lists say it
        return {"array": finite(rounded.tolist()), **kind, **shape}
    if isinstance(value, float):
        return round(value, decimals) if np.isfinite(value) else plain(np.float64(value))
    if isinstance(value, StepTable):
        return {"step": value.as_lists()}
    if isinstance(value, tuple):
        return {"tuple": [plain(item, decimals) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[key, plain(item, decimals)] for key, item in value.items()]}
    return [plain(item, decimals) for item in value] if isinstance(value, list) else value


def finite(numbers: bool | float | list[Any]) -> Any:
    """Write NaN and infinity as words that NumPy reads: JSON has no such numbers. Whole floats lose their `.0`."""
    if isinstance(numbers, list):
        return [finite(number) for number in numbers]
    if abs(numbers) < 1e15 and numbers == int(numbers) and not isinstance(numbers, bool):
        return int(numbers)
    return numbers if np.isfinite(numbers) else str(numbers)
