"""What comes from outside is seen as it is, and acts on nothing."""

import unicodedata

import pytest

from autograder.plain import UNSAFE, clean, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë\tWu\n", "Zoë\tWu\n"),
        ("\u2067ada", "\\u2067ada"),
        ("ada\u202e", "ada\\u202e"),
        ("a\u200dda", "a\\u200dda"),
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("\x9b31m\ufeff\u2028", "\\x9b31m\\ufeff\\u2028"),
        ("x\udcff", "x\\udcff"),
        ("\U000e0041", "\\U000e0041"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_what_acts_is_seen(text, shown):
    """Marks that turn, hide or drive are written as Python would; letters of all scripts and their joiners stay."""
    assert visible(text) == shown


def test_nothing_that_acts_gets_through():
    """Of all of Unicode, alone and after an ordinary letter; what is cleaned keeps every letter but those."""
    letters = [chr(number) for number in range(0x110000)]
    shown = visible("".join(f"a{letter}" for letter in letters))
    assert not {letter for letter in set(shown) if unicodedata.category(letter) in UNSAFE} - {"\n", "\t"}
    letters = [letter for letter in letters if unicodedata.category(letter) != "Cs"]  # of which clean makes "?"
    kept = [letter for letter in letters if letter in "\n\t" or unicodedata.category(letter) not in UNSAFE]
    assert clean("".join(letters)) == "".join(kept)


def test_half_a_letter_is_a_question_mark():
    """A surrogate, which is no letter, breaks nothing that is written in UTF-8."""
    assert clean("x\ud800\x07\udfffy") == "x??y"
