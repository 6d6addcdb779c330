"""Words for people: text from outside made safe to show in a terminal, a page or a table, suggestions and plurals."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

LINES_AND_TABS = dict.fromkeys(map(ord, "\n\t"))
UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # Unicode's control, format, surrogate and line-ending characters
JOINERS = "\u200c\u200d"  # joiners: Persian, Hindi and emoji need them between letters that are not ASCII
STRAY = re.compile(rf"(?<![^\0-\x7f{JOINERS}])[{JOINERS}]")

_ON_ONE_LINE = {ord("\n"): "\\n", ord("\t"): "\\t"}
A_TEXT = 100  # a fixed cost per text, which bounds their number


class Instead(dict):
    """Replacement characters for ``str.translate``, computed on demand; harmless ones stay."""

    def __init__(self, instead: Callable, harmless: str) -> None:
        super().__init__((ord(letter), letter) for letter in harmless)
        self.instead = instead

    def __missing__(self, number: int) -> int | str | None:
        acts = unicodedata.category(chr(number)) in UNSAFE
        self[number] = self.instead(chr(number)) if acts else number
        return self[number]


def clean(text: str) -> str:
    """Return text without characters that drive a terminal, reverse a line's direction or break an encoding."""
    plain = str(text).encode("utf-8", "replace").decode()
    if plain.translate(LINES_AND_TABS).isprintable():  # a fast path for nearly every text
        return plain
    return plain.translate(Instead(lambda letter: None, "\n\t"))


def visible(text: Any) -> str:
    """Return text with what ``clean`` drops made visible: names, paths and code keep their letters, and none acts.

    Everything that comes from outside and is shown goes through here: on a screen, on a page, in a table. Line breaks
    and tabs stay, which belong to code and messages; names go through ``visible_line``.
    """
    text = str(text)
    if text.translate(LINES_AND_TABS).isprintable():
        return text
    return STRAY.sub(lambda found: escape_of(found[0]), text).translate(Instead(escape_of, "\n\t" + JOINERS))


def visible_line(text: Any) -> str:
    """Return text on one line as ``visible`` does, with its line breaks and tabs made visible too.

    For names, paths and whole lines: a name with a line break in it would write a line of its own.
    """
    return visible(text).translate(_ON_ONE_LINE)


def is_plain(text: str) -> bool:
    """Say whether a text is one line that ``visible`` leaves unchanged."""
    return visible_line(text) == text


def escape_of(letter: str) -> str:
    """Return a character's Python escape."""
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


class TextBudget:
    """A budget of characters, of which each text may take at most some. What does not fit is left out, with a note."""

    def __init__(self, characters: int, each: int) -> None:
        self.left, self.each = characters, each

    def cut(self, text: str) -> str:
        """Return as much as fits; "" for everything after that."""
        if self.left <= 0:
            return ""
        most = min(self.left, self.each)
        self.left -= min(len(text), most) + A_TEXT
        if len(text) <= most:
            return text
        rest = f"the rest of this text, {len(text) - most} characters, is left out"
        return f"{text[:most]}\n({rest}{', and so is all that follows' if self.left <= 0 else ''})"


def can_be_named(student: str) -> bool:
    """Say whether a folder's name can appear in a gradebook, on a page and in a terminal.

    A zero-width joiner may be anywhere, as in copied names; if it joins nothing, it is made visible.
    """
    return is_plain(student.translate(dict.fromkeys(map(ord, JOINERS)))) and not student.startswith(".")


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name most similar to this one, or ""."""
    return next(iter(get_close_matches(name[:100], [str(one) for one in known], 1, 0.7)), "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the suggestion for an unknown name: the nearest known one, or all of them."""
    like = nearest(name, known)
    return f"did you mean {like!r}?" if like else f"expected one of {', '.join(map(str, known))}"


def join_first(names: Iterable[str], most: int = 5) -> str:
    """Join the first few names, and count the others: ``a, b and 4 more``."""
    names = list(names)
    others = len(names) - most
    return ", ".join(names[:most]) + (f" and {others} more" if others > 0 else "")


def plural(count: float, word: str) -> str:
    """Format ``1 point``, ``2.5 points`` or ``3 days``."""
    return f"{count:g} {word}" + ("" if count == 1 else "s")
