"""Slopes written by hand against those that autograd finds in the same formulas, step by step."""

import autograd
import autograd.numpy as np
import numpy
import pytest

from attention.chapters.slopes import affine, normalised, positive


def affine_by_steps(x, w, b):
    """Return x w + b as autograd follows it."""
    return x @ w + b


def normalised_by_steps(x, gamma, beta):
    """Return layer norm as autograd follows it."""
    centred = x - np.mean(x, axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + 0.1) + beta


def drawn(rng, *shapes):
    """Draw an array for each shape."""
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
@pytest.mark.parametrize(
    ("ours", "by_steps", "shapes"),
    [
        (affine, affine_by_steps, ((5, 7), (7, 11), (11,))),
        (lambda x, gamma, beta: normalised(x, gamma, beta, 0.1), normalised_by_steps, ((5, 7), (7,), (7,))),
    ],
    ids=["affine", "normalised"],
)
def test_slopes_are_those_of_the_steps(rng, batch, ours, by_steps, shapes):
    """Result and slope for every argument agree with autograd's, with any leading axes."""
    arguments = drawn(rng, (*batch, *shapes[0]), *shapes[1:])
    numpy.testing.assert_allclose(ours(*arguments), by_steps(*arguments), rtol=0, atol=1e-12)
    (pull,) = drawn(rng, by_steps(*arguments).shape)
    for place in range(3):
        found, expected = (
            autograd.grad(lambda *a, function=function: np.sum(pull * function(*a)), place)(*arguments)
            for function in (ours, by_steps)
        )
        assert found.shape == arguments[place].shape
        numpy.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_affine_without_a_bias(rng):
    """Without b there is only the product."""
    x, w = drawn(rng, (2, 5, 7), (7, 3))
    numpy.testing.assert_array_equal(affine(x, w), x @ w)
    pull = rng.normal(size=(2, 5, 3))
    expected = numpy.einsum("bni,bnj->ij", x, pull)
    numpy.testing.assert_allclose(autograd.grad(lambda w: np.sum(pull * affine(x, w)))(w), expected, atol=1e-12)


def test_positive_passes_a_slope_where_it_passes_a_number():
    """Of -2, 0 and 3 only 3 gets through, and only its slope."""
    x = np.array([-2.0, 0.0, 3.0])
    numpy.testing.assert_array_equal(positive(x), [0, 0, 3])
    numpy.testing.assert_array_equal(autograd.grad(lambda x: np.sum(positive(x) * [5, 7, 11]))(x), [0, 0, 11])
