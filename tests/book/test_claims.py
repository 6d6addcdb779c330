"""Numbers about trained models are computed, in text and alt texts alike; a claim that is untrue ends the build."""

from types import SimpleNamespace

import computed_alts
import numpy as np
import pytest
from claims import Untrue, claim, signed, strongest
from computed_alts import ROLE, filled


def test_a_claim_ends_the_build_when_it_is_untrue():
    """What holds says nothing; what does not is quoted, with what to do."""
    claim("two and two are four", 2 + 2 == 4)
    with pytest.raises(Untrue, match=r"the page says 'no two agree', which .* no longer bear out: rewrite"):
        claim("no two agree", np.bool_(False))


@pytest.mark.parametrize(("number", "said"), [(-0.026, "−0.03"), (0.5, "0.50"), (-1, "−1.00")])
def test_a_negative_number_has_a_minus_sign(number, said):
    """It is no hyphen, and the zero before the point is there."""
    assert signed(number) == said


def test_a_map_is_told_row_by_row():
    """Each row has the column of its largest weight; the end of a sentence has a name."""
    weights = np.array([[0.25, 0.75, 0.0], [0.5, 0.2, 0.3]])
    assert strongest(weights, ["lui", "<eos>"], ["he", "does", "not"]) == "lui at does 0.75, the end at he 0.50"


@pytest.fixture
def env(monkeypatch):
    """A page that has computed two values."""
    glued = {"right": {"data": {"text/plain": "297"}}, "said": {"data": {"text/plain": "'ti amo'"}}}
    glued["share"] = {"data": {"text/plain": "0.4567"}}
    monkeypatch.setattr(computed_alts, "read_glue_cache", lambda folder, page: glued if page == "06" else {})
    return SimpleNamespace(mystnb_config=SimpleNamespace(output_folder="build"))


def test_alts_and_notebooks_are_filled(env):
    """Names in braces, with a format or without; in a page's notebook the roles of its text."""
    assert filled("{right} of 300, {share:.0%}, {said}", env, "06") == "297 of 300, 46%, ti amo"
    assert filled("so {glue:text}`share:.1f` it is", env, "06", ROLE) == "so 0.5 it is"


def test_a_name_that_is_not_computed_is_refused(env):
    """The error names the page and the name."""
    with pytest.raises(KeyError, match=r"07: expected a name that claims\.computed gives, got 'right'"):
        filled("{right}", env, "07")
