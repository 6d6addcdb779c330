"""What an instructor changes in a chapter without editing it: points, exercises left out or added, more mistakes.

``own/<stem>/`` in the course's folder belongs to the instructor; the course itself never has a folder of that name::

    cells.ipynb              cells to add to the chapter's notebook: about_<name>, <name>, test_<name>
    <name>.py                the checks of that exercise, with an EXERCISE of the same name
    mistakes_<exercise>.py   more listed mistakes of an exercise that the chapter has
    page.md                  text to add to the chapter's page, before its assignment
"""

import copy
import importlib.util
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.diagnosis.exercise import Exercise, Mistake, registered
from autograder.errors import CourseError
from autograder.plain import did_you_mean

from .derived_text import SOLUTION_MARKS, tidied
from .settings import SETTINGS_FILE

CELLS, PAGE, MISTAKES = "cells.ipynb", "page.md", "mistakes_"
MODULE = "own_"  # what the names of modules in the own folder begin with
NUMBERED_HEADING = re.compile(r"^## \d+\. ", re.MULTILINE)


def own_folder(root: Path, stem: str) -> Path:
    """Return where an instructor's own changes to a chapter are; it need not exist."""
    return root / "own" / stem


def own_files(root: Path, stem: str) -> list[Path]:
    """Return the Python files of an instructor's own changes to a chapter, sorted."""
    return sorted(own_folder(root, stem).glob("*.py"))


def refuse_unknown_names(root: Path, chapters: list[str], points: dict[str, int]) -> None:
    """Raise CourseError for a folder of ``own/`` that is no chapter's, a file in it under another name than is read, or
    points of an exercise that there is not.

    ``chapters`` are all that have a solution notebook: one that is not taught keeps its folder and its points.
    """
    stems = [name.partition("_")[2] for name in chapters]
    for folder in sorted((root / "own").glob("[!._]*")):
        if folder.is_dir() and folder.name not in stems:
            raise CourseError(f"{folder} is the folder of no chapter: {did_you_mean(folder.name, stems)}")
        for name in (CELLS, PAGE):
            others = sorted({*folder.glob(f"*{Path(name).suffix}")} - {folder / "README.md"})
            if others and not (folder / name).exists():
                raise CourseError(f"nothing reads {others[0]}: rename it to {name}")
    if not points:
        return
    notebooks = [root / "solutions" / name / f"{name}.ipynb" for name in chapters]
    notebooks += [path for stem in stems if (path := own_folder(root, stem) / CELLS).exists()]
    known = [id_of(cell).removeprefix("test_") for path in notebooks for cell in read_cells(path) if is_test(cell)]
    for name in points:
        if name not in known:
            raise CourseError(f"{root / SETTINGS_FILE} gives points to {name!r}: {did_you_mean(name, known)}")


def with_own_cells(notebook: NotebookNode, root: Path, stem: str, points: dict[str, int]) -> NotebookNode:
    """Return a solution notebook with the own cells added, points set, and exercises of 0 points left out, tidied.

    The same object if nothing is changed. Own cells follow the chapter's last exercise.
    Errors: CourseError if cells.ipynb cannot be read.
    """
    names = [id_of(cell).removeprefix("test_") for cell in notebook.cells if is_test(cell)]
    path = own_folder(root, stem) / CELLS
    if not path.exists() and points.keys().isdisjoint(names):
        return notebook
    changed = copy.deepcopy(notebook)
    if path.exists():
        last = max((i for i, cell in enumerate(changed.cells) if id_of(cell).startswith("test_")), default=-1)
        changed.cells[last + 1 : last + 1] = read_cells(path)
    leave_out(changed, {name for name, worth in points.items() if worth == 0})
    number = 0
    for cell in changed.cells:
        name = id_of(cell).removeprefix("test_")
        if is_test(cell) and name in points:
            cell.metadata.nbgrader.points = points[name]
        if id_of(cell).startswith("about_"):
            number += 1
            cell.source = NUMBERED_HEADING.sub(f"## {number}. ", cell.source, count=1)
    return tidied(changed)


