"""The course as it is: solutions solve, releases do not, nothing has drifted, nothing is stray."""

import filecmp
import shutil

import nbformat
import pytest

from attention.exercises import CHAPTERS
from autograder.classroom.forgeries import FORGERIES, forge
from autograder.classroom.sample_class import fill_in, released
from autograder.course.course import Course
from autograder.course.derived_text import tidied
from autograder.course.release import release
from autograder.course.tasks import tasks
from autograder.grading.grade import Grader
from tests.support.root import ROOT

NAMES = [path.name for path in sorted((ROOT / "solutions").glob("[0-9]*"))]


@pytest.fixture(scope="session", params=NAMES)
def assignment(request, root):
    """Every chapter in turn."""
    return Course(root).assignment(request.param)


@pytest.fixture(scope="session")
def grade(assignment):
    """Grade notebook files of a chapter, all in one warm sandbox."""
    with Grader(assignment, seed=11) as grader:
        yield grader.grade


def test_a_chapter_has_one_name_in_every_room(root, assignment):
    """Strip the number and you have the Python name, of reference, checks, tests, page, solution and exercises."""
    name, stem = assignment.chapter, assignment.stem
    for path in (
        f"book/{name}.md",
        f"solutions/{name}/{name}.ipynb",
        f"exercises/{name}/{name}.ipynb",
        f"releases/{name}.txt",
        f"attention/chapters/{stem}.py",
        f"attention/exercises/{stem}/__init__.py",
        f"tests/attention/chapters/test_{stem}.py",
        f"tests/attention/exercises/test_{stem}.py",
    ):
        assert (root / path).is_file(), path
    assert stem in CHAPTERS


def test_an_exercise_has_one_name_everywhere(assignment):
    """Exercise, function in the reference and answer cell are called the same."""
    for name, exercise in assignment.exercises.items():
        assert exercise.reference.__name__ == name
        assert assignment.is_answer(name)
        assert f"def {name}(" in assignment.cells[name].cell.source


def test_the_exercises_have_not_drifted(root, assignment, tmp_path):
    """What is committed under exercises/ is what the release writes today, to the byte."""
    shutil.copytree(root / "solutions", tmp_path / "solutions")
    shutil.copy(root / "nbgrader_config.py", tmp_path)
    fresh = release(Course(tmp_path).assignment(assignment.chapter))
    committed = root / "exercises" / assignment.chapter
    names = {path.name for folder in (committed, fresh) for path in folder.iterdir() if path.is_file()}
    both = {name: [folder / name for folder in (committed, fresh)] for name in names}
    stale = [
        name
        for name, (old, new) in both.items()
        if not (old.exists() and new.exists() and filecmp.cmp(old, new, False))
    ]
    assert not stale, "run `autograder release`"  # their names alone: to show how they differ takes minutes


def test_solved_passes_and_released_fails(root, assignment, grade):
    """The solution gets full marks; the released notebook gets 0, and is not attempted."""
    solved = grade(assignment.solution_path)
    assert (solved.status, solved.score) == ("graded", assignment.max_score)
    unsolved = grade(root / "exercises" / assignment.chapter / f"{assignment.chapter}.ipynb")
    assert (unsolved.status, unsolved.score) == ("not_attempted", 0)
    assert {verdict.status for verdict in unsolved.verdicts} == {"not_attempted"}


# One chapter of several exercises shows what the mini course's one cannot; no forgery knows which chapter it is in.
@pytest.mark.parametrize("assignment", ["04_query_key_value"], indirect=True)
@pytest.mark.parametrize("forgery", FORGERIES)
def test_forgeries_of_a_whole_chapter_get_nothing(assignment, grade, forgery, tmp_path):
    """A notebook that solves nothing gets nothing, whatever it patches, tags, prints or hunts for."""
    path = tmp_path / f"{assignment.chapter}.ipynb"
    nbformat.write(forge(released(assignment), forgery), path)
    result = grade(path)
    assert result.score == 0


@pytest.mark.parametrize("turn", [0, -1], ids=["first", "last"])
def test_a_mistake_is_named_in_a_real_notebook(assignment, grade, turn, tmp_path):
    """Written into the notebook and run in the sandbox, a wrong answer to each exercise gets its message alone.

    Every mistake is judged as its source, through the sandbox's wire, in tests/autograder/diagnosis/test_exercises.
    """
    wrong = {name: exercise.mistakes[turn] for name, exercise in assignment.exercises.items()}
    notebook = released(assignment)
    for name, mistake in wrong.items():
        fill_in(assignment, notebook, name, mistake)
    path = tmp_path / f"{assignment.chapter}.ipynb"
    nbformat.write(notebook, path)
    verdicts = {verdict.name: verdict for verdict in grade(path).verdicts}
    for name, mistake in wrong.items():
        assert verdicts[name].mistake == mistake.id
        assert verdicts[name].message.startswith(mistake.message)  # and then, perhaps, what to fix first
        assert verdicts[name].score < verdicts[name].points


def test_every_exercise_has_its_text(assignment):
    """Points, difficulty, minutes and two hints come before each answer."""
    for task in tasks(assignment):
        text = assignment.cells[f"about_{task.name}"].source
        assert f"`{task.name}(" in text
        assert text.count("<details><summary>Hint ") == 2


def test_the_notebook_says_what_the_page_says(root, assignment):
    """The sums in its title, and the line above each answer, are those that the page computes."""
    notebook = nbformat.read(root / "exercises" / assignment.chapter / f"{assignment.chapter}.ipynb", as_version=4)
    text, found = {cell.metadata.nbgrader.grade_id: cell.source for cell in notebook.cells}, tasks(assignment)
    points, minutes = sum(task.points for task in found), sum(task.minutes for task in found)
    assert f" functions, {points:g} points, about {minutes} minutes." in text["title"]
    for task in found:
        assert f"\n\n{task.points:g} point" in text[f"about_{task.name}"]
        assert f" · difficulty {task.difficulty} of 5 · {task.minutes} minutes\n" in text[f"about_{task.name}"]


def test_solution_notebooks_are_tidy(assignment):
    """The release has nothing to change in a committed solution, and every cell is the course's own."""
    assert tidied(assignment.notebook) == assignment.notebook
    assert len(assignment.cells) == len(assignment.notebook.cells)
