"""The course's translator as it was trained, with parts of it taken away, and with a student's mistake put in.

``model("translator")`` is the trained model; the names of the others stand in ``ablations.ABLATIONS``.
``read_by("rnn")`` is what a small reader of another kind learned, for chapter 1; they stand in ``readers.READERS``.
``reversal_record()`` is how a transformer of one head learned to write letters backwards, for chapter 10.
All of them are shipped in ``autograder/trained``. ``make models`` makes what is stale, ``make proof`` makes all of it
anew and compares.
"""

from .ablations import ABLATIONS
from .attention import Attention, attention_of
from .readers import READERS, read_by
from .reversal import reversal_record
from .shipped import Stale
from .store import Trained, corpus, model, share

__all__ = [
    "ABLATIONS",
    "READERS",
    "Attention",
    "Stale",
    "Trained",
    "attention_of",
    "corpus",
    "model",
    "read_by",
    "reversal_record",
    "share",
]
