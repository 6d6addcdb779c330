"""Chapter 1 against ONNX's Conv and RNN, autograd's Jacobian, and worked numbers."""

import autograd
import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.before_attention import class_probabilities, conv1d, gradient_through_time, receptive_field, rnn

X, EDGE = np.array([1.0, 3, 2, 5, 4]), np.array([1.0, 0, -1])


def rnn_weights(rng, d_x=3, d_h=5, d_y=2):
    """Draw w_hx, w_hh, w_hy, b_h and b_y."""
    return [rng.normal(size=size) for size in ((d_x, d_h), (d_h, d_h), (d_h, d_y), (d_h,), (d_y,))]


def test_conv1d_by_hand():
    """Each output is the left neighbour minus the right one; convolve, which flips, gives the opposite sign."""
    np.testing.assert_array_equal(conv1d(X, EDGE), [-1, -2, -2])
    np.testing.assert_array_equal(conv1d(X, EDGE, "same"), [-3, -1, -2, -2, 5])
    np.testing.assert_array_equal(np.convolve(X, EDGE, "valid"), [1, 2, 2])


@pytest.mark.parametrize("k", [1, 2, 3, 7])
@pytest.mark.parametrize(("padding", "auto_pad"), [("valid", "VALID"), ("same", "SAME_UPPER")])
def test_conv1d_agrees_with_onnx(oracle, rng, k, padding, auto_pad):
    """ONNX's Conv, with one channel, is an independent oracle for odd and even kernels."""
    x, kernel = rng.normal(size=(5, 11)), rng.normal(size=k)
    (expected,) = oracle("Conv", x[:, None], kernel[None, None], auto_pad=auto_pad, kernel_shape=[k])
    np.testing.assert_allclose(conv1d(x, kernel, padding), expected[:, 0], rtol=0, atol=1e-12)


def test_receptive_field_of_eight_layers():
    """Three wide and eight deep sees 17 tokens; dilation stretches the reach to either side."""
    assert receptive_field(3, 8) == 17
    assert receptive_field(3, 8, dilation=2) == 33
    assert receptive_field(5, 0) == 1


