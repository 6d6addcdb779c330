"""A line that has nothing to do with an answer never costs its points, and a message names the line that does."""

import copy

import pytest

from autograder.classroom.sample_class import fill_in, released
from autograder.grading.grade import Grader
from autograder.sandbox import Limits
from tests.support.patience import LONG, seconds

from .corpus import CHAPTER, ENTRIES


def solved(assignment):
    """Return the chapter's notebook with all answers right."""
    notebook = released(assignment)
    for name in assignment.exercises:
        fill_in(assignment, notebook, name)
    return notebook


@pytest.fixture(scope="module")
def grader(published):
    """One grader for all."""
    with Grader(published.assignment(CHAPTER), seed=13, limits=Limits(**seconds(LONG))) as grader:
        yield grader


@pytest.fixture(scope="module")
def right(grader):
    """The chapter's notebook with all answers right; tests work on copies of it."""
    return solved(grader.assignment)


@pytest.mark.parametrize("odd", ENTRIES, ids=[odd.name for odd in ENTRIES])
def test_what_is_odd_and_right_gets_its_points(grader, right, tmp_path, odd):
    """Points, status and words are those that the entry declares, and no system call of it is refused."""
    path = tmp_path / f"{CHAPTER}.ipynb"
    odd.write(path, copy.deepcopy(right))
    result = grader.grade(path)
    lost = [verdict.message for verdict in result.verdicts if verdict.score < verdict.points]
    assert (result.score, result.status) == (odd.score, odd.status), (result.message, lost)
    assert odd.words in " ".join([result.message, *lost])
    assert result.refused == {}


def test_every_entry_has_a_name_of_its_own():
    """Forty or more, and whatever does not get all points says why."""
    assert len({odd.name for odd in ENTRIES}) == len(ENTRIES) >= 40
    assert all(odd.words for odd in ENTRIES if odd.score < 20)
