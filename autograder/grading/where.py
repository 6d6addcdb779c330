"""Says in words where in a notebook something happened."""

from autograder.sandbox.host.outcome import Place


def describe_place(place: Place, own_cell: int | None = None) -> str:
    """Describe a line: ``line 3, `weights = ...` ``, or ``line 3 of another cell, …`` if it is not of ``own_cell``."""
    of_cell = "" if own_cell in (None, place.cell) else " of another cell"
    return f"line {place.number}{of_cell}, `{place.text}`"


def capital(text: str) -> str:
    """Return a text with a capital letter."""
    return text[:1].upper() + text[1:]
