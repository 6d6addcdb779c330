"""Chapter 10 against ONNX's loss and Adam, autograd, finite differences, and worked numbers."""

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.masking import masked_attention
from attention.chapters.training import (
    adam_step,
    attention_gradient,
    cross_entropy,
    cross_entropy_gradient,
    learning_rate,
    log_softmax,
    shift_right,
)

PAD, SOS, EOS = 0, 1, 2
LOGITS, TARGETS = np.array([[2.0, 1, 0]] * 3), np.array([0, 1, -1])
seeds = st.integers(0, 2**32 - 1)


def numerical_gradient(f, x, step=1e-6):
    """Move one number of x at a time, both ways."""
    gradient = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        move = np.zeros_like(x)
        move[index] = step
        gradient[index] = (f(x + move) - f(x - move)) / (2 * step)
    return gradient


def test_shift_right_shows_what_came_before():
    """ti amo molto EOS is guessed from SOS ti amo molto; the targets themselves stay whole."""
    targets = np.array([[5, 6, 7, EOS], [8, EOS, PAD, PAD]])
    np.testing.assert_array_equal(shift_right(targets, SOS), [[SOS, 5, 6, 7], [SOS, 8, EOS, PAD]])
    np.testing.assert_array_equal(targets[0], [5, 6, 7, EOS])


def test_log_softmax_agrees_with_scipy(rng):
    """SciPy's log_softmax is an independent oracle; at ±1e4 nothing becomes -inf."""
    for size in (1, 1e4):
        logits = rng.normal(size=(2, 3, 5)) * size
        np.testing.assert_allclose(log_softmax(logits), scipy.special.log_softmax(logits, axis=-1), atol=1e-10)
        assert np.isfinite(log_softmax(logits)).all()


def test_cross_entropy_by_hand():
    """(0.4076 + 1.4076) / 2: the PAD row plays no part, and the mean is over the two real tokens."""
    loss = cross_entropy(LOGITS, TARGETS, pad=-1)
    assert loss == pytest.approx(0.9076, abs=5e-5)
    assert loss * 2 / 3 == pytest.approx(0.6051, abs=5e-5)  # what dividing by the padded length gives


def test_cross_entropy_agrees_with_onnx(oracle, rng):
    """ONNX's SoftmaxCrossEntropyLoss has the classes in axis 1 and calls PAD the ignored index."""
    logits, targets = rng.normal(size=(3, 7, 5)), rng.integers(0, 5, (3, 7))
    expected, _ = oracle("SoftmaxCrossEntropyLoss", np.moveaxis(logits, -1, 1), targets, outputs=2, ignore_index=PAD)
    assert cross_entropy(logits, targets, PAD) == pytest.approx(expected.item(), abs=1e-12)


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


def test_nan_behind_padding_is_ignored():
    """Logits that nobody asked for may be anything."""
    logits = LOGITS.copy()
    logits[2] = np.nan
    assert cross_entropy(logits, TARGETS, -1) == cross_entropy(LOGITS, TARGETS, -1)
    np.testing.assert_array_equal(
        cross_entropy_gradient(logits, TARGETS, -1), cross_entropy_gradient(LOGITS, TARGETS, -1)
    )


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


def test_attention_gradient_agrees_with_finite_differences(rng):
    """Moving each number of query, key and value by 1e-6 changes the output as the gradients say."""
    arrays, mask, pull = attention_inputs(rng, 0.7)
    for which, ours in enumerate(attention_gradient(*arrays, mask, pull)):
        moved = numerical_gradient(attention_loss(arrays, mask, pull, which), arrays[which])
        np.testing.assert_allclose(ours, moved, atol=1e-7)


def test_learning_rate_rises_and_falls():
    """It grows evenly to its peak at step = warmup, then falls with the root: four times the steps, half the rate."""
    rates = np.array([learning_rate(step, 512, 4000) for step in (1, 2000, 4000, 16000)])
    np.testing.assert_allclose(rates / rates[2], [1 / 4000, 1 / 2, 1, 1 / 2])
    assert rates[2] == pytest.approx(512**-0.5 * 4000**-0.5)


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shift_right(np.zeros((2, 0), int), SOS), r"expected targets as \(\.\.\., n\)"),
        (lambda: log_softmax(np.zeros((2, 0))), r"expected logits as \(\.\.\., words\)"),
        (lambda: cross_entropy(LOGITS, TARGETS[:2], -1), r"one target for each row .* \(3, 3\) and \(2,\)"),
        (lambda: cross_entropy(LOGITS, np.array([0, 1, 3]), -1), r"targets from 0 to 2, .* got \[0 1 3\]"),
        (lambda: cross_entropy(LOGITS, np.array([7, 7, 7]), 7), r"at least one that is not pad = 7"),
        (lambda: cross_entropy_gradient(LOGITS, np.array([0, -2, 1]), -1), r"targets from 0 to 2"),
        (
            lambda: attention_gradient(*[np.zeros((3, 5))] * 3, np.array(True), np.zeros((3, 2))),
            r"outputs are as wide as values",
        ),
        (
            lambda: learning_rate(0, 512, 4000),
            r"expected step as a whole number of at least 1, got 0: count steps from 1",
        ),
        (lambda: learning_rate(1, 512, 0), r"expected warmup as a whole number of at least 1"),
        (lambda: adam_step(*[np.zeros(3)] * 4, 0, 0.1), r"expected step as .* got 0: count steps from 1"),
        (lambda: adam_step(*[np.zeros(3)] * 3, np.zeros(2), 1, 0.1), r"of one shape, got .*\(2,\)\]: start m and v"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
