"""A head that is switched off: what changes, and what stays."""

import numpy as np
import pytest

from attention.chapters import layer_norm, masking
from attention.chapters.context import mix
from attention.chapters.transformer import transformer
from attention.models import Trained
from attention.models.replaced import replaced
from attention.models.silenced import W_O, with_silent_head

SOURCE, TARGET = np.array([1, 2, 3, 4, 5]), np.array([1, 2, 3])


@pytest.fixture
def trained(by_heart):
    """A tiny model with three heads that knows eight sentences, under a trained one's name."""
    return Trained("translator", by_heart, {}, 1.0, 1.0)


def logits(trained):
    """Run a model on one pair of sentences."""
    return transformer(SOURCE, TARGET, trained.model.parameters, trained.model.h, trained.model.layers)


@pytest.mark.parametrize(("attention", "turn"), [("encoder", 0), ("decoder", 1), ("cross", 2)])
def test_its_columns_of_the_concatenation_are_0(trained, attention, turn):
    """The logits are those of a model in which what one head has found is replaced by 0 on the way."""
    asked = []

    def mix_and_silence(weights, x):
        asked.append(len(asked))
        found = mix(weights, x)  # (h, n, d_v)
        return found * (np.arange(3) != 1)[:, None, None] if asked[-1] == turn else found

    with replaced({mix: mix_and_silence}):
        expected = logits(trained)
    assert len(asked) == 3
    np.testing.assert_allclose(logits(with_silent_head(trained, attention, 0, 1)), expected, atol=1e-12)
    assert not np.allclose(expected, logits(trained))


def test_the_model_that_was_given_stays_as_it_is(trained):
    """Only a copy of one matrix changes, and nothing else is copied."""
    before = {name: array.copy() for name, array in trained.model.parameters.items()}
    after = with_silent_head(trained, "cross", 0, 2).model.parameters
    for name, array in trained.model.parameters.items():
        np.testing.assert_array_equal(array, before[name])
        assert (after[name] is array) == (name != W_O["cross"].format(0))


@pytest.mark.parametrize(("layer", "head"), [(0, 3), (1, 0), (0, -1)])
def test_a_head_that_is_not_there_is_refused(trained, layer, head):
    """Layers and heads are counted from 0, as far as the model has them."""
    with pytest.raises(ValueError, match=r"expected a layer below 1 and a head below 3, got .*: count from 0"):
        with_silent_head(trained, "encoder", layer, head)


def test_w_o_is_the_last_matrix_of_each_attention():
    """The names are those of the layers' own parameters."""
    inside = {"encoder": layer_norm.ENCODER_LAYER, "decoder": masking.DECODER_LAYER, "cross": masking.DECODER_LAYER}
    assert all(W_O[name].format(0).split(".")[-1] in parameters for name, parameters in inside.items())
