"""``--chapter`` keeps the tests that concern one chapter, and refuses a chapter that does not exist."""

import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.course.course import Course

from .support.one_chapter import changed, chapters_by_name, concerned, is_about

NAMES = {"03_context": "03_context", "context": "03_context", "mix": "03_context", "05_scaling": "05_scaling"}


def a_test(file, named=None, **params):
    """A test as pytest collects it: its file, the file's CHAPTER, and its parameters."""
    module = SimpleNamespace(CHAPTER=named) if named else SimpleNamespace()
    callspec = {"callspec": SimpleNamespace(params=params)} if params else {}
    return SimpleNamespace(path=Path("tests") / file, module=module, **callspec)


def test_what_concerns_a_chapter_is_kept():
    """By the file's name, by the CHAPTER of a page's tests, and by parameters: a chapter, a stem, an exercise."""
    kept = [
        a_test("reference/test_context.py"),
        a_test("checks/test_context.py", seed=3),
        a_test("book/test_gravity.py", "03_context", wrong={"d_k": 3}),
        a_test("course/test_course.py", assignment="03_context"),
        a_test("checks/test_exercises.py", exercise=SimpleNamespace(name="mix"), seed=1),
        a_test("checks/test_exercises.py"),
        a_test("checks/test_selfcheck.py", stem="context"),
    ]
    left = [
        a_test("book/test_row_by_row.py", "05_scaling"),
        a_test("runs/test_kill.py", "03_context"),
        a_test("book/test_pages.py", name="glossary"),
        a_test("checks/test_judge.py"),
        a_test("checks/test_exercises.py", exercise=SimpleNamespace(name="softmax_jacobian"), seed=1),
        a_test("course/test_course.py", assignment="05_scaling"),
        a_test("checks/test_context.py", chapter="05_scaling"),
    ]
    assert concerned([*kept, *left], "03_context", NAMES) == kept


def test_what_names_a_chapter_in_any_folder_is_about_it():
    """Where a chapter is changed or left out, whatever uses it as its example is skipped; --chapter keeps it aside."""
    about = [a_test("runs/test_kill.py", "03_context"), a_test("book/test_gravity.py", "03_context")]
    assert all(is_about(test, NAMES) for test in [*about, a_test("odd/test_odd.py", exercise="mix")])
    published = a_test("odd/test_odd.py", "03_context")
    published.fixturenames = ["published"]
    assert not any(is_about(test, NAMES) for test in [published, a_test("runs/test_kill.py", "01_doubling")])


def test_every_exercise_belongs_to_its_chapter(root):
    """Names are found in the course itself: chapters, stems and exercises."""
    for chapter in ("03_context", "05_scaling"):
        Course(root).assignment(chapter)  # or it is not taught
    names = chapters_by_name(root, "04_query_key_value")
    wanted = {"04_query_key_value": "04", "query_key_value": "04", "booster": "04", "mix": "03", "scaling": "05"}
    assert {name: names[name][:2] for name in wanted} == wanted


def test_a_chapter_that_an_instructor_changed_is_known(root, tmp_path):
    """By its own folder, or by points for one of its exercises; the course as published has none."""
    published, mine = tmp_path / "published", tmp_path / "mine"
    for folder in (published, mine):
        folder.mkdir()
        for name in ("solutions", "nbgrader_config.py"):
            (folder / name).symlink_to(root / name)
    (mine / "course.toml").write_text("[points]\nbooster = 7\n")
    (mine / "own/context").mkdir(parents=True)
    assert changed(published) == {}
    assert set(changed(mine).values()) == {"03_context", "04_query_key_value"}
    assert changed(mine)["mix"] == "03_context"


def test_an_unknown_chapter_is_one_line(root):
    """pytest and make name it and the chapters that there are, before anything is run."""
    with pytest.raises(pytest.UsageError, match=r"unknown chapter '99_nothing': expected one of \d\d_"):
        chapters_by_name(root, "99_nothing")
    ours = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # make may be running us
    command = ["make", "test", "CHAPTER=99_nothing"]
    done = subprocess.run(command, cwd=root, env=ours, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "unknown chapter 99_nothing: expected one of" in line
