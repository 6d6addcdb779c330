"""A transformer of one layer and one head that learns to write rows of letters backwards, for chapter 11.

``reversal_record()`` says what it had learned at a few moments.
"""

from functools import cache

import numpy as np

from attention.chapters.corpus import Corpus, Pair
from attention.chapters.translator import SEED, Settings, train

from . import shipped

NAME = "reversal"
LETTERS, LENGTH = "abcdefgh", 7
WATCHED = ("b a d c a f e", "h e a d g b c")  # rows whose attention is recorded
EXAMINED = 100  # rows that are kept from training
SETTINGS = Settings(
    d_model=32, d_ff=32, h=1, batch=32, steps=300, warmup=100, rate=0.8, checkpoints=4, longest=LENGTH + 1
)


def backwards(row: str) -> Pair:
    """Return a row of letters with its target: the same letters, last one first."""
    return row, " ".join(row.split()[::-1])


def rows(rng: np.random.Generator, count: int = 1000, letters: str = LETTERS, length: int = LENGTH) -> Corpus:
    """Draw ``count`` training rows and EXAMINED others, all different and none of them in WATCHED."""
    drawn = {" ".join(row) for row in rng.choice(list(letters), (2 * (count + EXAMINED), length))} - set(WATCHED)
    pairs = [backwards(row) for row in rng.permutation(sorted(drawn)).tolist()]
    return Corpus(pairs[EXAMINED : EXAMINED + count], pairs[:EXAMINED])


@cache
def reversal_record() -> dict:
    """Return the shipped record of the training: what ``translator.train`` returns as one.

    ``watched`` in each of its checkpoints holds a snapshot of each row in WATCHED.
    Errors: Stale if its file is not what would be made today.
    """
    return shipped.read(NAME, made_of())


def made_of() -> shipped.Provenance:
    """Return the record's provenance: this module's code, settings included, and all that it imports."""
    return {**shipped.training_code(), **shipped.code_in(__file__)}


def train_reversal(name: str = NAME) -> dict:
    """Train the model and return its record, the file's content."""
    rng = np.random.default_rng(SEED)
    return train(rows(rng), rng, SETTINGS, watched=[backwards(row) for row in WATCHED])[1]
