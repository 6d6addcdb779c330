"""Plain text: what comes from outside, and is shown to somebody, acts on no terminal, page or table."""

import unicodedata
from itertools import pairwise

LINES_AND_TABS = dict.fromkeys(map(ord, "\n\t"))
JOINERS = "\u200c\u200d"
UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # Unicode's control, format, surrogate and line-ending characters


def clean(text):
    """Return text without what can drive a terminal, turn a line's direction or break an encoding."""
    plain = str(text).encode("utf-8", "replace").decode()
    if plain.translate(LINES_AND_TABS).isprintable():  # the same, fast, for nearly all that is ever written
        return plain
    return "".join(letter for letter in plain if letter in "\n\t" or unicodedata.category(letter) not in UNSAFE)


def visible(text):
    """Return text in which what ``clean`` drops is seen: a name, a path, code keep their letters, and none acts.

    Whatever comes from outside and is shown to somebody goes through here, on a screen, on a page or into a table.
    """
    text = str(text)
    if text.translate(LINES_AND_TABS).isprintable():
        return text
    return "".join(
        letter if is_harmless(letter, before) else escape_of(letter) for before, letter in pairwise(f" {text}")
    )


def is_harmless(letter, before):
    """Say whether a letter acts on nothing; joiners do not where Persian, Hindi and pictures are written with them."""
    return (
        letter in "\n\t"
        or unicodedata.category(letter) not in UNSAFE
        or (letter in JOINERS and not before.isascii() and before not in JOINERS)
    )


def escape_of(letter):
    """Return a letter as Python would write it."""
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
