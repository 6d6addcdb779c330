"""Demos to play with: in a notebook, and in the published page without a kernel."""

from .row_by_row import RowByRow
from .soft_dictionary import SoftDictionary

__all__ = ["RowByRow", "SoftDictionary"]
