"""Widen the keys and watch softmax saturate; divide by √d_k and watch it recover.

scores = query keyᵀ over the first d_k columns (/ √d_k where ``scaled``),   weights = softmax(scores) row by row
Query and key hold independent numbers of mean 0 and variance 1.
"""

import numpy as np

from ..shared.demo import define_demo
from ..shared.schema import choice, computed, matrix, switch, whole

WIDTHS = [2**i for i in range(11)]
DECIMALS = 5  # of a score: what is rounded away moves no weight by more than 0.0000025


def width_fault(rows):
    """Return how many columns there are where they cannot be halved down to one, or None."""
    return None if len(rows[0]) in WIDTHS else f"{len(rows[0])} columns"


def scores_of(demo):
    """Return the scores (1 + log₂ width, n_q n_k): a row for each d_k, unscaled, query after query."""
    query, key = np.array(demo.query), np.array(demo.key)
    scores = [(query[:, :d] @ key[:, :d].T).ravel() for d in WIDTHS if d <= query.shape[1]]
    return np.round(scores, DECIMALS)


def follow(demo, changed):
    """Return the scores of new queries and keys."""
    return {"scores": scores_of(demo), "n_k": len(demo.key)} if changed & {"query", "key"} else {}


def wide_matrix(about, shape, **others):
    """Return the schema of a matrix that the page does not get, since it has the scores."""
    about += f", their width a power of two up to {WIDTHS[-1]}"
    remedy = "pass as many columns of each as a power of two, as in query[:, :32] and key[:, :32]"
    return matrix(about, shape, fault=width_fault, remedy=remedy, writeOnly=True, **others)


Saturation = define_demo(
    __name__,
    "Saturation: the scores of random queries and keys, whose width d_k doubles from step to step, divided by √d_k "
    "or not. A histogram shows how far the scores spread, and bars show the weights that softmax gives one query. "
    "Unscaled, wide keys leave nearly all the weight on one key, with slopes near 0; scaled, width changes "
    "little.",
    follow,
    query=wide_matrix("the queries", "n_q width"),
    key=wide_matrix("the keys, 2 to 12 rows", "n_k width", minItems=2, maxItems=12),
    d_k=choice("the number of columns that count", 64, WIDTHS, type="integer", upto="width"),
    scaled=switch("whether scores are divided by √d_k"),
    row=whole("the query whose weights are drawn", below="n_q"),
    scores=computed("the unscaled scores for each d_k", scores_of),
    n_k=computed("the number of keys", lambda demo: len(demo.key)),
)
