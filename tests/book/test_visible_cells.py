"""The code that a chapter shows: each cell runs alone, with what readers install, and none is an exercise's solution.

An author's page alone: ``pytest -n 0 tests/book/test_visible_cells.py -k 05_scaling``.
"""

import json
import subprocess
import sys

import pytest

from attention.models.build import ONE_THREAD
from autograder.course.course import Course
from tests.support.root import ROOT

from .given_away import given_away, visible_cells
from .test_readers_wheel import unpack, wheel  # noqa: F401 - a fixture

PAGES = {path.stem: path for path in sorted((ROOT / "book").glob("[0-9]*.md"))}
RUN = """
import json, sys
sys.path[:0] = sys.argv[1:]
for line, code in json.load(sys.stdin):
    try:
        exec(compile("\\n" * (line - 1) + code, "page", "exec"), {"__name__": "__main__"})
    except Exception as error:
        print(f"line {line}: {type(error).__name__}: {error}", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def readers_packages(wheel, tmp_path_factory):  # noqa: F811
    """A folder with what readers install, and nothing else."""
    folder = tmp_path_factory.mktemp("packages")
    unpack(wheel, folder)
    return str(folder)


@pytest.mark.parametrize("page", PAGES)
def test_each_visible_cell_runs_alone(page, readers_packages):
    """Pasted into an empty notebook, a cell finds its imports and its data in itself, in NumPy and in the wheel."""
    cells = json.dumps(list(visible_cells(PAGES[page].read_text(encoding="utf-8"))))
    command = [sys.executable, "-I", "-S", "-c", RUN, readers_packages]
    ran = subprocess.run(command, input=cells, capture_output=True, text=True, check=False, env=ONE_THREAD)
    assert ran.returncode == 0, ran.stderr
    assert not ran.stderr, f"{page}.md, cells that do not run alone:\n{ran.stderr}"


@pytest.mark.parametrize("page", sorted(PAGES.keys() & set(Course(ROOT).every_chapter())))
def test_no_cell_is_an_exercises_solution(page, published):
    """Neither the statements of one, whatever the names, nor others that give its answers: see given_away.py."""
    found = given_away(published.assignment(page), PAGES[page].read_text(encoding="utf-8"))
    said = [f"line {line}, {name}:\n{statements}" for line, name, statements in found]
    assert not said, "\n\n".join([f"{page}.md shows what exercises ask for, see given_away.py:", *said])


SHOWN = {
    "the statements with other names": (
        "scaled_scores",
        """from attention import scaling_factor
q, k = np.ones((3, 4)), np.ones((5, 4))
similar: np.ndarray = q @ np.swapaxes(k, -1, -2)  # (3, 5)
print("scores", similar * scaling_factor(k.shape[-1]))""",
    ),
    "a function with the statements": (
        "scaled_scores",
        '''def compare(a, b):
    """Say how alike they are."""
    c = a @ np.swapaxes(b, -1, -2)
    return c * scaling_factor(b.shape[-1])''',
    ),
    "other statements that give its answers": (
        "entropy",
        """rows = np.array([[0.5, 0.5], [1, 0]])
safe = np.where(rows == 0, 1, rows)
print(f"{(-(rows * np.log(safe)).sum(axis=-1)).round(2)} nats")""",
    ),
    "the chapter's data for arguments": (
        "scaled_scores",
        """from attention.chapters import bank
bank.x @ np.swapaxes(bank.w_q, -1, -2) / np.sqrt(bank.w_q.shape[-1])""",
    ),
    "a loop that fills a matrix": (
        "softmax_jacobian",
        """out = np.zeros(p.shape + p.shape[-1:])
for place in np.ndindex(*p.shape[:-1]):
    out[place] = np.diag(p[place]) - np.outer(p[place], p[place])""",
    ),
}
USED = {
    "the course's function": "output, weights = scaled_dot_product_attention(query, key, value)\noutput.round(2)",
    "a factor by itself": "for d in 4, 64:\n    print(d, 1 / np.sqrt(d), d * 4**2)",
    "one row of the matrix": "scores = query[1] @ key.T / np.sqrt(3)\nweights = np.exp(scores) / np.exp(scores).sum()",
    "numbers instead of arguments": "print(0.7 * np.log(0.7) + 0.3 * np.log(0.3))",
}


def page_with(code):
    """Return a page that shows a cell, below a hidden one that does not count."""
    hidden = "```{code-cell}\n:tags: [remove-input]\nlogarithms = np.log(np.where(weights > 0, weights, 1.0))\n```\n"
    return f"# A page\n\n{hidden}\n```{{code-cell}}\n{code}\n```\n"


@pytest.mark.parametrize("what", SHOWN)
def test_a_solution_on_a_page_is_found(what, published):
    """With other names, in other words, in a function, rounded and printed."""
    name, code = SHOWN[what]
    found = given_away(published.assignment("05_scaling"), page_with(code))
    assert {exercise for _, exercise, _ in found} == {name}
    assert all(line > 7 for line, _, _ in found)


@pytest.mark.parametrize("what", USED)
def test_a_use_is_no_solution(what, published):
    """What a page must be able to show of a formula or a function is not taken for an exercise."""
    assert given_away(published.assignment("05_scaling"), page_with(USED[what])) == []
