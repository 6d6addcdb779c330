"""The grader notices when a solution is changed a little: what survives is known, with the reason."""

import pytest

from .mutants import ROOT, Course, survivors

SURVIVORS = {  # chapter: {"exercise: change": why it gets full marks all the same}
    "04_query_key_value": {
        "soft_lookup: float(base) → base": "base may be 3, and 3 to the power of a float is what 3.0 is",
        "attention: np.swapaxes(key, -1, -2) → np.swapaxes(key, -2, -1)": "two axes swapped are two axes swapped",
        "query_between: 10.0 → 11.0": "any query that is long enough is right",
        "query_between: 10.0 → 9.0": "any query that is long enough is right",
    },
}


@pytest.mark.parametrize("chapter", Course(ROOT).chapters())
def test_what_survives_is_known_and_harmless(chapter):
    """Every mutant that changes results loses points; the few that do not change any are listed with the reason."""
    count, left = survivors(Course(ROOT).assignment(chapter))
    assert {f"{mutant.name}: {mutant.change}" for mutant in left} == set(SURVIVORS[chapter])
    assert len(left) <= 0.05 * count
