"""The commands that make what is stale, check that nothing is, and prove that all of it can be made."""

from types import SimpleNamespace

import numpy as np
import pytest

from attention.chapters import translator
from attention.models import build, consequences, proof, readers, reversal, shipped, store, writer
from attention.models.ablations import ABLATIONS
from attention.trained import read_trained


def one_after_another(task, work):
    """Do all tasks in this process."""
    for piece in work:
        yield piece, *task(piece)


@pytest.fixture
def quick(small, monkeypatch):
    """Two tiny models, one reader, the reversal, the writer, one exercise with one mistake, and no other processes."""
    monkeypatch.setattr(build, "ABLATIONS", {name: ABLATIONS[name] for name in ("translator", "one_head")})
    monkeypatch.setattr(build, "READERS", {"cnn": build.READERS["cnn"]})
    monkeypatch.setattr(readers, "SETTINGS", readers.Settings((3, 5), runs=2, steps=2, batch=3, examined=5))
    monkeypatch.setattr(reversal, "SETTINGS", reversal.SETTINGS._replace(steps=2, checkpoints=2))
    monkeypatch.setattr(writer, "SETTINGS", writer.SETTINGS._replace(steps=2, d_model=8, d_ff=5))
    monkeypatch.setattr(writer, "EXAMINED", 3)
    monkeypatch.setattr(build, "side_by_side", one_after_another)
    shipped_mistakes, own = [SimpleNamespace(id="turned", wrong=turned)], SimpleNamespace(id="own", wrong=turned)
    mix = SimpleNamespace(mistakes=[*shipped_mistakes, own], shipped_mistakes=shipped_mistakes)
    monkeypatch.setattr(consequences, "exercises", lambda: {"mix": mix})
    return small


def turned(weights, x):
    """A wrong mix."""
    return -(weights @ x)


def lines(capsys):
    """Return what was printed."""
    return capsys.readouterr().out.splitlines()


def test_what_is_stale_is_made(quick, capsys):
    """The reason and the result of each; the second time nothing; then only what was taken away, and what needs it."""
    files = ["translator", "one_head", "reader_cnn", "reversal", "moments", "writer"]
    build.make_stale()
    said = lines(capsys)
    assert said[:7] == [f"{name}.json: it is missing" for name in files] + [
        "consequences.json: the translator that they are about is stale"
    ]
    made = [f"made {name}" for name in [*files, "consequences of mix"]]
    assert [line.split(":")[0] for line in said[7:-1]] == made
    assert said[-1] == "6 trained models and what 1 exercises' mistakes do: up to date"
    build.make_stale()
    assert lines(capsys) == said[-1:]
    shipped.path_of("one_head").unlink()
    build.make_stale()
    assert [line.split(":")[0] for line in lines(capsys)[:-1]] == ["one_head.json", "made one_head"]


def test_a_stale_file_is_one_line(quick):
    """It names the first file of each reason, counts the others, and ends with the command."""
    with pytest.raises(shipped.Stale) as stale:
        build.require_fresh()
    assert str(stale.value) == (
        "stale in attention/trained: translator.json and 5 more (it is missing); "
        "consequences.json (the translator that they are about is stale): run `make models`"
    )
    build.make_stale()
    build.require_fresh()


def test_new_processes_compute_on_one_core_each(monkeypatch):
    """Two trainings side by side do not get into one another's way."""
    for name in build.ONE_THREAD:
        monkeypatch.setenv(name, "3")
    assert [piece for piece, *_ in build.side_by_side(threads, ["a", "b"])] in (["a", "b"], ["b", "a"])
    assert [counted for _, counted, _ in build.side_by_side(threads, ["a"])] == [{"OPENBLAS_NUM_THREADS": "1"}]


def threads(piece):
    """Say how many threads this process may use."""
    import os

    return {"OPENBLAS_NUM_THREADS": os.environ["OPENBLAS_NUM_THREADS"]}, 0.0


def test_a_proof_compares_what_is_shipped_with_what_is_made(quick, capsys):
    """The same code makes the same figures; a file whose figures are another model's is marked, and the proof fails."""
    build.make_stale()
    lines(capsys)
    assert proof.prove()
    said = lines(capsys)
    assert said[-1] == "every figure holds"
    assert {line.split()[0] for line in said[1:-1]} == {
        *("translator", "one_head", "reader_cnn", "reversal", "writer", "consequences"),
    }
    content = shipped.read("one_head", build.recipes()[1].made_of)
    shipped.write("one_head", content.pop("made_of"), content | {"held_out": content["held_out"] + 0.5})
    assert not proof.prove(["one_head"])
    said = lines(capsys)
    assert [line.endswith("✗") for line in said] == [False, True, False, False, False]
    assert said[-1] == "figures marked ✗ differ by more than their tolerance"


def test_a_proof_of_an_unknown_model(quick):
    """The message lists the known names."""
    build.make_stale()
    with pytest.raises(shipped.Stale, match=r"expected names of translator, one_head, .*, got nobody"):
        proof.prove(["nobody"])


@pytest.mark.parametrize(
    ("before", "now", "holds"),
    [
        (0.001, 0.0099, True),
        (0.1, 0.39, True),
        (0.1, 0.41, False),
        (0.3, 0.001, False),
        (196.8, 2204, True),
        (3, 99, False),
    ],
)
def test_losses_are_compared_by_their_size(before, now, holds):
    """A quarter or four times as much is alike; so is everything below 0.02, and everything above 50."""
    contents = [
        {"model": {}, "record": {"loss": [9.0] + 10 * [loss]}, "held_out": 1.0, "reversible": 1.0}
        for loss in (before, now)
    ]
    assert proof.compare("one_head", *contents)[-1].holds is holds


def test_the_shipped_translator_can_be_made(monkeypatch):
    """Trained anew on this machine, it begins with the shipped one's losses; `make proof` trains it to the end."""
    monkeypatch.setattr(translator, "checkpoint", lambda *seen: {})
    rng = np.random.default_rng(translator.SEED)
    _, record = translator.train(store.make_corpus(rng), rng, translator.SETTINGS._replace(steps=7))
    assert record["loss"] == pytest.approx(read_trained("translator")["record"]["loss"][:7], abs=1e-3)
