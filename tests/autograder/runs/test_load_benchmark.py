"""The benchmark of recording, which stands in for a schedule: it runs, and its model counts right."""

import importlib

import pytest

ROWS = 23  # not a multiple of the notebooks that are graded


@pytest.fixture
def load(root, monkeypatch):
    """The benchmark's module."""
    monkeypatch.chdir(root)
    monkeypatch.syspath_prepend(root / "benchmarks")
    return importlib.import_module("load")


@pytest.fixture
def simulate(load):
    """The benchmark's model."""
    return load.simulate


def test_it_records_a_class_and_measures_what_it_took(load, monkeypatch, tmp_path):
    """A run that is all there except the grading, twice: its times, its memory, and every result recorded."""
    monkeypatch.setattr(load, "REAL", 3)
    measured = load.replay(tmp_path, "", ROWS)
    assert len(measured["seconds of each"]) == 3
    for turn in ("first", "again"):
        assert 0 < measured[turn]["recording"] <= measured[turn]["whole"]
        assert measured[turn]["memory"]
    assert len(list(tmp_path.glob("class/autograded/*/*/result.json"))) == ROWS


def test_workers_share_the_class_while_the_writer_keeps_up(simulate):
    """600 notebooks of 1 s, five workers: 120 s, and 600 / 1000 s of writing at 1000 a second."""
    seconds, busy = simulate([1.0], workers=5, rate=1000, students=600)
    assert seconds == pytest.approx(120, abs=0.1)
    assert busy == pytest.approx(0.6 / 120, rel=0.01)


def test_a_slow_writer_decides_how_long_it_takes(simulate):
    """600 notebooks at 2 a second take 300 s, however many workers there are."""
    seconds, busy = simulate([1.0], workers=50, rate=2, students=600)
    assert seconds == pytest.approx(301, abs=1)
    assert busy > 0.99
