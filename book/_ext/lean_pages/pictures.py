"""Figures made lighter: coordinates to a hundredth of a point, and nothing that only a drawing program reads."""

import re
from pathlib import Path

LEFT_OUT = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>|<!DOCTYPE[^>]*>", re.DOTALL)
PLACE = re.compile(r'\s(?:d|points|x|y|x1|y1|x2|y2|cx|cy|width|height)="[^"]*"|translate\([^)]*\)')
NUMBER = re.compile(r"-?\d*\.\d{3,}")
BETWEEN = re.compile(r">\s+<")
SPACE = re.compile(r"\s+")


def rounded(place):
    """Round the numbers of a coordinate, a path or a move; a scale or a turn is left alone, since it multiplies."""
    short = NUMBER.sub(lambda number: f"{round(float(number[0]), 2):.12g}", place[0])
    return " " + SPACE.sub(" ", short.lstrip()) if place[0][0].isspace() else short


def slim(svg):
    """Return the same drawing in fewer letters; what is slim already stays as it is."""
    return PLACE.sub(rounded, BETWEEN.sub("><", LEFT_OUT.sub("", svg)))


def slim_all(folder):
    """Make every drawing of a folder slim."""
    for path in Path(folder).glob("*.svg"):
        before = path.read_text(encoding="utf-8")
        after = slim(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
