"""Answers that equal public code are listed as information: by tokens, long ones alone, and a whole class's once."""

import inspect
import re

import pytest

from attention.chapters import layer_norm as reference
from attention.exercises.given_functions import GIVEN
from autograder.course.course import Course
from autograder.course.derived_text import SOLUTION_MARKS
from autograder.pages import copied_answers
from autograder.pages.copied_answers import (
    ADDED,
    REFERENCE,
    SOLUTION,
    CopiedAnswer,
    copied_rows,
    in_public,
    public_answers,
    without_annotations,
)
from autograder.pages.report import report

from .test_report import texts_of  # noqa: F401


@pytest.fixture(scope="module")
def chapter(published):
    """Chapter 8 of the course as published."""
    return published.assignment("08_layer_norm")


@pytest.fixture(scope="module")
def public(chapter):
    """Chapter 8's public answers by exercise."""
    return public_answers(chapter)


@pytest.fixture(scope="module")
def solution(chapter):
    """The solution of an exercise of chapter 8, without its marks."""
    return lambda name: SOLUTION_MARKS.sub("", chapter.cells[name].cell.source)


def reworded(source):
    """Return code with another docstring, its arguments renamed, and a comment on each line."""
    source = re.sub(r'"""[^"]*"""', '"Mine."', source)
    source = re.sub(r"\b(x|parameters|attended|p|gamma|beta)\b(?!\")", r"my_\1", source)
    return source.replace("\n", "  # mine\n\n")


def test_the_solution_is_seen_under_other_names_and_among_other_lines(public, solution):
    """Renamed, commented, with a line before it; one operator less and it is another answer."""
    source = solution("encoder_layer")
    assert in_public(source, public["encoder_layer"]) == SOLUTION
    assert in_public(f"import os\n{reworded(source)}\nprint(3)", public["encoder_layer"]) == SOLUTION
    assert in_public(solution("layer_norm").replace("+ eps", "- eps"), public["layer_norm"]) == ""


@pytest.mark.parametrize("change", [str, without_annotations, reworded])
def test_the_reference_is_seen_with_its_annotations_and_without(public, change):
    """It is not in any notebook, and one clone away."""
    source = inspect.getsource(inspect.unwrap(reference.encoder_layer))
    assert REFERENCE in in_public(change(source), public["encoder_layer"])


def test_what_another_chapters_notebook_hands_out_is_named(published):
    """Chapters 8 and 9 contain chapter 6's function, with a mask that no exercise of chapter 6 asks for."""
    public = public_answers(published.assignment("06_multi_head"))["multi_head_attention"]
    said = in_public(inspect.getsource(GIVEN["multi_head_attention"]), public)
    assert said == "the notebook `08_layer_norm` and the notebook `09_masking`"


def test_what_is_pasted_into_a_cell_of_its_own_is_seen(public, root):
    """An answer of one line may call a whole file that stands above it."""
    text = (root / "exercises/12_inference/translator.py").read_text(encoding="utf-8")
    part = text[text.index("def numbered(") : text.index("PIECES = ")]
    assert in_public(part, public[ADDED]) == "`translator.py`"
    assert in_public("import numpy as np\nprint(np.arange(3))", public[ADDED]) == ""


def test_what_a_file_beside_a_notebook_hands_out_is_named(public, root):
    """A function of the translator's is seen inside an answer that calls it."""
    text = (root / "exercises/12_inference/translator.py").read_text(encoding="utf-8")
    part = text[text.index("def finish(") : text.index("def layer(")]
    answer = "def layer_norm(x, gamma, beta, eps=1e-5):\n    return finish({}, x=x, gamma=gamma, beta=beta)"
    assert in_public(f"{part}\n\n{answer}", public["layer_norm"]) == "`translator.py`"


def test_a_chapter_that_is_not_released_yet_hands_out_nothing(published, tmp_path):
    """The report is written while later chapters wait."""
    (tmp_path / "solutions").symlink_to(published.root / "solutions")
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises/06_multi_head").symlink_to(published.exercises_folder / "06_multi_head")
    public = public_answers(Course(tmp_path).assignment("06_multi_head"))["multi_head_attention"]
    assert in_public(inspect.getsource(GIVEN["multi_head_attention"]), public) == ""
    assert SOLUTION in {one.where for one in public}


def test_short_answers_and_what_the_own_notebook_provides_are_not_listed(public, solution, chapter):
    """Two lines are alike in everybody's notebook, and multi-head attention stands in chapter 8's own."""
    assert in_public(solution("add_and_norm"), public["add_and_norm"]) == ""
    assert in_public(chapter.cells["given_multi_head_attention"].source, public["encoder_layer"]) == ""
    assert in_public("", public["encoder_layer"]) == ""
    assert in_public(")" * 99_999, public["encoder_layer"]) == ""


def test_what_more_than_a_third_of_a_class_wrote_names_nobody():
    """Three of nine are named, four of nine are counted."""

    class People:
        def links(self, students, exercise):
            return students

    few, many = CopiedAnswer("mix", SOLUTION, tuple("abc")), CopiedAnswer("softmax", SOLUTION, tuple("abcd"))
    rows = copied_rows(People(), [few, many], 9)
    assert [(row["exercise"], row["people"]) for row in rows["few"]] == [("mix", ["a", "b", "c"])]
    assert rows["many"] == [{"exercise": "softmax", "where": SOLUTION, "count": 4}]


def test_the_report_lists_them_to_instructors(graded, monkeypatch, classroom, assignment, texts_of):  # noqa: F811
    """The mini course's answer is listed only where short ones are, and never on the page for the class."""
    heading = "Answers that are public"
    assert heading not in texts_of()
    monkeypatch.setattr(copied_answers, "SHORTEST", 5)
    assert heading in texts_of()
    assert heading not in report(classroom, assignment, nameless=True).read_text(encoding="utf-8")
