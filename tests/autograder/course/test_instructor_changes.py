"""An instructor's own exercises, mistakes and points, in files that the course does not have."""

import copy
import inspect
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.results.provenance import course_provenance
from autograder.course.course import Assignment, Course
from autograder.course.instructor_changes import load, refuse_unknown_names
from autograder.course.release import release
from autograder.course.settings import read_settings
from autograder.course.trial import refuse_broken, verdict_on
from autograder.diagnosis.questions import questions_of
from autograder.errors import CourseError
from autograder.grading.grade import Grader
from tests.support.hand_in import CHAPTER, cell_of, write_submission
from tests.support.mini_class import LIMITS
from tests.support.own_code import TRIPLED, shipped_mistakes_only


def graded(course, tmp_path, **answers):
    """Grade a notebook with these answers, and return its verdicts by name."""
    assignment = course.assignment(CHAPTER)
    released = nbformat.read(release(assignment) / f"{CHAPTER}.ipynb", as_version=4)
    notebook = copy.deepcopy(released)
    for name, source in answers.items():
        cell_of(notebook, name).source = source
    path = tmp_path / f"{CHAPTER}.ipynb"
    write_submission(path, notebook)
    with Grader(assignment, seed=7, limits=LIMITS) as grader:
        return {verdict.name: verdict for verdict in grader.grade(path).verdicts}


def test_an_own_exercise_is_released_and_graded(mine, tmp_path):
    """It follows the chapter's own, with the points of course.toml; its mistakes and the added one are named."""
    before = mine.assignment(CHAPTER).solution_path.read_bytes()
    found = graded(mine, tmp_path, double="def double(x):\n    return 3 * x", halve="def halve(x):\n    return x / 4")
    assert list(found) == ["double", "halve"]
    assert (found["double"].mistake, found["double"].message) == ("tripled", "The number was added three times.")
    assert (found["halve"].mistake, found["halve"].points) == ("quartered", 3)
    right = graded(mine, tmp_path, halve="def halve(x):\n    return 0.5 * x")
    assert right["halve"].score == 3
    assert mine.assignment(CHAPTER).solution_path.read_bytes() == before
    assert mine.assignment(CHAPTER).source_path.read_text().count("BEGIN SOLUTION") == 2


def test_an_own_mistake_is_not_a_shipped_one(mine):
    """It comes last, and what is known of the course's own mistakes says nothing of it."""
    double = mine.assignment(CHAPTER).exercises["double"]
    assert [mistake.id for mistake in double.mistakes] == [*(one.id for one in double.shipped_mistakes), "tripled"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("return x + x + x", []),
        (
            "return 2 * x",
            ["double: the mistake tripled is not recognised: .* gets 10 of 10 points, and is told: Right"],
        ),
        ("return x * x", ["double: the mistake tripled is not recognised: .* is told: The number was squared"]),
    ],
)
def test_an_own_mistake_that_nobody_would_be_told_is_named(mine, wrong, said):
    """A release says so, and what such an answer gets instead."""
    (mine.root / "own/doubling/mistakes_double.py").write_text(TRIPLED.replace("return x + x + x", wrong))
    told = []
    release(mine.assignment(CHAPTER), told.append)
    found = [line for line in told if "tripled" in line]
    assert len(found) == len(said)
    assert all(map(re.search, said, found))


def test_an_exercise_of_0_points_is_left_out(mine, tmp_path):
    """It is neither in the released notebook nor graded, and nbgrader reads the same notebook."""
    (mine.root / "course.toml").write_text("[points]\ndouble = 0\n")
    found = graded(mine, tmp_path, halve="def halve(x):\n    return 0.5 * x")
    assert list(found) == ["halve"]
    assert "double" not in mine.assignment(CHAPTER).released_path.read_text()


