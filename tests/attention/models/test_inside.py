"""What a model's encoder makes of each word."""

import numpy as np
import pytest

from attention.chapters.position import positional_encoding
from attention.models import Trained
from attention.models.inside import (
    before_training,
    encoder_rows,
    word_vectors,
)


def test_rows_before_the_encoder_are_the_tables_with_their_places(by_heart):
    """A word's row is √d_model times its row of the table, plus its position; after the encoder it is another."""
    sentence = "i love you very much"
    before, after = encoder_rows(Trained("translator", by_heart, {}, 1.0, 1.0), sentence)
    parameters, vocabulary = by_heart.parameters, by_heart.source_vocabulary
    d_model = before.shape[-1]
    looked_up = [np.sqrt(d_model) * parameters["source_embedding"][vocabulary[word]] for word in sentence.split()]
    np.testing.assert_allclose(before, looked_up + positional_encoding(5, d_model))
    assert after.shape == before.shape == (5, d_model)
    assert not np.isclose(after, before).all(axis=-1).any()


def test_a_model_before_training_knows_the_words_and_nothing_else():
    """The same words have rows that were and not learned, the same ones every time."""
    vocabulary, table = word_vectors(before_training("translator"))
    assert table.shape == (len(vocabulary), 64)
    np.testing.assert_array_equal(table, word_vectors(before_training("translator"))[1])
    assert np.abs(table.mean()) < 0.01
    assert table.std() == pytest.approx(1 / 8, abs=0.01)
