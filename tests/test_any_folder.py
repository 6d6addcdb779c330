"""The course works anywhere: a folder's name may have spaces, and letters that are not ASCII."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig

import pytest

from autograder.sandbox.host.packages import shared_libraries

CHAPTER = "04_query_key_value"
LIBRARIES = "import json; from autograder.sandbox.host import packages as p; " + (
    "print(json.dumps([str(p.package_paths()['numpy']), sorted(p.shared_libraries())]))"
)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory, root):
    """A copy of the grader and one chapter, with the installed packages beside them, in such a folder."""
    place = tmp_path_factory.mktemp("My Courses") / "attention ü"
    for part in (
        "autograder",
        f"solutions/{CHAPTER}",
        f"exercises/{CHAPTER}",
        f"releases/{CHAPTER}.txt",
        "nbgrader_config.py",
        "_toc.yml",
    ):
        (place / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (root / part).is_dir() else shutil.copy
        copy(root / part, place / part)
    (place / "site-packages").symlink_to(sysconfig.get_path("purelib"))
    return place


def run(place, *arguments):
    """Run Python there, and return what it printed."""
    found = {"PYTHONPATH": f"{place}:{place / 'site-packages'}", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=place, env=os.environ | found, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_same_libraries_are_found(elsewhere):
    """The loader takes a space for the end of a name; the compiled modules' libraries are found all the same."""
    numpy, libraries = run(elsewhere, "-c", LIBRARIES)
    assert numpy.startswith(str(elsewhere))
    assert libraries == sorted(shared_libraries())


def test_a_notebook_is_graded(elsewhere):
    """The solved chapter gets full marks from the copy of the grader."""
    path = elsewhere / "solutions" / CHAPTER / f"{CHAPTER}.ipynb"
    result = run(elsewhere, "-m", "autograder", "check", str(path), "--json")
    assert (result["status"], result["score"]) == ("graded", 20)
