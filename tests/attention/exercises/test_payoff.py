"""The cell at a notebook's end that plays with a reader's own functions."""

import nbformat
import pytest

from autograder.course.course import Course
from autograder.course.derived_text import SOLUTION_MARKS
from tests.support.root import ROOT

PLAYED = [chapter for chapter in Course(ROOT).every_chapter() if "play" in Course(ROOT).assignment(chapter).cells]
FACTS = {
    "07_position": ["zebra     looks at slow", "further on: the same weights"],
    "08_layer_norm": ["after 6 layers", "without residuals                      0.000"],
    "09_masking": ["0.00    0.00    0.00    0.00    0.00", "sees_the_future: False"],
    "10_training": ["is shown      <sos>", "costs 1.792", "run C: answer leaks"],
    "11_gradients": ["right among 500 rows of 101: 100.0%"],
    "13_gpt": ["| could|", "perplexity 11.00 before", "1.05 after", "differ by 0.000000", "a woodchuck could chuck"],
}


def printed(path, capsys):
    """Return what the cell *play* prints when a notebook's code runs from the top, without its checks."""
    space = {"__name__": "__main__"}
    for cell in nbformat.read(path, as_version=4).cells:
        grade_id = cell.metadata.nbgrader.grade_id
        if cell.cell_type == "code" and not grade_id.startswith(("test_", "save")):
            source = "import numpy as np" if grade_id == "setup" else SOLUTION_MARKS.sub("", cell.source)
            capsys.readouterr()
            exec(compile(source, grade_id, "exec"), space)
            if grade_id == "play":
                return capsys.readouterr().out
    raise AssertionError(f"{path} has no cell play")


@pytest.mark.parametrize("chapter", PLAYED)
def test_the_solution_plays(chapter, capsys):
    """With right functions, the cell shows what the chapter promises."""
    said = printed(Course(ROOT).assignment(chapter).solution_path, capsys)
    assert not [fact for fact in FACTS[chapter] if fact not in said]


@pytest.mark.parametrize("chapter", PLAYED)
def test_nothing_is_played_before_the_functions_are_written(chapter, capsys):
    """The notebook as it is handed out ends with what is missing."""
    *_, last = printed(ROOT / "exercises" / chapter / f"{chapter}.ipynb", capsys).splitlines()
    assert last.startswith("Write ")
