"""An upgrade in mid-term: upstream fixes a check, rewords a notebook and changes points; an instructor pulls."""

import json
import os
import re
import shutil
import subprocess

import nbformat
import pytest

from tests.support.commands import run_commands

CHAPTER = "04_query_key_value"
WAITS = 4  # changes of marks, for a word
EXERCISE = "booster"
LEFT_OUT = "  - file: 05_scaling\n"
OWN_MISTAKE = """
from autograder.diagnosis.exercise import mistake

@mistake("An own sentence about zeros.")
def zero(n, target):
    return 0.0
"""
PARTS = (
    f"solutions/{CHAPTER}",
    "solutions/05_scaling",
    f"exercises/{CHAPTER}",
    f"releases/{CHAPTER}.txt",
    ".gitattributes",
)
PARTS += ("nbgrader_config.py", ".gitignore", "attention", "autograder")


class Side:
    """A clone of the course, in which its own copy of the package runs."""

    def __init__(self, folder):
        """Name the clone's folder."""
        self.folder = folder

    def git(self, *words, check=True):
        """Run git, and return what it printed."""
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
        done = subprocess.run(["git", *who, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0 or not check, done.stdout + done.stderr
        return done.stdout

    def run(self, *commands):
        """Run commands of the autograder there, and return what each printed."""
        env = os.environ | {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        ends, _ = run_commands(self.folder, *(command.split() for command in commands), env=env)
        assert {end.code for end in ends} <= {0, WAITS}, ends
        return [end.out + end.err for end in ends]

    def edit(self, file, pattern, instead):
        """Replace the only place of a pattern in a file."""
        path = self.folder / file
        text, count = re.subn(pattern, instead, path.read_text(encoding="utf-8"))
        assert count == 1, (file, pattern, count)
        path.write_text(text, encoding="utf-8")

    def commit(self, words):
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-qm", words)


@pytest.fixture(scope="module")
def sides(root, tmp_path_factory):
    """Upstream; the instructor's clone with own changes, a graded class, and a student's notebook downloaded; its twin.

    What is committed in the clone is only changed in the twin, which has no class.
    """
    place = tmp_path_factory.mktemp("upgrade")
    upstream = Side(place / "upstream")
    for part in PARTS:
        (upstream.folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (root / part).is_dir() else shutil.copy
        copy(root / part, upstream.folder / part, **({"symlinks": True} if (root / part).is_dir() else {}))
    shutil.copy(root / "exercises/selfcheck.py", upstream.folder / "exercises")
    (upstream.folder / "_toc.yml").write_text(f"root: index\nchapters:\n  - file: {CHAPTER}\n{LEFT_OUT}")
    upstream.git("init", "-q")
    upstream.commit("Begin")
    upstream.git("clone", "-q", ".", str(place / "mine"))
    mine = Side(place / "mine")
    (mine.folder / "course.toml").write_text('institution = "Example University"\n[points]\nsoft_lookup = 7\n')
    own = mine.folder / "own/query_key_value"
    own.mkdir(parents=True)
    (own / f"mistakes_{EXERCISE}.py").write_text(OWN_MISTAKE)
    mine.edit("_toc.yml", LEFT_OUT, "")
    mine.run("release")
    twin = Side(shutil.copytree(mine.folder, place / "twin", symlinks=True))
    mine.commit("Make it our own")
    mine.run(f"sample-class {CHAPTER} --students 3", f"grade {CHAPTER}")
    return upstream, mine, twin


def scores(side):
    """Return everyone's points for each exercise, as saved."""
    found = sorted(side.folder.glob(f"autograded/*/{CHAPTER}/result.json"))
    assert found
    results = {path.parents[1].name: json.loads(path.read_text(encoding="utf-8")) for path in found}
    return {student: {one["name"]: one["score"] for one in result["exercises"]} for student, result in results.items()}


def pull(side, root):
    """Pull by the page's own command, which leaves what is not committed as it was."""
    changed = side.git("status", "--short")
    command = re.search(r"^git (pull .*)$", (root / "book/upgrade.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
    side.git(*command.split(), "-q", "--no-edit")
    assert side.git("status", "--short") == changed
    assert (side.folder / "course.toml").exists()


def test_upstream_is_pulled_without_a_conflict_and_old_work_stays_valid(root, sides):
    """Changed marks are listed and wait, and a notebook of before is graded; own changes need not be committed."""
    upstream, mine, twin = sides
    before = scores(mine)
    assert before["student0001"]["soft_lookup"] == 7
    downloaded = mine.folder / f"submitted/student0001/{CHAPTER}/{CHAPTER}.ipynb"
    notebook = f"solutions/{CHAPTER}/{CHAPTER}.ipynb"
    upstream.edit(notebook, r"# Exercises 4:", "# The exercises of chapter 4:")
    text = nbformat.read(upstream.folder / notebook, as_version=4)
    cell = next(cell for cell in text.cells if cell.metadata.nbgrader.grade_id == f"test_{EXERCISE}")
    cell.metadata.nbgrader.points += 1
    worth = cell.metadata.nbgrader.points
    nbformat.write(text, upstream.folder / notebook)
    check = f"attention/exercises/query_key_value/{EXERCISE}.py"
    upstream.edit(check, r"\nEXERCISE = Exercise\(\n", "\nMENDED = 1\n\nEXERCISE = Exercise(\n")
    upstream.run("release")
    upstream.commit("Mend a check, reword the title, change points")
    pull(twin, root)
    assert set(twin.git("diff", "--name-only").split()) <= {"_toc.yml", f"releases/{CHAPTER}.txt"}
    pull(mine, root)
    released, said = mine.run("release", f"grade {CHAPTER}")
    assert "what was handed in before stays valid" in released
    assert set(mine.git("diff", "--name-only").split()) <= {"_toc.yml", f"releases/{CHAPTER}.txt"}
    assert "to write them, add --yes" in said
    assert f"{EXERCISE} is worth {worth} instead of {worth - 1}" in said
    assert scores(mine) == before
    mine.run(f"grade {CHAPTER} --yes")
    after = scores(mine)
    assert after["student0001"] == before["student0001"] | {EXERCISE: worth}
    assert "# Exercises 4:" in downloaded.read_text(encoding="utf-8")
    result = json.loads((mine.folder / f"autograded/student0001/{CHAPTER}/result.json").read_text(encoding="utf-8"))
    assert (result["status"], result["tampered"]) == ("graded", [])


def test_own_changes_hold_after_the_pull(sides, tmp_path):
    """The own mistake is named still, and the points of course.toml hold."""
    _, mine, _ = sides
    path = mine.folder / "_build/exercises" / CHAPTER / f"{CHAPTER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    next(
        cell for cell in notebook.cells if cell.metadata.nbgrader.grade_id == EXERCISE
    ).source = f"def {EXERCISE}(n, target):\n    return 0.0"
    folder = mine.folder / "try"
    folder.mkdir()
    nbformat.write(notebook, folder / f"{CHAPTER}.ipynb")
    (said,) = mine.run(f"check try/{CHAPTER}.ipynb")
    assert "An own sentence about zeros." in said
    assert "soft_lookup: 0 of 7" in said
