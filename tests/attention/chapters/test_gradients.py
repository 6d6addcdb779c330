"""Chapter 11 against autograd, finite differences and ONNX's Adam, and the head that learns Note 4's game."""

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.gradients import (
    adam_step,
    attention_gradient,
    cross_entropy_gradient,
    loss_and_gradients,
    train_head,
)
from attention.chapters.masking import masked_attention
from attention.chapters.training import cross_entropy
from attention.exercises.gradients.train_head import game, start

PAD = 0
LOGITS, TARGETS = np.array([[2.0, 1, 0]] * 3), np.array([0, 1, -1])
SIZES = (2, 3, 5)  # letters, d_k, d_v
seeds = st.integers(0, 2**32 - 1)


def numerical_gradient(f, x, step=1e-6):
    """Move one number of x at a time, both ways."""
    gradient = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        move = np.zeros_like(x)
        move[index] = step
        gradient[index] = (f(x + move) - f(x - move)) / (2 * step)
    return gradient


@given(seed=seeds, size=st.sampled_from([1.0, 30.0]))
def test_cross_entropy_gradient_agrees_with_autograd_and_finite_differences(seed, size):
    """Three ways to the same gradient; it is zero where the target is PAD, and each row sums to zero."""
    rng = np.random.default_rng(seed)
    logits, targets = size * rng.normal(size=(2, 3, 5)), rng.integers(0, 5, (2, 3))
    targets[0, 0], targets[1, 2] = 3, PAD
    ours = cross_entropy_gradient(logits, targets, PAD)
    by_autograd = autograd.grad(lambda z: cross_entropy(z, targets, PAD))(logits)
    np.testing.assert_allclose(ours, by_autograd, rtol=0, atol=1e-12)
    moved = numerical_gradient(lambda z: cross_entropy(z, targets, PAD), logits)
    np.testing.assert_allclose(ours, moved, atol=1e-7)
    np.testing.assert_array_equal(ours[targets == PAD], 0)
    np.testing.assert_allclose(ours.sum(axis=-1), 0, atol=1e-12)


def test_nan_behind_padding_changes_no_gradient():
    """Logits that nobody asked for may be anything."""
    logits = LOGITS.copy()
    logits[2] = np.nan
    ours, plain = (cross_entropy_gradient(one, TARGETS, -1) for one in (logits, LOGITS))
    np.testing.assert_array_equal(ours, plain)


def attention_loss(arrays, mask, pull, which):
    """Return a loss that depends on query (0), key (1) or value (2), and the other two as they are."""
    return lambda x: anp.sum(pull * masked_attention(*arrays[:which], x, *arrays[which + 1 :], mask)[0])


def attention_inputs(rng, share):
    """Draw query, key and value, a mask with one query that may see nothing, and a gradient of the output."""
    arrays = [rng.normal(size=(2, *shape)) for shape in ((5, 3), (7, 3), (7, 2))]
    mask = rng.random((2, 5, 7)) < share
    mask[1, 4] = False
    return arrays, mask, rng.normal(size=(2, 5, 2))


@given(seed=seeds, share=st.sampled_from([0.4, 1.0]))
def test_attention_gradient_agrees_with_autograd(seed, share):
    """By hand and by autograd the gradients are the same, whatever the mask hides."""
    arrays, mask, pull = attention_inputs(np.random.default_rng(seed), share)
    for which, ours in enumerate(attention_gradient(*arrays, mask, pull)):
        theirs = autograd.grad(attention_loss(arrays, mask, pull, which))(arrays[which])
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def test_without_a_mask_every_key_counts(rng):
    """None gives the gradients of a mask that hides nothing, and none of them is 0."""
    arrays, _, pull = attention_inputs(rng, 1.0)
    for ours, all_seen in zip(
        attention_gradient(*arrays, None, pull), attention_gradient(*arrays, np.array(True), pull), strict=True
    ):
        np.testing.assert_allclose(ours, all_seen, rtol=0, atol=1e-12)
        assert np.abs(ours).min() > 0


def test_attention_gradient_agrees_with_finite_differences(rng):
    """Moving each number of query, key and value by 1e-6 changes the output as the gradients say."""
    arrays, mask, pull = attention_inputs(rng, 0.7)
    for which, ours in enumerate(attention_gradient(*arrays, mask, pull)):
        moved = numerical_gradient(attention_loss(arrays, mask, pull, which), arrays[which])
        np.testing.assert_allclose(ours, moved, atol=1e-7)


def test_adam_agrees_with_onnx(oracle, rng):
    """ONNX's Adam folds both corrections into the rate, which is the same while ε is 0."""
    parameter, gradient, m = rng.normal(size=(3, 3, 5))
    v, rate = rng.random((3, 5)), np.array(0.01)
    expected = oracle(
        *("Adam", rate, np.array(3), parameter, gradient, m, v),
        **dict(
            outputs=3, domain="ai.onnx.preview.training", alpha=0.875, beta=0.96875, epsilon=0.0, norm_coefficient=0.0
        ),
    )
    ours = adam_step(parameter, gradient, m, v, 3, 0.01, beta1=0.875, beta2=0.96875, eps=0)
    for mine, theirs in zip(ours, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-12)


def test_adams_first_step_is_as_long_as_the_rate(frozen):
    """Thanks to the corrections the first step is ±rate whatever the gradient's size; nothing changes in place."""
    parameter, zeros = frozen(3, 5), np.zeros((3, 5))
    gradient = 100 * frozen(3, 5)
    new, m, v = adam_step(parameter, gradient, zeros, zeros, 1, 0.01)
    np.testing.assert_allclose(new, parameter - 0.01 * np.sign(gradient), atol=1e-8)
    np.testing.assert_allclose(m, 0.1 * gradient)
    np.testing.assert_allclose(v, 0.02 * gradient**2)


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cross_entropy_gradient(LOGITS, np.array([0, -2, 1]), -1), r"targets from 0 to 2"),
        (
            lambda: attention_gradient(*[np.zeros((3, 5))] * 3, np.array(True), np.zeros((3, 2))),
            r"outputs are as wide as values",
        ),
        (lambda: adam_step(*[np.zeros(3)] * 4, 0, 0.1), r"expected step as .* got 0: count steps from 1"),
        (lambda: adam_step(*[np.zeros(3)] * 3, np.zeros(2), 1, 0.1), r"of one shape, got .*\(2,\)\]: start m and v"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
