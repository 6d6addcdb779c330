"""See a lookup become soft: how much of A and of B comes back, what the booster does to it, and whether it wins."""

from ..shared.demo import Demo, bundle
from ..shared.traits import Choice, Letters, Number


class SoftDictionary(Demo):
    """A dictionary made soft, on Note 4's sequences of A = [1, 0] and B = [0, 1].

    scores = booster (embedding · query),   weights = base^score / Σ base^score,   output = Σ weight embedding

    The larger share of the output is the guess for the next letter, which is B if there is a B anywhere, else A.

    tokens   1 to 12 letters A or B               query   "A" or "B", what is looked for
    booster  0 to 12, multiplies each score       base    "3" as in the note, or "e" as everywhere else
    Errors: TraitError for any other value.
    """

    _esm = bundle("soft_dictionary.js")
    _css = bundle("soft_dictionary.css")
    _summary = (
        "Soft dictionary: a sequence of A and B, a query that looks for one of them, and a booster. "
        "Each token gets a score, softmax turns the scores into weights, and the output is the mixture of the tokens "
        "with these weights. The higher the booster, the nearer the lookup comes to picking the match alone. "
        "The larger share is the guess for the next letter, and wins if it is B where there is a B and A elsewhere."
    )

    tokens = Letters("AABA", alphabet="AB", longest=12).tag(sync=True)
    query = Choice("B", options=("A", "B")).tag(sync=True)
    booster = Number(1.0, lowest=0, highest=12).tag(sync=True)
    base = Choice("3", options=("3", "e")).tag(sync=True)

    def __init__(self, tokens="AABA", query="B", booster=1.0, base="3"):
        super().__init__(tokens=tokens, query=query, booster=booster, base=base)
