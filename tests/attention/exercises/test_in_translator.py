"""What a mistake does to the translator, as pages say it."""

import pytest

from attention.exercises.in_translator import (
    NODES,
    PARTS,
    QUESTION,
    consequences_of,
    describe_consequence,
    in_lines,
    number_in_page,
    promised,
)
from attention.models import shipped_translator
from attention.models.explain_translator import numbers_of
from attention.trained import read_trained

ENGLISH = [english for english, _ in promised()]
RIGHT = [italian for _, italian in promised()]
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
        ({}, "every translation stays as it is.", ["nothing changes"]),
        (
            NOTHING | {"stops": 1.0, "error": "ValueError: a b"},
            "it stops with `ValueError`.",
            ["stops with `ValueError`"],
        ),
        (
            NOTHING | {"nan": 1.0},
            "its result is only NaN, so there is no translation.",
            ["nothing but `NaN`"],
        ),
        (
            {"translations": ["ti ami molto", *RIGHT[1:]], "survives": 0.1433, "unchanged": 0.14},
            "“i love you very much” becomes “ti ami molto”, "
            "and 14% of 300 new sentences are still translated instead of 99%.",
            ["(1) *ti ami molto*", "14% still right"],
        ),
        (
            {"translations": [RIGHT[0], "", "ti " * 12], "survives": 0.01, "unchanged": 0.0},
            f"“{ENGLISH[1]}” becomes an empty sentence, "
            "and 1% of 300 new sentences are still translated instead of 99%.",
            ["(2) nothing", "(3) *ti ti ti ti ti ti ti …*", "1% still right"],
        ),
        (
            {"survives": 0.9867, "unchanged": 0.9967},
            "“i love you very much” stays “ti amo molto”, and 99% of 300 new sentences are still translated.",
            ["296 of 300 right, before 297"],
        ),
        (
            {"translations": [*RIGHT[:2], None], "survives": 0.0, "unchanged": 0.0, "stops": 0.3, "error": "E: f"},
            f"“{ENGLISH[2]}” has no translation any more, and none of 300 new sentences is translated.",
            ["(3) nothing", "0% still right"],
        ),
    ],
)
def test_what_is_said(made, words, lines):
    """A consequence in a plain clause, and in short lines for a table."""
    assert describe_consequence(WHOLE | made) == words
    assert in_lines(WHOLE | made) == lines


def test_an_exercise_that_stands_nowhere_has_none():
    """Entropy is no part of the translator."""
    assert consequences_of("entropy") == consequences_of("no such exercise") == {}
    assert consequences_of("mix")


def test_each_function_of_the_translator_leads_to_a_number_that_it_makes():
    """Every exercise with consequences has one, the first translation has it, and other exercises have none."""
    numbers = numbers_of(shipped_translator(), promised()[0][0])
    assert (
        {name for name in NODES if consequences_of(name)}
        == set(NODES)
        == set(read_trained("consequences")["exercises"])
    )
    for node in NODES.values():
        numbers.value(node)
    assert number_in_page("mix").startswith("translator.html#demo=every_number&sentence=i%20love%20you%20very%20much&")
    assert number_in_page("entropy") == ""


def test_a_function_that_can_be_left_out_leads_to_what_that_changes():
    """The question is why the first promised sentence begins with ti, and not with lo."""
    words = list(shipped_translator().model.target_vocabulary)
    one, other = (words[int(token)] for token in QUESTION.rpartition(":")[2].split("-"))
    assert (one, other) == ("ti", "lo")
    assert promised()[0][1].startswith("ti ")
    assert "off=%5B%22scaling%22%5D" in number_in_page("scaled_scores")
    assert set(PARTS) < set(NODES)
