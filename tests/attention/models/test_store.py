"""Models run as they were trained, are examined as they are shipped, and refuse unknown names."""

import numpy as np
import pytest

from attention.chapters.context import mix
from attention.chapters.translator import SETTINGS, exact_match, flatten
from attention.models import shipped, shipped_translator, store
from attention.models.ablations import ABLATIONS, Ablation

from .conftest import ASKED, SMALL


def ship():
    """Train the translator, ship it, and return it as it is read."""
    shipped.write("translator", store.made_of("translator"), store.train_and_examine("translator"))
    return shipped_translator()


def test_a_model_is_read_as_it_was_made(small):
    """Eight bits a number, with its record and its shares; it was examined in that form."""
    content = store.train_and_examine("translator")
    first, second = store.trained_in("translator", content), ship()
    np.testing.assert_array_equal(flatten(first.model.parameters), flatten(second.model.parameters))
    assert first.record == second.record
    assert len(second.record["loss"]) == 3
    assert [moment["watched"][0]["source"] for moment in second.record["checkpoints"]] == [ASKED[0][0].split()] * 2
    said = second.translations([source for source, _ in SMALL.held_out])
    assert second.held_out == exact_match(said, SMALL.held_out)


def test_what_is_said_is_kept_where_it_is_wrong(by_heart, monkeypatch):
    """Every wrong translation under the number of its sentence, and the shares that follow from them."""
    monkeypatch.setattr(store, "corpus", lambda: SMALL)
    made = store.examined(store.Trained("translator", by_heart, {}, 0.0, 0.0))
    said = store.greedy_translations([source for source, _ in SMALL.held_out], by_heart, SETTINGS.longest)
    wrong = {
        str(i): one for i, (one, (_, wanted)) in enumerate(zip(said, SMALL.held_out, strict=True)) if one != wanted
    }
    assert made == {"held_out": 0.75, "reversible": 1.0, "said": wrong}
    assert list(wrong) == ["3"]


def test_a_model_that_is_not_there_is_not_trained(small):
    """Reading never takes a minute: it says what to run."""
    with pytest.raises(shipped.Stale, match=r"translator.json \(it is missing\): run `make models`"):
        shipped_translator()


def test_a_model_runs_as_it_was_trained(small, monkeypatch):
    """Translations are made with the changed functions in; afterwards they are out."""
    seen = []

    def look(weights, x):
        seen.append(1)
        return mix(weights, x)

    monkeypatch.setitem(ABLATIONS, "watched", Ablation("someone looks on", {"steps": 1, "checkpoints": 2}, {mix: look}))
    trained = store.trained_in("watched", store.train_and_examine("watched"))
    seen.clear()
    said = trained.translations(["i see you"])
    assert seen
    assert said == store.greedy_translations(["i see you"], trained.model, trained.longest)
    calls = len(seen)
    store.greedy_translations(["i see you"], trained.model, trained.longest)
    assert len(seen) == calls


def test_a_seed_trains_another_model(small):
    """The same sentences, other initial numbers and other batches."""
    one, other = (store.train_and_examine("translator", seed)["record"]["loss"] for seed in (1, 2))
    assert one != other
