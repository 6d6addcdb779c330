"""The benchmark of recording, which stands in for a schedule: it runs, and its model counts right."""

import importlib
import subprocess
import sys

import pytest

CHAPTER = "04_query_key_value"  # the benchmark's
ROWS = 23  # not a multiple of the notebooks that are graded


@pytest.fixture(scope="module")
def script(root):
    return root / "benchmarks" / "load.py"


@pytest.fixture
def simulate(script, monkeypatch):
    monkeypatch.syspath_prepend(script.parent)
    return importlib.import_module("load").simulate


def test_it_records_a_class_and_prints_what_it_took(script):
    """A run that is all there except the grading: each row of the table has the class's size and three rates."""
    command = [sys.executable, script, "--results", str(ROWS), "--workers", "3", "--gradebooks", "SQLite"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (row,) = (line for line in done.stdout.splitlines() if line.startswith("SQLite"))
    assert row.split()[1] == str(ROWS)
    assert row.count("/s ") == 3


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
