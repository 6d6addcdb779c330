"""See words pull at each other: self-attention with no parameters, on two sentences of three words in a plane.

Two sentences share one vector for "bank"; each gives it another new vector, and again at every step:
scores = x xᵀ,   weights = softmax(scores) row by row,   new = weights x,   x the three vectors of a sentence
"""

from ..shared.demo import define_demo
from ..shared.schema import choice, computed, whole

VECTORS = {"money": [2, 0], "bank": [1, 1], "grows": [1, 0], "river": [0, 2], "flows": [0, 1]}
TRAY, SENTENCES = ["loan", "deposit", "boat", "fish"], ["money", "river"]
COORDINATE = {"type": "number", "minimum": -1, "maximum": 3}
GUEST = {"items": [{"enum": TRAY}, {"enum": SENTENCES}, COORDINATE, COORDINATE], "minItems": 4, "maxItems": 4}


def vector(word, place):
    """Return the schema of a word's vector."""
    description = f'the vector of "{word}", two numbers from -1 to 3, along "money" and along "water"'
    pair = {"type": "array", "items": COORDINATE, "minItems": 2, "maxItems": 2}
    return pair | {"description": description, "default": place}


def repeated(guests):
    """Return the first word that is there twice, or None."""
    named = [word for word, *_ in guests]
    return next((f"{word!r} twice" for word in named if named.count(word) > 1), None)


Gravity = define_demo(
    __name__,
    "Gravity: the words of money bank grows and of river bank flows, as vectors in a plane. The dot product of two "
    "vectors is their score, softmax turns scores into weights, and each word moves to the mixture with these "
    "weights. As the demo comes, the same bank moves to [1.4223, 0.4223] between money and grows, and to "
    "[0.4223, 1.4223] between river and flows. After three steps the words of a sentence fall together. Other words "
    "can be dropped in.",
    sentence=choice("the first word of the sentence whose weights are shown", "money", SENTENCES),
    steps=whole("the number of steps that both sentences have taken", maximum=50),
    guests={
        "type": "array",
        "items": {"type": "array", **GUEST},
        "fault": repeated,
        "description": f"the words dropped in: [word, sentence, x, y] each, with a word of {TRAY}, none twice",
        "default": [],
        "remedy": 'write guests=[["loan", "money", 1, 0]]',
    },
    **{word: vector(word, place) for word, place in VECTORS.items()},
    start=computed(
        'the vectors that it came with, which "Start again" puts back',
        lambda demo: {word: getattr(demo, word) for word in VECTORS},
    ),
)
