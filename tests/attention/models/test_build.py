"""The commands that make what is stale, check that nothing is, and prove that all of it can be made."""

from types import SimpleNamespace

import numpy as np
import pytest

from attention.chapters import translator
from attention.models import build, consequences, games, proof, readers, reversal, runs, shipped, store, writer
from attention.models.ablations import ABLATIONS
from attention.trained import read_trained


def one_after_another(task, work):
    """Do all tasks in this process."""
    for piece in work:
        yield piece, *task(piece)


@pytest.fixture
def quick(small, monkeypatch):
    """A tiny model and an ablation from two seeds, one of everything else, and no other processes."""
    monkeypatch.setattr(runs, "ABLATIONS", {name: ABLATIONS[name] for name in ("translator", "one_head")})
    monkeypatch.setattr(proof, "SAMPLE", ("one_head",))
    monkeypatch.setattr(runs, "SEEDS", runs.SEEDS[:2])
    monkeypatch.setattr(games, "PLAYERS", {"one_head": games.PLAYERS["one_head"]})
    monkeypatch.setattr(games, "SEEDS", (1,))
    monkeypatch.setattr(games, "STEPS", 2)
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


RUNS = ["translator from seed 2018", "one_head from seed 2017", "one_head from seed 2018"]


def test_what_is_stale_is_made(quick, capsys):
    """The reason and the result of each; the second time nothing; then only what was taken away, and what needs it."""
    files = ["translator", "reader_cnn", "reversal", "moments", "games", "writer"]
    build.make_stale()
    said = lines(capsys)
    assert said[:6] == [f"{name}.json: it is missing" for name in files]
    assert [line.split(":")[0] for line in said[6:8]] == ["runs.json", "consequences.json"]
    made = [f"made {name}" for name in [*files, *sorted(RUNS, key=lambda run: run[-4:]), "consequences of mix"]]
    assert [line.split(":")[0] for line in said[8:-1]] == made
    build.make_stale()
    assert lines(capsys) == said[-1:]
    shipped.path_of("games").unlink()
    build.make_stale()
    assert [line.split(":")[0] for line in lines(capsys)[:-1]] == ["games.json", "made games"]


def test_making_goes_on_where_it_stopped(quick, capsys, monkeypatch):
    """Each run is kept as soon as it is made; the next time only the others are."""
    made = []

    def stop_at_the_second(name, seed, entry):
        made.append(f"{name} from seed {seed}")
        keep(name, seed, entry)
        if len(made) == 2:
            raise KeyboardInterrupt

    keep = runs.keep
    with monkeypatch.context() as once:
        once.setattr(runs, "keep", stop_at_the_second)
        with pytest.raises(KeyboardInterrupt):
            build.make_stale()
    lines(capsys)
    build.make_stale()
    rest = [line.removeprefix("made ").split(":")[0] for line in lines(capsys) if "from seed" in line]
    assert rest[0].startswith("runs.json")
    assert sorted(made + rest[1:]) == sorted(RUNS)


def test_a_stale_file_is_one_line(quick):
    """It names the first file of each reason, counts the others, and ends with the command."""
    with pytest.raises(shipped.Stale) as stale:
        build.require_fresh()
    told = str(stale.value)
    assert told.startswith("stale in attention/trained: translator.json and 5 more (it is missing); runs.json (")
    assert told.endswith("consequences.json (the translator that they are about is stale): run `make models`")
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
    """The translator and an ablation, or everything; figures that are another model's are marked, and it fails."""
    build.make_stale()
    lines(capsys)
    assert proof.prove()
    said = lines(capsys)
    assert said[-1] == "every figure holds"
    assert [line.split()[0] for line in said[1:-1]] == [*["translator"] * 3, "runs"]
    assert proof.prove(everything=True)
    assert {line.split()[0] for line in lines(capsys)[1:-1]} == {
        *("translator", "reader_cnn", "reversal", "games", "writer", "runs", "consequences"),
    }
    content = shipped.read("translator", store.made_of("translator"))
    shipped.write("translator", content.pop("made_of"), content | {"held_out": content["held_out"] + 0.5})
    consequences.write({name: consequences.find_out(name, ids) for name, ids in consequences.stale().items()})
    assert not proof.prove()
    assert [line.endswith("✗") for line in lines(capsys)[1:4]] == [True, False, False]


def test_a_run_agrees_within_the_range_of_its_seeds(quick):
    """Five hundredths below the lowest of its seeds or above the highest; not more."""
    build.make_stale()
    shares = [run.held_out for run in runs.runs_of("one_head")]
    for share, holds in ((max(shares) + 0.049, True), (min(shares) - 0.049, True), (max(shares) + 0.051, False)):
        assert proof.compare_run("one_head", runs.SEEDS[0], {"held_out": share}).holds is holds


@pytest.mark.parametrize(
    ("before", "now", "holds"),
    [
        (0.001, 0.0099, True),
        (0.1, 0.39, True),
        (0.1, 0.41, False),
        (0.3, 0.001, False),
        (3, 99, False),
    ],
)
def test_losses_are_compared_by_their_size(before, now, holds):
    """A quarter or four times as much is alike; so is everything below 0.02."""
    contents = [
        {"model": {}, "record": {"loss": [9.0] + 10 * [loss]}, "held_out": 1.0, "reversible": 1.0}
        for loss in (before, now)
    ]
    assert proof.compare("translator", *contents)[-1].holds is holds


def test_the_shipped_translator_can_be_made(monkeypatch):
    """Trained anew on this machine, it begins with the shipped one's losses; `make proof` trains it to the end."""
    monkeypatch.setattr(translator, "checkpoint", lambda *seen: {})
    brief = translator.SETTINGS._replace(steps=7)
    _, record = translator.train(store.corpus(), np.random.default_rng(translator.SEED), brief)
    assert record["loss"] == pytest.approx(read_trained("translator")["record"]["loss"][:7], abs=1e-3)
