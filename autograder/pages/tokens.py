"""Splits a student's code into tokens in one pass. It is never parsed: deeply nested code can break a parser."""

import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

MAX_CODE = 20_000  # characters of a cell
LONGEST_NUMBER = 6  # longest number that cannot identify a person
# Each part is possessive: what it has matched it never gives back, so the time grows with the text and not its square.
LONG, SHORT = (r"(?:[^\\{0}]++|\\.|{0}(?!{0}{0}))*+(?:{0}{0}{0})?+", r"(?:[^\\\n{0}]++|\\.)*+{0}?+")
PYTHON_TOKEN = re.compile(
    rf"""(?P<comment>\#[^\n]*)
    |(?P<text>[rbfuRBFU]{{0,2}}(?:\"\"\"{LONG.format('"')}|'''{LONG.format("'")}|"{SHORT.format('"')}|'{SHORT.format("'")}))
    |(?P<name>[^\W\d]\w*)
    |(?P<number>\.?\d(?:[eE][+-]\d|[\w.])*+)
    |(?P<space>\s+)
    |(?P<sign>.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
EVERYBODYS = {*keyword.kwlist, *dir(builtins), *dir(np), *dir(np.linalg), *dir(np.ndarray), "np", "numpy"}
EVERYBODYS |= {"axis", "axes", "keepdims", "initial", "where", "key", "default", "reverse"}  # arguments of these


@dataclass(frozen=True)
class Token:
    """One token: its kind, its text, and where it stands."""

    kind: str
    text: str
    start: int
    end: int


def tokens_of(source: str) -> Iterator[Token]:
    """Yield all tokens of some code; anything that cannot be one becomes a sign."""
    for found in PYTHON_TOKEN.finditer(source[:MAX_CODE].rstrip("\\")):
        yield Token(found.lastgroup or "", found[0], *found.span())


def all_names(sources: list[str]) -> set[str]:
    """Return all names in some code."""
    return {token.text for source in sources for token in tokens_of(source) if token.kind == "name"}


def normalised(source: str, known: set[str]) -> list[tuple[str, Token]]:
    """Return code as ``(word, token)`` without comments, layout, docstrings and its own names.

    A name that is neither a builtin nor ``known`` becomes V, and a text S.
    """
    found, begins = [], True
    for token in tokens_of(source):
        if token.kind == "space" or token.kind == "comment":
            begins |= "\n" in token.text
            continue
        if not (token.kind == "text" and begins):  # a string that starts a line is a comment in effect
            found.append((word_of(token, known), token))
        begins = False
    return found


def word_of(token: Token, known: set[str]) -> str:
    """Return the placeholder of a token whose own name or text does not matter."""
    if token.kind == "text":
        return "S"
    return token.text if token.kind != "name" or token.text in EVERYBODYS or token.text in known else "V"


def nameless(source: str, known: set[str]) -> str:
    """Return code with nothing in it that could identify a person: layout and known names stay.

    Own names become ``name1``, ``name2``; texts, comments, long numbers and non-ASCII characters are dropped.
    """
    given, shown = {}, []
    for token in tokens_of(source):
        text = token.text
        if token.kind == "name" and text not in EVERYBODYS and text not in known:
            text = given.setdefault(text, f"name{len(given) + 1}")
        elif token.kind == "comment" or (token.kind == "sign" and not text.isascii()):
            text = ""
        elif token.kind == "text":
            text = '"…"'
        elif token.kind == "number" and (sum(map(str.isdigit, text)) > LONGEST_NUMBER or not text.isascii()):
            text = "…"
        shown.append(text)
    lines = [line.rstrip() for line in "".join(shown).splitlines()]
    return "\n".join(line for line in lines if line)
