"""The games: what is asked, by hand, and who can answer."""

import numpy as np
import pytest

from attention.models import games
from attention.models.games import (
    PLAYERS,
    answers,
    begun,
    friends,
    letters_by,
    looks_of,
    of_friends_friend,
    play,
    two_letters,
    won_by,
)


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


def test_a_token_says_its_friends_friends_letter(rng):
    """The friend's friend is neither it nor its friend."""
    tokens, wanted = of_friends_friend(rng, 5)
    for row, said in zip(tokens.tolist(), wanted[..., 0].tolist(), strict=True):
        friend, letters = ({name: one[i] for name, *one in row} for i in (0, 1))
        seconds = [friend[friend[name] - 8] - 8 for name, _, _ in row]
        assert said == [letters[second] - 16 for second in seconds]
        assert all(second not in (name, one - 8) for second, (name, one, _) in zip(seconds, row, strict=True))


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_answers_every_token(name, rng):
    """As many letters as the game asks for; in the games of friends the order of people plays no part."""
    player = PLAYERS[name]
    tokens, wanted = player.draw(rng, 3)
    parameters = begun(player, rng)
    logits = answers(player, parameters, tokens)
    assert logits.shape == (*wanted.shape, 8)
    turned = answers(player, parameters, tokens[:, ::-1])[:, ::-1]
    assert np.allclose(turned, logits) == (player.draw is not two_letters)


def test_queries_of_their_own_are_what_one_player_lacks(rng):
    """For it, w_q may be anything."""
    for name, own in (("own_queries", True), ("queries_are_keys", False)):
        parameters = begun(PLAYERS[name], rng)
        tokens, _ = friends(rng, 2)
        before = answers(PLAYERS[name], parameters, tokens)
        after = answers(PLAYERS[name], parameters | {"w_q": 2 * parameters["w_q"]}, tokens)
        assert np.allclose(before, after) != own


def test_a_second_layer_starts_from_what_the_first_added(rng):
    """Two layers are one on top of another's sum: the second adds to it by matrices that the first does not use."""
    two = PLAYERS["two_layers"]
    parameters, (tokens, _) = begun(two, rng), of_friends_friend(rng, 3)
    attention = ("w_q", "w_k", "w_v", "w_o")
    rest = {name: parameters[name] for name in ("table", "w_out")}
    first, second = ({name: parameters[name][i : i + 1] for name in attention} for i in (0, 1))
    silent = parameters | {"w_o": parameters["w_o"] * np.array([1, 0])[:, None, None]}
    alone = answers(two._replace(layers=1), rest | first, tokens)
    assert np.allclose(answers(two, silent, tokens), alone)
    swapped = {name: parameters[name][::-1] for name in attention}
    for other in (alone, answers(two._replace(layers=1), rest | second, tokens), answers(two, rest | swapped, tokens)):
        assert not np.allclose(answers(two, parameters, tokens), other)


def test_one_layer_has_no_less_to_play_with(rng):
    """It has as many heads as the two layers together, and more numbers."""
    sizes = {name: sum(one.size for one in begun(PLAYERS[name], rng).values()) for name in ("one_layer", "two_layers")}
    assert sizes["one_layer"] > sizes["two_layers"]
    assert PLAYERS["one_layer"].h == PLAYERS["two_layers"].layers * PLAYERS["two_layers"].h


def test_who_wins():
    """Several heads win, and one does not; so do own queries, and two layers where one is asked for a friend's friend.

    Of the five people who can be meant, the commonest letter is right in 39 %. One layer with a head for each name,
    which can keep a case for each of eight friends, is right far more often, and less often than two layers.
    """
    assert np.mean(won_by("four_heads")) > 0.95 > 0.3 > np.mean(won_by("one_head"))
    assert np.mean(won_by("own_queries")) > 0.95 > 0.7 > np.mean(won_by("queries_are_keys"))
    assert min(won_by("two_layers")) > 0.97
    assert 0.36 < min(won_by("one_layer")) <= max(won_by("one_layer")) < 0.55
    assert max(won_by("one_layer")) < min(won_by("head_for_each")) <= max(won_by("head_for_each")) < 0.97
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
