"""Chapter 12 on the book's small tree, against a search of everything, and on an untrained model."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.embeddings import vocabulary
from attention.chapters.inference import (
    beam_search,
    greedy_decode,
    length_normalised,
    sample,
    sequence_log_probability,
    translate,
    translation_step,
)
from attention.chapters.transformer import EOS as EOS_WORD
from attention.chapters.transformer import PAD as PAD_WORD
from attention.chapters.transformer import SOS as SOS_WORD
from attention.chapters.transformer import Model, initialise, transformer

SOS, EOS, A, B, X, Y = range(6)
TREE = {
    (): {A: 0.5, B: 0.4, Y: 0.1},
    (A,): {X: 0.5, Y: 0.45, B: 0.05},
    (B,): {X: 0.4, Y: 0.3, A: 0.3},
    (A, X): {EOS: 0.5, A: 0.5},
    (A, Y): {EOS: 0.9, A: 0.1},
    (B, X): {EOS: 1.0},
}
LOGITS = np.array([1.0, 2.0, 0.0])
seeds = st.integers(0, 2**32 - 1)


def climb(tokens):
    """Return the logits of the next token on the tree: logarithms of its probabilities, less a constant."""
    probabilities = np.zeros(6)
    for token, p in TREE.get(tuple(tokens[1:]), {EOS: 1.0}).items():
        probabilities[token] = p
    with np.errstate(divide="ignore"):
        return np.log(probabilities) - 7


def random_step(seed, words=4):
    """Return a step whose logits depend on all tokens so far, the same ones each time."""

    def step(tokens):
        return np.random.default_rng([seed, *tokens]).normal(size=words, scale=2)

    return step


def untrained(rng):
    """Return a model that knows eight words and nothing else."""
    source = vocabulary([PAD_WORD, "I love you very much"])
    target = vocabulary([f"{PAD_WORD} {SOS_WORD} {EOS_WORD}", "ti amo molto"])
    return Model(initialise(rng, len(source), len(target), 6, 11, 2), source, target, 3, 2)


def test_greedy_takes_the_likeliest_word_each_time():
    """On the tree greedy walks A, x and ends at 0.125, SOS and EOS there once."""
    tokens = greedy_decode(climb, SOS, EOS, 5)
    assert tokens == [SOS, A, X, EOS]
    assert math.exp(sequence_log_probability(climb, tokens)) == pytest.approx(0.125)


def test_a_beam_of_two_finds_what_greedy_misses():
    """A, y has 0.2025; keeping the best child of each beam only would end at 0.160."""
    tokens, log_probability = beam_search(climb, SOS, EOS, 5, width=2)
    assert tokens == [SOS, A, Y, EOS]
    assert math.exp(log_probability) == pytest.approx(0.2025)
    assert math.exp(sequence_log_probability(climb, [SOS, B, X, EOS])) == pytest.approx(0.160)


def test_decoding_stops_at_the_limit():
    """A model that never says EOS is cut off after max_length tokens."""
    assert greedy_decode(lambda tokens: np.eye(3)[2], 0, 1, 5) == [0, 2, 2, 2, 2, 2]
    assert beam_search(lambda tokens: np.eye(3)[2], 0, 1, 5, 2)[0] == [0, 2, 2, 2, 2, 2]


@given(seed=seeds, max_length=st.integers(1, 5))
def test_a_beam_of_one_is_greedy(seed, max_length):
    """Both walk the same path, and the beam's log-probability is the path's."""
    tokens, log_probability = beam_search(random_step(seed), 0, 1, max_length, width=1)
    assert tokens == greedy_decode(random_step(seed), 0, 1, max_length)
    assert log_probability == pytest.approx(sequence_log_probability(random_step(seed), tokens), abs=1e-12)


@given(seed=seeds)
def test_a_wide_beam_finds_the_best_of_all_sentences(seed):
    """With room for everything beam search is exhaustive: no sentence of up to four tokens is likelier."""
    step = random_step(seed, words=3)
    finished = [(*body, 1) for n in range(4) for body in itertools.product((0, 2), repeat=n)]
    cut_off = list(itertools.product((0, 2), repeat=4))
    best = max(sequence_log_probability(step, [0, *tokens]) for tokens in finished + cut_off)
    assert beam_search(step, 0, 1, 4, width=3**4)[1] == pytest.approx(best, abs=1e-12)


def test_a_long_sentence_does_not_underflow():
    """A thousand tokens of probability 1e-3 or so are no 0: logarithms are added."""
    log_probability = sequence_log_probability(lambda tokens: np.zeros(1000), [5] * 1001)
    assert log_probability == pytest.approx(-1000 * math.log(1000))


def test_length_normalised():
    """α = 0 leaves it alone, α = 1 gives nats per token, and α = 0.5 is in between."""
    assert [length_normalised(-6.0, 4, alpha) for alpha in (0, 0.5, 1)] == [-6.0, -3.0, -1.5]


def test_a_step_gives_what_the_whole_transformer_gives(rng):
    """Decoding word by word from one memory sees the logits that teacher forcing sees."""
    model = untrained(rng)
    source = np.array([model.source_vocabulary[word] for word in ("i", "love", "you")])
    tokens = [1, 3, 5, 4]
    logits = transformer(source, np.array(tokens), model.parameters, model.h, model.layers)
    step = translation_step("I love you", model)
    for t in range(1, 5):
        np.testing.assert_allclose(step(tokens[:t]), logits[t - 1], rtol=0, atol=1e-10)


def test_translate_gives_words_of_the_target_language(rng):
    """An untrained model says something, in its own words, without SOS and EOS."""
    said = translate("I love you very much", untrained(rng)).split()
    assert set(said) <= {"ti", "amo", "molto", PAD_WORD}
    assert len(said) <= 55


def test_a_model_that_always_says_eos_translates_to_nothing(rng):
    """EOS first means an empty translation."""
    model = untrained(rng)
    model.parameters["b_out"][model.target_vocabulary[EOS_WORD]] = 1e4
    assert translate("I love you", model) == ""


def test_an_unknown_word_is_named(rng):
    """A word that the model never saw is a KeyError that says which."""
    with pytest.raises(KeyError, match=r"expected words of the vocabulary of 6, got 'zebra'"):
        translate("I love zebra", untrained(rng))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: greedy_decode(climb, SOS, EOS, 0), r"expected max_length as a whole number of at least 1, got 0"),
        (lambda: beam_search(climb, SOS, EOS, 5, 0), r"expected width as .* got 0: width 1 is greedy"),
        (lambda: sequence_log_probability(climb, [SOS]), r"SOS and at least one token more, got \[0\]"),
        (lambda: length_normalised(-1.0, 0, 0.6), r"expected length as a whole number of at least 1"),
        (lambda: translate(" ", untrained(np.random.default_rng(1))), r"a list of words, at least one, got \[\]"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()


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
