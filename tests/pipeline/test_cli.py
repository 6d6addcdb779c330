"""The commands as people type them: results on stdout, words on stderr, one line and exit 2 for an error of use."""

import json
import os
import subprocess
import sys

import pytest

CHAPTER = "04_query_key_value"


@pytest.fixture
def autograder(root):
    """Run the console script and return what it did."""

    def run(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-m", "autograder", *map(str, arguments)],
            cwd=root,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_class_from_sample_to_feedback(autograder, tmp_path):
    """Sample class, grading as JSON lines, and feedback, on a class of five."""
    assert autograder("sample-class", CHAPTER, "--students", 5, "--root", tmp_path).returncode == 0
    graded = autograder("grade", CHAPTER, "--root", tmp_path, "--jobs", 2, "--json")
    assert graded.returncode == 0
    lines = {line["student"]: line for line in map(json.loads, graded.stdout.splitlines())}
    assert sorted(lines) == [f"student000{n}" for n in range(1, 6)]
    assert (lines["student0001"]["status"], lines["student0001"]["score"]) == ("graded", 20)
    assert "5 submissions" in graded.stderr
    written = autograder("feedback", CHAPTER, "--root", tmp_path)
    assert written.stdout.startswith("5 pages")
    assert (tmp_path / "feedback" / "student0005" / CHAPTER / f"{CHAPTER}.html").exists()


def test_check_prints_one_notebook(autograder, root):
    """The solved chapter gets full marks, as JSON and in words."""
    path = root / "solutions" / CHAPTER / f"{CHAPTER}.ipynb"
    assert json.loads(autograder("check", path, "--json").stdout)["score"] == 20
    words = autograder("check", path).stdout
    assert words.startswith(f"{CHAPTER}: 20 of 20 points (graded)")
    assert "query_between: 2 of 2, graded. Right." in words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["grade", "12_unknown"], "unknown chapter '12_unknown': expected one of 04_query_key_value"),
        (["grade", CHAPTER, "--root", "nowhere"], "no folder nowhere: expected one that holds submitted/"),
        (["grade", CHAPTER, "--jobs", "0"], "expected a whole number of at least 1, got '0'"),
        (["grade"], "the following arguments are required: CHAPTER"),
        (["check", "nothing.ipynb"], "no notebook nothing.ipynb"),
        (["check", "pyproject.toml"], "unknown chapter 'pyproject'"),
        (["feedback", CHAPTER, "--root", "tests"], "nothing graded below"),
        (["grade", CHAPTER, "--root", "tests"], "no submission of 04_query_key_value in"),
        (["mark"], "invalid choice: 'mark'"),
        (["release", "../etc"], "unknown chapter '../etc'"),
    ],
)
def test_errors_of_use_are_one_line(autograder, arguments, words):
    """What is wrong and what to do, on one line of stderr, with exit 2 and no traceback."""
    done = autograder(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    assert words in line


def test_no_bubblewrap_refuses_to_grade(autograder, tmp_path, root):
    """Without walls nothing is run; with --unprotected it is, loudly."""
    path = root / "solutions" / CHAPTER / f"{CHAPTER}.ipynb"
    refused = autograder("check", path, PATH="/nowhere")
    assert refused.returncode == 2
    assert "bubblewrap is missing, so student code was not run" in refused.stderr
    loud = autograder("check", path, "--unprotected", PATH="/nowhere")
    assert loud.returncode == 0
    assert loud.stderr.startswith("UNPROTECTED")
