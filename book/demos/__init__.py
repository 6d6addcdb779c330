"""Demos to play with: in a notebook, and in the published page without a kernel."""

from .average_meaning import AverageMeaning
from .beam_tree import BeamTree
from .counting_words import CountingWords
from .gradient_through_time import GradientThroughTime
from .gravity import Gravity
from .reach import Reach
from .row_by_row import RowByRow
from .saturation import Saturation
from .soft_dictionary import SoftDictionary
from .translator import Translator

__all__ = [
    "AverageMeaning",
    "BeamTree",
    "CountingWords",
    "GradientThroughTime",
    "Gravity",
    "Reach",
    "RowByRow",
    "Saturation",
    "SoftDictionary",
    "Translator",
]
