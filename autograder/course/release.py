"""Writes exercises/ from solutions/: each notebook with its examples, and the self-check that they share."""

import contextlib
import io
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TextIO

import nbformat
from traitlets.config import Config

from autograder.errors import CourseError
from autograder.files import replace_folder, write_whole

from . import ledger
from .course import Assignment
from .derived_text import SOLUTION_MARKS, tidied
from .examples import examples
from .left_out import adapt_to_course, as_downloaded
from .student_file import merge_modules, selfcheck_modules
from .trial import refuse_broken, refuse_endless, tell_trials

SHARED = "selfcheck.py"  # the same in all chapters


def release(assignment: Assignment, tell: Callable = lambda line: None) -> Path:
    """Write one chapter's exercise folder and return its path.

    ``tell`` is called with what changed since the last release, with own mistakes that are not recognised, and with
    what becomes of small changes to the solutions of own exercises.

    The solution notebook is tidied first. The companions are also written beside the notebook that nbgrader releases,
    where stock nbgrader looks for them. The release is recorded in the chapter's ledger.
    Errors: CourseError if notebook and checks disagree, an exercise is broken (trial.py), a listed mistake never ends,
    an answer cell or the marks of a cell are missing, a cell has no nbgrader id, nbgrader refuses the notebook, or the
    ledger is damaged.
    """
    ledger.read_ledger(assignment.ledger_path)  # before anything is written
    assignment.cells  # noqa: B018 - every cell is looked at before anything is written
    for exercise in assignment.exercises.values():
        refuse_broken(exercise)
        refuse_missing_cell(assignment, exercise.name)
        refuse_unmarked(assignment, exercise.name)
    refuse_endless(assignment.exercises.values())
    assignment = tidy(assignment)
    if assignment.source_path != assignment.solution_path:
        write_changed_source(assignment)
    hooks = assignment.course.hooks
    shared = selfcheck_modules(hooks)
    companions = {SHARED: merge_modules(shared), "examples.json": examples(assignment.exercises)}
    for name, content in hooks.companions(assignment.exercises).items():
        companions[name] = content if isinstance(content, str) else merge_modules(content, shared)
    for name, text in companions.items():
        write_if_changed(assignment.source_path.with_name(name), text)
    target = assignment.course.exercises_folder / assignment.chapter
    target.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".release-") as folder:
        generate(assignment, folder)
        adapt_to_course(Path(folder) / assignment.chapter / assignment.solution_path.name, assignment.course)
        note_release(assignment, Path(folder) / assignment.chapter / assignment.solution_path.name, tell)
        link_to_shared(Path(folder) / assignment.chapter / SHARED, target.parent / SHARED)
        replace_folder(Path(folder) / assignment.chapter, target)
    for line in still_to_do(assignment):
        tell(f"still to do: {line}")
    tell_trials(assignment, companions["examples.json"], tell)
    return target


def refuse_missing_cell(assignment: Assignment, name: str) -> None:
    """Errors: CourseError if an exercise has a test cell and no answer."""
    if name not in assignment.cells:
        raise CourseError(
            f"{assignment.solution_path} has a cell test_{name}, but none called {name} for the answer: add it"
        )


def still_to_do(assignment: Assignment) -> Iterator[str]:
    """Yield what the exercises lack that does not keep them from being released."""
    for name in assignment.exercises:
        if f"about_{name}" not in assignment.cells:
            yield f"{assignment.solution_path} has no cell about_{name}"
        yield from assignment.course.hooks.missing(name)


def refuse_unmarked(assignment: Assignment, name: str) -> None:
    """Errors: CourseError if a solution or a hidden test lacks the lines that keep it out of the release."""
    solution, test = assignment.cells[name].cell.source, assignment.cells[f"test_{name}"].source
    if SOLUTION_MARKS.findall(solution) != ["BEGIN", "END"]:
        raise CourseError(
            f"expected `### BEGIN SOLUTION` and `### END SOLUTION` in the cell {name}, around the function's body: "
            "without them students get a cell without its `def`"
        )
    if "grade(" in test or "HIDDEN TESTS" in test:
        raise CourseError(
            f"the cell test_{name} would show its hidden test: put `### BEGIN HIDDEN TESTS` and `### END HIDDEN TESTS` "
            "around the lines that import and call `grade`"
        )


def write_changed_source(assignment: Assignment) -> None:
    """Write the notebook that nbgrader releases, where it is not the solution notebook, with what is beside it."""
    folder = assignment.source_path.parent
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(assignment.solution_path.parent, folder, ignore=shutil.ignore_patterns("*.ipynb", "__pycache__"))
    nbformat.write(assignment.notebook, assignment.source_path)


def link_to_shared(copy: Path, shared: Path) -> None:
    """Write a file that all chapters share once, and replace a chapter's copy by a link.

    Whatever copies a chapter's folder (a zip, nbgrader's exchange, JupyterLite) copies the link's target.
    """
    write_if_changed(shared, copy.read_text(encoding="utf-8"))
    copy.unlink()
    copy.symlink_to(Path("..", shared.name))


def note_release(assignment: Assignment, new: Path, tell: Callable) -> None:
    """Record a release in the ledger before it is in place, and also the one it replaces if that is missing.

    The book offers the notebook without its dead links: that is recorded, too, or such a copy would count as altered.
    """
    today = f"{datetime.now():%Y-%m-%d}"
    last, now = (ledger.released_in(path, today) for path in (assignment.released_path, new))
    existed = assignment.ledger_path.exists()
    ledger.add_releases(assignment.ledger_path, last, now, ledger.entries_of(as_downloaded(new), today))
    if last and not existed:
        tell(f"{assignment.ledger_path} did not exist: started from {assignment.released_path.parent}")
    if last and (changes := ledger.changed_since(last, now)):
        tell(f"changed: {', '.join(changes)}; what was handed in before stays valid")


def tidy(assignment: Assignment) -> Assignment:
    """Bring the solution notebook into canonical form, if it is not, and return the assignment as it is then."""
    notebook = tidied(assignment.solution)
    if notebook == assignment.solution:
        return assignment
    write_whole(assignment.solution_path, nbformat.writes(notebook) + "\n")
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
    config.CourseDirectory.source_directory = str(assignment.source_path.parents[1].relative_to(assignment.course.root))
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


@contextlib.contextmanager
def quietly(said: TextIO) -> Iterator[None]:
    """Capture what nbgrader logs instead of printing it, and restore the current folder."""
    handler, logger, here = logging.StreamHandler(said), logging.getLogger("traitlets"), Path.cwd()
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    try:
        yield
    finally:
        os.chdir(here)
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate
