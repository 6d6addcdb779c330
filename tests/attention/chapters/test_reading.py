"""Reading maps and curves: worked numbers, and loops as the oracle."""

import numpy as np
import pytest

from attention.chapters.reading import attention_share, diagnose


def test_a_share_is_what_loops_add_up(rng):
    """Row by row, place by place, over rows that have a place; one number for each head of each sentence."""
    weights = rng.dirichlet(np.ones(7), (2, 3, 5))  # (batch, h, n, m)
    places = rng.random((5, 7)) < 0.3
    places[1], places[3, 2] = False, True
    shares = np.zeros((2, 3))
    for b, h in np.ndindex(2, 3):
        sums = [sum(weights[b, h, t, s] for s in range(7) if places[t, s]) for t in range(5) if places[t].any()]
        shares[b, h] = sum(sums) / len(sums)
    np.testing.assert_allclose(attention_share(weights, places), shares, rtol=1e-12)


def test_places_that_mark_nothing_are_refused():
    """A mean over no rows would be NaN."""
    with pytest.raises(ValueError, match="expected at least one place, got none"):
        attention_share(np.full((1, 2, 3), 1 / 3), np.zeros((2, 3), dtype=bool))


@pytest.mark.parametrize(
    ("losses", "right", "diagnosis"),
    [
        ([6.0] * 10 + [0.01] * 10, 0.9, "numbers grow"),  # ln 20 = 2.9957, and twice that is 5.9915
        ([5.9] * 10 + [0.01] * 10, 0.9, "nothing"),
        ([3.0] * 10 + [0.09] * 10, 0.49, "answer leaks"),
        ([3.0] * 10 + [0.11] * 10, 0.49, "nothing"),
        ([3.0] * 10 + [0.75] * 10, 0.0, "frequencies only"),  # a quarter of ln 20 is 0.7489
        ([3.0] * 10 + [0.74] * 10, 0.0, "nothing"),
        ([0.3, np.nan, 0.2], 0.0, "numbers grow"),
    ],
)
def test_a_diagnosis_changes_at_its_limits(losses, right, diagnosis):
    """Each rule on both sides of its limit, with 20 words; NaN goes before all."""
    assert diagnose(np.array(losses), right, 20) == diagnosis


@pytest.mark.parametrize(("losses", "words"), [([], 20), ([1.0], 1)])
def test_no_losses_and_no_choice_are_refused(losses, words):
    """An even guess needs two words, and a curve a loss."""
    with pytest.raises(ValueError, match="expected losses and two words or more"):
        diagnose(np.array(losses), 0.5, words)
