"""Carry a row along the columns of a matrix, from the words to the outputs of attention.

A row slides along the columns of a matrix, and its products drop into a sum:
query = x w_q,   key = x w_k,   value = x w_v
scores = query keyᵀ (/ √d_k where ``scaled``),   weights = softmax(scores) row by row,   output = weights value
"""

import numpy as np

from ..shared.demo import define_demo
from ..shared.schema import choice, computed, mask, matrix, switch, whole, words

STAGES = ["query", "key", "value", "scores", "weights", "output"]


def columns_of(demo):
    """Return how many columns the matrix of the present stage has."""
    as_wide_as = {"query": demo.w_q[0], "key": demo.w_k[0], "value": demo.w_v[0], "output": demo.w_v[0]}
    return len(as_wide_as.get(demo.stage, demo.words))


def order_misfit(demo, places):
    """Return an order that is not each word's place once, or None."""
    n = len(demo.words)
    return None if sorted(places) == list(range(n)) else f"{places} for {n} words"


def mask_misfit(demo, rows):
    """Return the shape of a mask that is neither empty nor one for all words, or None."""
    n = len(demo.words)
    return None if not rows or np.shape(rows) == (n, n) else f"one of shape {np.shape(rows)} for {n} words"


def start_misfit(demo, start):
    """Return the shape of a start that is not that of W_Q, or None."""
    return None if np.shape(start) == np.shape(demo.w_q) else f"one of shape {np.shape(start)}"


RowByRow = define_demo(
    __name__,
    "Row by row: the matrices of attention for one sentence as tiles, step by step: queries, keys, values, scores, "
    "weights, output. A row slides along the columns of another matrix; at each its products drop into a sum. "
    "An entry of W_Q can be changed, and two words swapped: then the rows of the output are swapped too, and "
    "nothing else changes.",
    words=words("the words of the sentence", shape="n"),
    x=matrix("a row of numbers for each word", "n d_model"),
    w_q=matrix("what makes the queries, which the page may change", "d_model d_k"),
    w_k=matrix("what makes the keys", "d_model d_k"),
    w_v=matrix("what makes the values", "d_model d_v"),
    stage=choice("what is shown", "scores", STAGES),
    # Row 1, column 2 is "hungry" looking at "lion" in the course's sentence.
    row=whole("the row of the cell that is shown, in this order", 1, below="n"),
    column=whole("the column of the cell that is shown, in this order", 2, below=columns_of),
    order={
        "type": "array",
        "items": {"type": "integer"},
        "misfit": order_misfit,
        "description": "which word is in each place of the sentence, each whole number from 0 on once",
        "default": lambda demo: range(len(demo.words)),
        "remedy": "write order=[1, 0, 2] to exchange the first two of three",
    },
    scaled=switch("whether scores are divided by √d_k", default=True),
    whole=switch("whether all rows of the stage are shown, or the chosen one only"),
    mask=mask("where a row may look at a column, or [] for no mask", default=[], misfit=mask_misfit),
    paint=switch("whether the page may change the mask"),
    start=computed('the W_Q that it came with, which "Put back" restores', lambda demo: demo.w_q, misfit=start_misfit),
)
