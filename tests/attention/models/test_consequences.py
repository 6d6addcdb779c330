"""Mistakes in a translator that learned eight sentences: what is recorded, and what is said about it."""

from types import SimpleNamespace

import numpy as np
import pytest

from attention.chapters import inference
from attention.chapters.transformer import decode, encode, initialise
from attention.chapters.translator import SETTINGS
from attention.exercises import CHAPTERS, exercises_of
from attention.models import build, consequences, shipped, store
from attention.models.consequences import consequence, said
from attention.models.replaced import replaced
from attention.models.stands_in import STANDS_IN
from attention.trained import read_trained

from .conftest import ASKED, SMALL

EXERCISES = {name: exercise for stem in CHAPTERS for name, exercise in exercises_of(stem).items()}
LONGEST = SETTINGS.longest
SOURCES = [source for source, _ in SMALL.training + SMALL.held_out]


def sees_nothing(weights, x):
    """A wrong mix: it takes nothing of anyone."""
    return 0 * np.ones((*weights.shape[:-1], x.shape[-1]))


def is_nan(weights, x):
    """A wrong mix: no number at all."""
    return np.nan * (weights @ x)


def stops(weights, x):
    """A wrong mix: an error of two lines."""
    raise ValueError("shapes (2, 3)\nand more")


def stops_for_long_ones(weights, x):
    """A wrong mix: an error where there are more than seven tokens."""
    return weights @ x if x.shape[-2] <= 7 else stops(weights, x)


@pytest.fixture(autouse=True)
def asked(monkeypatch):
    """Ask for sentences that the small model knows."""
    monkeypatch.setattr(consequences, "ASKED", ASKED)


@pytest.fixture(scope="module")
def right(by_heart):
    """What the model makes of the held-out sentences."""
    return [said(source, by_heart).translation for source, _ in SMALL.held_out]


def put_in(wrong, by_heart, right):
    """Return the consequence of a wrong mix."""
    return consequence(STANDS_IN["mix"](wrong), by_heart, SMALL.held_out, right)


def results(by_heart):
    """Return what two random layers of each kind make of some numbers, and what the model makes of all sentences."""
    random = initialise(np.random.default_rng(3), 9, 9, 12, 10, layers=2)
    memory = encode(np.array([1, 2, 3, 4, 5]), random, 3, 2)
    logits = decode(np.array([1, 2, 3]), memory, random, 3, 2)
    return (memory, logits), [said(source, by_heart) for source in SOURCES]


@pytest.fixture(scope="module")
def usual(by_heart):
    """The results with nothing put anywhere."""
    return results(by_heart)


@pytest.mark.parametrize("name", STANDS_IN)
def test_the_right_function_changes_nothing(by_heart, usual, name):
    """Each exercise's own reference, put where mistakes go, leaves memory and logits as they are."""
    with replaced(STANDS_IN[name](EXERCISES[name].reference)):
        arrays, translated = results(by_heart)
    for old, new in zip(usual[0], arrays, strict=True):
        np.testing.assert_allclose(new, old, atol=1e-12)
    assert translated == usual[1]


@pytest.mark.parametrize("name", STANDS_IN)
def test_a_mistake_reaches_the_translator(by_heart, right, name):
    """In each place at least one listed mistake changes a translation."""
    wrong = (STANDS_IN[name](mistake.wrong) for mistake in EXERCISES[name].mistakes)
    assert any(consequence(version, by_heart, SMALL.held_out, right)["unchanged"] < 1 for version in wrong)


def test_one_sentence_is_said_as_in_chapter_11(by_heart):
    """Sentence by sentence, as ``translate`` does, cut off after LONGEST tokens; or it is one of those hoped for."""
    for source in SOURCES:
        whole = " ".join(inference.translate(source, by_heart).split()[:LONGEST])
        assert said(source, by_heart) == (whole, None, False)
        assert said(source, by_heart, [whole, "ti amo"]).translation == whole
    assert said(SOURCES[0], by_heart, ["non amo molto"]).translation is None


