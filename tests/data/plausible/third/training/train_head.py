"""Plausible wrong answers to train_head."""

import numpy as np

from autograder.checks.given import masked_softmax as _masked_softmax


def _loop(
    x, targets, matrices, rate, ask=-1, mean=False, moves=(0, 1, 2, 3), fresh=False, count=0, root=True, eps=0.01
):
    """Train, with what each wrong answer does otherwise."""
    p = [np.array(matrix, dtype=float) for matrix in matrices]
    m, v, losses = [np.zeros_like(a) for a in p], [np.zeros_like(a) for a in p], []
    for t, (rows, right) in enumerate(zip(x, targets, strict=True), 1):
        last = rows[:, ask][:, None]
        q, k, value = last @ p[0], rows @ p[1], rows @ p[2]
        r = np.sqrt(q.shape[-1]) if root else 1.0
        w = _masked_softmax(q @ k.transpose(0, 2, 1) / r, np.ones((1, rows.shape[1]), dtype=bool))
        found = (w @ value)[:, 0]
        z = found @ p[3]
        e = np.exp(z - z.max(1, keepdims=True))
        share = e / e.sum(1, keepdims=True)
        losses.append(-np.log(share[np.arange(len(right)), right]).mean())
        d = (share - np.eye(z.shape[1])[right]) / len(right)
        g = (d @ p[3].T)[:, None]
        dw = g @ value.transpose(0, 2, 1)
        ds = w * (dw - (w * dw).sum(-1, keepdims=True)) / r
        combine = np.mean if mean else np.sum
        slopes = [
            combine(a.transpose(0, 2, 1) @ b, axis=0) for a, b in ((last, ds @ k), (rows, ds.transpose(0, 2, 1) @ q))
        ]
        slopes += [combine(rows.transpose(0, 2, 1) @ (w.transpose(0, 2, 1) @ g), axis=0), found.T @ d]
        for i in moves:
            if fresh:
                m[i], v[i] = np.zeros_like(p[i]), np.zeros_like(p[i])
            m[i], v[i] = 0.9 * m[i] + 0.1 * slopes[i], 0.98 * v[i] + 0.02 * slopes[i] ** 2
            s = count or t
            p[i] = p[i] - rate * (m[i] / (1 - 0.9**s)) / (np.sqrt(v[i] / (1 - 0.98**s)) + eps)
    return np.array(losses), *p


def read_out_forgotten(x, targets, w_q, w_k, w_v, w_out, rate):
    """The read-out is not trained."""
    return _loop(x, targets, (w_q, w_k, w_v, w_out), rate, moves=(0, 1, 2))


def keys_forgotten(x, targets, w_q, w_k, w_v, w_out, rate):
    """W_K is not trained."""
    return _loop(x, targets, (w_q, w_k, w_v, w_out), rate, moves=(0, 2, 3))


def zeros_inside_the_loop(x, targets, w_q, w_k, w_v, w_out, rate):
    """m and v are made anew in every step."""
    return _loop(x, targets, (w_q, w_k, w_v, w_out), rate, fresh=True)


def step_one_for_ever(x, targets, w_q, w_k, w_v, w_out, rate):
    """adam_step is told step=1 each time."""
    return _loop(x, targets, (w_q, w_k, w_v, w_out), rate, count=1)


def usual_epsilon(x, targets, w_q, w_k, w_v, w_out, rate):
    """eps is left at its default."""
    return _loop(x, targets, (w_q, w_k, w_v, w_out), rate, eps=1e-9)


def first_letter_asks(x, targets, w_q, w_k, w_v, w_out, rate):
    """The query comes from the first letter."""
    return _loop(x, targets, (w_q, w_k, w_v, w_out), rate, ask=0)


def mean_over_the_batch(x, targets, w_q, w_k, w_v, w_out, rate):
    """The gradients of W_Q, W_K and W_V are averaged over the batch, though the loss is a mean already."""
    return _loop(x, targets, (w_q, w_k, w_v, w_out), rate, mean=True)


def scores_not_divided(x, targets, w_q, w_k, w_v, w_out, rate):
    """The forward pass leaves the division by the root of d_k out, and so does the way back."""
    return _loop(x, targets, (w_q, w_k, w_v, w_out), rate, root=False)


def losses_summed(x, targets, w_q, w_k, w_v, w_out, rate):
    """The losses are running sums."""
    losses, *matrices = _loop(x, targets, (w_q, w_k, w_v, w_out), rate)
    return np.cumsum(losses), *matrices


def matrices_before_the_last_step(x, targets, w_q, w_k, w_v, w_out, rate):
    """The matrices come back as they were before the last step."""
    losses, *_ = _loop(x, targets, (w_q, w_k, w_v, w_out), rate)
    _, *matrices = _loop(x[:-1], targets[:-1], (w_q, w_k, w_v, w_out), rate)
    return losses, *matrices
