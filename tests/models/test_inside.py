"""What a model's encoder makes of each word."""

import numpy as np

from autograder.models import Trained
from autograder.models.inside import encoder_rows
from autograder.reference.position import positional_encoding


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