@given(k=st.integers(1, 5), layers=st.integers(1, 4), dilation=st.integers(1, 3))
def test_receptive_field_is_what_stacked_convolutions_see(k, layers, dilation):
    """An input moves the middle of a stack's output exactly where the count says that it can."""
    kernel = np.zeros((k - 1) * dilation + 1)
    kernel[::dilation] = 1
    n = 2 * layers * len(kernel) + 1
    signal = np.eye(n)
    for _ in range(layers):
        signal = conv1d(signal, kernel, "same")
    seen = np.flatnonzero(signal[:, n // 2])
    assert seen[-1] - seen[0] + 1 == receptive_field(k, layers, dilation)


def test_rnn_forgets_its_only_word():
    """With w_hh = 0.5 and a single 1 at the start the state is 0.7616, 0.3634, 0.1797; without tanh 1, 0.5, 0.25."""
    one, none = np.ones((1, 1)), np.zeros(1)
    h, y = rnn(np.array([[1.0], [0], [0]]), one, 0.5 * one, 2 * one, none, none + 3)
    np.testing.assert_allclose(h[:, 0], [0.7616, 0.3634, 0.1797], atol=5e-5)
    np.testing.assert_allclose(y, 2 * h + 3)
    assert gradient_through_time(0.5 * one, h)[0, 0] == pytest.approx(0.0441, abs=5e-5)


def test_rnn_agrees_with_onnx(oracle, rng):
    """ONNX's RNN, which puts time first and transposes its weights, gives the same states."""
    w_hx, w_hh, w_hy, b_h, b_y = rnn_weights(rng)
    x, h0 = rng.normal(size=(2, 7, 3)), rng.normal(size=(2, 5))
    bias = np.concatenate([b_h, np.zeros(5)])[None]
    states, _ = oracle(
        "RNN", x.swapaxes(0, 1), w_hx.T[None], w_hh.T[None], bias, None, h0[None], outputs=2, hidden_size=5
    )
    h, y = rnn(x, w_hx, w_hh, w_hy, b_h, b_y, h0)
    np.testing.assert_allclose(h, states[:, 0].swapaxes(0, 1), rtol=0, atol=1e-12)
    np.testing.assert_allclose(y, h @ w_hy + b_y)


def test_rnn_starts_from_zeros_unless_told(rng):
    """Leaving h0 out and passing zeros are the same."""
    weights, x = rnn_weights(rng), rng.normal(size=(2, 7, 3))
    np.testing.assert_array_equal(rnn(x, *weights)[0], rnn(x, *weights, h0=np.zeros((2, 5)))[0])


def test_gradient_through_time_agrees_with_autograd(rng):
    """Autograd's Jacobian of the last state, by the state before the first word, is the product of ours."""
    weights, x, h0 = rnn_weights(rng), rng.normal(size=(7, 3)), rng.normal(size=5)
    h, _ = rnn(x, *weights, h0=h0)
    expected = autograd.jacobian(lambda start: rnn(x, *weights, h0=start)[0][-1])(h0)
    np.testing.assert_allclose(gradient_through_time(weights[1], h), expected, rtol=0, atol=1e-12)


def test_gradient_through_time_treats_a_batch_one_by_one(rng):
    """Each sentence of a batch has the Jacobian that it has alone."""
    w_hh, h = rng.normal(size=(3, 3)), np.tanh(rng.normal(size=(2, 5, 3)))
    together = gradient_through_time(w_hh, h)
    np.testing.assert_allclose(together, [gradient_through_time(w_hh, h[b]) for b in range(2)], atol=1e-14)


@pytest.mark.parametrize(("radius", "left"), [(0.9, 0.00515), (1.1, 117.4)])
def test_fifty_steps_make_gradients_vanish_or_explode(radius, left):
    """Near zero states tanh′ is 1, and what is left is the radius to the power of 50."""
    gradient = gradient_through_time(np.array([[radius]]), np.zeros((50, 1)))
    assert gradient[0, 0] == pytest.approx(left, rel=1e-3)


def test_class_probabilities_of_one_neuron_and_of_many(rng):
    """One neuron is SciPy's sigmoid beside its complement; N neurons are SciPy's softmax."""
    one, many = rng.normal(size=(2, 3, 1)), rng.normal(size=(2, 3, 5))
    p = scipy.special.expit(one)
    np.testing.assert_allclose(class_probabilities(one), np.concatenate([1 - p, p], axis=-1), atol=1e-15)
    np.testing.assert_allclose(class_probabilities(many), scipy.special.softmax(many, axis=-1), atol=1e-15)


def test_class_probabilities_survive_large_logits():
    """±1e4 gives 0 and 1, without a warning from exp."""
    np.testing.assert_array_equal(class_probabilities(np.array([[1e4], [-1e4]])), [[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: conv1d(X, EDGE, "full"), r'"valid" or "same", got \'full\''),
        (lambda: conv1d(X[:2], EDGE), r'at most 2 numbers in the kernel, got 3: shorten it or pad "same"'),
        (lambda: conv1d(X[:0], EDGE), r"expected x as \(\.\.\., n\), each at least 1, got shape \(0,\)"),
        (lambda: receptive_field(0, 8), r"kernel_size as a whole number of at least 1, got 0"),
        (
            lambda: rnn(np.zeros((5, 2)), *rnn_weights(np.random.default_rng(1))),
            r"axis -2 of w_hx, .* one row for each number in a token",
        ),
        (lambda: rnn(np.zeros((0, 3)), *rnn_weights(np.random.default_rng(1))), r"got shape \(0, 3\)"),
        (lambda: gradient_through_time(np.eye(3), np.zeros((5, 2))), r"states that this w_hh has made"),
        (lambda: class_probabilities(np.zeros((3, 0))), r"got shape \(3, 0\)"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, call, message):
    """A wrong shape or number is a ValueError with expected, got and remedy."""
    with pytest.raises(ValueError, match=message):
        call()
