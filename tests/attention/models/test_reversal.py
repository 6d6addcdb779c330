"""The small transformer that writes backwards: its rows are what they say, and what it learned is recorded."""

import numpy as np

from attention.models import reversal
from attention.models.reversal import EXAMINED, LENGTH, WATCHED, backwards, reversal_record, rows


def test_what_is_to_be_written_is_the_row_backwards():
    """The last letter comes first."""
    assert backwards("a b c") == ("a b c", "c b a")


def test_no_row_is_learned_and_examined(rng):
    """A thousand rows to learn from, others to be examined on, and neither has one that is watched."""
    corpus = rows(rng)
    learned, examined = set(corpus.training), set(corpus.held_out)
    assert (len(learned), len(examined)) == (1000, EXAMINED)
    assert not learned & examined
    assert not {backwards(row) for row in WATCHED} & (learned | examined)
    assert all(len(source.split()) == LENGTH for source, _ in learned)


def test_the_record_shows_rows_that_are_watched(monkeypatch):
    """Each checkpoint has a map of every watched row: letters written, the end included, by letters read."""
    monkeypatch.setattr(reversal, "SETTINGS", reversal.SETTINGS._replace(steps=2, checkpoints=2))
    record = reversal.train_reversal()
    assert np.shape(record["checkpoints"][-1]["watched"][1]["attention"]) == (1, 1, LENGTH + 1, LENGTH)


def test_what_the_chapter_shows_was_learned():
    """Nine rows in ten that it never saw are written backwards, and each letter is found on the other diagonal."""
    last = reversal_record()["checkpoints"][-1]
    assert last["held_out"] >= 0.9
    for seen in last["watched"]:
        weights = np.array(seen["attention"])[0, 0, :LENGTH]
        assert np.diag(weights[:, ::-1]).min() > 0.5
