"""Games in which a part of attention shows what it is for: several heads, queries of their own, and several layers.

Layers of attention play, each added to its input, without a feed-forward network; there is one unless more are asked
for. ``won_by(name)`` says how often a player is right, and ``letters_by(name)`` and ``looks_of(name)`` which of the
two letters, and where its heads look.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import autograd
import autograd.numpy as np
import numpy
from jaxtyping import Bool, Float, Int

from attention.chapters.gradients import adam_step
from attention.chapters.multi_head import multi_head_attention
from attention.chapters.position import positional_encoding
from attention.chapters.reading import attention_share
from attention.chapters.shapes import Array, Parameters
from attention.chapters.training import cross_entropy
from attention.chapters.translator import EPS, flatten, unflatten

from . import shipped
from .readers import NO_PAD
from .runs import SEEDS

NAME = "games"
LETTERS, LENGTH, PEOPLE = 8, 10, 8
BACK = (1, 3)  # how far behind its own place the letters are that a token has to say
WIDTH, STEPS, BATCH, RATE, EXAMINED = 32, 500, 64, 0.005, 500


def two_letters(
    rng: numpy.random.Generator, rows: int
) -> tuple[Int[numpy.ndarray, "rows n 1"], Int[numpy.ndarray, "rows n 2"]]:
    """Draw rows of letters; each says the letter before it and the one three before. The first three say nothing."""
    letters = rng.integers(LETTERS, size=(rows, LENGTH))
    answers = np.stack([np.roll(letters, back, axis=1) for back in BACK], axis=-1)
    answers[:, : max(BACK)] = NO_PAD
    return letters[..., None], answers


def friends(
    rng: numpy.random.Generator, rows: int, hops: int = 1
) -> tuple[Int[numpy.ndarray, "rows n 3"], Int[numpy.ndarray, "rows n 1"]]:
    """Draw rows of people, each with a name, a letter and the name of a friend, whose letter it says.

    The friends form a circle: each is the friend of one other, and nobody its own. With two ``hops`` each says the
    letter of its friend's friend.
    """
    names = rng.permuted(np.tile(np.arange(PEOPLE), (rows, 1)), axis=1)
    letters = rng.integers(LETTERS, size=(rows, PEOPLE))
    of_friend = np.roll(names, 1, axis=1), np.roll(letters, hops, axis=1)
    places = rng.permuted(np.tile(np.arange(PEOPLE), (rows, 1)), axis=1)
    names, letters, friend, answer = (np.take_along_axis(one, places, axis=1) for one in (names, letters, *of_friend))
    return np.stack([names, PEOPLE + friend, 2 * PEOPLE + letters], axis=-1), answer[..., None]


class Player(NamedTuple):
    """Attention that plays: its game, how many things a token can hold, its heads, queries, layers and width."""

    draw: Callable
    things: int
    h: int = 1
    own_queries: bool = True
    layers: int = 1
    width: int = WIDTH


of_friends_friend = partial(friends, hops=2)

PLAYERS = {
    "four_heads": Player(two_letters, LETTERS, 4),
    "two_heads": Player(two_letters, LETTERS, 2),
    "one_head": Player(two_letters, LETTERS),
    "own_queries": Player(friends, 2 * PEOPLE + LETTERS),
    "queries_are_keys": Player(friends, 2 * PEOPLE + LETTERS, own_queries=False),
    "two_layers": Player(of_friends_friend, 2 * PEOPLE + LETTERS, layers=2),
    "one_layer": Player(of_friends_friend, 2 * PEOPLE + LETTERS, h=2, width=48),  # as many looks, and more numbers
    "head_for_each": Player(of_friends_friend, 2 * PEOPLE + LETTERS, h=PEOPLE, width=64),  # one head for each name
}


@cache
def won_by(name: str) -> list[float]:
    """Return the share of tokens at which a player says everything right, for each of SEEDS.

    Errors: KeyError for a name that is not in PLAYERS; Stale if the file is not what would be made today.
    """
    return _kept("won", name)


@cache
def letters_by(name: str) -> Float[numpy.ndarray, "seeds letters"]:
    """Return how often a player says the near letter right, and the far one, for each of SEEDS. Errors: as won_by."""
    return numpy.array(_kept("letters", name))


@cache
def looks_of(name: str) -> Float[numpy.ndarray, "seeds letters h"]:
    """Return the share of its weight that each head gives to the near and to the far letter. Errors: as won_by."""
    return numpy.array(_kept("looks", name))


def _kept(what: str, name: str) -> list:
    """Return what the file holds of a player."""
    if name not in PLAYERS:
        raise KeyError(f"expected one of {', '.join(PLAYERS)}, got {name!r}: add a row to PLAYERS for a new one")
    return shipped.read(NAME, made_of())[what][name]


def made_of() -> shipped.Provenance:
    """Return the games' provenance: this module's code, and all that it imports."""
    return {**shipped.training_code(), **shipped.code_in(__file__)}


def play_all(name: str = NAME) -> dict:
    """Let every player learn its game from every seed: the file's content."""
    played = {name: [play(player, seed) for seed in SEEDS] for name, player in PLAYERS.items()}
    of_letters = {name: every for name, every in played.items() if PLAYERS[name].draw is two_letters}
    return {
        "won": {name: [one.won for one in every] for name, every in played.items()},
        "letters": {name: [one.letters.tolist() for one in every] for name, every in of_letters.items()},
        "looks": {name: [one.looks.tolist() for one in every] for name, every in of_letters.items()},
    }


