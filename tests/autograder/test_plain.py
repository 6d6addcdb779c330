"""What comes from outside is seen as it is, and acts on nothing."""

import random
import unicodedata
from itertools import pairwise

import pytest

from autograder.plain import (
    A_TEXT,
    JOINERS,
    UNSAFE,
    TextBudget,
    clean,
    escape_of,
    is_plain,
    join_first,
    visible,
    visible_line,
)
from tests.support.fuzz import tries


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


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "a\r\nb", "\x1b[2Ja\x85b\u2028c"])
def test_a_line_stays_one(text):
    """Line breaks and tabs are seen too; a line that is made of such texts is printed as it is."""
    shown = visible_line(text)
    assert len(shown.splitlines()) == 1
    assert "\t" not in shown
    assert visible_line(shown) == shown
    assert eval(f"'{shown}'") == text


def test_nothing_that_acts_gets_through():
    """Alone and after an ordinary letter; what is cleaned keeps every letter but those.

    Tried are the first two planes of Unicode, its tags, and some of each other plane.
    """
    numbers = (*range(0x20000), *range(0x20000, 0x110000, 101), *range(0xE0000, 0xE0200))
    letters = [chr(number) for number in numbers]
    shown = visible("".join(f"a{letter}" for letter in letters))
    assert not {letter for letter in set(shown) if unicodedata.category(letter) in UNSAFE} - {"\n", "\t"}
    letters = [letter for letter in letters if unicodedata.category(letter) != "Cs"]  # of which clean makes "?"
    kept = [letter for letter in letters if letter in "\n\t" or unicodedata.category(letter) not in UNSAFE]
    assert clean("".join(letters)) == "".join(kept)


def test_half_a_letter_is_a_question_mark():
    """A surrogate, which is no letter, breaks nothing that is written in UTF-8."""
    assert clean("x\ud800\x07\udfffy") == "x??y"


def test_any_mixture_is_read_letter_by_letter():
    """As slowly defined: what acts is written out or dropped, a joiner stays behind a letter that is not ASCII."""
    rng = random.Random(20_240_207)
    for _ in range(tries(300)):
        text = "".join(rng.choices("aé猫\u200c\u200d\u202e\n\t\x07 🦁\u2028", k=rng.randrange(1, 13)))
        shown = kept = ""
        for before, letter in pairwise(f" {text}"):
            acts = unicodedata.category(letter) in UNSAFE and letter not in "\n\t"
            joins = letter in JOINERS and not before.isascii() and before not in JOINERS
            shown += escape_of(letter) if acts and not joins else letter
            kept += "" if acts else letter
        assert (visible(text), clean(text)) == (shown, kept)
        assert is_plain(text) == (shown == text and "\n" not in text and "\t" not in text)


def test_room_ends_and_says_so():
    """Each text and all together have their most; what is beyond is counted, and then passed over."""
    room = TextBudget(1009, 307)
    assert room.cut("grass") == "grass"
    cut = room.cut("x" * 311)
    assert cut == "x" * 307 + "\n(the rest of this text, 4 characters, is left out)"
    left = 1009 - 5 - 307 - 2 * A_TEXT
    assert room.cut("y" * 307) == "y" * 307
    left -= 307 + A_TEXT
    said = f"(the rest of this text, {307 - left} characters, is left out, and so is all that follows)"
    assert room.cut("z" * 307) == f"{'z' * left}\n{said}"
    assert room.cut("grass") == ""


@pytest.mark.parametrize(
    ("names", "joined"), [([], ""), (["ada"], "ada"), (list("abc"), "a, b, c"), (list("abcde"), "a, b, c and 2 more")]
)
def test_a_long_list_names_the_first_and_counts_the_others(names, joined):
    """Three are named."""
    assert join_first(names, 3) == joined
