"""What a release says of an instructor's own exercises, before a student meets them."""

import re

import nbformat
import pytest

from autograder.course import trial
from autograder.course.examples import examples
from autograder.course.release import release
from autograder.diagnosis import relations
from autograder.errors import CourseError
from tests.support.hand_in import CHAPTER, cell_of


def told_of(course):
    """Return what a release tells of the own exercise."""
    told, assignment = [], course.assignment(CHAPTER)
    trial.tell_trials(assignment, examples(assignment.exercises), told.append)
    return [line for line in told if line.startswith("halve: ")]


def checks_with(course, old, new):
    """Change the own exercise's checks."""
    path = course.root / "own/doubling/halve.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def solution_of(course, source):
    """Change the own exercise's solution in the notebook."""
    path = course.root / "own/doubling/cells.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cell_of(notebook, "halve").source = f"### BEGIN SOLUTION\n{source}\n### END SOLUTION"
    nbformat.write(notebook, path)


RETURNS = [
    ("return x / 2", "return x / 2, x", "expected 1 result .* got a tuple of 2 "),
    ("return x / 2", "return (x / 2,)", "expected 1 result .* got a tuple of 1 "),
    ('returns=("half",)', 'returns=("half", "rest")', "expected 2 results .* got one ndarray "),
    ("return x / 2", "return [x / 2, x]", None),
    ('returns=("half",)', 'returns=("half")', r"expected a tuple of names .* got 'half': .*\('half',\)"),
    ('returns=("half",)', "returns=()", "expected a tuple of names"),
]


@pytest.mark.parametrize(("old", "new", "said"), RETURNS)
def test_results_are_counted_against_their_names(mine, old, new, said):
    """Too many, too few, no tuple or no names: a release is refused in one line; a list is one result."""
    checks_with(mine, old, new)
    if said is None:
        trial.refuse_other_results(mine.assignment(CHAPTER).exercises["halve"])
        return
    with pytest.raises(CourseError, match=said) as refused:
        release(mine.assignment(CHAPTER))
    assert "halve" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not mine.exercises_folder.exists()


def test_cases_that_cannot_be_drawn_are_named(mine):
    """A slip in what draws them is one line, with the exercise, before anything is written."""
    checks_with(mine, "rng.normal", "rng.norml")
    with pytest.raises(CourseError, match=r"halve: its unseen cases .*AttributeError: .*norml"):
        release(mine.assignment(CHAPTER))
    assert not mine.exercises_folder.exists()


def test_a_mistake_whose_answers_cannot_be_stored_is_named(mine):
    """A wrong version that returns no data is one line, with the exercise and the error."""
    checks_with(mine, "return x / 4", "return {x.tobytes(): open}")
    with pytest.raises(CourseError, match=r"halve: its examples .*TypeError"):
        release(mine.assignment(CHAPTER))


def test_two_names_for_a_list_of_two_are_refused(mine):
    """A list is one result, of whatever length."""
    checks_with(mine, "return x / 2", "return [x / 2, x]")
    checks_with(mine, 'returns=("half",)', 'returns=("half", "x")')
    with pytest.raises(CourseError, match=r"expected 2 results .* got one list"):
        release(mine.assignment(CHAPTER))


@pytest.mark.parametrize(("edge", "is_seen"), [("np.zeros((2, 0))", False), ("np.array([-300.0, 1.0])", True)])
def test_small_changes_that_no_case_sees_are_named(mine, edge, is_seen):
    """A release counts them, and shows each with its line, unless a case shows that it is wrong."""
    solution_of(mine, "def halve(x):\n    y = np.maximum(x, -100)\n    return y / 2")
    checks_with(mine, "return x / 2", "return np.maximum(x, -100) / 2")
    checks_with(mine, "np.zeros((2, 0))", edge)
    told = []
    release(mine.assignment(CHAPTER), told.append)
    assert re.search(r"halve: \d+ small changes .* \d of them with full marks", " ".join(told))
    assert ("line 2: np.maximum(x, -100) → x" in " ".join(told)) != is_seen


def test_a_check_that_raises_is_named(mine, monkeypatch, expected_faults):
    """With the type of its error, and for how many answers: of a relation, in the grader and in the check."""

    def broken(seen, returns, signature):
        raise IndexError

    monkeypatch.setattr(relations, "RELATIONS", (broken,))
    assert any(re.search(r"broken raises IndexError for [1-9]", line) for line in told_of(mine))


def test_an_answer_that_cannot_be_compared_is_named(mine, monkeypatch):
    """It costs a mark, and the line says so."""

    def broken(*_):
        raise KeyError

    monkeypatch.setattr("autograder.diagnosis.judge.criterion_of", broken)
    monkeypatch.setattr(trial, "tell_unrecognised", lambda *_: None)
    outcomes = [{"full": False, "faults": [[trial.COMPARING, "KeyError"]]}]
    exercise = mine.assignment(CHAPTER).exercises["halve"]
    (mutant,) = trial.mutants_of("halve", "def halve(x):\n    return -x")[:1]
    names = {}
    assert trial.outcome_of(exercise, trial.questions_of(exercise, 0), {}, mutant, names) == outcomes[0]
    assert "no mark" in list(trial.describe_trial([mutant], outcomes, ""))[-1]


ENDLESS = {
    "a loop": "def halve(x):\n    n = 2\n    while n < 4:\n        n = n + 2\n    return x * 2 / n",
    "a loop that catches": (
        "def halve(x):\n    n = 3\n    while n:\n        try:\n            n = n - 1\n"
        "        except BaseException:\n            pass\n    return x / 2"
    ),
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_change_does_not_hang(mine, monkeypatch, source):
    """After its time it counts as wrong, and the rest is tried; what catches everything ends the trial alone."""
    monkeypatch.setattr(trial, "SECONDS", 0.05)
    monkeypatch.setattr(trial, "ALL_SECONDS", 1)
    solution_of(mine, source)
    first, *_ = told_of(mine)
    assert "small change" in first


@pytest.mark.parametrize("way", ["pass", "try:\n            1 / 0\n        except BaseException:\n            pass"])
def test_a_listed_mistake_without_an_end_is_named(mine, monkeypatch, way):
    """A release is refused in one line, with the exercise and the mistake, before anything is written."""
    monkeypatch.setattr(trial, "SECONDS", 0.05)
    monkeypatch.setattr(trial, "ALL_SECONDS", 1)
    checks_with(mine, "return x / 4", f"while True:\n        {way}")
    with pytest.raises(CourseError, match="halve: the mistake quartered") as refused:
        release(mine.assignment(CHAPTER))
    assert "\n" not in str(refused.value)
    assert not mine.exercises_folder.exists()


def test_a_solution_that_is_not_right_by_itself_is_not_changed(mine):
    """Nothing that is learned from changing it would be true."""
    solution_of(mine, "def halve(x):\n    return x / 3")
    (said,) = told_of(mine)
    assert "not tried" in said


def test_what_the_notebook_defines_is_there(mine):
    """A solution may call what another cell of the notebook imports or defines."""
    solution_of(mine, "import math\ndef twice(n):\n    return n + n\ndef halve(x):\n    return x / math.sqrt(twice(2))")
    first, *_ = told_of(mine)
    assert re.search(r"\d small changes", first)
