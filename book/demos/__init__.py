"""Demos to play with: in a notebook, and in the published page without a kernel."""

from .gravity import Gravity
from .row_by_row import RowByRow
from .saturation import Saturation
from .soft_dictionary import SoftDictionary

__all__ = ["Gravity", "RowByRow", "Saturation", "SoftDictionary"]
