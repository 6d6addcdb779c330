"""Chapter 2 against the note's tables, SciPy's distances, and what must hold for any words."""

import numpy as np
import pytest
import scipy  # its parts are loaded when one is used
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.embeddings import (
    average_meaning,
    bag_of_words,
    cosine_similarity,
    one_hot,
    tf_idf,
    token_ids,
    vocabulary,
)

NOTE = ["mat cat mat", "cat rat rat"]
THE_CAT = ["the cat sat", "the dog sat", "the cat ate the fish"]
KING, QUEEN = np.array([[0.9, 0.1, 1, 0, 0.9]]), np.array([[0.9, 0.2, 0.4, 1, 0]])
lines_of_words = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1, max_size=7).map(" ".join)


def test_vocabulary_keeps_the_order_of_first_appearance():
    """Words are numbered in order of appearance, not by the alphabet, and case does not count."""
    assert vocabulary(["The mat", "cat the RAT"]) == {"the": 0, "mat": 1, "cat": 2, "rat": 3}


def test_one_hot_of_the_note():
    """mat, cat, rat and mat again are the rows of the identity, the first one twice."""
    vocab = vocabulary(["mat cat rat"])
    np.testing.assert_array_equal(one_hot(["mat", "Cat", "rat", "mat"], vocab), np.eye(3)[[0, 1, 2, 0]])


def test_bag_of_words_of_the_note():
    """mat cat mat counts [2, 1, 0] and cat rat rat [0, 1, 2]."""
    np.testing.assert_array_equal(bag_of_words(NOTE, vocabulary(["mat cat rat"])), [[2, 1, 0], [0, 1, 2]])


@given(st.lists(lines_of_words, min_size=1))
def test_bag_of_words_loses_order_and_nothing_else(lines):
    """Reversing a sentence changes no count, and a row counts as many words as the sentence has."""
    vocab = vocabulary(lines)
    counts = bag_of_words(lines, vocab)
    np.testing.assert_array_equal(counts, bag_of_words([" ".join(line.split()[::-1]) for line in lines], vocab))
    np.testing.assert_array_equal(counts.sum(axis=1), [len(line.split()) for line in lines])


def test_tf_idf_by_hand():
    """The third sentence's cat is 1/5 · ln(3/2); the, which is everywhere, is 0; smoothing would give 0.2575."""
    vocab = vocabulary(THE_CAT)
    table = tf_idf(bag_of_words(THE_CAT, vocab))
    assert table[2, vocab["cat"]] == pytest.approx(0.0811, abs=5e-5)
    assert table[2, vocab["cat"]] != pytest.approx(0.2575, abs=5e-5)
    np.testing.assert_array_equal(table[:, vocab["the"]], 0)


def test_tf_idf_of_what_is_missing_is_zero():
    """An empty document and a word that no document holds give zeros, not NaN."""
    np.testing.assert_array_equal(tf_idf(np.array([[0, 0, 0], [2, 0, 2]]))[:, 1], [0, 0])
    np.testing.assert_array_equal(tf_idf(np.array([[0, 0, 0], [2, 0, 2]]))[0], [0, 0, 0])


def test_king_and_queen():
    """The note calls them similar: 0.5350; the plain dot product would be 1.23."""
    assert cosine_similarity(KING, QUEEN)[0, 0] == pytest.approx(0.5350, abs=5e-5)
    assert (KING @ QUEEN.T).item() == pytest.approx(1.23)


def test_cosine_similarity_agrees_with_scipy(rng):
    """SciPy's cosine distance is one minus ours."""
    a, b = rng.normal(size=(5, 7)), rng.normal(size=(3, 7))
    expected = 1 - scipy.spatial.distance.cdist(a, b, "cosine")
    np.testing.assert_allclose(cosine_similarity(a, b), expected, rtol=0, atol=1e-12)


def test_cosine_similarity_with_nothing_is_zero():
    """A zero vector has no direction; its similarity is 0 and not NaN."""
    np.testing.assert_array_equal(cosine_similarity(np.zeros((1, 2)), np.eye(2)), [[0, 0]])


def test_the_average_apple_is_nearly_a_fruit():
    """9,000 sentences about fruit outvote 1,000 about phones."""
    np.testing.assert_allclose(average_meaning(np.eye(2), np.array([9000, 1000])), [0.9, 0.1])


def test_average_meaning_agrees_with_numpy(rng):
    """NumPy's weighted average is an independent oracle."""
    senses, counts = rng.normal(size=(3, 5)), rng.integers(1, 100, 3)
    np.testing.assert_allclose(average_meaning(senses, counts), np.average(senses, axis=0, weights=counts), rtol=1e-12)


def test_an_unknown_word_is_named():
    """A word outside of the vocabulary is a KeyError that says which; it is never dropped."""
    with pytest.raises(KeyError, match=r"vocabulary of 2, got 'dog': add its sentence"):
        one_hot(["cat", "dog"], {"cat": 0, "mat": 1})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vocabulary("the cat"), r"several sentences, got the string 'the cat': put it in a list"),
        (lambda: vocabulary(["", " "]), r"at least one word, got none"),
        (lambda: token_ids("the cat", {"the": 0}), r"expected a list of words, .* split the sentence first"),
        (lambda: token_ids([], {"the": 0}), r"at least one, got \[\]"),
        (lambda: bag_of_words([], {"the": 0}), r"expected several sentences, got \[\]"),
        (lambda: tf_idf(np.zeros(3)), r"expected counts as \(documents, words\)"),
        (lambda: cosine_similarity(np.zeros((2, 3)), np.zeros((2, 5))), r"vectors of the same space"),
        (lambda: average_meaning(np.eye(2), np.zeros(2)), r"not all of them 0, got \[0\. 0\.\]"),
        (lambda: average_meaning(np.eye(2), np.array([1, -1])), r"counts of at least 0"),
        (lambda: average_meaning(np.eye(2), np.ones(3)), r"each sense needs one count"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
