"""Queries, keys and values of a sentence."""

import numpy as np

from attention.chapters import lion
from attention.chapters import query_key_value as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

# One sentence with two heads, three tokens of five numbers, of which each matrix picks two or three.
BATCH = np.arange(30.0).reshape(1, 2, 3, 5)
PICKED = (np.eye(5)[:, :2], np.eye(5)[:, 3:], np.eye(5)[:, 1:4])


def unseen(rng: np.random.Generator) -> list[Case]:
    """Tokens, widths and counts all different, so that no product of the wrong way round fits."""
    return [
        Case("five tokens", projection(rng, (5, 7), 3, 2)),
        Case("values wider than keys", projection(rng, (3, 5), 2, 11)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, and a batch of sentences with heads."""
    return [
        Case("one token", projection(rng, (1, 5), 3, 2)),
        Case("a batch, with leading axes", projection(rng, (2, 3, 5, 7), 11, 13)),
    ]


def projection(
    rng: np.random.Generator, shape: tuple[int, ...], d_k: int, d_v: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw tokens of this shape, and matrices that fit them."""
    return uniform(rng, 1, *shape), *(uniform(rng, 1, shape[-1], width) for width in (d_k, d_k, d_v))


@mistake(
    "The matrix is on the left: `w @ x`. "
    "Here rows are tokens, so the shapes `(n, d_model)` and `(d_model, d_k)` fit with x on the left. "
    "The note's W e is the same product written for columns; with rows it is `x @ w`.",
)
def weights_on_the_left(x, w_q, w_k, w_v):
    return w_q @ x, w_k @ x, w_v @ x


@mistake(
    "The matrix was transposed: `x @ w.T`. "
    "It already has one row for each number of a token, so `d_model` meets `d_model` without `.T`. "
    "Write the shapes below the product: `(n, d_model) @ (d_model, d_k)`.",
)
def weights_transposed(x, w_q, w_k, w_v):
    return x @ w_q.T, x @ w_k.T, x @ w_v.T


@mistake(
    "Query and key are swapped: the first result was made with `w_k`, the second with `w_q`. "
    "What a word looks for is not what it offers, so every later score would be transposed. "
    "Return `x @ w_q` first, then `x @ w_k`, then `x @ w_v`.",
)
def query_and_key_swapped(x, w_q, w_k, w_v):
    return x @ w_k, x @ w_q, x @ w_v


@mistake(
    "Key was made with `w_q`, like query. "
    "Then a word would look for exactly what it offers, and scores would be symmetric. "
    "Each of the three results has its own matrix.",
)
def one_matrix_for_two(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_q, x @ w_v


EXERCISE = Exercise(
    name="project",
    reference=reference.project,
    returns=("query", "key", "value"),
    examples=(
        Case("the lion", (lion.x, lion.w_q, lion.w_k, lion.w_v)),
        Case("a batch, with leading axes", (BATCH, *PICKED), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
