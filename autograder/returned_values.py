"""Turns what a function returned into plain numbers and text: fractions, arrays of objects, a text from NumPy.

Part of every student's selfcheck.py, and used inside the sandbox: it needs NumPy alone.
"""

from numbers import Number
from typing import Any

import numpy as np


def as_numeric(array: np.ndarray) -> np.ndarray:
    """Return an array of numbers that NumPy has no type for as floats, and any other array as it is.

    These are fractions, decimals and complex numbers with no imaginary part. Python's whole numbers in an array of
    objects become int64, and Python's True and False become booleans.
    """
    if array.dtype.kind == "c":
        return array if array.imag.any() else array.real
    items = list(array.flat) if array.dtype == object else []
    if not items or not all(isinstance(one, Number) for one in items):
        return array
    kind = next((kind for kind in (bool, int) if all(isinstance(one, kind) for one in items)), float)
    try:
        return array.astype(kind)
    except (TypeError, ValueError, OverflowError):  # a complex number among fractions, or a number of many digits
        return array


def as_text(value: Any) -> Any:
    """Return a single text of NumPy as a str, such as ``np.where(high, "yes", "no")``, and anything else as it is."""
    is_one = isinstance(value, (np.ndarray, np.generic)) and value.ndim == 0 and value.dtype.kind == "U"
    return value.item() if is_one else value
