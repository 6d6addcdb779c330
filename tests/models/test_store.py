"""Models are made once, kept by the hash of what made them, and made again where their file is not what it says."""

import fcntl
import shutil
import threading

import numpy as np
import pytest

from autograder.models import model, store
from autograder.models.ablations import ABLATIONS, Ablation
from autograder.reference.context import mix
from autograder.reference.translator import SETTINGS, flatten


def forget():
    """Let the next question go to the disk, as in a new process."""
    store._read_or_made.cache_clear()


@pytest.fixture
def trainings(monkeypatch):
    """The rows that were trained while the test ran."""
    rows, examined = [], store.examined

    def counted(row):
        rows.append(row)
        return examined(row)

    monkeypatch.setattr(store, "examined", counted)
    return rows


def test_a_model_is_trained_once(small, trainings):
    """The second time it comes out of its file, in single precision, with its record and its shares."""
    first = model("one_head")
    forget()
    second = model("one_head")
    assert len(trainings) == 1
    assert [path.name for path in small.glob("*.npz")] == [store.place_of("one_head").name]
    np.testing.assert_array_equal(flatten(first.model.parameters), flatten(second.model.parameters))
    assert first.record == second.record
    assert second.record["settings"]["h"] == second.model.h == 1
    assert len(second.record["loss"]) == 3
    assert (second.name, second.words) == ("one_head", "one head of 64 numbers")
    single = flatten(second.model.parameters).astype(np.float32)
    np.testing.assert_array_equal(single, flatten(second.model.parameters))


def test_shares_count_whole_sentences(by_heart):
    """The share of all held-out sentences and that of the reversible ones are what this model learned by heart."""
    held_out = [("i see you", "ti vedo"), ("i see the cat", "vedo il cane"), ("you see me", "mi vedi")]
    assert store.share(held_out[:1], by_heart) == 1
    assert store.share(held_out, by_heart) == pytest.approx(2 / 3)


def test_a_model_runs_as_it_was_trained(small, monkeypatch):
    """Translations are made with the changed functions in; afterwards they are out."""
    seen = []

    def look(weights, x):
        seen.append(1)
        return mix(weights, x)

    monkeypatch.setitem(ABLATIONS, "watched", Ablation("someone looks on", {"steps": 1, "checkpoints": 2}, {mix: look}))
    trained = model("watched")
    seen.clear()
    said = trained.translations(["i see you"])
    assert seen
    assert said == store.greedy_translations(["i see you"], trained.model, SETTINGS.longest)
    calls = len(seen)
    store.greedy_translations(["i see you"], trained.model, SETTINGS.longest)
    assert len(seen) == calls


@pytest.mark.parametrize("damage", ["cut off", "emptied", "other bytes", "another model", "a byte turned"])
def test_a_damaged_file_is_made_anew(small, trainings, capsys, damage):
    """It is said in one line that names the file, and the model is as before."""
    before = flatten(model("translator").model.parameters)
    path = store.place_of("translator")
    content = path.read_bytes()
    middle = len(content) // 2
    if damage == "another model":
        model("one_head")
        shutil.copy(store.place_of("one_head"), path)
    else:
        turned = content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :]
        changed = {"cut off": content[:middle], "emptied": b"", "other bytes": b"no model", "a byte turned": turned}
        path.write_bytes(changed[damage])
    forget()
    trainings.clear()
    np.testing.assert_array_equal(flatten(model("translator").model.parameters), before)
    assert capsys.readouterr().err == f"{path}: damaged, so translator is trained anew\n"
    assert len(trainings) == 1
    assert store.found_in(path)


def test_what_another_process_makes_meanwhile_is_used(small, trainings):
    """Who asks while the model is being made waits, and trains nothing."""
    content = store.file_of(store.place_of("translator").stem, *store.examined(ABLATIONS["translator"]))
    trainings.clear()
    got = []
    with store.alone(small, "translator"):
        waiting = threading.Thread(target=lambda: got.append(model("translator")))
        waiting.start()
        store.keep(store.place_of("translator"), content)
    waiting.join()
    assert got[0].name == "translator"
    assert trainings == []


def test_one_at_a_time(tmp_path):
    """While someone makes a model nobody else can begin it, other models can be made, and afterwards anyone may."""
    with store.alone(tmp_path / "models", "a"):
        with (tmp_path / "models" / ".a.lock").open() as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with store.alone(tmp_path / "models", "b"):
            pass
    with (tmp_path / "models" / ".a.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_stale_files_of_the_same_name_go(tmp_path):
    """A new file takes the place of those with other hashes; other names that begin alike stay."""
    old = ["a-0123456789abcdef.npz", "a-fedcba9876543210.npz"]
    others = ["a_b-0123456789abcdef.npz", "a-b-0123456789abcdef.npz", "a-0123456789abcdef.json", "a-mine.npz"]
    for name in [*old, *others]:
        (tmp_path / name).write_bytes(b"")
    store.keep(tmp_path / "a-00000000000000ff.npz", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*others, "a-00000000000000ff.npz"])


def test_the_hash_follows_what_makes_a_model(monkeypatch):
    """Settings, functions, code and versions each count; the words of the table do not."""

    def left(weights, x):
        return mix(weights, x)

    def right(weights, x):
        return mix(weights, 2 * x)

    rows = [Ablation("a"), Ablation("a", {"h": 1}), Ablation("a", {}, {mix: left}), Ablation("a", {}, {mix: right})]
    hashes = {store.recipe_of(row) for row in rows}
    assert len(hashes) == len(rows)
    assert store.recipe_of(Ablation("b")) in hashes
    assert all(len(name) == 16 for name in hashes)
    with monkeypatch.context() as changed:
        changed.setattr(store, "training_code", lambda: "other code")
        assert store.recipe_of(rows[0]) not in hashes
    monkeypatch.setattr(store, "version", lambda package: "99")
    assert store.recipe_of(rows[0]) not in hashes


def test_a_replacement_is_told_by_its_code():
    """A function with another docstring makes the same model, one with another body another model."""
    rows = []

    def other(weights, x):
        """One."""
        return mix(weights, x)

    rows.append(store.recipe_of(Ablation("", {}, {mix: other})))

    def other(weights, x):
        """Two."""
        return mix(weights, x)

    rows.append(store.recipe_of(Ablation("", {}, {mix: other})))

    def other(weights, x):
        """Two."""
        return mix(weights, 2 * x)

    rows.append(store.recipe_of(Ablation("", {}, {mix: other})))
    assert rows[0] == rows[1] != rows[2]


def test_files_are_kept_outside_of_the_package(monkeypatch, tmp_path, root):
    """Below _build of the course, or where COURSE_MODELS says."""
    monkeypatch.delenv("COURSE_MODELS", raising=False)
    assert store.folder() == root / "_build" / "models"
    monkeypatch.setenv("COURSE_MODELS", str(tmp_path))
    assert store.place_of("one_head").parent == tmp_path
    assert store.place_of("one_head", root).parent == root


def test_an_unknown_name(small):
    """The message lists the names that there are."""
    with pytest.raises(KeyError, match=r"expected one of translator, .*, got 'transformer'"):
        model("transformer")
