"""Turns numbers that NumPy has no type for into floats: fractions, decimals, complex numbers with no imaginary part.

Part of every student's selfcheck.py, and used inside the sandbox: it needs NumPy alone.
"""

from numbers import Number

import numpy as np


def as_floats(array: np.ndarray) -> np.ndarray:
    """Return an array of such numbers as floats, and any other array as it is; whole numbers stay whole."""
    if array.dtype.kind == "c":
        return array if array.imag.any() else array.real
    items = list(array.flat) if array.dtype == object else []
    if not all(isinstance(one, Number) for one in items) or all(isinstance(one, int) for one in items):
        return array
    try:
        return array.astype(float)
    except (TypeError, ValueError, OverflowError):  # such as a complex number among fractions
        return array
