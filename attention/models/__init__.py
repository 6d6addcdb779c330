"""The course's trained translator, its ablations, and copies of it with a student's mistake.

``shipped_translator()`` is the trained model. ``runs_of("no_positions")`` is what became of one of its ablations from
five seeds; their names are in ``ablations.ABLATIONS``.
``read_by("rnn")`` is what a small reader of another kind learned, for chapter 1; they are in ``readers.READERS``.
``why.why(sentence, word)`` asks the trained model why it writes a word and not another one.
``reversal_record()`` is how a transformer with one head learned to write letters backwards, for chapter 11.
All of them are shipped in ``attention/trained``. ``make models`` trains what is stale, ``make proof`` trains
everything anew and compares.
"""

from .ablations import ABLATIONS
from .attention import Attention, attention_of
from .readers import READERS, read_by
from .reversal import reversal_record
from .runs import Run, runs_of, shares
from .shipped import Stale
from .store import Trained, corpus, shipped_translator

__all__ = [
    "ABLATIONS",
    "READERS",
    "Attention",
    "Run",
    "Stale",
    "Trained",
    "attention_of",
    "corpus",
    "read_by",
    "reversal_record",
    "runs_of",
    "shares",
    "shipped_translator",
]
