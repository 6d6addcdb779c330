"""Says in words where in a notebook something happened."""

from autograder.sandbox.host.outcome import Place


def describe_place(place: Place, own_cell: int | None = None) -> str:
    """Describe a line: ``line 3, `weights = ...` ``, or ``line 3 of another cell, …`` if it is not of ``own_cell``."""
    of_cell = "" if own_cell in (None, place.cell) else " of another cell"
    return f"line {place.number}{of_cell}, `{place.text}`"


def place_to_tell(place: Place | None, own_cell: int, is_shown: bool) -> str:
    """Describe a line that a question led to, ``in line 3, …``; "" if it is not known, or may not be told.

    ``is_shown``: the question was a worked example. Hidden inputs could choose a line, and so tell of themselves: of
    them only lines of the answer's own cell are told.
    """
    if place and (is_shown or place.cell == own_cell):
        return f"in {describe_place(place, own_cell)}"
    return ""


def capital(text: str) -> str:
    """Return a text with a capital letter."""
    return text[:1].upper() + text[1:]
