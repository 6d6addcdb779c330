"""Chapter 10's loop: one attention head learns Note 4's game, with gradients by hand."""

import numpy as np
from jaxtyping import Float, Int

from .masking import masked_attention
from .shapes import Array, require_same_size
from .training import adam_step, attention_gradient, cross_entropy, cross_entropy_gradient

NO_PAD = -1  # no target is padding
EPS = 1e-2  # a gradient of nearly 0 makes no full stride: rows of one letter have many of them


def train_head(
    x: Float[np.ndarray, "steps batch n letters"],
    targets: Int[np.ndarray, "steps batch"],
    w_q: Float[np.ndarray, "letters d_k"],
    w_k: Float[np.ndarray, "letters d_k"],
    w_v: Float[np.ndarray, "letters d_v"],
    w_out: Float[np.ndarray, "d_v classes"],
    rate: float | int,
) -> tuple[
    Float[np.ndarray, "steps"],
    Float[np.ndarray, "letters d_k"],
    Float[np.ndarray, "letters d_k"],
    Float[np.ndarray, "letters d_v"],
    Float[np.ndarray, "d_v classes"],
]:
    """Train a head that asks from the last letter of a row, with one batch of rows for each step.

    logits = attention(x_n W_Q, x W_K, x W_V) W_out,   a step of Adam for each matrix, ε = 0.01, m and v from 0

    Shapes: x (steps, batch, n, letters), targets (steps, batch), w_q and w_k (letters, d_k), w_v (letters, d_v),
    w_out (d_v, classes) -> the loss of each batch before its step (steps,), and the four matrices after the last.
    Errors: ValueError where there are not as many batches of targets as of rows.
    Source: Kingma and Ba (2015), Adam; Dao et al. (2022), appendix B.2, for the gradient.
    """
    require_same_size("x", x, 0, "targets", targets, 0, "each batch of rows needs its targets")
    matrices = [w_q, w_k, w_v, w_out]
    averages = [(np.zeros_like(matrix), np.zeros_like(matrix)) for matrix in matrices]
    losses = []
    for step, (rows, right) in enumerate(zip(x, targets, strict=True), 1):
        loss, gradients = loss_and_gradients(rows, right, *matrices)
        losses.append(loss)
        moved = [
            adam_step(matrix, gradient, m, v, step, rate, eps=EPS)
            for matrix, gradient, (m, v) in zip(matrices, gradients, averages, strict=True)
        ]
        matrices, averages = [one for one, _, _ in moved], [(m, v) for _, m, v in moved]
    return np.array(losses), *matrices


def loss_and_gradients(
    rows: Array, right: Array, w_q: Array, w_k: Array, w_v: Array, w_out: Array
) -> tuple[Array | float, list[Array]]:
    """Return the loss of a batch, and its gradients with respect to the four matrices."""
    last = rows[:, -1:]  # (batch, 1, letters)
    query, key, value = last @ w_q, rows @ w_k, rows @ w_v
    mask = np.ones((1, rows.shape[1]), dtype=bool)
    found = masked_attention(query, key, value, mask)[0][:, 0]  # (batch, d_v)
    logits = found @ w_out  # (batch, classes)
    d_logits = cross_entropy_gradient(logits, right, NO_PAD)
    d_query, d_key, d_value = attention_gradient(query, key, value, mask, (d_logits @ w_out.T)[:, None])
    inward = ((last, d_query), (rows, d_key), (rows, d_value))
    gradients = [np.einsum("bnl,bnd->ld", rows_in, slopes) for rows_in, slopes in inward]
    return cross_entropy(logits, right, NO_PAD), [*gradients, found.T @ d_logits]
