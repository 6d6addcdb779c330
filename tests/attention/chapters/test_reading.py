"""Reading maps and curves: worked numbers, and loops as the oracle."""

import numpy as np
import pytest

from attention.chapters.reading import attention_share, copying_head, diagnose


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
    ("seen", "new", "right", "diagnosis"),
    [
        (3.0, 0.1, 1.0, "steps too long"),  # ln 20 is 2.9957, and half of it 1.4979
        (np.nan, 0.1, 1.0, "steps too long"),
        (np.inf, 0.1, 1.0, "steps too long"),
        (2.9, 3.0, 1.0, "too few pairs"),
        (2.9, 2.9, 0.51, "nothing"),
        (0.1, 1.49, 0.49, "answer leaks"),
        (0.1, 1.51, 0.49, "source unseen"),
    ],
)
def test_a_diagnosis_changes_half_way_between_two_anchors(seen, new, right, diagnosis):
    """Each border on both sides, with 20 words; how a run began plays no part."""
    assert diagnose(np.array([9.0, seen]), np.array([9.0, new]), right, 20) == diagnosis


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(("losses", "held_out", "words"), [([], [], 20), ([1.0], [1.0], 1), ([1.0, 2.0], [1.0], 20)])
def test_no_losses_no_choice_and_other_moments_are_refused(losses, held_out, words):
    """An even guess needs two words, a curve a loss, and both curves the same moments."""
    with pytest.raises(ValueError, match="expected two curves of one length and two words or more"):
        diagnose(np.array(losses), np.array(held_out), 0.5, words)


def test_the_copying_head_is_what_loops_find(rng):
    """Every head's mean, by loops over each pair of equal tokens; a head among twelve, of three layers."""
    tokens = np.array([3, 1, 4, 1, 5, 9, 3, 1, 4, 4])
    weights = rng.dirichlet(np.ones(10), (3, 4, 10))  # (layers, heads, n, n)
    every = {}
    for layer, head in np.ndindex(3, 4):
        rows = {}
        for t, s in np.ndindex(10, 10):
            if s < t and tokens[s] == tokens[t]:
                rows[t] = rows.get(t, 0) + weights[layer, head, t, s + 1]
        every[layer, head] = sum(rows.values()) / len(rows)
    assert copying_head(weights, tokens) == max(every, key=every.get)


@pytest.mark.parametrize("where", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_a_head_that_looks_at_what_followed_is_found_among_others(where):
    """A B C A B C by hand: one head looks from the second A to B, and so on; the others at equal or previous tokens."""
    follow, same = np.eye(6, k=-2), np.eye(6, k=-3)
    previous, first = np.eye(6, k=-1), np.eye(1, 6).repeat(6, axis=0)
    weights = np.array([[same, previous], [first, np.eye(6)]])
    weights[where] = follow
    assert copying_head(weights, np.array([7, 2, 5, 7, 2, 5])) == where


@pytest.mark.usefixtures("unchecked")
def test_tokens_that_never_return_or_are_not_the_weights_own_are_refused():
    """There is nothing to copy, or no telling from where."""
    with pytest.raises(ValueError, match="expected at least one place, got none"):
        copying_head(np.ones((2, 2, 3, 3)) / 3, np.array([1, 2, 3]))
    with pytest.raises(ValueError, match=r"expected boolean places of one head's shape \(3, 3\)"):
        copying_head(np.ones((2, 2, 3, 3)) / 3, np.array([1, 2, 1, 2]))
