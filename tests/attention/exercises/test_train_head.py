"""Ten ways to write train_head that all get full marks: loops, einsum, single precision, sums in other orders."""

import os

import numpy as np
import pytest

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISE = exercises_of("gradients")["train_head"]
SEEDS = int(os.environ.get("SEEDS", "3"))


def softmax(scores):
    """Weights along the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def by_loops(inputs, slopes):
    """Sum over rows and letters one by one."""
    total = np.zeros((inputs.shape[-1], slopes.shape[-1]))
    for row, slope in zip(inputs, slopes, strict=True):
        for letter, one in zip(row, slope, strict=True):
            total += np.outer(letter, one)
    return total


def backwards(inputs, slopes):
    """Sum from the last row to the first."""
    return sum(np.transpose(row) @ slope for row, slope in list(zip(inputs, slopes, strict=True))[::-1])


PRODUCTS = {
    "loops": by_loops,
    "einsum": lambda inputs, slopes: np.einsum("bnl,bnd->ld", inputs, slopes),
    "tensordot": lambda inputs, slopes: np.tensordot(inputs, slopes, axes=([0, 1], [0, 1])),
    "one long table": lambda inputs, slopes: (
        inputs.reshape(-1, inputs.shape[-1]).T @ slopes.reshape(-1, slopes.shape[-1])
    ),
    "summed products": lambda inputs, slopes: (np.swapaxes(inputs, 1, 2) @ slopes).sum(axis=0),
    "backwards": backwards,
    "outer products": lambda inputs, slopes: (inputs[..., :, None] * slopes[..., None, :]).sum(axis=(0, 1)),
}


def solver(
    product=PRODUCTS["summed products"], dtype=float, whole_jacobian=False, logarithm_of_sums=False, rate_first=False
):
    """Return a train_head written in one of the ways."""

    def loss_and_slope(logits, right):
        rows = np.arange(len(right))
        loss = -np.log(softmax(logits)[rows, right]).mean()
        if logarithm_of_sums:
            top = logits.max(axis=-1)
            loss = np.mean(np.log(np.exp(logits - top[:, None]).sum(axis=-1)) + top - logits[rows, right])
        return loss, (softmax(logits) - np.eye(logits.shape[1])[right]) / len(right)

    def through_softmax(weights, slopes):
        if whole_jacobian:
            jacobian = weights[..., None] * np.eye(weights.shape[-1]) - weights[..., None] * weights[..., None, :]
            return (jacobian @ slopes[..., None])[..., 0]
        return weights * (slopes - (slopes * weights).sum(axis=-1, keepdims=True))

    def adam(matrix, gradient, m, v, step, rate):
        m, v = 0.9 * m + 0.1 * gradient, 0.98 * v + 0.02 * gradient**2
        if rate_first:
            pace = rate / (1 - 0.9**step)
            return matrix - pace * m / (np.sqrt(v) / np.sqrt(1 - 0.98**step) + 0.01), m, v
        return matrix - rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.98**step)) + 0.01), m, v

    def train_head(x, targets, w_q, w_k, w_v, w_out, rate):
        matrices = [matrix.astype(dtype) for matrix in (w_q, w_k, w_v, w_out)]
        averages = [(np.zeros_like(matrix), np.zeros_like(matrix)) for matrix in matrices]
        losses = []
        for step in range(len(x)):
            rows, (w_q, w_k, w_v, w_out) = x[step].astype(dtype), matrices
            query, key, value = rows[:, -1:] @ w_q, rows @ w_k, rows @ w_v
            root = query.shape[-1] ** 0.5
            weights = softmax(query @ key.transpose(0, 2, 1) / root)
            found = (weights @ value)[:, 0]
            loss, d_logits = loss_and_slope(found @ w_out, targets[step])
            losses.append(loss)
            d_found = (d_logits @ w_out.T)[:, None]
            d_scores = through_softmax(weights, d_found @ value.transpose(0, 2, 1)) / root
            gradients = [
                product(rows[:, -1:], d_scores @ key),
                product(rows, d_scores.transpose(0, 2, 1) @ query),
                product(rows, weights.transpose(0, 2, 1) @ d_found),
                product(found[:, None], d_logits[:, None]),
            ]
            stepped = [adam(*one, step + 1, rate) for one in lined_up(matrices, gradients, averages)]
            matrices, averages = [one[0] for one in stepped], [one[1:] for one in stepped]
        return np.array(losses), *matrices

    return train_head


def lined_up(matrices, gradients, averages):
    """Line up each matrix with its gradient and its two averages."""
    return [(one, gradient, *two) for one, gradient, two in zip(matrices, gradients, averages, strict=True)]


SOLVERS = {
    **{name: solver(PRODUCTS[name]) for name in PRODUCTS},
    "single precision": solver(dtype=np.float32),
    "the whole Jacobian": solver(whole_jacobian=True),
    "the logarithm of sums, and the rate first": solver(logarithm_of_sums=True, rate_first=True),
}


@pytest.mark.parametrize("name", SOLVERS)
def test_a_right_loop_gets_full_marks_however_it_is_written(name):
    """Another order of the same sums, or single precision, costs no points; SEEDS=100 draws more unseen rows."""
    for seed in range(SEEDS):
        verdict = judge(EXERCISE, seed, [reply_of(SOLVERS[name], case) for _, case in EXERCISE.questions(seed)])
        assert verdict.score == verdict.points, (seed, verdict.message)
