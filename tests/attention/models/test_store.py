"""Models run as they were trained, are examined as they are shipped, and refuse unknown names."""

import numpy as np
import pytest

from attention.chapters.context import mix
from attention.chapters.translator import SETTINGS, flatten
from attention.models import model, shipped, store
from attention.models.ablations import ABLATIONS, Ablation


def made(name):
    """Train a model, ship it, and return it as it is read."""
    shipped.write(name, store.made_of(name), store.train_and_examine(name))
    return model(name)


def test_a_model_is_read_as_it_was_made(small):
    """Eight bits a number, with its record and its shares; it was examined in that form."""
    first = store.trained_in("one_head", store.train_and_examine("one_head"))
    second = made("one_head")
    np.testing.assert_array_equal(flatten(first.model.parameters), flatten(second.model.parameters))
    assert first.record == second.record
    assert second.record["settings"]["h"] == second.model.h == 1
    assert len(second.record["loss"]) == 3
    assert (second.name, second.words) == ("one_head", "one head of 64")
    with second.put_in():
        assert second.held_out == store.share(store.make_corpus(None).held_out, second.model)


def test_a_model_that_is_not_there_is_not_trained(small):
    """Reading never takes a minute: it says what to run."""
    with pytest.raises(shipped.Stale, match=r"translator.json \(it is missing\): run `make models`"):
        model("translator")


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
    trained = made("watched")
    seen.clear()
    said = trained.translations(["i see you"])
    assert seen
    assert said == store.greedy_translations(["i see you"], trained.model, SETTINGS.longest)
    calls = len(seen)
    store.greedy_translations(["i see you"], trained.model, SETTINGS.longest)
    assert len(seen) == calls


def test_an_unknown_name(small):
    """The message lists the names that there are."""
    with pytest.raises(KeyError, match=r"expected one of translator, .*, got 'transformer'"):
        model("transformer")
