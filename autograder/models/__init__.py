"""The course's translator as it was trained, with parts of it taken away, and with a student's mistake put in.

``model("translator")`` is the trained model; the names of the others stand in ``ablations.ABLATIONS``.
``python -m autograder.models`` makes what is missing; files are kept below ``_build/models``, by the hash of what made
them.
"""

from .ablations import ABLATIONS
from .attention import Attention, attention_of
from .store import Trained, corpus, model, share

__all__ = ["ABLATIONS", "Attention", "Trained", "attention_of", "corpus", "model", "share"]