@pytest.mark.parametrize(
    ("chapter", "points", "given", "gone", "saves"),
    [
        ("03_context", "mix = 0", ["mix"], [], 'globals(), given=["mix"])'),
        (
            "08_layer_norm",
            "add_and_norm = 0\nlayer_norm = 0",
            ["add_and_norm", "layer_norm"],
            [],
            'given=["add_and_norm", ',
        ),
        ("05_scaling", "scaling_factor = 0\nentropy = 0", ["scaling_factor"], ["entropy"], 'given=["scaling_factor"])'),
    ],
)
def test_what_others_call_of_an_exercise_left_out_is_given(root, tmp_path, chapter, points, given, gone, saves):
    """The function stays in a locked cell, the rest of the exercise goes, and the solved notebook gets all points."""
    for name in ("_toc.yml", "solutions"):
        (tmp_path / name).symlink_to(root / name)
    shutil.copytree(root / "releases", tmp_path / "releases")
    (tmp_path / "course.toml").write_text(f"[points]\n{points}\n")
    assignment = Course(tmp_path).assignment(chapter)
    sources = {cell.metadata.nbgrader.grade_id: cell for cell in assignment.notebook.cells}
    for name in given:
        assert f"about_{name}" not in sources
        assert f"test_{name}" not in sources
        assert sources[f"given_{name}"].metadata.nbgrader.locked
        assert "SOLUTION" not in sources[f"given_{name}"].source
    assert not {name for name in sources if name.endswith(tuple(gone))}
    asked = [sources[name.replace("test_", "about_")].source for name in sources if name.startswith("test_")]
    headings = [re.match(r"## (\d+)\. ", text) for text in asked]
    assert [found and int(found[1]) for found in headings] == list(range(1, len(headings) + 1))
    assert saves in sources["save"].source
    path = tmp_path / f"{chapter}.ipynb"
    write_submission(path, assignment.notebook)
    release(assignment)
    with Grader(assignment, seed=7) as grader:
        result = grader.grade(path)
    assert (result.status, result.score) == ("graded", result.max_score), [one.message for one in result.verdicts]


@pytest.mark.parametrize(
    ("file", "old", "new", "part"),
    [
        ("own/doubling/mistakes_double.py", "x + x + x", "4 * x - x", "checks"),
        ("own/doubling/cells.ipynb", "x / 2", "0.5 * x", "solution"),
        ("course.toml", "halve = 3", "halve = 5", "solution"),
    ],
)
def test_a_mark_is_stale_after_a_change_of_ones_own(mine, file, old, new, part):
    """Own checks, cells and points count among what a mark was computed from, though no file of the course changed."""
    before = course_provenance.__wrapped__(Assignment(mine, CHAPTER), LIMITS)
    path = mine.root / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    read_settings.cache_clear()  # as in another run
    after = course_provenance.__wrapped__(Assignment(mine, CHAPTER), LIMITS)
    assert {name for name in after if after[name] != before[name]} == {part}


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("halve.py", "EXERCISE = None", "expected an EXERCISE named 'halve' in .*halve.py, got none"),
        ("halve.py", "\nimport nothing_like_it", "halve.py cannot be loaded: line 2: ModuleNotFoundError: No module"),
        ("halve.py", "def halve(x:", "halve.py cannot be loaded: line 1: SyntaxError: '\\(' was never closed"),
        ("mistakes_treble.py", TRIPLED, "names no exercise of doubling: expected mistakes_ and one of double, halve"),
        ("mistakes_double.py", TRIPLED.replace("tripled", "squared"), "`double` has a mistake squared already"),
        ("mistakes_double.py", TRIPLED.replace("@mistake", "# @mistake"), "mistakes_double.py holds no mistake: write"),
        ("cells.ipynb", "{", "cannot read .*cells.ipynb"),
    ],
)
def test_a_slip_in_own_files_is_one_line(mine, file, text, said):
    """It names the file, and what it expects there."""
    (mine.root / "own" / "doubling" / file).write_text(text)
    with pytest.raises(CourseError, match=said):
        release(mine.assignment(CHAPTER))


def test_names_that_nothing_has_are_refused(mine):
    """A folder of no chapter, and points of no exercise, have no effect; points of an own exercise have."""
    chapters = mine.every_chapter()
    refuse_unknown_names(mine.root, chapters, {"double": 1, "halve": 3})
    with pytest.raises(CourseError, match=r"course.toml gives points to 'halves': did you mean 'halve'\?"):
        refuse_unknown_names(mine.root, chapters, {"halves": 3})
    (mine.root / "own" / CHAPTER).mkdir()
    with pytest.raises(CourseError, match=f"own/{CHAPTER} is the folder of no chapter: did you mean 'doubling'"):
        refuse_unknown_names(mine.root, chapters, {})


@pytest.mark.parametrize(("name", "meant"), [("cell.ipynb", "cells.ipynb"), ("text.md", "page.md")])
def test_a_file_that_nothing_reads_is_refused(mine, name, meant):
    """Under another name it would have no effect; beside the file that is read, it is a copy. A README is a note."""
    folder, chapters = mine.root / "own" / "doubling", mine.every_chapter()
    for text in "page.md", "README.md":
        (folder / text).write_text("Text.\n")
    refuse_unknown_names(mine.root, chapters, {})
    (folder / meant).rename(folder / name)
    with pytest.raises(CourseError, match=f"nothing reads .*/own/doubling/{name}: rename it to {meant}"):
        refuse_unknown_names(mine.root, chapters, {})
    (folder / meant).write_text("")
    refuse_unknown_names(mine.root, chapters, {})