class Played(NamedTuple):
    """What became of one training: at which share of tokens all answers, and each, are right, and where heads look."""

    won: float
    letters: Float[numpy.ndarray, " answers"]
    looks: Float[numpy.ndarray, "letters h"]


def play(player: Player, seed: int, steps: int = STEPS) -> Played:
    """Let a player learn its game, and examine it on new rows."""
    rng = numpy.random.default_rng(seed)
    first = begun(player, rng)
    flat, slope = flatten(first), autograd.grad(_loss)
    m, v = np.zeros_like(flat), np.zeros_like(flat)
    for step in range(1, steps + 1):
        flat, m, v = adam_step(flat, slope(flat, first, player, *player.draw(rng, BATCH)), m, v, step, RATE, eps=EPS)
    tokens, wanted = player.draw(rng, EXAMINED)
    logits, weights = answers_and_weights(player, unflatten(flat, first), tokens)
    right = (logits.argmax(axis=-1) == wanted)[(wanted != NO_PAD).all(axis=-1)]
    looks = [attention_share(weights, _places(back, tokens.shape[1])).mean(axis=0) for back in BACK]
    return Played(float(right.all(axis=-1).mean()), right.mean(axis=0), numpy.array(looks))


def _places(back: int, n: int) -> Bool[numpy.ndarray, "n n"]:
    """Mark for each token that answers the one that is ``back`` places before it."""
    places = np.eye(n, k=-back, dtype=bool)
    places[: max(BACK)] = False
    return places


def begun(player: Player, rng: numpy.random.Generator) -> dict[str, Float[numpy.ndarray, "*layers rows columns"]]:
    """Draw a player's initial matrices; those of attention hold one for each layer."""
    outputs = player.draw(rng, 1)[1].shape[-1] * LETTERS
    of_attention = (player.layers, player.width, player.width)
    shapes = {"table": (player.things, player.width), **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), of_attention)}
    return {
        name: rng.normal(size=shape) / np.sqrt(1 if name == "table" else shape[-2])
        for name, shape in {**shapes, "w_out": (player.width, outputs)}.items()
    }


def answers(
    player: Player, parameters: Parameters, tokens: Int[numpy.ndarray, "rows n things"]
) -> Float[Array, "rows n answers letters"]:
    """Return the logits of every letter."""
    return answers_and_weights(player, parameters, tokens)[0]


def answers_and_weights(
    player: Player, parameters: Parameters, tokens: Int[numpy.ndarray, "rows n things"]
) -> tuple[Float[Array, "rows n answers letters"], Float[Array, "rows h n n"]]:
    """Return the logits, and where each head of the last layer looks.

    A token is the sum of what it holds, and of its position where that plays a part.
    """
    p = parameters
    x = np.sum(p["table"][tokens], axis=-2)
    if player.draw is two_letters:
        x = x + positional_encoding(*x.shape[-2:])
    for i in range(player.layers):
        w_q = p["w_q" if player.own_queries else "w_k"][i]
        found, weights = multi_head_attention(x, x, x, w_q, p["w_k"][i], p["w_v"][i], p["w_o"][i], player.h)
        x = x + found
    return np.reshape(x @ p["w_out"], (*x.shape[:2], -1, LETTERS)), weights


def _loss(flat: Array, like: Parameters, player: Player, tokens: Array, wanted: Array) -> Array:
    """Return the mean cross-entropy of the right letters."""
    return cross_entropy(answers(player, unflatten(flat, like), tokens), wanted, NO_PAD)
