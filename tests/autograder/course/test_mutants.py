"""The grader notices when a solution is changed a little: what survives is known, with the reason."""

import pytest

from .mutants import ROOT, Course, survivors
from .survivors import SURVIVORS


@pytest.mark.filterwarnings("ignore:Casting complex values")  # a mutant may take a root of a negative number
@pytest.mark.parametrize("chapter", Course(ROOT).chapters())
def test_what_survives_is_known_and_harmless(chapter):
    """Every mutant that makes an answer wrong loses points; those that make none wrong are listed with the reason."""
    _, left = survivors(Course(ROOT).assignment(chapter))
    assert {f"{mutant.name}: {mutant.change}" for mutant in left} == set(SURVIVORS.get(chapter, ()))
