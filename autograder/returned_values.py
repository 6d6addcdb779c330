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


def as_text(value: Any, depth: int = 2) -> Any:
    """Return a text of NumPy as a str, such as ``np.where(high, "yes", "no")``, and anything else as it is.

    So are those in a list of texts, or of pairs of texts.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return value.item() if value.ndim == 0 and value.dtype.kind == "U" else value
    if depth and type(value) in (list, tuple) and value and isinstance(value[0], (str, list, tuple)):
        items = [as_text(one, depth - 1) for one in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else type(value)(items)
    return value
