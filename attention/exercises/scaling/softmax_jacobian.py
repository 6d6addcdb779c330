"""How each weight moves when a score moves."""

import numpy as np

from attention.chapters import scaling as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform


def unseen(rng: np.random.Generator) -> list[Case]:
    """One row of softmax each, of three prime lengths, with no weight near 0 or 1."""
    return [Case(f"{n} weights", (softmax(uniform(rng, 1.5, n)),)) for n in (3, 5, 11)]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, weights of exactly 0 and 1, a row that is nearly certain, and leading axes."""
    certain = np.zeros(5)
    certain[rng.integers(5)] = 1.0
    return [
        Case("one token", (np.array([1.0]),)),
        Case("all on one key", (certain,)),
        Case("nearly certain", (softmax(np.array([float(rng.uniform(6, 9)), 0.0, 0.0])),)),
        Case("several rows", (softmax(uniform(rng, 1.5, 3, 5)),)),
        Case("a batch, with leading axes", (softmax(uniform(rng, 1.5, 2, 3, 5, 7)),)),
    ]


@mistake(
    "Only the diagonal is there: p_i (1 − p_i), and 0 everywhere else. "
    "When one score rises, all the other weights fall, because the row still sums to one. "
    "Off the diagonal, the entries are −p_i p_j.",
)
def diagonal_only(p):
    return np.eye(p.shape[-1]) * (p * (1 - p))[..., None, :]


@mistake(
    "This is the vector p (1 − p): the slope of each weight with respect to its own score. "
    "Each weight also changes with every other score, which makes n × n slopes for each row. "
    "Add an axis: entry [i, j] is for weight i and score j.",
)
def slopes_in_a_row(p):
    return p * (1 - p)


@mistake(
    "This is diag(p), without the second term. "
    "Then a weight would rise with its own score and take nothing from the others; the rows must sum to 0. "
    "Subtract the table of all products p_i p_j.",
)
def products_missing(p):
    return np.eye(p.shape[-1]) * p[..., None, :]


@mistake(
    "This is −p pᵀ, without the first term. "
    "Then each weight would fall when its own score rises. "
    "Add p on the diagonal: diag(p) − p pᵀ.",
)
def diagonal_missing(p):
    return -p[..., :, None] * p[..., None, :]


@mistake(
    "This is only the table of products p_i p_j. "
    "Then every weight would rise with every score, and the row could no longer sum to one. "
    "Subtract the table from p on the diagonal: diag(p) − p pᵀ.",
)
def products_alone(p):
    return p[..., :, None] * p[..., None, :]


@mistake(
    "Every sign is flipped: p pᵀ − diag(p). "
    "A higher score gives its key more weight, so the diagonal is positive and the rest negative. "
    "Swap the two terms.",
)
def sign_turned(p):
    return p[..., :, None] * p[..., None, :] - np.eye(p.shape[-1]) * p[..., None, :]


@mistake(
    "The products were added: diag(p) + p pᵀ. "
    "Then raising one score would raise all weights at once, and they could no longer sum to one. "
    "Put a minus between the two terms.",
)
def plus_for_minus(p):
    return np.eye(p.shape[-1]) * p[..., None, :] + p[..., :, None] * p[..., None, :]


@mistake(
    "`p @ p.T` is one number here: p has a single axis, `.T` does nothing to it, and `@` takes the dot product. p pᵀ "
    "means a table, with p_i p_j in row i and column j. "
    "Multiply p as a column by p as a row: `p[..., :, None] * p[..., None, :]`.",
)
def dot_for_outer(p):
    return np.eye(p.shape[-1]) * p[..., None, :] - np.sum(p * p, axis=-1)[..., None, None]


@mistake(
    "`p * p` squares each weight, and NumPy subtracts these squares from every row alike. "
    "Entry [i, j] needs two different weights, p_i and p_j. "
    "One of the two must be a column: `p[:, None] * p[None, :]`.",
)
def squares_for_products(p):
    return np.eye(p.shape[-1]) * p[..., None, :] - (p * p)[..., None, :]


@mistake(
    "This is δ_ij − p_j, the slope of ln p_i; the factor p_i in front is missing. "
    "Without it, a weight of almost 0 would change as fast as any other. "
    "Multiply row i by p_i.",
)
def slope_of_the_logarithm(p):
    return np.eye(p.shape[-1]) - p[..., None, :]


@mistake(
    "Every entry is p_i (1 − p_j), as if δ_ij were 1 everywhere. δ_ij is 1 on the diagonal and 0 elsewhere, which "
    "leaves −p_i p_j between two different weights. "
    "Use `np.eye(p.shape[-1])` for δ.",
)
def delta_everywhere(p):
    return p[..., :, None] * (1 - p[..., None, :])


@mistake(
    "The identity was used instead of diag(p): ones on the diagonal, not the weights. "
    "Then row i would sum to 1 − p_i instead of 0, and the weights would no longer sum to one. "
    "Put p on the diagonal: `np.diag(p)`, or `p[:, None] * np.eye(n)`.",
)
def identity_for_diagonal(p):
    return np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]


@mistake(
    "Softmax was applied to p first, although p already holds weights. "
    "Softmax of weights is another, flatter row, and these are its slopes. "
    "Use p as it is.",
)
def softmax_again(p):
    p = softmax(p)
    return p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])


@mistake(
    "Right for one row, but in a batch `p[:, None]` puts the new axis after the first one instead of the last. "
    "Then the products pair one sentence with another. "
    "Begin with three dots, which mean all leading axes: `p[..., :, None]`.",
)
def new_axis_too_early(p):
    return p[:, None] * (np.eye(p.shape[-1]) - p[None, :])


EXERCISE = Exercise(
    name="softmax_jacobian",
    reference=reference.softmax_jacobian,
    returns=("jacobian",),
    examples=(
        Case("three weights", (np.array([0.5, 0.3, 0.2]),)),
        Case("two weights, saturated", (np.array([0.9997, 0.0003]),)),
        Case("a batch, with leading axes", (np.array([[[0.5, 0.3, 0.2], [0.5, 0.5, 0.0]]]),), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
