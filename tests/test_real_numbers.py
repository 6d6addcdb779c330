"""Numbers that NumPy has no type for become floats where nothing is lost, and stay what they are elsewhere."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from autograder.real_numbers import as_floats


@pytest.mark.parametrize(
    ("value", "floats"),
    [
        (np.array([[Fraction(1, 4), 2], [0.5, Fraction(-3, 2)]], dtype=object), [[0.25, 2.0], [0.5, -1.5]]),
        (np.asarray(Decimal("0.125")), 0.125),
        (np.array([1 + 0j, -2 + 0j]), [1.0, -2.0]),
    ],
)
def test_real_numbers_of_other_types_become_floats(value, floats):
    """Fractions, decimals and complex numbers without an imaginary part keep their values and their shape."""
    found = as_floats(value)
    assert found.dtype == float
    assert found.tolist() == floats


@pytest.mark.parametrize(
    "value",
    [
        np.array([1 + 0j, 2 + 1e-9j]),
        np.array([Fraction(1, 2), 1j], dtype=object),
        np.array([Fraction(1, 2), "half"], dtype=object),
        np.array([10**30, 1], dtype=object),
        np.array([Fraction(10**400)], dtype=object),
        np.array([3, 5]),
    ],
)
def test_everything_else_stays(value):
    """An imaginary part, a text, whole numbers alone and what no float can hold change nothing."""
    assert as_floats(value) is value
