"""Writes a synthetic class: right answers, every listed mistake, half-done, broken and hostile notebooks."""

import ast
import inspect
import re
from pathlib import Path

import nbformat
import numpy as np
from nbformat import NotebookNode

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Assignment
from autograder.course.derived_text import SOLUTION_MARKS
from autograder.diagnosis.exercise import Exercise, Mistake
from autograder.errors import UsageError
from autograder.plain import visible_line

from .forgeries import FORGERIES, forge

# One round of twenty; larger classes go round again, each time with the next mistakes and tricks.
ROUND = (
    *("right", "mistakes", "right", "half_done", "mistakes", "right", "mistakes", "hostile", "right", "mistakes"),
    *("half_done", "right", "mistakes", "broken", "mistakes", "right", "empty", "mistakes", "half_done", "hostile"),
)
INVENTED = re.compile(r"student\d{4,}")  # its students' names
BROKEN_KINDS = ("cut_short", "no_notebook", "not_utf8", "syntax_error")
MISTAKES_EACH = 5


def sample_class(assignment: Assignment, classroom: ClassRoom, students: int, seed: int = 0) -> dict[str, str]:
    """Write ``students`` submissions of one chapter below the class's ``submitted/``; return each student's kind.

    Errors: UsageError, before anything is written, if there is a student of another name: a real class.
    """
    folder = classroom.root / "submitted"
    others = (path.name for path in folder.glob("[!.]*") if not INVENTED.fullmatch(path.name))
    if real := next(others, ""):
        raise UsageError(f"{folder} holds a real class, such as {visible_line(real)}: name another folder with --root")
    rng = np.random.default_rng(seed)
    dealt, counts, kinds = hands(assignment.exercises), {}, {}
    for index in range(students):
        kind = ROUND[index % len(ROUND)]
        turn = counts[kind] = counts.get(kind, -1) + 1
        student = f"student{index + 1:04d}"
        kinds[student] = write_submission(
            assignment, classroom.submitted(student, assignment.chapter), kind, turn, dealt, rng
        )
    return kinds


def hands(exercises: dict[str, Exercise]) -> list[dict[str, Mistake]]:
    """Deal out all mistakes: at most one per exercise in each hand, and every one in some hand."""
    left, dealt = {name: list(exercise.mistakes) for name, exercise in exercises.items()}, []
    while any(left.values()):
        fullest = sorted(filter(left.get, left), key=lambda name: -len(left[name]))[:MISTAKES_EACH]
        dealt.append({name: left[name].pop(0) for name in fullest})
    return dealt


def write_submission(
    assignment: Assignment,
    folder: Path,
    kind: str,
    turn: int,
    dealt: list[dict[str, Mistake]],
    rng: np.random.Generator,
) -> str:
    """Write one submission, and return its kind for display."""
    folder.mkdir(parents=True, exist_ok=True)
    notebook = released(assignment)
    if kind == "broken":
        return write_broken(assignment, folder, BROKEN_KINDS[turn % len(BROKEN_KINDS)])
    if kind == "hostile":
        forgery = FORGERIES[turn % len(FORGERIES)]
        forge(notebook, forgery)
        label = f"hostile: {forgery}"
    else:
        label = fill_notebook(assignment, notebook, kind, turn, dealt, rng)
    nbformat.write(notebook, folder / f"{assignment.chapter}.ipynb")
    return label


def released(assignment: Assignment) -> NotebookNode:
    """Return a fresh copy of the released notebook."""
    return nbformat.read(assignment.released_path, as_version=4)


def fill_notebook(
    assignment: Assignment,
    notebook: NotebookNode,
    kind: str,
    turn: int,
    dealt: list[dict[str, Mistake]],
    rng: np.random.Generator,
) -> str:
    """Fill in a notebook like a student of this kind."""
    names = list(assignment.exercises)
    answered = {"right": names, "mistakes": names, "empty": []}.get(kind)
    if answered is None:
        answered = names[
            : int(rng.integers(min(2, len(names) - 1), len(names)))
        ]  # later exercises may call earlier ones
    wrong = dealt[turn % len(dealt)] if kind == "mistakes" else {}
    for name in answered:
        fill_in(assignment, notebook, name, wrong.get(name))
    detail = f": {', '.join(mistake.id for mistake in wrong.values())}" if wrong else ""
    return f"{kind}{detail}"


def fill_in(assignment: Assignment, notebook: NotebookNode, name: str, mistake: Mistake | None = None) -> None:
    """Write one exercise's solution into its cell, or a wrong version of it."""
    cell = next(cell for cell in notebook.cells if cell.metadata.nbgrader.grade_id == name)
    right = SOLUTION_MARKS.sub("", assignment.cells[name].cell.source)
    cell.source = wrong_version(assignment, mistake, name) if mistake else right


def wrong_version(assignment: Assignment, mistake: Mistake, name: str) -> str:
    """Return a mistake's source as a student would write it, with what it calls of other chapters."""
    source, known = mistake.source_as(name), assignment.course.hooks.given
    tree = ast.parse(source)
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    called = {function.id for function in calls if isinstance(function, ast.Name)}
    here = {name, *assignment.given, *(part.name for part in tree.body if isinstance(part, ast.FunctionDef))}
    others = [inspect.getsource(known[one]) for one in sorted(called - here) if inspect.isfunction(known.get(one))]
    return "\n\n".join([*others, source])


def write_broken(assignment: Assignment, folder: Path, how: str) -> str:
    """Write a submission that cannot be graded, or only partly."""
    path = folder / f"{assignment.chapter}.ipynb"
    notebook = released(assignment)
    for name in assignment.exercises:
        fill_in(assignment, notebook, name)
    text = nbformat.writes(notebook)
    if how == "cut_short":
        path.write_text(text[: len(text) // 2], encoding="utf-8")
    elif how == "no_notebook":
        (folder / "my_answers.ipynb").write_text(text, encoding="utf-8")
    elif how == "not_utf8":
        path.write_bytes(text.encode("utf-16"))
    else:
        cell = next(cell for cell in notebook.cells if cell.metadata.nbgrader.solution)
        cell.source = cell.source.replace("(", "", 1)
        nbformat.write(notebook, path)
    return f"broken: {how}"
