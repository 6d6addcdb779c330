"""Chapter 10 against ONNX's loss, SciPy, and worked numbers."""

import numpy as np
import pytest
import scipy.special

from attention.chapters.training import cross_entropy, learning_rate, log_softmax, shift_right

PAD, SOS, EOS = 0, 1, 2
LOGITS, TARGETS = np.array([[2.0, 1, 0]] * 3), np.array([0, 1, -1])


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


def test_nan_behind_padding_is_ignored():
    """Logits that nobody asked for may be anything."""
    logits = LOGITS.copy()
    logits[2] = np.nan
    assert cross_entropy(logits, TARGETS, -1) == cross_entropy(LOGITS, TARGETS, -1)


def test_learning_rate_rises_and_falls():
    """It grows evenly to its peak at step = warmup, then falls with the root: four times the steps, half the rate."""
    rates = np.array([learning_rate(step, 512, 4000) for step in (1, 2000, 4000, 16000)])
    np.testing.assert_allclose(rates / rates[2], [1 / 4000, 1 / 2, 1, 1 / 2])
    assert rates[2] == pytest.approx(512**-0.5 * 4000**-0.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shift_right(np.zeros((2, 0), int), SOS), r"expected targets as \(\.\.\., n\)"),
        (lambda: log_softmax(np.zeros((2, 0))), r"expected logits as \(\.\.\., words\)"),
        (lambda: cross_entropy(LOGITS, TARGETS[:2], -1), r"one target for each row .* \(3, 3\) and \(2,\)"),
        (lambda: cross_entropy(LOGITS, np.array([0, 1, 3]), -1), r"targets from 0 to 2, .* got \[0 1 3\]"),
        (lambda: cross_entropy(LOGITS, np.array([7, 7, 7]), 7), r"at least one that is not pad = 7"),
        (
            lambda: learning_rate(0, 512, 4000),
            r"expected step as a whole number of at least 1, got 0: count steps from 1",
        ),
        (lambda: learning_rate(1, 512, 0), r"expected warmup as a whole number of at least 1"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
