"""What is kept of the ablations' trainings, and when it is made again."""

import numpy as np
import pytest

from attention.models import runs, shipped, store
from attention.models.ablations import ABLATIONS, Ablation
from attention.trained import read_trained

from .conftest import SMALL

ENTRY = {"held_out": 0.75, "reversible": 1.0, "said": {"3": "vedo"}, "curve": [2.0, 1.0]}


@pytest.fixture
def one_head(small, monkeypatch):
    """An ablation with a run from each of two seeds."""
    monkeypatch.setattr(runs, "SEEDS", (7, 8))
    for seed in (7, 8):
        runs.keep("one_head", seed, ENTRY | {"held_out": seed / 10})
    return "one_head"


def test_a_run_is_read_as_it_was_kept(one_head):
    """Its figures, and of its translations the right ones too, which are not in the file."""
    first, second = runs.runs_of(one_head)
    assert (first.held_out, second.held_out) == (0.7, 0.8)
    assert (first.seed, first.reversible, first.loss, first.right) == (7, 1.0, 1.0, 3)
    assert first.said == [*(wanted for _, wanted in SMALL.held_out[:3]), "vedo"]
    np.testing.assert_array_equal(runs.shares(one_head), [0.7, 0.8])


def test_a_curve_has_the_mean_of_each_ten_steps():
    """Of twenty-three losses three numbers, the last one of the three that are left."""
    content = {
        "record": {"loss": [*range(20), 1.0, 2.0, 6.0]},
        **{name: 0 for name in ("held_out", "reversible", "said")},
    }
    assert runs.entry_of(content)["curve"] == [4.5, 14.5, 3.0]


def test_another_task_makes_runs_stale_and_other_code_does_not(one_head, monkeypatch):
    """A setting of the row, or the sentences; what else the code does is left to the proof."""
    assert (one_head, 7) not in runs.stale()
    with monkeypatch.context() as changed:
        changed.setattr(store, "made_of", lambda name: {"training.py": "another"})
        assert (one_head, 7) not in runs.stale()
    with monkeypatch.context() as changed:
        changed.setattr(shipped, "code_in", lambda *files: {"which_bank.py": "another"})
        assert (one_head, 7) in runs.stale()
    monkeypatch.setitem(ABLATIONS, one_head, Ablation("one head", {"h": 1, "steps": 4}))
    assert (one_head, 7) in runs.stale()
    with pytest.raises(shipped.Stale, match=r"runs.json \(one_head from seed 7\): run `make models`"):
        runs.runs_of.__wrapped__(one_head)


def test_the_translators_first_run_is_that_of_the_one_that_is_shipped(small):
    """It is trained once, not twice."""
    assert ("translator", store.SEED) not in runs.stale()
    content = store.train_and_examine("translator")
    shipped.write("translator", store.made_of("translator"), content)
    for seed in runs.SEEDS[1:]:
        runs.keep("translator", seed, ENTRY)
    assert runs.runs_of("translator")[0].held_out == content["held_out"]
    assert runs.runs_of("translator")[1].held_out == 0.75


def test_what_is_no_longer_asked_for_is_forgotten(one_head, monkeypatch):
    """A run of an ablation or a seed that is gone leaves the file with the next one that is kept."""
    monkeypatch.setattr(runs, "SEEDS", (7,))
    runs.keep("one_head", 7, ENTRY)
    assert list(read_trained(runs.FILE)["runs"]) == ["one_head 7"]


def test_an_unknown_name(small):
    """The message lists the names that there are."""
    with pytest.raises(KeyError, match=r"expected one of translator, .*, got 'transformer'"):
        runs.runs_of("transformer")
