"""A head that is switched off: what changes, and how it is counted."""

import numpy as np
import pytest

from attention.chapters import layer_norm, masking
from attention.chapters.context import mix
from attention.chapters.transformer import transformer
from attention.models import Trained, silenced
from attention.models.replaced import replaced
from attention.models.silenced import W_O, silence_each, with_silent_head

from .conftest import SMALL

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


def test_each_head_is_silenced_once_and_what_breaks_was_right_before(trained, monkeypatch):
    """Every attention and head in turn; what is still right and what broke are counted by translating again."""
    monkeypatch.setattr(silenced, "corpus", lambda: SMALL)
    found = silence_each(trained)
    assert [(one.attention, one.layer, one.head) for one in found] == [(name, 0, i) for name in W_O for i in range(3)]
    sources, usual = [source for source, _ in SMALL.held_out], trained.translations([s for s, _ in SMALL.held_out])
    for one in found:
        now = with_silent_head(trained, one.attention, one.layer, one.head).translations(sources)
        every = list(zip(SMALL.held_out, usual, now, strict=True))
        assert one.right == sum(said == wanted for (_, wanted), _, said in every)
        assert one.broken == [(*pair, said) for pair, before, said in every if before == pair[1] and said != pair[1]]
    assert any(one.broken for one in found)


def test_w_o_is_the_last_matrix_of_each_attention():
    """The names are those of the layers' own parameters."""
    inside = {"encoder": layer_norm.ENCODER_LAYER, "decoder": masking.DECODER_LAYER, "cross": masking.DECODER_LAYER}
    assert all(W_O[name].format(0).split(".")[-1] in parameters for name, parameters in inside.items())
