"""Reading a map: how much of each head's attention lies on chosen places."""

import numpy as np

from attention.chapters import reading as reference
from autograder.diagnosis import Case, Exercise, mistake

MAPS = np.array(
    [
        [[1.0, 0.0, 0.0], [0.75, 0.25, 0.0], [0.25, 0.5, 0.25]],
        [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5], [0.125, 0.25, 0.625]],
    ]
)
BEFORE = np.eye(3, k=-1, dtype=bool)  # each row's place is the word before; the first row has none
FIRST = np.array([[True, False, False]] * 3)


def maps(rng: np.random.Generator, *shape) -> np.ndarray:
    """Draw weights: each row sums to 1."""
    return rng.dirichlet(np.ones(shape[-1]), shape[:-1])


def some_places(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """Draw rows with no place, with one and with several; the last row has one."""
    places = rng.random((n, m)) < rng.choice([0.0, 0.3, 0.7], n)[:, None]
    places[0], places[-1] = False, np.arange(m) == rng.integers(m)
    places[n // 2, :2] = True
    return places


def unseen(rng: np.random.Generator) -> list[Case]:
    """More keys than queries, more queries than keys, and rows of all kinds."""
    return [
        Case(f"{h} heads, {n} queries, {m} keys", (maps(rng, h, n, m), some_places(rng, n, m)))
        for h, n, m in ((3, 5, 7), (2, 11, 5), (5, 7, 3))
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One head, one place, all places, one query, and the sentences of a batch in front."""
    one = np.zeros((5, 3), dtype=bool)
    one[2, 1] = True
    return [
        Case("one head", (maps(rng, 1, 5, 3), some_places(rng, 5, 3))),
        Case("a single place", (maps(rng, 3, 5, 3), one)),
        Case("all places", (maps(rng, 2, 3, 5), np.ones((3, 5), dtype=bool))),
        Case("one query", (maps(rng, 3, 1, 5), np.array([[True, False, True, False, False]]))),
        Case("a batch", (maps(rng, 2, 3, 5, 7), some_places(rng, 5, 7))),
    ]


def on_places(weights, places):
    """The weight of each row on its places."""
    return (weights * places).sum(axis=-1)


@mistake(
    "The mean goes over all rows, including those without a place. "
    "Such a row can't give any weight to a place, so it lowers the share: a head that always looks back would not "
    "reach 1, since the first word has no previous word. "
    "Keep the rows with `places.any(axis=-1)`, then take the mean.",
)
def rows_without_a_place_counted(weights, places):
    return on_places(weights, places).mean(axis=-1)


@mistake(
    "The rows were added up instead of averaged. "
    "A share is between 0 and 1, however long the sentence is. "
    "Take the mean over the rows that have a place.",
)
def rows_added_up(weights, places):
    return on_places(weights, places).sum(axis=-1)


@mistake(
    "The mean goes over single weights instead of rows. "
    "A row with two places then counts twice, and its weights are not added. "
    "First add up each row's weights on its places, then take the mean over the rows.",
)
def mean_of_single_weights(weights, places):
    return weights[..., places].mean(axis=-1)


@mistake(
    "Of several places in a row, only the largest weight was counted. "
    "A row's share is the sum over all its places. "
    "Add up along the last axis.",
)
def largest_place_only(weights, places):
    return (weights * places).max(axis=-1)[..., places.any(axis=-1)].mean(axis=-1)


@mistake(
    "This is the share of rows whose largest weight is on a place, not the share of the weight. "
    "Then a head that gives half to a place and half elsewhere seems to look nowhere else. "
    "Add up the weights on the places instead of asking where the largest is.",
)
def rows_whose_largest_weight_is_there(weights, places):
    there = np.take_along_axis(np.broadcast_to(places, weights.shape), weights.argmax(axis=-1)[..., None], axis=-1)
    return there[..., 0][..., places.any(axis=-1)].mean(axis=-1)


@mistake(
    "The places were transposed: the previous word became the next word. "
    "Rows are queries and columns are keys, in the weights and in the places. "
    "Multiply weights and places as they are.",
)
def places_transposed(weights, places):
    turned = places.T
    return on_places(weights, turned)[..., turned.any(axis=-1)].mean(axis=-1)


@mistake(
    "The rows to keep were chosen by columns: `places.any(axis=0)` says which keys are marked. "
    "A row counts if there is a place in it. "
    "Ask along the last axis: `places.any(axis=-1)`.",
)
def rows_chosen_by_columns(weights, places):
    return on_places(weights, places)[..., places.any(axis=0)].mean(axis=-1)


@mistake(
    "Each row's sum was divided by the number of its places. "
    "That is the mean weight of a place; a row with two places should count what both have together. "
    "Add up within a row, and take the mean only over the rows.",
)
def mean_within_each_row(weights, places):
    rows = places.any(axis=-1)
    return (on_places(weights, places)[..., rows] / places.sum(axis=-1)[rows]).mean(axis=-1)


@mistake(
    "The mean goes over all cells of a map. "
    "Most cells are not places, so the share would shrink with the length of the sentence. "
    "First add up each row's weights on its places, then take the mean over the rows.",
)
def mean_of_all_cells(weights, places):
    return (weights * places).mean(axis=(-2, -1))


@mistake(
    "The columns were added up instead of the rows. "
    "A row is one query's attention, and sums to 1; a column is what one key gets from all queries. "
    "Sum over the last axis.",
)
def columns_added_up(weights, places):
    return (weights * places).sum(axis=-2)[..., places.any(axis=-2)].mean(axis=-1)


@mistake(
    "All heads were averaged into one number. "
    "The question is which head looks there, so each needs its own number. "
    "Take the mean only over rows, not over heads.",
)
def one_number_for_all_heads(weights, places):
    return on_places(weights, places)[..., places.any(axis=-1)].mean()


@mistake(
    "This is the attention that goes elsewhere: 1 minus the share. "
    "Places are True where the weight counts. "
    "Leave out the ~, or the 1 −.",
)
def share_of_the_rest(weights, places):
    return 1 - on_places(weights, places)[..., places.any(axis=-1)].mean(axis=-1)


@mistake(
    "There is one number for each row instead of each head. "
    "A head's share is about all its rows together. "
    "Take the mean over the rows that have a place.",
)
def one_number_a_row(weights, places):
    return on_places(weights, places)[..., places.any(axis=-1)]


@mistake(
    "The first row was left out, whichever rows have places. "
    "That is right for the previous word, and for nothing else. "
    "Use the places to find the rows that have one: `places.any(axis=-1)`.",
)
def first_row_left_out(weights, places):
    return on_places(weights, places)[..., 1:].mean(axis=-1)


@mistake(
    "Right, but only for one map at a time. "
    "Leading axes, such as the sentences of a batch, must stay first. "
    "Count axes from the end: `axis=-1` for keys, and ... before the rows you keep.",
    sees="right, until there is a batch",
    edge=True,
)
def one_map_at_a_time(weights, places):
    return np.array([on_places(head, places)[places.any(axis=-1)].mean() for head in weights])


EXERCISE = Exercise(
    name="attention_share",
    reference=reference.attention_share,
    returns=("shares",),
    examples=(
        Case("the previous word", (MAPS, BEFORE)),
        Case("the first word", (MAPS, FIRST)),
        Case("the first word or the previous one", (MAPS, FIRST | BEFORE)),
    ),
    unseen=unseen,
    edges=edges,
)
