"""The one matrix of the bilinear form."""

from typing import Any

import numpy as np

from attention.chapters import lion
from attention.chapters import query_key_value as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform


def unseen(rng: Any) -> list[Case]:
    """More numbers in a token than in a key, and the reverse."""
    return [
        Case("seven numbers, keys of three", (uniform(rng, 1, 7, 3), uniform(rng, 1, 7, 3))),
        Case("three numbers, keys of five", (uniform(rng, 1, 3, 5), uniform(rng, 1, 3, 5))),
    ]


def edges(rng: Any) -> list[Case]:
    """Vectors of width one."""
    return [
        Case("keys of width one", (uniform(rng, 1, 5, 1), uniform(rng, 1, 5, 1))),
        Case("tokens of width one", (uniform(rng, 1, 1, 3), uniform(rng, 1, 1, 3))),
    ]


@mistake(
    "This is W_Qᵀ W_K, with the narrow sides outside: a matrix of `d_k` × `d_k`. "
    "Between x and xᵀ you need `d_model` × `d_model`. "
    "Write out (x w_q)(x w_k)ᵀ; the transpose of a product reverses its factors.",
)
def merged_in_columns(w_q, w_k):
    return w_q.T @ w_k


@mistake(
    "This is W_K W_Qᵀ, the transpose of the answer: x W xᵀ gives the scores with rows and columns swapped. "
    "Row i must hold the scores of query i. "
    "The matrix next to the left x is the one that makes queries.",
)
def query_and_key_exchanged(w_q, w_k):
    return w_k @ w_q.T


@mistake(
    "This is W_Kᵀ W_Q, the note's formula, which is for tokens that are columns. "
    "With rows, the wide sides belong outside: `d_model` × `d_model` between x and xᵀ. "
    "Write out (x w_q)(x w_k)ᵀ; the transpose of a product reverses its factors.",
)
def the_notes_formula(w_q, w_k):
    return w_k.T @ w_q


@mistake(
    "Neither matrix was transposed, and `(d_model, d_k)` does not fit `(d_model, d_k)`. "
    "The second one comes from keyᵀ = (x w_k)ᵀ. "
    "That is w_kᵀ xᵀ, so `w_k` is transposed.",
)
def not_transposed(w_q, w_k):
    return w_q @ w_k


EXERCISE = Exercise(
    name="merged_projection",
    reference=reference.merged_projection,
    returns=("W",),
    examples=(Case("the lion's matrices", (lion.w_q, lion.w_k)),),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("`w_k` is inverted (inv, pinv) instead of transposed", lambda w_q, w_k: w_q @ np.linalg.pinv(w_k)),
        ("each product replaces the one before, where they should be added", lambda w_q, w_k: w_q[:, -1:] * w_k[:, -1]),
        (
            "each row is summed to one number before the product",
            lambda w_q, w_k: w_q.sum(axis=-1)[:, None] * w_k.sum(axis=-1),
        ),
    ),
)
