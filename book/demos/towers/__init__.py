"""Four stacks of layers as towers: what becomes of a signal with and without the norm and the residual connection.

A swatch for each layer of four untrained stacks: grey for 1, one hue for less, another for more.
"""

from itertools import pairwise

from ..shared.demo import define_demo
from ..shared.schema import choice, whole

ARRANGEMENTS = ["post", "pre", "no_norm", "no_residual"]
MEASURES = ["size", "difference", "gradient"]
POINT = {
    "type": "array",
    "items": [{"type": "number", "minimum": 0}, {"type": "number", "minimum": 0, "exclusiveMinimum": True}],
    "minItems": 2,
    "maxItems": 2,
}


def lines_fault(lines):
    """Return the first number of layers that is not larger than the one before it, or None."""
    for name, points in lines.items():
        for (before, _), (layers, _) in pairwise(points):
            if layers <= before:
                return f"{layers} after {before} in {name}"


def deepest(demo):
    """Return how many layers have all numbers."""
    return min(len(line) for measure in MEASURES for line in getattr(demo, measure).values())


LINES = {
    "type": "object",
    "properties": {name: {"type": "array", "items": POINT, "minItems": 2, "maxItems": 48} for name in ARRANGEMENTS},
    "required": ARRANGEMENTS,
    "additionalProperties": False,
    "fault": lines_fault,
    "description": f"a line for each of {ARRANGEMENTS}: 2 to 48 pairs of ascending layers and a number above 0",
    "remedy": "pass [[1, 4.9], [2, 3.2]] for each",
}

Towers = define_demo(
    __name__,
    "Towers: four towers of 24 untrained layers, each layer a swatch. Without a norm the numbers and the gradient "
    "explode. Without the residual connection all words become alike within four layers. With both, norm after the "
    "sum or before the sublayer, numbers, words and gradient get through.",
    **dict.fromkeys(MEASURES, LINES),
    depth=whole("the number of layers that the numbers are read at", 1, minimum=1, upto=deepest),
    measure=choice("what the colour shows", "difference", MEASURES),
)
