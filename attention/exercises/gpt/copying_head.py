"""Which head of a model copies. The models are real; ``attention.models.copying`` trained them."""

from typing import Any, NamedTuple

import numpy as np

from attention.chapters import reading as reference
from attention.trained import read_trained
from autograder.diagnosis import Case, Exercise, mistake

EACH, DIFFERENT = 6, 3  # models of each grading, and the least number of different answers
AT_HAND = np.array([3, 0, 1, 2, 4, 0, 1, 2])  # q a b c r a b c
AGAIN = np.array([0, 1, 0, 2, 3, 0, 4, 0, 5, 6, 0])  # a p a q r a s a t u a: three heads of it look at a follower
TWICE = np.array([3, 3, 0, 0, 1, 1, 2, 2, 4, 4])  # what follows a symbol's first time is itself
RING = np.array([1, 0, 2, 0, 3, 0, 4, 0])  # the last symbol is most of it


class Look(NamedTuple):
    """A trained model on one sequence: its number among the models, and the arguments of ``copying_head``."""

    model: int
    args: tuple[np.ndarray, np.ndarray]


def stored(model: int, sequence: dict[str, Any]) -> Look:
    """Return a sequence of the file; what lies behind the diagonal is 0, as under a causal mask."""
    n = len(sequence["tokens"])
    layers = [
        [[row + [0] * (n - len(row)) for row in head] for head in layer] for layer in sequence["weights"]
    ]  # hundredths
    return Look(model, (np.array(layers) / 100, np.array(sequence["tokens"])))


MODELS = [model for model in read_trained("copying")["models"] if model["sequences"]]
LOOKS = [stored(number, one) for number, model in enumerate(MODELS) for one in model["sequences"]]
SHOWN = (8, 2)  # a model with four heads in each layer, which the notebook draws, and one with two
HIDDEN = [look for look in LOOKS if look.model not in SHOWN]


def a_symbol_five_times() -> np.ndarray:
    """Return six heads for AGAIN: four look at what followed the latest, the first and all earlier ones, or one back.

    One looks at tokens like the next one of the sequence, and one at itself.
    """
    n = len(AGAIN)
    every, first, latest = several_times(AGAIN, 0.48)
    like_the_next = {t: list(np.flatnonzero(AGAIN[: t + 1] == AGAIN[t + 1])) for t in range(n - 1)}
    return np.array(
        [
            [latest, first, looking_at(n, like_the_next, 0.9)],
            [one_back(n, 0.48), every, looking_at(n, {}, 1.0)],
        ]
    )


def looks_of(model: int) -> list[Look]:
    """Return a model's sequences."""
    return [look for look in LOOKS if look.model == model]


def looking_at(n: int, places: dict[int, list[int]], share: float) -> np.ndarray:
    """Return a head that gives ``share`` to its places in a row, evenly, and the rest to the token itself.

    A row without places gives all to the token itself.
    """
    weights = np.zeros((n, n))
    for t in range(n):
        weights[t, places.get(t, [])] = share / max(len(places.get(t, [])), 1)
        weights[t, t] += 1 - weights[t].sum()
    return weights


def one_back(n: int, share: float = 1.0) -> np.ndarray:
    """Return a head that looks at the previous token."""
    return looking_at(n, {t: [t - 1] for t in range(1, n)}, share)


