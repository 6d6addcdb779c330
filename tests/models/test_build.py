"""The command that makes all that is missing: once, with a line for each, and then it has nothing to do."""

from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from autograder.models import build, consequences, readers, reversal, store
from autograder.models.ablations import ABLATIONS


class AtOnce:
    """Does its tasks in this process, one after another."""

    def __init__(self, *arguments):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def submit(self, task, name):
        """Do a task."""
        done = Future()
        done.set_result(task(name))
        return done


@pytest.fixture
def quick(small, monkeypatch):
    """Two tiny models, two readers, one exercise with one mistake, and no other processes."""
    monkeypatch.setattr(build, "ABLATIONS", {name: ABLATIONS[name] for name in ("translator", "one_head")})
    monkeypatch.setattr(build, "READERS", {"cnn": build.READERS["cnn"]})
    monkeypatch.setattr(readers, "SETTINGS", readers.Settings((3, 5), runs=2, steps=2, batch=3, examined=5))
    monkeypatch.setattr(reversal, "SETTINGS", reversal.SETTINGS._replace(steps=2, checkpoints=2))
    monkeypatch.setattr(build, "ProcessPoolExecutor", AtOnce)
    monkeypatch.setattr(build.os, "environ", dict(build.os.environ))
    mistakes = [SimpleNamespace(id="turned", wrong=turned)]
    for module in (build, consequences):
        monkeypatch.setattr(module, "exercises", lambda: {"mix": SimpleNamespace(mistakes=mistakes)})
    return small


def turned(weights, x):
    """A wrong mix."""
    return -(weights @ x)


def test_what_is_missing_is_made(quick, capsys):
    """A line for each model and exercise, and the sum; the second time the sum alone; then what was taken away."""
    build.make_all()
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines[:-1]) == ["cnn", "mix:", "one_head", "reversal", "translator"]
    assert lines[-1] == f"{quick}: models 2, readers 1, exercises whose mistakes were put into one 1"
    assert build.os.environ["OPENBLAS_NUM_THREADS"] == "1"
    build.make_all()
    assert capsys.readouterr().out.splitlines() == lines[-1:]
    store.place_of("one_head").unlink()
    store._read_or_made.cache_clear()
    build.make_all()
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["one_head", f"{quick}:"]