def test_files_of_ones_own_are_not_linted(root, tmp_path):
    """`make test` does not ask an instructor for our style: the same file anywhere else is refused."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    for folder, refused in ("own/doubling", 0), ("attention", 1):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "halve.py").write_text("def halve(x):\n    return x / 2\n")
        linted = subprocess.run(["ruff", "check", "-q"], cwd=tmp_path, capture_output=True)
        assert linted.returncode == refused, linted.stdout


def test_all_that_is_ours_is_linted(root):
    """No folder of either wing, of the book or of the tests is left out because another one has its name."""
    listed = subprocess.run(["ruff", "check", "--show-files"], cwd=root, capture_output=True, text=True, check=True)
    linted = set(map(Path, listed.stdout.splitlines()))
    ours = {path for folder in ("attention", "autograder", "book", "tests") for path in (root / folder).rglob("*.py")}
    made = {path for path in ours if "course_template" in path.parts or "mini_course" in path.parts}
    assert ours - made - linted == set()


def test_the_example_of_the_page_for_instructors_works(root, tmp_path):
    """Its exercise is released and graded as the page says, and its added mistake is one of the chapter's."""
    blocks = re.findall(r"^( *)```python\n(.*?)^ *```$", (root / "book/make_it_your_own.md").read_text(), re.M | re.S)
    exercise, _, mistake = (textwrap.dedent(code) for _, code in blocks)
    chapter = "05_scaling"
    shutil.copytree(root / "solutions" / chapter, tmp_path / "solutions" / chapter)
    shutil.copy(root / "nbgrader_config.py", tmp_path)
    own = tmp_path / "own/scaling"
    own.mkdir(parents=True)
    (own / "half_life.py").write_text(exercise)
    (own / "mistakes_entropy.py").write_text(mistake)
    notebook = nbformat.read(root / "solutions" / chapter / f"{chapter}.ipynb", as_version=4)
    notebook.cells = [cell for cell in notebook.cells if "entropy" in cell.metadata.nbgrader.grade_id]
    for cell in notebook.cells:
        cell.source = cell.source.replace("entropy", "half_life")
        cell.metadata.nbgrader.grade_id = cell.metadata.nbgrader.grade_id.replace("entropy", "half_life")
    body = inspect.getsource(exec_in(exercise, tmp_path)["half_life"]).split('"""\n')[1]
    notebook.cells[
        1
    ].source = f'def half_life(weights):\n    """Count."""\n    ### BEGIN SOLUTION\n{body}    ### END SOLUTION'
    nbformat.write(notebook, own / "cells.ipynb")
    with shipped_mistakes_only("attention.exercises.scaling.entropy"):
        assignment = Course(tmp_path).assignment(chapter)
        release(assignment)
        assert "largest_only" in [known.id for known in assignment.exercises["entropy"].mistakes]
        with Grader(assignment, seed=7, limits=LIMITS) as grader:
            result = grader.grade(assignment.source_path)
        assert (result.score, result.verdicts[-1].name) == (assignment.max_score, "half_life")


def test_the_pages_example_of_two_results_works(root, tmp_path):
    """Its results are named as they are returned, and its mistake is told; neither needs an annotation."""
    text = (root / "book/make_it_your_own.md").read_text()
    code = next(block for block in re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S) if "top_k" in block)
    path = tmp_path / "top_k_attention.py"
    path.write_text(code)
    with shipped_mistakes_only("own_query_key_value_top_k_attention"):
        exercise = load(path, "query_key_value").EXERCISE.worth(4)
        refuse_broken(exercise)
        questions = questions_of(exercise, 0)
        assert verdict_on(exercise, questions, exercise.reference).score == 4
        (mistake,) = exercise.mistakes
        assert verdict_on(exercise, questions, mistake.wrong).mistake == mistake.id


def exec_in(code, folder):
    """Run code from a file, so that its functions have a source, and return its names."""
    (folder / "example.py").write_text(code)
    names = {}
    exec(compile(code, str(folder / "example.py"), "exec"), names)
    return names


@pytest.mark.parametrize("target", ["lite", "book"])
def test_what_students_get_is_written_before_the_browsers_copy_of_it(target, root, tmp_path):
    """With a course.toml, exercises are below _build/: `make lite` on its own releases them first, once."""
    for name in ("Makefile", "_toc.yml", "requirements.txt", "pyproject.toml", "package.json", "package-lock.json"):
        shutil.copy(root / name, tmp_path)
    (tmp_path / "course.toml").touch()
    planned = subprocess.run(["make", "-n", target], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert planned.count("autograder release") == planned.count("lite_build.py") == 1
    assert planned.index("autograder release") < planned.index("lite_build.py")
