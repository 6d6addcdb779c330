"""A transformer of one layer and one head that learns to write rows of letters backwards, for chapter 10.

``reversal_record()`` says what it had learned at a few moments. It is made once, and kept as the models are.
"""

import hashlib
import json
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np

from autograder.reference.grammar import Corpus, Pair
from autograder.reference.translator import SEED, Settings, train
from autograder.sources import digest_of, sources_of

from .store import alone, folder, keep

NAME = "reversal"
LETTERS, LENGTH = "abcdefgh", 7
WATCHED = ("b a d c a f e", "h e a d g b c")  # rows whose attention is recorded
EXAMINED = 100  # rows that are kept from training
SETTINGS = Settings(
    d_model=32, d_ff=32, h=1, batch=32, steps=300, warmup=100, rate=0.8, checkpoints=4, longest=LENGTH + 1
)


def backwards(row: str) -> Pair:
    """Return a row of letters with what is to be written: the same letters, the last one first."""
    return row, " ".join(row.split()[::-1])


def rows(rng: np.random.Generator, count: int = 1000) -> Corpus:
    """Draw ``count`` rows to learn from and EXAMINED others, no two alike and none of WATCHED."""
    drawn = {" ".join(row) for row in rng.choice(list(LETTERS), (2 * (count + EXAMINED), LENGTH))} - set(WATCHED)
    pairs = [backwards(row) for row in rng.permutation(sorted(drawn)).tolist()]
    return Corpus(pairs[EXAMINED : EXAMINED + count], pairs[:EXAMINED])


def reversal_record() -> dict:
    """Return the record of the training, out of its file or else made now: what ``translator.train`` returns as one.

    ``watched`` in each of its checkpoints holds a snapshot of each row in WATCHED.
    """
    return _read_or_made(kept_in())


@cache
def _read_or_made(path):
    """Return what a file holds, which is made first where there is none that can be read; once in a process."""
    with alone(path.parent, NAME):
        if (found := learned_in(path)) is None:
            rng = np.random.default_rng(SEED)
            _, found = train(rows(rng), rng, SETTINGS, watched=[backwards(row) for row in WATCHED])
            keep(path, json.dumps(found).encode())
    return found


def is_kept() -> bool:
    """Say whether the record is there."""
    return learned_in(kept_in()) is not None


def learned_in(path: Path) -> dict | None:
    """Read a record; None where there is none, or it is damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and {"settings", "loss", "checkpoints"} <= set(found) else None


def kept_in() -> Path:
    """Return the file of the record; its name holds the hash of code, settings and versions."""
    code = digest_of([Path(__file__), *sources_of("autograder.reference.translator")])
    made_of = "\0".join([repr(SETTINGS), code, *map(version, ("numpy", "autograd"))])
    return folder() / f"{NAME}-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}.json"
