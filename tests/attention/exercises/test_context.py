"""The checks of chapter 3: the inputs bring every mistake out."""

import numpy as np
import pytest

from attention.exercises import exercises_of

EXERCISES = exercises_of("context")
SEEDS = range(20)


def arguments(name, criterion, seed):
    """Return the first argument of every case of one criterion, by its label."""
    return {case.label: case.args[0] for asked, case in EXERCISES[name].questions(seed) if asked == criterion}


@pytest.mark.parametrize("seed", SEEDS)
def test_scores_stay_where_softmax_is_alive(seed):
    """Scores of unseen inputs are within ±4, so a wrong axis or scale always shows."""
    for scores in arguments("softmax", "unseen", seed).values():
        assert np.abs(scores).max() <= 4
    for x in arguments("self_attention", "unseen", seed).values():
        assert np.abs(x @ x.T).max() <= 4


@pytest.mark.parametrize("seed", SEEDS)
def test_large_scores_overflow_and_softmax_is_still_alive(seed):
    """At that edge every score overflows exp, and those of one row are still close enough to be mixed."""
    x = arguments("self_attention", "edges", seed)["scores of sixteen hundred"]
    scores = x @ x.T
    assert scores.min() > np.log(np.finfo(float).max)
    assert np.ptp(scores, axis=-1).max() <= 6


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_far_apart_need_a_maximum_of_their_own(seed):
    """Less the largest score of all, whole rows have no power left; less their own, they share out one."""
    rows = arguments("softmax", "edges", seed)["rows ten thousand apart"]
    assert (np.exp(rows - rows.max()).sum(axis=-1) == 0).tolist() == [False, True, True]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_diagonal_is_wrong_and_nobody_ties(seed):
    """In every unseen sentence some token prefers another to itself, the longest does not, and no two come first."""
    for x in arguments("strongest_neighbour", "unseen", seed).values():
        scores = x @ x.T
        chosen, longest = scores.argmax(axis=-1), np.linalg.norm(x, axis=-1).argmax()
        assert (chosen != np.arange(len(x))).any()
        assert chosen[longest] == longest
        best = np.sort(scores, axis=-1)
        assert (best[:, -1] - best[:, -2]).min() > 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_weights_share_out_one_except_at_the_edges(seed):
    """Unseen rows sum to one; a row of zeros and one that sums to 0.70 are left to the edges."""
    for weights in arguments("mix", "unseen", seed).values():
        np.testing.assert_allclose(weights.sum(axis=-1), 1)
    sums = [weights.sum(axis=-1) for weights in arguments("mix", "edges", seed).values()]
    assert sums[0][1] == 0
    np.testing.assert_allclose(sums[1], 0.7)
