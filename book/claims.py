"""Numbers and claims about trained models, computed on the page that states them.

``computed(right=297)`` lets the page say {glue:text}`right`; alt texts write it as ``{right}``.
``claim("no two heads agree", …)`` ends the build where the words beside it are no longer true.
"""

from collections.abc import Sequence

import numpy as np
from myst_nb import glue


class Untrue(AssertionError):
    """A sentence of the page that no longer holds for the shipped models."""


def computed(**values: object) -> None:
    """Hand values to the page by name, whole numbers and texts as they are; a share needs a format in the text."""
    for name, value in values.items():
        glue(name, value.item() if hasattr(value, "item") else value, display=False)


def claim(words: str, holds: object) -> None:
    """Back a sentence of the page. Errors: Untrue where it does not hold."""
    if not holds:
        raise Untrue(f"the page says {words!r}, which the shipped models no longer bear out: rewrite that sentence")


def signed(number: float, decimals: int = 2) -> str:
    """Write a number with a minus sign that is one, rather than a hyphen."""
    return f"{number:.{decimals}f}".replace("-", "−")


def strongest(weights: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    """Say for each row of a map, (rows, columns), where its largest weight is: "lui at he 0.99, gatto at cat 0.95"."""
    named = ["the end" if row == "<eos>" else row for row in rows]
    return ", ".join(
        f"{row} at {columns[place]} {seen[place]:.2f}"
        for row, seen, place in zip(named, weights, weights.argmax(axis=-1), strict=True)
    )
