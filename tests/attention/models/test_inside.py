"""What a model's encoder makes of each word."""

import numpy as np
import pytest

from attention.chapters.embeddings import token_ids
from attention.chapters.inference import sequence_log_probability, translate, translation_step
from attention.chapters.position import add_position, positional_encoding
from attention.chapters.transformer import EOS, SOS
from attention.models import Trained, inside
from attention.models.inside import (
    before_training,
    encoder_rows,
    right_if_placed,
    shown_the_answers,
    with_word_vectors,
    word_vectors,
)

from .conftest import SMALL


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


def test_another_table_changes_what_is_read_and_nothing_else(by_heart):
    """With two rows exchanged a sentence is read as the other one; the model that was given stays as it was."""
    trained = Trained("translator", by_heart, {}, 1.0, 1.0)
    vocabulary, table = word_vectors(trained)
    exchanged = table.copy()
    exchanged[[vocabulary["love"], vocabulary["very"]]] = table[[vocabulary["very"], vocabulary["love"]]]
    after = encoder_rows(with_word_vectors(trained, exchanged), "i love you very much")[1]
    np.testing.assert_allclose(after, encoder_rows(trained, "i very you love much")[1])
    np.testing.assert_array_equal(word_vectors(trained)[1], table)


def test_a_model_before_training_knows_the_words_and_nothing_else():
    """The same words have rows that were and not learned, the same ones every time."""
    vocabulary, table = word_vectors(before_training("translator"))
    assert table.shape == (len(vocabulary), 64)
    np.testing.assert_array_equal(table, word_vectors(before_training("translator"))[1])
    assert np.abs(table.mean()) < 0.01
    assert table.std() == pytest.approx(1 / 8, abs=0.01)


def test_another_place_is_for_this_once(by_heart, monkeypatch):
    """With its own positions a model gets right what it gets right one by one; with zeros, less, and not for long."""
    monkeypatch.setattr(inside, "corpus", lambda: SMALL)
    trained = Trained("translator", by_heart, {}, 1.0, 1.0)
    right = sum(translate(source, by_heart) == wanted for source, wanted in SMALL.held_out)
    assert right_if_placed(trained, add_position) == right == 3
    assert right_if_placed(trained, lambda x: 0 * x) == 0
    assert right_if_placed(trained, add_position) == right


def test_a_part_of_the_sentences_is_counted_alone(by_heart, monkeypatch):
    """The parts' counts add up to that of all, and of no sentence none is right."""
    monkeypatch.setattr(inside, "corpus", lambda: SMALL)
    trained = Trained("translator", by_heart, {}, 1.0, 1.0)
    each = [right_if_placed(trained, add_position, [pair]) for pair in SMALL.held_out]
    assert set(each) <= {0, 1}
    assert sum(each) == right_if_placed(trained, add_position)
    assert right_if_placed(trained, add_position, []) == 0


def test_shown_the_answers_each_word_is_guessed_from_those_before(by_heart, monkeypatch):
    """The loss is that of the sentences one by one and word by word, and so is the share of right guesses."""
    monkeypatch.setattr(inside, "corpus", lambda: SMALL)
    loss, right = shown_the_answers(Trained("translator", by_heart, {}, 1.0, 1.0))
    surprise, guessed = 0.0, []
    for source, italian in SMALL.held_out:
        step = translation_step(source, by_heart)
        tokens = token_ids([SOS, *italian.split(), EOS], by_heart.target_vocabulary).tolist()
        surprise -= sequence_log_probability(step, tokens)
        guessed += [np.argmax(step(tokens[:t])) == tokens[t] for t in range(1, len(tokens))]
    assert loss == pytest.approx(surprise / len(guessed), rel=1e-9)
    assert right == pytest.approx(np.mean(guessed))
