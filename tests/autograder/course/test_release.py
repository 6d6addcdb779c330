"""The release: no solution, no hidden test, the same bytes every time."""

import ast
import json
import re
import shutil

import nbformat
import numpy as np
import pytest
from nbgrader.utils import compute_checksum

from autograder.course.course import Course
from autograder.course.examples import plain
from autograder.course.left_out import adapt_to_course, as_downloaded
from autograder.course.release import release, still_to_do
from autograder.diagnosis.selfcheck import decode
from autograder.errors import CourseError

CHAPTER = "01_doubling"
HIDDEN = ("CANARY-REFERENCE", "CANARY-HIDDEN", "CANARY-UNSEEN", "CANARY-SOLUTION")


@pytest.fixture
def copied(root, tmp_path):
    """An unreleased copy of the mini course."""
    shutil.copytree(root / "tests" / "mini_course", tmp_path / "mini", ignore=shutil.ignore_patterns("__pycache__"))
    return Course(tmp_path / "mini", exercises_package="mini_checks")


def contents(folder):
    """Return a folder's files as bytes."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_release_is_whole_and_hides_what_is_hidden(copied):
    """Notebook, self-check and examples are there; solution, hidden tests and unseen cases are not."""
    files = contents(release(copied.assignment(CHAPTER)))
    assert set(files) == {f"{CHAPTER}.ipynb", "selfcheck.py", "examples.json"}
    everything = b"".join(files.values()).decode()
    assert "raise NotImplementedError()" in everything
    assert not [canary for canary in HIDDEN if canary in everything]


def test_releasing_again_changes_no_byte(copied):
    """The same source gives the same files."""
    first = contents(release(copied.assignment(CHAPTER)))
    assert contents(release(copied.assignment(CHAPTER))) == first


def edited(course, change):
    """Change the solution notebook, and return its assignment as a new process would see it."""
    path = course.solutions / CHAPTER / f"{CHAPTER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)
    return Course(course.root, "mini_checks").assignment(CHAPTER)


def test_a_test_cell_without_a_check_is_named_and_nothing_is_released(copied):
    """Checks and notebook must name the same exercises."""

    def rename(notebook):
        notebook.cells[-1].metadata.nbgrader.grade_id = "test_triple"

    with pytest.raises(CourseError, match=r"test_triple has no module .*; .*\.double has no cell test_double"):
        release(edited(copied, rename))
    assert not copied.exercises_folder.exists()


def test_a_test_cell_without_an_answer_is_named_and_nothing_is_released(copied):
    """A cell of the exercise's name is missing; that its text is missing, too, keeps no release back."""

    def forget(notebook):
        notebook.cells = [cell for cell in notebook.cells if cell.metadata.nbgrader.grade_id != "double"]

    with pytest.raises(CourseError, match=r"cell test_double, but none called double"):
        release(edited(copied, forget))
    assert not copied.exercises_folder.exists()
    assert [line.split()[-1] for line in still_to_do(copied.assignment(CHAPTER))] == ["about_double"]


@pytest.mark.parametrize("mark", ["### BEGIN SOLUTION\n", "### END SOLUTION", "### BEGIN HIDDEN TESTS\n"])
def test_a_forgotten_mark_is_named_and_nothing_is_released(copied, mark):
    """Without it students would get the solution, a cell without its function, or the hidden test."""
    path = copied.assignment(CHAPTER).solution_path
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace(mark, "")
    nbformat.write(notebook, path)
    with pytest.raises(CourseError, match="###"):
        release(Course(copied.root, exercises_package="mini_checks").assignment(CHAPTER))
    assert not (copied.exercises_folder / CHAPTER).exists()


def test_a_chapter_without_checks_is_named_and_nothing_is_released(copied):
    """A notebook whose chapter has no package of checks cannot be released."""
    (copied.solutions / CHAPTER).rename(copied.solutions / "02_tripling")
    (copied.solutions / f"02_tripling/{CHAPTER}.ipynb").rename(copied.solutions / "02_tripling/02_tripling.ipynb")
    with pytest.raises(CourseError, match=r"02_tripling.ipynb has no checks: expected a package mini_checks.tripling"):
        release(copied.assignment("02_tripling"))
    assert not copied.exercises_folder.exists()


