"""JSON Schemas that several demos use: each function is told what a trait is about, and returns its schema."""

import numpy as np


def whole(about, default=0, minimum=0, maximum=None, **others):
    """A whole number; ``below`` or ``upto`` says how far it goes where that depends on other traits."""
    end = {} if maximum is None else {"maximum": maximum}
    description = f"{about}, a whole number from {minimum}" + "".join(f" to {last}" for last in end.values())
    return {"type": "integer", "minimum": minimum, **end, "description": description, "default": default, **others}


def number(about, default, minimum, maximum):
    """A finite number between two ends, both included."""
    description = f"{about}, a number from {minimum} to {maximum}"
    limits = {"minimum": minimum, "maximum": maximum}
    return {"type": "number", **limits, "description": description, "default": default}


def choice(about, default, options, **others):
    """One of a few values."""
    return {"enum": [*options], "description": f"{about}, one of {[*options]}", "default": default, **others}


def switch(about, default=False):
    """On or off."""
    return {"type": "boolean", "description": f"{about}, True or False", "default": default}


def text(about, default="", **others):
    """A string."""
    return {"type": "string", "description": about, "default": default, **others}


def computed(about, default, **others):
    """What the demo computes from other traits, and nobody assigns."""
    return {"description": about, "default": default, "readOnly": True, **others}


def texts(about, **others):
    """A list of strings."""
    remedy = 'write a list such as ["the", "hungry", "lion"]'
    return {"type": "array", "items": {"type": "string"}, "description": about, "remedy": remedy, **others}


def words(about, fewest=1, most=1000, **others):
    """Some words, one for each of the things that the symbol of their ``shape`` counts."""
    word = {"type": "string", "minLength": 1}
    return texts(f"{about}, {fewest} to {most} words", items=word, minItems=fewest, maxItems=most, **others)


def matrix(about, shape, fault=None, **others):
    """A matrix of finite numbers; ``shape`` has a symbol for its rows and one for its columns."""
    description = f"{about}, a matrix ({', '.join(shape.split())})"
    remedy = "pass a NumPy array of this shape or a list of equally long rows"
    faults = {"fault": lambda rows: matrix_fault(rows) or (fault and fault(rows))}
    return {"type": "array", **faults, "description": description, "remedy": remedy, "shape": shape, **others}


def mask(about, **others):
    """A matrix of truth values; numbers are none."""
    row = {"type": "array", "items": {"type": "boolean"}, "minItems": 1}
    description, remedy = f"{about}, a matrix of True and False", "compare first, as in mask > 0"
    return {"type": "array", "items": row, "fault": rows_fault, "description": description, "remedy": remedy, **others}


def rows_fault(rows):
    """Return the lengths of rows that are not equally long, or None."""
    lengths = [len(row) for row in rows]
    return f"rows of lengths {lengths}" if len(set(lengths)) > 1 else None


def matrix_fault(rows):
    """Return why a list is no matrix of finite numbers, or None."""
    try:
        array = np.array(rows)
    except ValueError:
        return "rows of different lengths"
    if array.ndim != 2 or array.size == 0:
        return f"an array of shape {array.shape}"
    if array.dtype.kind not in "iuf":
        return "entries that are not numbers"
    for row, column in np.argwhere(~np.isfinite(array)):
        return f"{array[row, column]} in row {row}, column {column}"
