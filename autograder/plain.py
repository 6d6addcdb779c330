"""Makes text from outside safe to show: it can act on no terminal, page or table."""

import re
import unicodedata
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

LINES_AND_TABS = dict.fromkeys(map(ord, "\n\t"))
UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # Unicode's control, format, surrogate and line-ending characters
JOINERS = "\u200c\u200d"  # Persian, Hindi and pictures are written with them: letters that are not ASCII are joined
STRAY = re.compile(rf"(?<![^\0-\x7f{JOINERS}])[{JOINERS}]")

A_TEXT = 100  # characters that any text counts for besides its own, so that there are not too many of them


class Instead(dict):
    """What ``str.translate`` puts in the place of letters that act, found as they come; all others stay."""

    def __init__(self, instead: Callable, harmless: str) -> None:
        super().__init__((ord(letter), letter) for letter in harmless)
        self.instead = instead

    def __missing__(self, number: int) -> Any:
        acts = unicodedata.category(chr(number)) in UNSAFE
        self[number] = self.instead(chr(number)) if acts else number
        return self[number]


def clean(text: str) -> str:
    """Return text without what can drive a terminal, turn a line's direction or break an encoding."""
    plain = str(text).encode("utf-8", "replace").decode()
    if plain.translate(LINES_AND_TABS).isprintable():  # the same, fast, for nearly all that is ever written
        return plain
    return plain.translate(Instead(lambda letter: None, "\n\t"))


def visible(text: Any) -> str:
    """Return text in which what ``clean`` drops is seen: a name, a path, code keep their letters, and none acts.

    Whatever comes from outside and is shown to somebody goes through here, on a screen, on a page or into a table.
    """
    text = str(text)
    if text.translate(LINES_AND_TABS).isprintable():
        return text
    return STRAY.sub(lambda found: escape_of(found[0]), text).translate(Instead(escape_of, "\n\t" + JOINERS))


def is_plain(text: str) -> bool:
    """Say whether a text is one line of which ``visible`` shows every letter as it is."""
    return visible(text) == text and not set("\n\t") & set(text)


def escape_of(letter: str) -> str:
    """Return a letter as Python would write it."""
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


class Room:
    """Room for so many characters, of which each text may take at most some. What has no room is left out, and said."""

    def __init__(self, characters: int, each: int) -> None:
        self.left, self.each = characters, each

    def cut(self, text: str) -> str:
        """Return what there is room for; "" for all that follows the one with which the room ended."""
        if self.left <= 0:
            return ""
        most = min(self.left, self.each)
        self.left -= min(len(text), most) + A_TEXT
        if len(text) <= most:
            return text
        rest = f"the rest of this text, {len(text) - most} characters, is left out"
        return f"{text[:most]}\n({rest}{', and so is all that follows' if self.left <= 0 else ''})"


def can_be_named(student: str) -> bool:
    """Say whether a folder's name can stand in a gradebook, on a page and in a terminal.

    A joiner may stand anywhere, as names that were copied have it; where it joins nothing, it is shown for what it is.
    """
    return is_plain(student.translate(dict.fromkeys(map(ord, JOINERS)))) and not student.startswith(".")


def nearest(name: str, known: Any) -> str:
    """Return the known name that is most like this one, or "" where none is."""
    return next(iter(get_close_matches(name[:100], [str(one) for one in known], 1, 0.7)), "")


def did_you_mean(name: str, known: Any) -> str:
    """Return what is said after an unknown name: the nearest known one, or all of them."""
    like = nearest(name, known)
    return f"did you mean {like!r}?" if like else f"expected one of {', '.join(map(str, known))}"