def among_others(rng: np.random.Generator, tokens: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return two layers of three heads in any order but that the first does not copy: one gives followers ``share``.

    The others look at the first token, or everywhere.
    """
    n = len(tokens)
    follows = {t: list(np.flatnonzero(row)) for t, row in enumerate(reference.followers(tokens)) if row.any()}
    copying = np.eye(n)
    for t, places in follows.items():
        rest = np.setdiff1d(np.arange(t + 1), places)
        copying[t] = 0
        copying[t, places] = share / len(places)
        copying[t, rest] = (1 - share) / len(rest)
    first = looking_at(n, {t: [0] for t in range(1, n)}, 1.0)
    evenly = np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None]
    others = [first, evenly, first, evenly, first]
    order = [0, *(1 + rng.permutation(5))]
    heads = [[*others, copying][place] for place in order]
    return np.array(heads).reshape(2, 3, n, n), tokens


def one_thing_each() -> np.ndarray:
    """Return eight heads for AT_HAND, each of which does one thing: (2, 4, n, n)."""
    n, second_time = len(AT_HAND), {5: 1, 6: 2, 7: 3}  # row -> where the same symbol came first
    everywhere = range(1, n)
    itself = looking_at(n, {}, 1.0)
    previous = one_back(n)
    first = looking_at(n, {t: [0] for t in everywhere}, 1.0)
    second = looking_at(n, {t: [1] for t in everywhere}, 1.0)
    same = looking_at(n, {t: [s] for t, s in second_time.items()}, 0.9)
    before = looking_at(n, {t: [s - 1] for t, s in second_time.items()}, 0.9)
    follows = looking_at(n, {t: [s + 1] for t, s in second_time.items()}, 0.8)
    last_row = looking_at(n, {7: [4]}, 1.0)
    return np.array([[itself, previous, first, second], [same, before, follows, last_row]])


def several_times(tokens: np.ndarray, share: float) -> list[np.ndarray]:
    """Return three heads for a symbol that comes several times: what followed all, the first and the latest of them."""
    n = len(tokens)
    earlier = {t: [s for s in range(t) if tokens[s] == tokens[t]] for t in range(n)}
    earlier = {t: every for t, every in earlier.items() if every}
    return [
        looking_at(n, {t: [s + 1 for s in every] for t, every in earlier.items()}, 0.9),
        looking_at(n, {t: [every[0] + 1] for t, every in earlier.items()}, share),
        looking_at(n, {t: [every[-1] + 1] for t, every in earlier.items()}, share),
    ]


def renumbered(rng: np.random.Generator, look: Look) -> tuple[np.ndarray, np.ndarray]:
    """Return the same model with its heads in another order within each layer, and its symbols under other names.

    What the heads of a layer find is added up, so their order means nothing; neither does a symbol's number.
    """
    weights, tokens = look.args
    layers = [layer[rng.permutation(len(layer))] for layer in weights]
    return np.array(layers), rng.permutation(29)[tokens]


def unseen(rng: np.random.Generator) -> list[Case]:
    """Models that the notebook does not show, with two, three and four heads, and three different heads that copy."""
    while True:
        drawn = [renumbered(rng, look) for look in some_of(rng)]
        if len({reference.copying_head(*args) for args in drawn}) >= DIFFERENT:
            return [Case(f"model {number}", args) for number, args in enumerate(drawn, 1)]


def some_of(rng: np.random.Generator) -> list[Look]:
    """Draw EACH models, at least one of every number of heads, with one sequence each."""
    order = [HIDDEN[place] for place in rng.permutation(len(HIDDEN))]
    one_each = list({look.model: look for look in order}.values())
    of_a_size = {len(look.args[0][0]): look for look in one_each}  # one for each number of heads
    chosen = {look.model: look for look in (*of_a_size.values(), *one_each)}
    return list(chosen.values())[:EACH]


def edges(rng: np.random.Generator) -> list[Case]:
    """By hand: a symbol that comes several times, one that returns at the very end only, other numbers of layers."""
    several = drawn_several(rng)
    return [
        Case("a symbol that comes several times", several),
        Case("a single symbol returns, at the end", hidden_among(rng, 2, 3, np.array([5, 3, 1, 0, 2, 3]))),
        Case("one head in each of three layers", hidden_among(rng, 3, 1, np.array([4, 2, 0, 3, 4, 2, 0]))),
        Case("symbols that come twice in a row", among_others(rng, TWICE, 0.7)),
        Case("the last symbol is half of the row", among_others(rng, RING, 0.8)),
        Case("a head that gives these places less than half", among_others(rng, RING, 0.45)),
        Case("one layer of five heads", hidden_among(rng, 1, 5, np.array([1, 0, 3, 2, 1, 0, 3, 4, 0]))),
    ]


def drawn_several(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw a symbol that comes seven times, other symbols between, and the three heads among six, in any order."""
    tokens = np.zeros(13, dtype=int)
    tokens[1::2] = rng.permutation(np.arange(1, 7))
    heads = [*several_times(tokens, 0.42), *(one_back(13, 0.42) for _ in range(3))]
    order = rng.permutation(6)
    return np.array([heads[place] for place in order]).reshape(2, 3, 13, 13), tokens


def hidden_among(
    rng: np.random.Generator, layers: int, heads: int, tokens: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Draw heads that look anywhere but at what followed, and one of them that looks mostly there."""
    n, follows = len(tokens), one_later(same_before(tokens))
    weights = np.tril(rng.uniform(0.1, 1.0, (layers, heads, n, n))) * np.where(follows, 0.2, 1.0)
    weights[rng.integers(layers), rng.integers(heads)] *= np.where(follows, 50.0, 1.0)
    return weights / weights.sum(axis=-1, keepdims=True), tokens


def best(weights, places):
    """The head with the most weight on places; all heads have equally many rows, so a sum does."""
    shares = (weights * places).sum(axis=(-2, -1))
    return tuple(int(number) for number in np.unravel_index(shares.argmax(), shares.shape))


def same_before(tokens):
    """Where the same token came earlier: (n, n)."""
    return np.tril(tokens[:, None] == tokens, -1)


def one_later(places):
    """Places, each one column to the right."""
    return np.roll(places, 1, axis=-1)


@mistake(
    "This head looks back at the same symbol itself. "
    "It knows where a symbol came before, and not what came after it. "
    "Look at what stands at the places with the largest weights, and compare it with what the model says next. "
    "If you moved your places by one, look at which axis they moved along: rows must stay where they are.",
)
def same_symbol(weights, tokens):
    return best(weights, same_before(tokens))


@mistake(
    "This head looks at what came *before* the same symbol the first time. "
    "The places are moved by one in the wrong direction: later tokens have larger numbers. "
    "The follower of the token at s is at s + 1.",
)
def symbol_before(weights, tokens):
    return best(weights, np.roll(same_before(tokens), -1, axis=-1))


@mistake(
    "This head looks at the previous token, whatever it is. "
    "That can help to copy, since a token then knows what it followed, but it is one step of two. "
    "Which head looks up, from the second time, what came next the first time?",
)
def previous_token(weights, tokens):
    return best(weights, np.eye(len(tokens), k=-1, dtype=bool))


@mistake(
    "This head looks at the first token, whatever it is. "
    "Many heads do so where they have nothing else to look for. "
    "Compare with `tokens` before you add up weights: which places does this sequence make interesting?",
)
def first_token(weights, tokens):
    places = np.zeros((len(tokens), len(tokens)), dtype=bool)
    places[1:, 0] = True
    return best(weights, places)


@mistake(
    "By this measure all heads are equal, and the first of them came out. "
    "The first row of every head has its whole weight on the first token, so the largest weight of each head is 1; and "
    "above the diagonal all weights are 0, which is what you add up if rows and columns are exchanged. "
    "Print your measure for every head.",
)
def every_head_alike(weights, tokens):
    largest = weights.max(axis=(-2, -1))
    return tuple(int(number) for number in np.unravel_index(largest.argmax(), largest.shape))


@mistake(
    "The second token was counted in rows whose symbol had not come before. "
    "`argmax` of a row without any True is 0, and the place after 0 is 1. "
    "Leave out the rows in which nothing has come before.",
)
def rows_without_an_earlier_one(weights, tokens):
    later = same_before(tokens).argmax(axis=-1) + 1
    rows = np.arange(1, len(tokens))
    shares = weights[..., rows, later[rows]].mean(axis=-1)
    return tuple(int(number) for number in np.unravel_index(shares.argmax(), shares.shape))


@mistake(
    "Only the last row was looked at. "
    "A head may look at the right place there for another reason: it may always look so many tokens back. "
    "Take the mean over all rows whose symbol has come before.",
)
def last_row_only(weights, tokens):
    places = one_later(same_before(tokens))
    places[:-1] = False
    return best(weights, places)


@mistake(
    "Layer and head are exchanged. The axes of `weights` are layers, heads, queries and keys. Return the layer first.",
)
def exchanged(weights, tokens):
    layer, head = best(weights, one_later(same_before(tokens)))
    return head, layer


@mistake(
    "Layer and head were counted from 1. Both are counted from 0, as NumPy's axes are: `weights[layer, head]`.",
)
def counted_from_one(weights, tokens):
    layer, head = best(weights, one_later(same_before(tokens)))
    return layer + 1, head + 1


@mistake(
    "This is the head's number among the heads of all layers: `argmax` counts through a table as if it were one row. "
    "Return two numbers, the layer and the head in it. "
    "Look up `np.unravel_index`, or divide by the number of heads.",
)
def number_among_all(weights, tokens):
    layer, head = best(weights, one_later(same_before(tokens)))
    return layer * weights.shape[1] + head


@mistake(
    "The head's number among all heads was returned as the head, so it is too large. "
    "The heads of each layer are counted from 0. "
    "Look up `np.unravel_index`, or divide by the number of heads.",
)
def head_among_all(weights, tokens):
    layer, head = best(weights, one_later(same_before(tokens)))
    return layer, layer * weights.shape[1] + head


@mistake(
    "The head that gives these places the *least* weight came out. Take the largest mean: `argmax`, not `argmin`.",
)
def least_weight(weights, tokens):
    places = one_later(same_before(tokens))
    shares = (weights * places).sum(axis=(-2, -1))
    return tuple(int(number) for number in np.unravel_index(shares.argmin(), shares.shape))


@mistake(
    "These are the places of the equal symbols, the token itself among them. "
    "Every token equals itself, so a head that looks at itself wins. "
    "Take only earlier ones, and of each the place behind it.",
)
def itself_too(weights, tokens):
    return best(weights, np.tril(tokens[:, None] == tokens))


@mistake(
    "The places were compared with the token that really comes next in the row. "
    "A head cannot know that one; it looks at what came next the time before, also where something else follows now. "
    "Compare the present token with earlier ones.",
)
def really_next(weights, tokens):
    places = np.zeros((len(tokens), len(tokens)), dtype=bool)
    places[:-1] = np.tril(tokens[1:, None] == tokens)
    return best(weights, places)


@mistake(
    "The number of the head among all was divided by the number of layers. "
    "Each layer has as many numbers as it has heads. "
    "Divide by `weights.shape[1]`, or look up `np.unravel_index`.",
)
def divided_by_the_layers(weights, tokens):
    layer, head = best(weights, one_later(same_before(tokens)))
    number = layer * weights.shape[1] + head
    return number // weights.shape[0], number % weights.shape[0]


@mistake(
    "One distance was taken for all tokens: how far back the first token that comes again came before. "
    "A head that always looks so far back has the same weights there, and copies nothing. "
    "Find the earlier places of each token by itself.",
)
def one_distance(weights, tokens):
    again = [t - s for t in range(len(tokens)) for s in range(t) if tokens[s] == tokens[t]]
    return best(weights, np.eye(len(tokens), k=1 - again[0], dtype=bool))


@mistake(
    "The largest single weight on such a place decided. "
    "One look may be chance, or a head may look there in one row only. "
    "Take the mean over all rows whose symbol has come before.",
)
def largest_single_weight(weights, tokens):
    largest = (weights * one_later(same_before(tokens))).max(axis=(-2, -1))
    return tuple(int(number) for number in np.unravel_index(largest.argmax(), largest.shape))


@mistake(
    "A head had to reach a limit, and none does, so nothing came back. "
    "A trained head seldom has all of its weight at one kind of place. "
    "Compare the heads with one another: return the one with the largest mean.",
)
def above_a_limit(weights, tokens):
    places = one_later(same_before(tokens))
    shares = (weights * places).sum(axis=(-2, -1)) / places.any(axis=-1).sum()
    found = np.argwhere(shares > 0.9)
    return tuple(int(number) for number in found[0]) if len(found) else None


@mistake(
    "Only rows in which one such place has more than half of the weight were counted. "
    "A head may share its weight among several places, and a trained one often gives them less than half. "
    "Add up the weights themselves.",
    sees="right, until no place has more than half",
    edge=True,
)
def more_than_half(weights, tokens):
    return best(weights > 0.5, one_later(same_before(tokens)))


@mistake(
    "Only layer 1 was looked at. "
    "The copying head of these models is there, but it may be in any layer of another model. "
    "Compare the heads of all layers.",
    sees="right, while the head is in layer 1",
    edge=True,
)
def second_layer_only(weights, tokens):
    _, head = best(weights[[1]], one_later(same_before(tokens)))
    return 1, head


@mistake(
    "Right, until a symbol comes twice in a row: then the place behind the earlier one is the token's own, which was "
    "left out. It counts, too. "
    "Leave out only equal tokens that are not *earlier*; the place behind one may be where the token itself stands.",
    sees="right, until a symbol comes twice in a row",
    edge=True,
)
def never_its_own_place(weights, tokens):
    return best(weights, np.tril(one_later(same_before(tokens)), -1))


@mistake(
    "The row was taken as a ring: before its first token came its last. "
    "`np.roll` puts in front what leaves at the end, and index −1 is the last place. "
    "So a head that looks at the first token wins. Nothing stands before the first token: leave that place out.",
    sees="right, until the last symbol comes often",
    edge=True,
)
def row_as_a_ring(weights, tokens):
    return best(weights, np.tril(one_later(tokens[:, None] == tokens)))


@mistake(
    "Where a symbol had come several times, only what followed the *first* of them was counted. "
    "A head that looks at all of them gives each a part of its weight. "
    "Add up a row's weights on every follower.",
)
def first_occurrence_only(weights, tokens):
    earlier = same_before(tokens)
    return best(weights, one_later(earlier & (np.cumsum(earlier, axis=-1) == 1)))


@mistake(
    "Where a symbol had come several times, only what followed the *latest* of them was counted. "
    "A head that looks at all of them gives each a part of its weight. "
    "Add up a row's weights on every follower.",
)
def latest_occurrence_only(weights, tokens):
    earlier = same_before(tokens)
    later = np.cumsum(earlier[:, ::-1], axis=-1)[:, ::-1]
    return best(weights, one_later(earlier & (later == 1)))


EXERCISE = Exercise(
    name="copying_head",
    reference=reference.copying_head,
    returns=("layer", "head"),
    examples=(
        Case("eight heads by hand", (one_thing_each(), AT_HAND)),
        *(Case(f"a trained model, sequence {number}", look.args) for number, look in enumerate(looks_of(SHOWN[0]), 1)),
        Case("another trained model", looks_of(SHOWN[1])[0].args),
        Case("a symbol that comes five times", (a_symbol_five_times(), AGAIN), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
