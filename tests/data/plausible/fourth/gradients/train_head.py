"""Plausible wrong answers to train_head: ``_train`` is right, and each answer changes one line of it."""

import numpy as np


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _attention_gradient(query, key, value, output_gradient):
    root = np.sqrt(query.shape[-1])
    weights = _softmax(query @ np.swapaxes(key, -1, -2) / root)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)
    d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True)) / root
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


def _adam(p, g, m, v, step, rate, eps=0.01, beta1=0.9, beta2=0.98):
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
    return p - rate * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps), m, v


def _train(
    x,
    targets,
    matrices,
    rate,
    *,
    asks=lambda rows: rows[:, -1:],
    mean=False,
    d_logits=lambda p, hot: (p - hot) / len(p),
    divided=True,
    eps=0.01,
    first=1,
    shared=False,
    reset=False,
    order=(0, 1, 2, 3),
    key_from=lambda rows, d_key: np.swapaxes(rows, -1, -2) @ d_key,
    out=lambda found, d: found.T @ d,
    loss_after=False,
    back=lambda d, old, new: d @ old.T,
    beta2=0.98,
    adam=None,
    frozen=(),
    total_loss=False,
):
    matrices = [np.array(one, dtype=float) for one in matrices]
    m, v = [np.zeros_like(one) for one in matrices], [np.zeros_like(one) for one in matrices]
    losses = []

    def forward(rows, target, w_q, w_k, w_v, w_out):
        query, key, value = asks(rows) @ w_q, rows @ w_k, rows @ w_v
        scores = query @ np.swapaxes(key, -1, -2) / (np.sqrt(w_q.shape[1]) if divided else 1)
        found = (_softmax(scores) @ value)[:, 0]
        p = _softmax(found @ w_out)
        surprise = -np.log(p[np.arange(len(target)), target])
        return query, key, value, found, p, surprise.sum() if total_loss else surprise.mean()

    for step, (rows, target) in enumerate(zip(x, targets, strict=True)):
        query, key, value, found, p, loss = forward(rows, target, *matrices)
        losses.append(loss)
        d = d_logits(p, np.eye(p.shape[1])[target])
        d_out = out(found, d)
        new_out = _adam(matrices[3], d_out, m[3], v[3], step + first, rate, eps)[0]
        d_found = back(d, matrices[3], new_out)[:, None]
        dq, dk, dv = _attention_gradient(query, key, value, d_found)
        add = np.mean if mean else np.sum
        gradients = [
            add(np.swapaxes(asks(rows), -1, -2) @ dq, axis=0),
            add(key_from(rows, dk), axis=0),
            add(np.swapaxes(rows, -1, -2) @ dv, axis=0),
            d_out,
        ]
        for place, gradient in enumerate(gradients[kept] for kept in order):
            if place in frozen:
                continue
            if adam:
                matrices[place] = adam(matrices[place], gradient, rate)
                continue
            kept = 0 if shared else place
            if reset:
                m[kept], v[kept] = np.zeros_like(gradient), np.zeros_like(gradient)
            matrices[place], m[kept], v[kept] = _adam(
                matrices[place], gradient, m[kept], v[kept], step + first, rate, eps, beta2=beta2
            )
        if loss_after:
            losses[-1] = forward(rows, target, *matrices)[-1]
    return np.array(losses), *matrices


def gradient_not_divided(x, targets, w_q, w_k, w_v, w_out, rate):
    """The gradient of the logits is not divided by the batch: it belongs to the sum of the losses."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate, d_logits=lambda p, hot: p - hot)


def uphill(x, targets, w_q, w_k, w_v, w_out, rate):
    """The gradient of the logits has the wrong sign, so every step goes uphill."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate, d_logits=lambda p, hot: (hot - p) / len(p))


def steps_from_zero(x, targets, w_q, w_k, w_v, w_out, rate):
    """Steps are counted from 0, so the first one divides by zero."""
    with np.errstate(all="ignore"):
        return _train(x, targets, (w_q, w_k, w_v, w_out), rate, first=0)


def new_w_out_on_the_way_back(x, targets, w_q, w_k, w_v, w_out, rate):
    """W_out is stepped first, and the way back to what was found uses the new W_out."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate, back=lambda d, old, new: d @ new.T)


def first_letter_asks(x, targets, w_q, w_k, w_v, w_out, rate):
    """The query comes from the first letter, not the last."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate, asks=lambda rows: rows[:, :1])


def only_the_last_letter_reaches_w_k(x, targets, w_q, w_k, w_v, w_out, rate):
    """The gradient of W_K is taken from the last letter only, not from all letters."""
    last = lambda rows, d: np.swapaxes(rows[:, -1:], -1, -2) @ d[:, -1:]  # noqa: E731
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate, key_from=last)


def plain_gradient_descent(x, targets, w_q, w_k, w_v, w_out, rate):
    """Steps are plain gradient descent, rate times gradient, without Adam."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate, adam=lambda p, g, rate: p - rate * g)


def losses_only(x, targets, w_q, w_k, w_v, w_out, rate):
    """The matrices are not returned."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate)[0]


def old_matrices_returned(x, targets, w_q, w_k, w_v, w_out, rate):
    """The matrices that were given come back, not the trained ones."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate)[0], w_q, w_k, w_v, w_out


def first_batch_again_and_again(x, targets, w_q, w_k, w_v, w_out, rate):
    """Every step uses the first batch."""
    same = np.broadcast_to(x[:1], x.shape), np.broadcast_to(targets[:1], targets.shape)
    return _train(*same, (w_q, w_k, w_v, w_out), rate)


def matrices_in_another_order(x, targets, w_q, w_k, w_v, w_out, rate):
    """W_out is returned before W_Q, W_K and W_V."""
    losses, q, k, v, out = _train(x, targets, (w_q, w_k, w_v, w_out), rate)
    return losses, out, q, k, v


def loss_summed(x, targets, w_q, w_k, w_v, w_out, rate):
    """The losses are sums over the batch, not means."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate, total_loss=True)


def other_beta(x, targets, w_q, w_k, w_v, w_out, rate):
    """Adam's second average forgets with 0.999 instead of 0.98."""
    return _train(x, targets, (w_q, w_k, w_v, w_out), rate, beta2=0.999)
