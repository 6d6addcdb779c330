"""Searches of a trained model: the cache gives what the whole decoder gives, and what each token costs is exact."""

import numpy as np
import pytest

from attention.chapters.inference import greedy_decode, sequence_log_probability, translation_step
from attention.chapters.training import log_softmax
from attention.chapters.transformer import EOS, SOS, Model, initialise
from attention.models import searches
from attention.models.searches import cached_step, cost_per_token, found_by

SENTENCE = "i see the cat"


@pytest.fixture
def deep(by_heart):
    """An untrained model of the small vocabulary with two layers, so that a cache of one would not do."""
    words = len(by_heart.source_vocabulary), len(by_heart.target_vocabulary)
    parameters = initialise(np.random.default_rng(7), *words, 12, 10, 2)
    return Model(parameters, by_heart.source_vocabulary, by_heart.target_vocabulary, 3, 2)


def test_a_cache_changes_no_logit(deep):
    """Word after word, in both layers, one new row gives what all rows computed anew give."""
    anew, cached, tokens = translation_step(SENTENCE, deep), cached_step(SENTENCE, deep), []
    for token in (1, 5, 3, 7, 3):
        tokens = [*tokens, token]
        np.testing.assert_allclose(cached(tokens), anew(tokens), rtol=0, atol=1e-10)


def test_a_cache_refuses_a_sentence_that_does_not_grow(deep):
    """It knows the keys of one beginning only."""
    step = cached_step(SENTENCE, deep)
    step([1])
    with pytest.raises(ValueError, match="expected 2 tokens, got 1: ask about one sentence as it grows"):
        step([1])


def test_multiplications_are_those_of_the_matrix_products(deep):
    """Counted one by one they are what the shapes say: four projections, two products of attention, and so on."""
    d, f, s, layers = 12, 10, len(SENTENCE.split()), 2
    words = len(deep.target_vocabulary)
    for t, (anew, cached) in enumerate(
        zip(*(cost_per_token(deep, SENTENCE, 7, step) for step in (translation_step, cached_step)), strict=True), 1
    ):
        looking_back, across, thinking = (
            4 * t * d * d + 2 * t * t * d,
            2 * t * d * d + 2 * s * d * d + 2 * t * s * d,
            2 * t * d * f,
        )
        assert anew == layers * (looking_back + across + thinking) + t * d * words
        one_row = 4 * d * d + 2 * t * d + 2 * d * d + 2 * s * d + 2 * d * f
        assert cached == layers * one_row + d * words


def test_what_is_found_is_greedys_where_one_beam_is_kept(by_heart):
    """Words, log-probability and the number of tokens belong together."""
    step, vocabulary = translation_step(SENTENCE, by_heart), by_heart.target_vocabulary
    said, total, length = found_by(step, by_heart, 1)
    tokens = greedy_decode(step, vocabulary[SOS], vocabulary[EOS], searches.SETTINGS.longest)
    assert [vocabulary[word] for word in said.split()] == [
        t for t in tokens if t not in (vocabulary[SOS], vocabulary[EOS])
    ]
    assert total == pytest.approx(sequence_log_probability(step, tokens))
    assert length == len(tokens) - 1


def test_remembering_asks_once_and_answers_alike(deep):
    """A beam of four and a greedy search share what was computed."""
    step, asked = translation_step(SENTENCE, deep), []

    def counted(tokens):
        asked.append(tuple(tokens))
        return step(tokens)

    remembering = searches._remembering(counted)
    for _ in range(2):
        np.testing.assert_allclose(log_softmax(remembering([1, 5])), log_softmax(step([1, 5])))
    assert asked == [(1, 5)]
