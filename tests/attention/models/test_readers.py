"""The small readers of chapter 1: the games are what they say, and each reads and learns as it should."""

import numpy as np
import pytest

from attention.chapters.before_attention import rnn
from attention.models import readers
from attention.models.readers import GAMES, READERS, answers, begun, gradients, read_by

TINY = readers.Settings(lengths=(3, 11), runs=2, steps=3, batch=5, examined=7)


def untrained(name, runs=2):
    """Draw a reader's first numbers."""
    return begun(np.random.default_rng(3), READERS[name], runs)


def test_there_is_one_b_or_none(rng):
    """Note 4's game has a B in half of its rows, anywhere, and never two."""
    tokens, right = GAMES["any B"](rng, 997, 7)
    np.testing.assert_array_equal(tokens.sum(axis=-1), right)
    assert 0.4 < right.mean() < 0.6
    assert (tokens.sum(axis=0) > 0).all()


def test_the_first_token_is_the_answer(rng):
    """The rows of the other game are random, and the answer is where they begin."""
    tokens, right = GAMES["first token"](rng, 3, 997, 5)
    np.testing.assert_array_equal(tokens[..., 0], right)
    np.testing.assert_allclose(tokens.mean(axis=(0, 1)), 0.5, atol=0.05)


def test_the_recurrent_reader_is_the_references_rnn(rng):
    """Each run's last state is that of ``rnn`` with its own matrices."""
    own = untrained("rnn")
    x = np.eye(2)[rng.integers(2, size=(2, 5, 7))]
    states = readers.recurrent(x, own["0"], own["1"])
    for run in range(2):
        w_hx, w_hh = own["0"][run], own["1"][run]
        h, _ = rnn(x[run], w_hx, w_hh, np.zeros((30, 2)), np.zeros(30), np.zeros(2))
        np.testing.assert_allclose(states[run], h[:, -1], atol=1e-12)


@pytest.mark.parametrize(("name", "far"), [("rnn", 13), ("cnn", 9), ("attention", 13), ("no_positions", 13)])
def test_a_reader_sees_as_far_as_it_can(rng, name, far):
    """The answer depends on the last nine tokens of a convolution, on all tokens of the others, before any training."""
    tokens = rng.integers(2, size=(2, 5, 13))
    slopes = gradients(READERS[name], untrained(name), tokens)
    assert np.flatnonzero(slopes).tolist() == list(range(13 - far, 13))


def test_the_gradient_is_how_fast_the_answer_moves(rng):
    """A small turn from A to B, by hand, moves the answer as fast as it says."""
    reader, parameters = READERS["attention"], untrained("attention", runs=1)
    tokens = rng.integers(2, size=(1, 1, 5))
    x, moved = np.eye(2)[tokens], np.eye(2)[tokens]
    moved[0, 0, 3] += 1e-6 * np.array([-1, 1])
    before, after = (answers(reader, parameters, rows)[0, 0] for rows in (x, moved))
    by_hand = ((after - before)[1] - (after - before)[0]) / 1e-6
    assert gradients(reader, parameters, tokens)[3] == pytest.approx(abs(by_hand), rel=1e-4)


def test_without_positions_the_order_says_nothing(rng):
    """Exchanged tokens give the same answer, unless they have positions or are the last."""
    x = np.eye(2)[rng.integers(2, size=(2, 5, 7))]
    order = [3, 0, 5, 1, 4, 2, 6]
    for name, same in (("no_positions", True), ("attention", False)):
        here, there = (answers(READERS[name], untrained(name), rows) for rows in (x, x[:, :, order]))
        assert np.allclose(here, there) == same


def test_all_readers_are_of_nearly_one_size():
    """None has a twentieth more learned numbers than another."""
    sizes = [read_by(name)["parameters"] for name in READERS]
    assert max(sizes) < 1.05 * min(sizes)


def test_a_reader_learns_short_rows(rng):
    """A hundred steps are enough to find a B among three tokens, for most runs."""
    settings = TINY._replace(lengths=(3,), runs=3, steps=100, batch=32, examined=100)
    learned = readers.learned_by(READERS["rnn"], settings)
    assert np.median(learned["games"]["any B"][3]["right"]) == 1


def test_what_was_learned_is_read_with_lengths_as_numbers():
    """Each game of a shipped reader has a row for each length, with a gradient for each token."""
    learned = read_by("cnn")
    assert list(learned["games"]) == list(GAMES)
    for n, row in learned["games"]["any B"].items():
        assert len(row["before"]) == len(row["after"]) == n


def test_an_unknown_reader():
    """The message lists those that there are."""
    with pytest.raises(KeyError, match=r"expected one of rnn, cnn, .*, got 'lstm'"):
        read_by("lstm")
