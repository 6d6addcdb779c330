"""Stacks of untrained layers: what becomes of the size of their numbers, of words, and of slopes."""

import numpy as np
import pytest

from attention.chapters import layer_norm
from attention.chapters.transformer import embed, initialise, layer_parameters
from attention.models import depth
from attention.models.depth import LEAST, difference, through_depth


@pytest.fixture(scope="module")
def deep():
    """Twelve layers of each kind that chapter 8 compares."""
    return {name: through_depth(name, 12) for name in ("six_post_norm", "six_pre_norm", "no_norm", "no_residual")}


def test_a_norm_at_the_end_of_a_layer_keeps_one_size(deep):
    """Post-norm's spread is 1 at any depth, pre-norm's grows slowly, and without a norm it grows without end."""
    np.testing.assert_allclose(deep["six_post_norm"].size, 1, atol=1e-4)
    np.testing.assert_allclose(deep["no_residual"].size, 1, atol=1e-4)
    assert 2 < deep["six_pre_norm"].size[-1] < 6
    assert deep["no_norm"].size[-1] > 100


def test_without_the_residual_words_become_one(deep):
    """Nothing tells them apart by the fourth layer; pre-norm keeps more of it than post-norm."""
    assert deep["no_residual"].difference[3] < 1e-9
    assert deep["six_pre_norm"].difference[-1] > 0.3 > 0.1 > deep["six_post_norm"].difference[-1] > 1e-3


def test_each_measure_has_a_number_above_zero_for_each_depth(deep):
    """Lines of as many points as there are layers; what rounding leaves is 1e-12."""
    for found in deep.values():
        assert {len(numbers) for numbers in found} == {12}
        assert min(map(min, found)) >= LEAST


def test_slopes_are_those_that_nudges_find():
    """What comes down is as long as the slopes that are found by nudging each number of the input."""
    found = through_depth("six_post_norm", 2).gradient[-1]
    rng = np.random.default_rng(8)
    parameters = initialise(rng, depth.WORDS, depth.WORDS, depth.D_MODEL, depth.D_FF, 2)
    tokens = rng.integers(depth.WORDS, size=(depth.SENTENCES, depth.LENGTH))
    x = embed(tokens, parameters["source_embedding"])
    slopes = rng.normal(size=x.shape)

    def output(x):
        for i in range(2):
            x = layer_norm.encoder_layer(x, layer_parameters(parameters, f"encoder.{i}."), depth.H)
        return np.sum(slopes * x, axis=(1, 2))  # sentences do not affect each other

    down = np.empty(x.shape)
    for place in np.ndindex(x.shape[1:]):
        nudge = np.zeros(x.shape)
        nudge[:, *place] = 1e-6
        down[:, *place] = (output(x + nudge) - output(x - nudge)) / 2e-6
    assert found == pytest.approx(np.linalg.norm(down) / np.linalg.norm(slopes), rel=1e-4)


def test_a_difference_is_a_share_of_the_spread():
    """Alike words differ by 0; words whose numbers have nothing in common by the whole spread."""
    assert difference(np.ones((2, 3, 1)) * np.array([1.0, 5.0])) == 0
    assert difference(np.array([[1.0, -1.0], [-1.0, 1.0]])) == 1
    assert difference(np.array([[[3.0, 1.0], [1.0, 3.0]], [[0.0, 4.0], [4.0, 0.0]]])) == 1