def leave_out(notebook: NotebookNode, names: set[str]) -> None:
    """Take exercises out of a solution notebook; what the others call stays there, in locked cells ``given_…``."""
    parts = {f"{part}{name}" for name in names for part in ("about_", "test_")}
    cells = [cell for cell in notebook.cells if id_of(cell) not in parts]
    dropped, given = set(names), set()
    while called := {
        name for name in dropped if any(calls(cell, name) for cell in cells if id_of(cell) not in dropped)
    }:
        dropped, given = dropped - called, given | called
    notebook.cells = [cell for cell in cells if id_of(cell) not in dropped]
    for cell in notebook.cells:
        if id_of(cell) in given:
            cell.source = SOLUTION_MARKS.sub("", cell.source)
            cell.metadata.nbgrader |= {"grade_id": f"given_{id_of(cell)}", "locked": True, "solution": False}
        elif id_of(cell) == "save" and given:
            more = ", ".join(f'"{name}"' for name in sorted(given))
            old, new = ("given=[", f"given=[{more}, ") if "given=[" in cell.source else (")", f", given=[{more}])")
            cell.source = new.join(cell.source.rsplit(old, 1))


def calls(cell: NotebookNode, name: str) -> bool:
    """Say whether a cell's code calls a function of this name."""
    return cell.cell_type == "code" and re.search(rf"(?<![\w.]){name}\s*\(", cell.source) is not None


def id_of(cell: NotebookNode) -> str:
    """Return a cell's nbgrader id, "" if it has none."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def is_test(cell: NotebookNode) -> bool:
    """Say whether a cell is an exercise's test, which holds its points."""
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


def read_cells(path: Path) -> list[NotebookNode]:
    """Return the cells of a notebook. Errors: CourseError if it cannot be read."""
    try:
        return list(nbformat.read(path, as_version=4).cells)
    except Exception as error:
        raise CourseError(f"cannot read {path}: {error}. Open it in JupyterLab and save it again") from error


def with_own_checks(exercises: dict[str, Exercise], root: Path, stem: str) -> dict[str, Exercise]:
    """Return a chapter's exercises with those of the own folder, and add the own mistakes to theirs.

    Errors: CourseError for a file without its EXERCISE, or mistakes of an exercise that the chapter does not have.
    """
    found = dict(exercises)
    for path in own_files(root, stem):
        module = load(path, stem)
        if not path.stem.startswith(MISTAKES):
            exercise: Any = getattr(module, "EXERCISE", None)
            if exercise is None or exercise.name != path.stem:
                got = "none" if exercise is None else f"one named {exercise.name!r}"
                raise CourseError(f"expected an EXERCISE named {path.stem!r} in {path}, got {got}")
            found[path.stem] = exercise
    for path in own_files(root, stem):
        if path.stem.startswith(MISTAKES):
            add_mistakes(path, stem, found)
    return found


def add_mistakes(path: Path, stem: str, exercises: dict[str, Exercise]) -> None:
    """Add the listed mistakes of a file after those of their exercise. Errors: CourseError."""
    name = path.stem.removeprefix(MISTAKES)
    if name not in exercises:
        raise CourseError(f"{path} names no exercise of {stem}: expected {MISTAKES} and one of {', '.join(exercises)}")
    theirs, own = registered(exercises[name].module), registered(load(path, stem).__name__)
    if not own:
        raise CourseError(f"{path} holds no mistake: write `@mistake(…)` above each wrong function")
    for id, mistake in own.items():
        if theirs.setdefault(id, mistake) is not mistake:
            raise CourseError(f"{path}: `{name}` has a mistake {id} already: give yours another name")


def load(path: Path, stem: str) -> ModuleType:
    """Return the module of a file of the own folder, loaded once per process. Errors: CourseError if it fails."""
    name = f"{MODULE}{stem}_{path.stem}"
    known = sys.modules.get(name)
    if known is not None and known.__file__ == str(path):
        return known
    spec: Any = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    registered(name).clear()
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise cannot_load(path, error) from error
    return module


def is_own(mistake: Mistake) -> bool:
    """Say whether a listed mistake is from the own folder."""
    return mistake.wrong.__module__.startswith(MODULE)


def cannot_load(path: Path, error: Exception) -> CourseError:
    """Return the error that names the line of a file of checks, or of a file in a folder of them, which failed."""
    lines = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    said = str(error)
    if isinstance(error, SyntaxError):
        lines.append((error.filename or "", error.lineno))
        said = error.msg
    own = [f"{file} cannot be loaded: line {line}" for file, line in lines if Path(file).is_relative_to(path)]
    return CourseError(f"{own[-1]}: {type(error).__name__}: {said}" if own else f"the checks in {path}: {said}")
