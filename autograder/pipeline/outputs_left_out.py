"""What of a notebook's bytes is read at all: outputs, attached pictures and the notebook's metadata are passed over.

Only sources are graded, so nothing that a cell has shown, however large or strange, may cost a student anything.
What is passed over is never decoded, and no object is made of it: only its brackets are counted.
"""

import re

from autograder.errors import InvalidSubmission

BRACKETS = 2_000_000  # in the whole file; each takes a step
TOKENS = 1_000_000  # in what is read; each may become an object of sixty bytes
STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
TOKEN = re.compile(
    rb'"(?:(?P<cell>outputs|attachments)|(?P<top>metadata))"\s*+:\s*+(?=[\[{])|' + STRING + rb"|[\[\]{},]", re.DOTALL
)
UP_TO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|' + STRING + rb")*+", re.DOTALL)
TOP, CELL = 1, 3  # how many brackets are open around the notebook's own keys, and around a cell's


def without_outputs(data: bytes) -> bytes:
    """Return a notebook's bytes with nothing in its outputs, attachments and metadata; lines keep their numbers.

    Errors: InvalidSubmission where the rest holds more than any notebook does.
    """
    brackets = data.count(b"[") + data.count(b"{")
    if brackets > BRACKETS:
        raise InvalidSubmission(
            f"{brackets} brackets, expected at most {BRACKETS}: clear the outputs (Edit, Clear All Outputs) and save it"
        )
    kept, start, place, depth = [], 0, 0, 0
    for _ in range(TOKENS):
        token = TOKEN.search(data, place)
        if token is None:
            return b"".join([*kept, data[start:]])
        place = token.end()
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(token[0], 0)
        if depth == {"cell": CELL, "top": TOP}.get(token.lastgroup):
            end = end_of(data, place)
            kept += [data[start:place], emptied(data, place, end)]
            start = place = end
    raise InvalidSubmission(f"more than {TOKENS} texts, commas and brackets outside its outputs: this is no notebook")


def end_of(data, start):
    """Return where the list or object that begins at ``start`` ends; the end of the data where it does not."""
    depth, place = 0, start
    while (place := UP_TO_BRACKET.match(data, place).end()) < len(data):
        depth += 1 if data[place] in b"[{" else -1
        place += 1
        if depth == 0:
            return place
    return place


def emptied(data, start, end):
    """Return the brackets of a list or object with its line ends alone; what never closes stays as broken as it is."""
    closes = end > start + 1 and data[end - 1] in b"]}"
    return data[start : start + 1] + b"\n" * data.count(b"\n", start, end) + (data[end - 1 : end] if closes else b"")
