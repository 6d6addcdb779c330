"""Demos to play with: in a notebook, and in the published page without a kernel."""

from .average_meaning import AverageMeaning
from .beam_tree import BeamTree
from .clock_hands import ClockHands
from .counting_words import CountingWords
from .every_number import EveryNumber
from .gpt_numbers import GptNumbers
from .gradient_through_time import GradientThroughTime
from .gravity import Gravity
from .heads import Heads
from .laboratory import Laboratory
from .mask_editor import MaskEditor
from .normalise import Normalise
from .reach import Reach
from .row_by_row import RowByRow
from .saturation import Saturation
from .soft_dictionary import SoftDictionary
from .temperature import Temperature
from .towers import Towers
from .training_replay import TrainingReplay
from .translator import Translator

__all__ = [
    "AverageMeaning",
    "BeamTree",
    "ClockHands",
    "CountingWords",
    "EveryNumber",
    "GptNumbers",
    "GradientThroughTime",
    "Gravity",
    "Heads",
    "Laboratory",
    "MaskEditor",
    "Normalise",
    "Reach",
    "RowByRow",
    "Saturation",
    "SoftDictionary",
    "Temperature",
    "Towers",
    "TrainingReplay",
    "Translator",
]