def test_a_consequence_counts_sentences(by_heart, right):
    """Shares agree with translating all sentences to their end, and comparing."""
    made = put_in(sees_nothing, by_heart, right)
    with replaced(STANDS_IN["mix"](sees_nothing)):
        all_said = [" ".join(inference.translate(source, by_heart).split()[:LONGEST]) for source, _ in SMALL.held_out]
        promised = [" ".join(inference.translate(source, by_heart).split()[:LONGEST]) for source, _ in ASKED]
    assert made["translations"] == promised
    assert made["survives"] == np.mean([now == pair[1] for now, pair in zip(all_said, SMALL.held_out, strict=True)])
    assert made["unchanged"] == np.mean([now == usual for now, usual in zip(all_said, right, strict=True)])
    assert made["right"] == np.mean([usual == pair[1] for usual, pair in zip(right, SMALL.held_out, strict=True)])
    assert (made["stops"], made["nan"], made["error"], made["sentences"]) == (0, 0, None, len(SMALL.held_out))
    assert made["survives"] < made["right"] == 0.75


def test_errors_and_nan_are_recorded(by_heart, right):
    """An error is kept with its first line, NaN is no translation, and sentences that stop are counted."""
    stopped, nothing = (put_in(wrong, by_heart, right) for wrong in (stops, is_nan))
    assert (stopped["stops"], stopped["error"]) == (1, "ValueError: shapes (2, 3)")
    assert (nothing["nan"], nothing["stops"], nothing["error"]) == (1, 0, None)
    assert stopped["translations"] == nothing["translations"] == [None] * 3
    some = consequence(STANDS_IN["mix"](stops_for_long_ones), by_heart, [*SMALL.held_out, ASKED[2]], [*right, ""])
    assert (some["stops"], some["survives"], some["unchanged"]) == (0.2, 0.6, 0.8)
    assert some["translations"] == ["ti amo molto", "la ragazza non mi vede mai", None]


@pytest.fixture
def one_exercise(small, monkeypatch):
    """A tiny translator that is shipped, and the exercise mix with two mistakes; change its list at will."""
    shipped.write("translator", store.made_of("translator"), store.train_and_examine("translator"))
    wrong = [SimpleNamespace(id=wrong.__name__, wrong=wrong) for wrong in (is_nan, stops)]
    monkeypatch.setattr(
        consequences, "exercises", lambda: {"mix": SimpleNamespace(mistakes=wrong, shipped_mistakes=wrong)}
    )
    return wrong


def found_out():
    """Find out all that is stale, and write it."""
    consequences.write({name: consequences.find_out(name, ids) for name, ids in consequences.stale().items()})


def test_consequences_are_found_out_once(one_exercise):
    """At first all are stale, afterwards none; the file says what the sentences are."""
    assert consequences.stale() == {"mix": ["is_nan", "stops"]}
    found_out()
    assert consequences.stale() == {}
    shipped_file = read_trained("consequences")
    assert shipped_file["exercises"]["mix"]["stops"]["error"] == "ValueError: shapes (2, 3)"
    assert shipped_file["promised"] == [list(pair) for pair in ASKED]


def test_only_the_mistake_that_changed_is_stale(one_exercise, monkeypatch):
    """What is known of the others is kept as it is; a mistake that is gone is forgotten."""
    found_out()
    before = read_trained("consequences")["exercises"]["mix"]
    one_exercise[1].wrong = sees_nothing
    assert consequences.stale() == {"mix": ["stops"]}
    found_out()
    after = read_trained("consequences")["exercises"]["mix"]
    assert after["is_nan"] == before["is_nan"]
    assert after["stops"] != before["stops"]
    del one_exercise[0]
    found_out()
    assert list(read_trained("consequences")["exercises"]["mix"]) == ["stops"]


def test_a_new_mistake_is_unknown_and_a_changed_one_stale(one_exercise):
    """A new one is named, and stops nothing; one that has changed since makes the file stale."""
    found_out()
    one_exercise.append(SimpleNamespace(id="new", wrong=sees_nothing))
    assert consequences.unknown() == {"mix": ["new"]}
    (line,) = build.describe_unknown()
    assert {"mix:", "new"} <= set(line.split())
    assert consequences.FILE not in build.why_stale()
    one_exercise[1].wrong = sees_nothing
    assert consequences.unknown() == {"mix": ["new"]}
    assert "mix" in build.why_stale()[consequences.FILE]


def test_another_translator_makes_all_of_them_stale(one_exercise):
    """They are about one model alone."""
    found_out()
    content = store.train_and_examine("translator")
    shipped.write("translator", store.made_of("translator"), content | {"held_out": 0.5})
    assert consequences.stale() == {"mix": ["is_nan", "stops"]}


def test_what_stands_in_the_translator_is_an_exercise():
    """No name is misspelt."""
    assert set(STANDS_IN) <= set(EXERCISES)
