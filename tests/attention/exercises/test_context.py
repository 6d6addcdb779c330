"""The checks of chapter 3: the wrong answers give the numbers that the course names, and the inputs bring them out."""

import numpy as np
import pytest

from attention.exercises import exercises_of

EXERCISES = exercises_of("context")
SEEDS = range(20)


def arguments(name, criterion, seed):
    """Return the first argument of every case of one criterion, by its label."""
    return {case.label: case.args[0] for asked, case in EXERCISES[name].questions(seed) if asked == criterion}


@pytest.mark.parametrize(
    ("mistake", "bank"),
    [
        ("weights_turned_round", [0.2 * 2 + 0.7 + 0.2, 0.7]),
        ("mean_instead_of_sum", [1.25 / 3, 0.7 / 3]),
        ("softmax_again", [1.2952, 0.4630]),
        ("strongest_token_only", [1, 1]),
        ("room_like_x", [1, 0]),
    ],
)
def test_the_bank_that_is_not_the_notes(wrong_answer, mistake, bank):
    """Note 2's bank is [1.25, 0.7]; each way to miss it gives other numbers."""
    np.testing.assert_allclose(wrong_answer("mix", mistake)[1], bank, atol=5e-5)


@pytest.mark.parametrize(
    ("mistake", "row"),
    [
        ("plain_shares", [0, 1 / 3, 2 / 3]),
        ("powers_only", [1, 2.7183, 7.3891]),
        ("largest_becomes_one", [0.1353, 0.3679, 1]),
        ("columns_by_default", [0.2689, 0.5, 0.1192]),
        ("sign_turned", [0.6652, 0.2447, 0.0900]),
        ("one_sum_for_all", [0.0141, 0.0382, 0.1039]),
    ],
)
def test_softmax_of_0_1_2_gone_wrong(wrong_answer, mistake, row):
    """The row 0, 1, 2 has the weights 0.0900, 0.2447, 0.6652 and nothing else."""
    np.testing.assert_allclose(wrong_answer("softmax", mistake)[0], row, atol=5e-5)


def test_an_axis_ignored_gives_rows_where_columns_are_asked(wrong_answer):
    """With axis=0 the rows still sum to one."""
    np.testing.assert_allclose(wrong_answer("softmax", "axis_ignored", example=1).sum(axis=-1), 1)


@pytest.mark.parametrize(
    ("mistake", "row"),
    [
        ("no_softmax", [10, 2]),
        ("shares_not_softmax", [1.6667, 0.3333]),
        ("columns_sum_to_one", [2.0670, 0.3651]),
        ("weights_returned", [0.8668, 0.1173, 0.0159]),
        ("itself_left_out", [0.8808, 1.1192]),
        ("replaced_by_the_strongest", [2, 0]),
    ],
)
def test_the_first_of_three_tokens_gone_wrong(wrong_answer, mistake, row):
    """[2, 0] becomes [1.8509, 0.1491]; each way to miss it gives other numbers."""
    np.testing.assert_allclose(wrong_answer("self_attention", mistake)[0], row, atol=5e-5)


@pytest.mark.parametrize(
    ("mistake", "answer"),
    [
        ("the_diagonal", [0, 1]),
        ("by_direction", [0, 0]),
        ("weight_not_index", [0.8808, 0.9975]),
        ("score_not_index", [3, 9]),
        ("itself_not_counted", [1, 0]),
        ("whole_matrix", 3),
    ],
)
def test_the_neighbours_of_1_0_and_3_0_gone_wrong(wrong_answer, mistake, answer):
    """Both tokens attend most to token 1; the wrong answers do not say so."""
    np.testing.assert_allclose(wrong_answer("strongest_neighbour", mistake), answer, atol=5e-5)


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
