"""The checks of chapter 4: the wrong answers give the numbers that the course names, and scores stay small."""

import numpy as np
import pytest

from attention.exercises import exercises_of

EXERCISES = exercises_of("query_key_value")


def test_base_ignored_still_gives_4754(wrong_answer):
    """Who ignores base 3 gets the weights of base e: 0.4754 on B."""
    _, weights = wrong_answer("soft_lookup", "base_ignored")
    np.testing.assert_allclose(weights, [0.1749, 0.1749, 0.4754, 0.1749], atol=5e-5)


@pytest.mark.parametrize(("mistake", "weight"), [("too_short", 0.3112), ("sum_too_short", 0.3655)])
def test_a_query_that_is_too_short_gets_less_than_half(wrong_answer, mistake, weight):
    """The middle of two keys is too short a query: 0.3112 on each; their sum, 0.3655."""
    scores = np.eye(4) @ wrong_answer("query_between", mistake)
    assert np.exp(scores[0]) / np.exp(scores).sum() == pytest.approx(weight, abs=5e-5)


def test_scores_stay_where_softmax_is_alive():
    """Scores of unseen inputs are within ±4, so a wrong axis or scale always shows."""
    for seed in range(20):
        for criterion, case in EXERCISES["attention"].questions(seed):
            if criterion == "unseen":
                query, key, _ = case.args
                assert np.abs(query @ key.T).max() <= 4
