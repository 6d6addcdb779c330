"""Mistakes in a translator that learned eight sentences: what is recorded, and what is said about it."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from autograder.checks import CHAPTERS, exercises_of
from autograder.models import consequences
from autograder.models.consequences import (
    consequence,
    consequences_of,
    in_lines,
    in_words,
    kept_in,
    make_consequences,
    said,
)
from autograder.models.replaced import replaced
from autograder.models.stands_in import STANDS_IN
from autograder.reference import inference
from autograder.reference.grammar import PROMISED
from autograder.reference.transformer import decode, encode, initialise

from .conftest import SMALL

EXERCISES = {name: exercise for stem in CHAPTERS for name, exercise in exercises_of(stem).items()}
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
    """Sentence by sentence, as ``translate`` does, cut off after 12 tokens; unless it is none of those hoped for."""
    for source in SOURCES:
        whole = " ".join(inference.translate(source, by_heart).split()[:12])
        assert said(source, by_heart) == (whole, None, False)
        assert said(source, by_heart, [whole, "ti amo"]).translation == whole
    assert said(SOURCES[0], by_heart, ["non amo molto"]).translation is None


def test_a_consequence_counts_sentences(by_heart, right):
    """Shares agree with translating all sentences to their end, and comparing."""
    made = put_in(sees_nothing, by_heart, right)
    with replaced(STANDS_IN["mix"](sees_nothing)):
        all_said = [" ".join(inference.translate(source, by_heart).split()[:12]) for source, _ in SMALL.held_out]
        promised = [" ".join(inference.translate(source, by_heart).split()[:12]) for source, _ in PROMISED]
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
    some = consequence(STANDS_IN["mix"](stops_for_long_ones), by_heart, [*SMALL.held_out, PROMISED[2]], [*right, ""])
    assert (some["stops"], some["survives"], some["unchanged"]) == (0.2, 0.6, 0.8)
    assert some["translations"] == ["ti amo molto", "la ragazza non mi vede mai", None]


RIGHT = [italian for _, italian in PROMISED]
WHOLE = {
    "translations": RIGHT,
    "survives": 0.99,
    "right": 0.99,
    "unchanged": 1.0,
    "stops": 0.0,
    "nan": 0.0,
    "error": None,
    "sentences": 300,
}
NOTHING = {"translations": [None] * 3, "survives": 0.0, "unchanged": 0.0}


@pytest.mark.parametrize(
    ("made", "words", "lines"),
    [
        ({}, "Every translation stays as it is.", ["nothing changes"]),
        (
            NOTHING | {"stops": 1.0, "error": "ValueError: a b"},
            "It stops with ValueError.",
            ["stops with `ValueError`"],
        ),
        (
            NOTHING | {"nan": 1.0},
            "Nothing but NaN comes out, so there is no translation.",
            ["nothing but `NaN`"],
        ),
        (
            {"translations": ["ti ami molto", *RIGHT[1:]], "survives": 0.1433, "unchanged": 0.14},
            "“i love you very much” becomes “ti ami molto”, "
            "and 14 % of 300 new sentences are still translated instead of 99 %.",
            ["(1) *ti ami molto*", "14 % still right"],
        ),
        (
            {"translations": [RIGHT[0], "", "ti " * 12], "survives": 0.0033, "unchanged": 0.0},
            "“the girl never sees me” becomes an empty sentence, "
            "and .3 % of 300 new sentences are still translated instead of 99 %.",
            ["(2) nothing", "(3) *ti ti ti ti ti ti ti …*", ".3 % still right"],
        ),
        (
            {"survives": 0.9867, "unchanged": 0.9967},
            "“i love you very much” stays “ti amo molto”, and 99 % of 300 new sentences are still translated.",
            ["296 of 300 right, before 297"],
        ),
        (
            {"translations": [*RIGHT[:2], None], "survives": 0.0, "unchanged": 0.0, "stops": 0.3, "error": "E: f"},
            "“he does not know the white cat well” has no translation any more, "
            "and none of 300 new sentences is translated.",
            ["(3) nothing", "0 % still right"],
        ),
    ],
)
def test_what_is_said(made, words, lines):
    """A consequence in one plain sentence, and in short lines for a table."""
    assert in_words(WHOLE | made) == words
    assert in_lines(WHOLE | made) == lines


@pytest.fixture
def one_exercise(small, monkeypatch):
    """The exercise mix with two mistakes; change its list to change what is kept."""
    wrong = [SimpleNamespace(id=wrong.__name__, wrong=wrong) for wrong in (is_nan, stops)]
    monkeypatch.setattr(consequences, "exercises", lambda: {"mix": SimpleNamespace(mistakes=wrong)})
    return wrong


def test_consequences_are_made_once_and_read_afterwards(one_exercise, small, monkeypatch):
    """Nothing is known before; afterwards the file says it, and nothing is put in again."""
    assert consequences_of("mix") == {}
    made = make_consequences("mix")
    assert list(made) == ["is_nan", "stops"]
    assert consequences_of("mix") == made == json.loads(kept_in("mix").read_text())
    monkeypatch.setattr(consequences, "keep", None)
    assert make_consequences("mix") == made
    kept_in("mix").write_text("{")
    assert consequences_of("mix") == {}


def test_another_mistake_makes_them_stale(one_exercise):
    """What is kept belongs to these wrong versions, this model and this code; a stale file is not shown, and goes."""
    make_consequences("mix")
    old = kept_in("mix")
    one_exercise[1].wrong = sees_nothing
    assert consequences_of("mix") == {}
    make_consequences("mix")
    assert not old.exists()


def test_an_exercise_that_stands_nowhere_has_none(small):
    """Entropy is no part of the translator."""
    assert consequences_of("entropy") == consequences_of("no such exercise") == {}
    assert set(STANDS_IN) <= set(EXERCISES)
