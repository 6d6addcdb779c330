"""A translator so small that it is trained in a moment."""

import fcntl
import os
import pickle

import numpy as np
import pytest

from attention import trained
from attention.chapters.corpus import Corpus
from attention.chapters.transformer import Model
from attention.chapters.translator import Settings, train
from attention.models import ablations, consequences, games, moments, readers, reversal, runs, store, writer
from tests.support.signatures import unchecked

ASKED = [
    ("i love you very much", "ti amo molto"),
    ("the girl never sees me", "la ragazza non mi vede mai"),
    ("he does not know the white cat well", "lui non conosce bene il gatto bianco"),
]
PAIRS = [
    *ASKED,
    ("i see you", "ti vedo"),
    ("you see me", "mi vedi"),
    ("you see the cat well", "vedi bene il gatto"),
    ("the girl sees the cat", "la ragazza vede il gatto"),
    ("the cat sees the girl", "il gatto vede la ragazza"),
]
SMALL = Corpus(PAIRS, [*ASKED[:1], *PAIRS[-2:], ("i see the cat", "vedo il gatto")])
TINY = Settings(d_model=12, d_ff=10, h=3, layers=1, batch=4, steps=90, warmup=20, checkpoints=3, longest=12)


@pytest.fixture(scope="session")
def by_heart(tmp_path_factory):
    """A tiny model that has learned eight sentences by heart: trained by one worker, read by the others."""
    place = tmp_path_factory.getbasetemp()
    place = place.parent if os.environ.get("PYTEST_XDIST_WORKER") else place
    with (place / "by_heart.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "by_heart.pickle").exists():
            with unchecked():  # other tests train for some steps with their signatures checked
                model, _ = train(SMALL, np.random.default_rng(5), TINY)
            (place / "by_heart.pickle").write_bytes(pickle.dumps(tuple(model)))
    return Model(*pickle.loads((place / "by_heart.pickle").read_bytes()))


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Let models be tiny, learn eight sentences in three steps, and be shipped in a folder of the test's own."""
    monkeypatch.setattr(store, "make_corpus", lambda rng: SMALL)
    monkeypatch.setattr(store, "WATCHED", ASKED)
    monkeypatch.setattr(consequences, "ASKED", ASKED)
    monkeypatch.setattr(consequences, "corpus", lambda: SMALL)
    monkeypatch.setattr(ablations, "SETTINGS", TINY._replace(steps=3, checkpoints=2))
    monkeypatch.setattr(trained, "TRAINED", tmp_path)
    remembered = (store.shipped_translator, store.corpus, runs.runs_of, runs._every, runs._of_the_shipped)
    remembered += (readers.read_by, reversal.reversal_record, consequences.usual_translations, writer.writer)
    remembered += (
        games.won_by,
        games.letters_by,
        games.looks_of,
        moments.translator_at,
    )  # or what is small would be what every later test sees
    for read in remembered:
        read.cache_clear()
    yield tmp_path
    for read in remembered:
        read.cache_clear()
