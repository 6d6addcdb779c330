"""The weights that are shown are those that the model uses, layer by layer."""

import numpy as np
import pytest

from attention.chapters.context import softmax
from attention.chapters.multi_head import split_heads
from attention.chapters.scaling import scaled_scores
from attention.chapters.transformer import EOS, SOS, attention_maps, embed
from attention.chapters.translator import number_pairs, untrained
from attention.models import Trained, attention_of

from .conftest import SMALL, TINY

SOURCE, TARGET = "the cat sees the girl", "il gatto vede la ragazza"


def trained(name, layers=2):
    """Return an untrained model under a trained one's name."""
    model = untrained(SMALL, np.random.default_rng(11), TINY._replace(layers=layers))
    return Trained(name, model, {}, 0.0, 0.0)


def test_all_layers_and_heads_are_shown():
    """Words and shapes belong together; rows sum to one, and the decoder does not look ahead."""
    seen = attention_of(trained("translator"), SOURCE, TARGET)
    assert (seen.source, seen.target) == (SOURCE.split(), [*TARGET.split(), EOS])
    assert seen.shown == [SOS, *TARGET.split()]
    shapes = [maps.shape for maps in (seen.encoder, seen.decoder, seen.cross)]
    assert shapes == [(2, 3, 5, 5), (2, 3, 6, 6), (2, 3, 6, 5)]
    for maps in (seen.encoder, seen.decoder, seen.cross):
        np.testing.assert_allclose(maps.sum(axis=-1), 1)
    assert not np.triu(seen.decoder, 1).any()


def test_each_map_stands_in_its_place():
    """The encoder's first map by hand from the tokens, the decoder's too, and the look across as chapter 10 has it."""
    one = trained("translator")
    seen = attention_of(one, SOURCE, TARGET)
    p, ((numbers,), (wanted,)) = one.model.parameters, number_pairs([(SOURCE, TARGET)], one.model)
    shown = np.array([one.model.target_vocabulary[SOS], *wanted[:-1]])

    def first(tokens, table, side):
        x = embed(tokens, p[table])
        scores = scaled_scores(*(split_heads(x @ p[f"{side}.0.{w}"], 3) for w in ("w_q", "w_k")))
        return softmax(np.where(np.triu(np.ones(scores.shape), 1) * (side == "decoder"), -np.inf, scores))

    np.testing.assert_allclose(seen.encoder[0], first(numbers, "source_embedding", "encoder"))
    np.testing.assert_allclose(seen.decoder[0], first(shown, "target_embedding", "decoder"))
    np.testing.assert_allclose(seen.cross, attention_maps(numbers, shown, p, 3, 2))
    assert not np.allclose(seen.encoder[0], seen.encoder[1])


def test_without_a_target_it_is_the_models_own(by_heart):
    """A model that knows the sentence is watched while it writes it."""
    seen = attention_of(Trained("translator", by_heart, {}, 0.0, 0.0), SOURCE)
    assert seen.target == [*TARGET.split(), EOS]


@pytest.mark.parametrize("name", ["static_encoder", "one_projection", "even_weights"])
def test_changed_functions_are_watched_too(name):
    """What is shown is how the model was trained: to itself only, from one matrix, evenly."""
    usual, seen = (attention_of(trained(which), SOURCE, TARGET) for which in ("translator", name))
    assert not np.allclose(seen.encoder, usual.encoder)
    if name == "static_encoder":
        np.testing.assert_array_equal(seen.encoder, np.broadcast_to(np.eye(5), (2, 3, 5, 5)))
    if name == "even_weights":
        np.testing.assert_allclose(seen.cross, 1 / 5)
