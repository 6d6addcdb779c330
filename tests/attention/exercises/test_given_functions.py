"""What notebooks hand out of earlier chapters: right, in one home, and in every notebook to the letter."""

import ast
import inspect

import numpy as np
import pytest

from attention.chapters import context, multi_head
from attention.exercises import given_functions, translation
from attention.exercises.given_functions import GIVEN
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

FINALE = "12_inference"  # loads what the others save


@pytest.fixture(scope="module")
def assignments(published):
    """Every chapter's assignment, by the chapter."""
    return {chapter: published.assignment(chapter) for chapter in published.chapters()}


@pytest.fixture(scope="module")
def exercises(assignments):
    """Every exercise of the course by name."""
    return {name: one for assignment in assignments.values() for name, one in assignment.exercises.items()}


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_handed_out_is_right(exercises, name):
    """Each function is a full answer to the exercise of its chapter, except for the errors it raises."""
    exercise = exercises[name]
    verdict = judge(exercise, 3, [reply_of(GIVEN[name], case) for _, case in exercise.questions(3)])
    passed = {criterion.name: criterion.passed for criterion in verdict.criteria}
    assert passed["matches the worked example"]
    assert passed["agrees on unseen inputs"], verdict.message
    assert passed["leaves its inputs unchanged"]


def test_what_is_handed_out_takes_a_mask(rng):
    """With two sentences, three heads and a mask for each, output and weights are the reference's; -inf gives zeros."""
    x, memory = rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 7, 6))
    matrices = [rng.normal(size=shape) for shape in ((6, 15), (6, 15), (6, 21), (21, 6))]
    mask = rng.random((2, 1, 7)) < 0.5
    for ours, right in zip(
        GIVEN["multi_head_attention"](x, memory, memory, *matrices, 3, mask),
        multi_head.multi_head_attention(x, memory, memory, *matrices, 3, mask),
        strict=True,
    ):
        np.testing.assert_allclose(ours, right, atol=1e-12)
    scores = np.where(rng.random((3, 5)) < 0.5, rng.normal(size=(3, 5)), -np.inf)
    scores[1] = -np.inf
    np.testing.assert_allclose(GIVEN["softmax"](scores), context.softmax(scores), atol=1e-15)


def test_notebooks_hand_out_these_functions_to_the_letter(assignments):
    """Every statement of a locked cell called given… is in the module that wrong versions and tests call."""
    home = {line for module in (given_functions, translation) for line in unparsed(inspect.getsource(module))}
    cells = {
        (chapter, name): locked.source
        for chapter, assignment in assignments.items()
        for name, locked in assignment.cells.items()
        if name.startswith("given")
    }
    assert {chapter[:2] for chapter, _ in cells} == {"08", "09", "10", "11", "12", "13"}
    assert {place: [line for line in unparsed(source) if line not in home] for place, source in cells.items()} == {
        place: [] for place in cells
    }


def test_what_a_notebook_has_of_others_is_not_kept_as_its_own(assignments):
    """The last cell names exactly what the locked cells above it hand out."""
    for assignment in (one for chapter, one in assignments.items() if chapter != FINALE):
        (call,) = (line.value for line in ast.parse(assignment.cells["save"].source).body if isinstance(line, ast.Expr))
        assert ast.literal_eval(call.args[0]) == assignment.chapter
        named = [ast.literal_eval(word.value) for word in call.keywords if word.arg == "given"]
        assert set(named[0] if named else ()) == set(assignment.given)


def unparsed(source):
    """Return the statements of a text without comments and layout."""
    return [ast.unparse(line) for line in ast.parse(source).body]
