"""A trained file is read only while it is what would be made today; otherwise one line says why, and what to do."""

import shutil

import pytest

from attention import trained
from attention.chapters.context import mix
from attention.models import shipped, store
from attention.models.ablations import ABLATIONS, Ablation

MADE_OF = {"a.py": "01", "the settings": "23"}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder of the test's own in place of attention/trained."""
    monkeypatch.setattr(trained, "TRAINED", tmp_path)
    return tmp_path


def test_what_is_written_is_read(home):
    """The content comes back with what it was made of, and nothing else is left in the folder."""
    shipped.write("a", MADE_OF, {"è": [0.5]})
    assert shipped.read("a", MADE_OF) == {"made_of": MADE_OF, "è": [0.5]}
    assert [path.name for path in home.iterdir()] == ["a.json"]


@pytest.mark.parametrize(
    ("made_of", "why"),
    [
        (MADE_OF | {"a.py": "02"}, "changed since it was made: a.py"),
        ({"the settings": "9", "b.py": "4"}, "changed since it was made: a.py, b.py, the settings"),
    ],
)
def test_a_change_is_named(home, made_of, why):
    """The reason names each part that changed, is new or is gone, then the command to run."""
    shipped.write("a", MADE_OF, {})
    assert shipped.why_stale("a", made_of) == why
    with pytest.raises(shipped.Stale) as stale:
        shipped.read("a", made_of)
    assert str(stale.value) == f"stale in attention/trained: a.json ({why}): run `make models`"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"made_of": 3}', "\0"])
def test_a_damaged_file_is_stale(home, text):
    """Whatever is in it, it is made anew rather than read."""
    (home / "a.json").write_text(text)
    assert shipped.why_stale("a", MADE_OF) == "it is damaged"
    assert shipped.why_stale("b", MADE_OF) == "it is missing"


def test_a_failed_write_leaves_the_old_file(home, monkeypatch):
    """Where renaming fails, the file is what it was, and no temporary one is left beside it."""
    shipped.write("a", MADE_OF, {"old": 1})

    def refuse(self, target):
        raise OSError("disk full")

    monkeypatch.setattr("pathlib.Path.replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        shipped.write("a", MADE_OF, {"new": 2})
    assert shipped.read("a", MADE_OF)["old"] == 1
    assert [path.name for path in home.iterdir()] == ["a.json"]


def test_changing_a_line_of_training_makes_every_model_stale(tmp_path, root, monkeypatch):
    """A line of the loss, changed in a copy of the course, is named; a reworded error is not."""
    copy = tmp_path / "attention"
    shutil.copytree(root / "attention" / "chapters", copy / "chapters")
    files = [path for path in shipped.sources_of("attention.chapters.translator") if path.name != "__init__.py"]
    before = shipped.code_in(*files)
    monkeypatch.setattr(shipped, "ROOT", tmp_path)
    copies = [tmp_path / path.relative_to(root) for path in files]
    assert shipped.code_in(*copies) == before
    training = copy / "chapters" / "training.py"
    text = training.read_text()
    training.write_text(text.replace("expected one target for each row", "expected a target for each row"))
    assert training.read_text() != text
    assert shipped.code_in(*copies) == before
    training.write_text(text.replace("np.log(np.sum(", "np.log(2 * np.sum("))
    assert training.read_text() != text
    changed = shipped.code_in(*copies)
    assert [name for name in before if changed[name] != before[name]] == ["attention/chapters/training.py"]


def test_provenance_follows_what_makes_a_model(monkeypatch):
    """Settings and replaced functions each count; the words of the table do not."""

    def left(weights, x):
        return mix(weights, x)

    def right(weights, x):
        return mix(weights, 2 * x)

    rows = [Ablation("a"), Ablation("a", {"h": 1}), Ablation("a", {}, {mix: left}), Ablation("a", {}, {mix: right})]
    for name, row in zip("pqrs", [*rows[:3], rows[3]], strict=True):
        monkeypatch.setitem(ABLATIONS, name, row)
    seen = [store.made_of(name)[f"the row {name} of ABLATIONS"] for name in "pqrs"]
    assert len(set(seen)) == 4
    assert "attention/models/quantised.py" in store.made_of("p")  # how its numbers are rounded
    monkeypatch.setitem(ABLATIONS, "p", Ablation("other words"))
    assert store.made_of("p")["the row p of ABLATIONS"] == seen[0]


def test_all_that_is_shipped_is_fresh_and_small():
    """Nothing is stale, and all files together take less than 6 MB."""
    from attention.models import build

    assert build.why_stale() == {}
    assert sum(path.stat().st_size for path in trained.TRAINED.glob("*.json")) < 6_000_000
