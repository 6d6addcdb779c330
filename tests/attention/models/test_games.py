"""The two games: what is asked, by hand, and who can answer."""

import numpy as np
import pytest

from attention.models import games
from attention.models.games import PLAYERS, answers, begun, friends, letters_by, looks_of, play, two_letters, won_by


def test_a_token_says_the_letter_before_it_and_the_one_three_before(rng):
    """From the fourth place on; the others have nothing to say."""
    tokens, wanted = two_letters(rng, 4)
    assert tokens.shape == (4, 10, 1)
    for row, said in zip(tokens[..., 0].tolist(), wanted.tolist(), strict=True):
        assert said == [[-1, -1]] * 3 + [[row[i - 1], row[i - 3]] for i in range(3, 10)]


def test_a_token_says_its_friends_letter(rng):
    """Everybody has one name, and is the friend of one other, never of itself."""
    tokens, wanted = friends(rng, 5)
    for row, said in zip(tokens.tolist(), wanted[..., 0].tolist(), strict=True):
        letters = {name: letter - 16 for name, _, letter in row}
        assert sorted(letters) == sorted(friend - 8 for _, friend, _ in row) == list(range(8))
        assert all(friend - 8 != name for name, friend, _ in row)
        assert said == [letters[friend - 8] for _, friend, _ in row]


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_answers_every_token(name, rng):
    """As many letters as the game asks for; in the friends' game the order of people plays no part."""
    player = PLAYERS[name]
    tokens, wanted = player.draw(rng, 3)
    parameters = begun(player, rng)
    logits = answers(player, parameters, tokens)
    assert logits.shape == (*wanted.shape, 8)
    turned = answers(player, parameters, tokens[:, ::-1])[:, ::-1]
    assert np.allclose(turned, logits) == (player.draw is friends)


def test_queries_of_their_own_are_what_one_player_lacks(rng):
    """For it, w_q may be anything."""
    for name, own in (("own_queries", True), ("queries_are_keys", False)):
        parameters = begun(PLAYERS[name], rng)
        tokens, _ = friends(rng, 2)
        before = answers(PLAYERS[name], parameters, tokens)
        after = answers(PLAYERS[name], parameters | {"w_q": 2 * parameters["w_q"]}, tokens)
        assert np.allclose(before, after) != own


def test_who_wins():
    """Several heads win the first game and one does not; own queries win the second, and queries = keys do not."""
    assert np.mean(won_by("four_heads")) > 0.95 > 0.3 > np.mean(won_by("one_head"))
    assert np.mean(won_by("own_queries")) > 0.95 > 0.7 > np.mean(won_by("queries_are_keys"))
    with pytest.raises(KeyError, match=r"expected one of four_heads, .*, got 'nobody'"):
        won_by("nobody")


def test_one_head_says_the_near_letter_and_each_of_two_takes_one():
    """One head guesses the far letter, of which there are eight; of two heads neither looks at both."""
    near, far = letters_by("one_head").T
    assert min(near) > 0.95
    assert max(far) < 0.25
    takes = looks_of("two_heads").argmax(axis=-1)  # (seeds, letters): the head that looks at each
    assert (takes[:, 0] != takes[:, 1]).all()


def test_a_player_learns(monkeypatch):
    """After a few steps it is right more often than by chance, and a seed repeats itself."""
    monkeypatch.setattr(games, "BATCH", 32)
    first = play(PLAYERS["own_queries"], 3, steps=40)
    assert first.won == play(PLAYERS["own_queries"], 3, steps=40).won > 1.5 / 8
    assert first.won == first.letters.item()  # there is one answer


def test_untrained_heads_look_everywhere(monkeypatch):
    """Their shares are between nothing and all, and one for each letter and head."""
    monkeypatch.setattr(games, "EXAMINED", 20)
    looks = play(PLAYERS["four_heads"], 3, steps=0).looks
    assert looks.shape == (2, 4)
    assert ((looks > 0) & (looks < 1)).all()
