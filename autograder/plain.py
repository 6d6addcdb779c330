"""Plain text: what comes from outside, and is shown to somebody, acts on no terminal, page or table."""

import re
import sys
import unicodedata
from functools import cache

KEPT = "\n\t"
LINES_AND_TABS = dict.fromkeys(map(ord, KEPT))
JOINERS = "\u200c\u200d"
UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # Unicode's control, format, surrogate and line-ending characters


@cache
def unsafe():
    """Return the pattern of one letter that acts on a terminal, a line's direction or an encoding."""
    letters = map(chr, range(sys.maxunicode + 1))
    return re.compile(f"[{''.join(x for x in letters if unicodedata.category(x) in UNSAFE and x not in KEPT)}]")


def clean(text):
    """Return text without what can drive a terminal, turn a line's direction or break an encoding."""
    plain = str(text).encode("utf-8", "replace").decode()
    if plain.translate(LINES_AND_TABS).isprintable():  # the same, fast, for nearly all that is ever written
        return plain
    return unsafe().sub("", plain)


def visible(text):
    """Return text in which what ``clean`` drops is seen: a name, a path, code keep their letters, and none acts.

    Whatever comes from outside and is shown to somebody goes through here, on a screen, on a page or into a table.
    """
    text = str(text)
    if text.translate(LINES_AND_TABS).isprintable():
        return text
    return unsafe().sub(as_seen, text)


def as_seen(found):
    """Return a letter as Python would write it, but for joiners where Persian, Hindi and pictures are written so."""
    letter, before = found[0], found.string[max(0, found.start() - 1) : found.start()]
    if letter in JOINERS and not before.isascii() and before not in JOINERS:
        return letter
    return escape_of(letter)


def escape_of(letter):
    """Return a letter as Python would write it."""
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
