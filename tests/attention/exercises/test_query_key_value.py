"""The checks of chapter 4: scores stay small."""

import numpy as np

from attention.exercises import exercises_of

EXERCISES = exercises_of("query_key_value")


def test_scores_stay_where_softmax_is_alive():
    """Scores of unseen inputs are within ±4, so a wrong axis or scale always shows."""
    for seed in range(20):
        for criterion, case in EXERCISES["attention"].questions(seed):
            if criterion == "unseen":
                query, key, _ = case.args
                assert np.abs(query @ key.T).max() <= 4
