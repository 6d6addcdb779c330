"""Words drawn with a temperature."""

import numpy as np
import pytest

from attention.chapters.sampling import sample

LOGITS = np.array([1.0, 2.0, 0.0])


def test_the_chapters_draws():
    """Running sums 0.2447, 0.9100 and 1 at temperature 1, by hand."""
    np.testing.assert_array_equal(sample(LOGITS, 1, np.array([0.24, 0.25, 0.90, 0.92])), [0, 1, 1, 2])


@pytest.mark.parametrize(("temperature", "shares"), [(0.5, [0.1173, 0.8668, 0.0159]), (3, [0.3213, 0.4484, 0.2302])])
def test_words_come_as_often_as_softmax_says(rng, temperature, shares):
    """Of 100,000 draws, each word's share is its probability, by hand; one per cent is five deviations."""
    drawn = sample(LOGITS, temperature, rng.random(100_000))
    np.testing.assert_allclose(np.bincount(drawn) / 100_000, shares, atol=0.008)


def test_at_zero_it_is_greedy_and_at_a_small_temperature_nearly_so(rng):
    """All draws are the likeliest word, the first in a tie."""
    assert set(sample(LOGITS, 0, rng.random(7)).tolist()) == {1} == set(sample(LOGITS, 1e-3, rng.random(7)).tolist())
    assert sample(np.array([2.0, 5.0, 5.0]), 0, 0.99) == 1
    with pytest.raises(ValueError, match="expected a temperature of 0 or more, got -1"):
        sample(LOGITS, -1, 0.5)
