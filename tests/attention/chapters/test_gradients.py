"""The head that learns Note 4's game: its gradients against autograd's, and what it can do in the end."""

import autograd
import autograd.numpy as anp
import numpy as np
import pytest

from attention.chapters.gradients import loss_and_gradients, train_head
from attention.exercises.training.train_head import game, start

SIZES = (2, 3, 5)  # letters, d_k, d_v


def loss(matrices, rows, right):
    """Write the loss once more, for autograd."""
    w_q, w_k, w_v, w_out = matrices
    scores = anp.einsum("bd,bnd->bn", rows[:, -1] @ w_q, rows @ w_k) / np.sqrt(w_q.shape[1])
    powers = anp.exp(scores)
    found = anp.einsum("bn,bnd->bd", powers / powers.sum(axis=1, keepdims=True), rows @ w_v)
    logits = found @ w_out
    return anp.mean(anp.log(anp.exp(logits).sum(axis=1)) - logits[np.arange(len(right)), right])


def test_loss_and_gradients_are_autograds(rng):
    """Four matrices, a batch of seven rows of eleven letters."""
    (rows,), (right,) = game(rng, 1, 7, 11)
    matrices = start(rng, *SIZES)
    value, gradients = loss_and_gradients(rows, right, *matrices)
    assert value == pytest.approx(loss(matrices, rows, right), abs=1e-12)
    for own, other in zip(gradients, autograd.grad(loss)(matrices, rows, right), strict=True):
        np.testing.assert_allclose(own, other, atol=1e-12)


def test_it_learns_the_game_and_plays_it_with_longer_rows():
    """After 60 steps with rows of seven it is right on 300 rows of 101; the loss begins at a guess and ends at 0."""
    rng = np.random.default_rng(5)
    losses, *matrices = train_head(*game(rng, 60, 16, 7), *start(rng, *SIZES), 0.1)
    assert losses.shape == (60,)
    assert losses[0] > 0.4
    assert losses[-5:].max() < 0.01
    (rows,), (right,) = game(rng, 1, 300, 101)
    w_q, w_k, w_v, w_out = matrices
    scores = np.einsum("bd,bnd->bn", rows[:, -1] @ w_q, rows @ w_k) / np.sqrt(w_q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    found = np.einsum("bn,bnd->bd", weights / weights.sum(axis=1, keepdims=True), rows @ w_v)
    assert ((found @ w_out).argmax(axis=1) == right).mean() > 0.99


def test_batches_and_targets_must_be_as_many(rng, unchecked):
    """Five batches of rows and four of targets are refused."""
    x, targets = game(rng, 5, 3, 7)
    with pytest.raises(ValueError, match="each batch of rows needs its targets"):
        train_head(x, targets[:4], *start(rng, *SIZES), 0.1)
