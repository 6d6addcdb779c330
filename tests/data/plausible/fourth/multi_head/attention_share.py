"""Plausible wrong answers to attention_share."""

import numpy as np


def mean_over_all_rows(weights, places):
    """Rows without a place count as zeros in the mean."""
    return (weights * places).sum(axis=-1).mean(axis=-1)


def rows_chosen_by_columns(weights, places):
    """places.any runs along axis 0: it picks keys that are marked instead of queries that have a place."""
    sums = (weights * places).sum(axis=-1)
    return sums[..., places.any(axis=0)].mean(axis=-1)


def average_of_the_heads(weights, places):
    """The mean runs over the heads, too: one number comes out for all of them."""
    sums = (weights * places).sum(axis=-1)
    return sums[..., places.any(axis=-1)].mean(axis=(-2, -1))


def first_row_dropped(weights, places):
    """The first row is left out, whether it has a place or not."""
    return (weights * places).sum(axis=-1)[..., 1:].mean(axis=-1)


def largest_place_only(weights, places):
    """Of each row only the largest marked weight counts, not the sum of all marked ones."""
    best = np.where(places, weights, 0.0).max(axis=-1)
    return best[..., places.any(axis=-1)].mean(axis=-1)


def rows_that_look_there(weights, places):
    """Counts the rows whose strongest key is a place, instead of adding weights."""
    strongest = weights.argmax(axis=-1)[..., None]
    hits = np.take_along_axis(np.broadcast_to(places, weights.shape), strongest, axis=-1)[..., 0]
    return hits[..., places.any(axis=-1)].mean(axis=-1)


def places_transposed(weights, places):
    """The table of places is transposed: queries and keys are exchanged in it."""
    turned = np.swapaxes(places, -1, -2)
    if turned.shape != weights.shape[-2:]:
        raise ValueError("shapes do not fit")
    sums = (weights * turned).sum(axis=-1)
    return sums[..., turned.any(axis=-1)].mean(axis=-1)


def one_number_for_each_row(weights, places):
    """The mean over the rows is missing: a sum for each row comes back."""
    return (weights * places).sum(axis=-1)[..., places.any(axis=-1)]


def head_axis_first(weights, places):
    """Loops over the first axis as the heads, which in a batch is the sentences."""
    rows = places.any(axis=-1)
    return np.array([(head * places).sum(axis=-1)[..., rows].mean() for head in weights])


def divided_by_the_places(weights, places):
    """Each row's sum is divided by the number of its places, so it is a mean weight and not a sum."""
    counts = places.sum(axis=-1)
    rows = counts > 0
    return ((weights * places).sum(axis=-1)[..., rows] / counts[rows]).mean(axis=-1)