def test_what_follows_from_the_notebook_is_written_by_the_release(copied):
    """Ids, the points above an answer and the sums in the title follow from the test cells; outputs are dropped."""

    def untidy(notebook):
        notebook.cells[0].source += "\n\nNine functions, 99 points, about 1 minutes."
        about = nbformat.v4.new_markdown_cell("## 1. `double(x)`\n\ndifficulty 1 of 5 · 7 minutes")
        about.metadata.nbgrader = {**notebook.cells[0].metadata.nbgrader, "grade_id": "about_double"}
        notebook.cells.insert(2, about)
        notebook.cells[3].outputs = [nbformat.v4.new_output("stream", text="four")]
        notebook.cells[3].id = "x"

    assignment = edited(copied, untidy)
    release(assignment)
    first = assignment.solution_path.read_bytes()
    tidy = nbformat.read(assignment.solution_path, as_version=4)
    assert tidy.cells[0].source.endswith("\n\nOne function, 10 points, about 7 minutes.")
    assert tidy.cells[2].source.endswith("\n\n10 points · difficulty 1 of 5 · 7 minutes")
    assert [cell.id for cell in tidy.cells] == ["title", "setup", "about-double", "double", "test-double"]
    assert tidy.cells[3].outputs == []
    release(Course(copied.root, "mini_checks").assignment(CHAPTER))
    assert assignment.solution_path.read_bytes() == first


def test_a_cell_that_is_not_the_courses_own_is_named_and_nothing_is_released(copied):
    """A cell that was added without nbgrader's id would be lost at grading, so the release refuses it."""
    with pytest.raises(CourseError, match=r"an nbgrader id on every cell of .*none on .*a thought.*or delete it"):
        release(edited(copied, lambda notebook: notebook.cells.append(nbformat.v4.new_code_cell("print('a thought')"))))
    assert not copied.exercises_folder.exists()


def test_what_nbgrader_refuses_leaves_the_old_release(copied):
    """A hidden region that never ends is refused with nbgrader's reason, and the last release stays."""
    before = contents(release(copied.assignment(CHAPTER)))
    path = copied.solutions / CHAPTER / f"{CHAPTER}.ipynb"
    path.write_text(path.read_text().replace("### END HIDDEN TESTS", "###"))
    with pytest.raises(CourseError, match=rf"nbgrader could not release {CHAPTER}"):
        release(Course(copied.root, "mini_checks").assignment(CHAPTER))
    assert contents(copied.exercises_folder / CHAPTER) == before


@pytest.mark.parametrize("value", [np.array([[np.nan, 1.5], [np.inf, -np.inf]]), float("nan"), -np.inf, np.arange(3)])
def test_what_json_has_no_number_for_comes_back(value):
    """NaN and infinity, in arrays and alone, are written in strict JSON and read again by the self-check."""
    written = json.dumps(plain(value), allow_nan=False)
    np.testing.assert_array_equal(decode(json.loads(written)), value)


def test_the_modules_of_the_self_check_share_no_name(root):
    """Merged into one file, a function would silently replace another of its name."""
    for path in (root / "exercises/selfcheck.py", root / "exercises/12_inference/translator.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        assert len(names) > 10
        assert sorted(names) == sorted(set(names))


def test_links_lead_to_the_published_book(root, tmp_path):
    """With an address they lead there, and the checksum fits; without one, to the build."""
    released = root / "exercises/04_query_key_value/04_query_key_value.ipynb"
    copy = tmp_path / released.name
    copy.write_bytes(released.read_bytes())
    adapt_to_course(copy, Course(tmp_path / "without"))
    assert copy.read_bytes() == released.read_bytes()
    (tmp_path / "course.toml").write_text('address = "https://course.example"')
    adapt_to_course(copy, Course(tmp_path))
    title = nbformat.read(copy, as_version=4).cells[0]
    assert "](https://course.example/04_query_key_value.html#demo=soft_dictionary&" in title.source
    assert title.metadata.nbgrader["checksum"] == compute_checksum(title)


def test_a_download_has_no_link_to_a_built_book(root):
    """Its words stay, all other text is the released one, and the checksum fits."""
    path = root / "exercises/04_query_key_value/04_query_key_value.ipynb"
    released, offered = nbformat.read(path, as_version=4), as_downloaded(path)
    title = offered.cells[0]
    assert "../" in released.cells[0].source
    assert title.source == re.sub(r"\[(its [^]]*)\]\(\.\./[^)]*\)", r"\1", released.cells[0].source)
    assert title.metadata.nbgrader["checksum"] == compute_checksum(title)
    assert offered.cells[1:] == released.cells[1:]
