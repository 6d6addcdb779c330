"""The course's translator as it was trained, with parts of it taken away, and with a student's mistake put in.

``model("translator")`` is the trained model; the names of the others stand in ``ablations.ABLATIONS``.
``read_by("rnn")`` is what a small reader of another kind learned, for chapter 1; they stand in ``readers.READERS``.
``reversal_record()`` is how a transformer of one head learned to write letters backwards, for chapter 10.
``python -m autograder.models`` makes what is missing; files are kept below ``_build/models``, by the hash of what made
them.
"""

from .ablations import ABLATIONS
from .attention import Attention, attention_of
from .readers import READERS, read_by
from .reversal import reversal_record
from .store import Trained, corpus, model, share

__all__ = [
    "ABLATIONS",
    "READERS",
    "Attention",
    "Trained",
    "attention_of",
    "corpus",
    "model",
    "read_by",
    "reversal_record",
    "share",
]
