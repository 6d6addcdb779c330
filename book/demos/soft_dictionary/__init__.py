"""See a lookup become soft: how much of A and of B comes back, what the booster does to it, and whether it wins.

A dictionary made soft, on Note 4's sequences of A = [1, 0] and B = [0, 1]:
scores = booster (embedding · query),   weights = base^score / Σ base^score,   output = Σ weight embedding
The larger share of the output is the guess for the next letter, which is B if there is a B anywhere, else A.
"""

from ..shared.demo import define_demo
from ..shared.schema import choice, number

SoftDictionary = define_demo(
    __name__,
    "Soft dictionary: a sequence of A and B, a query that looks for one of them, and a booster. "
    "Each token gets a score, softmax turns the scores into weights, and the output is the mixture of the tokens "
    "with these weights. The higher the booster, the nearer the lookup comes to picking the match alone. "
    "The larger share is the guess for the next letter, and wins if it is B where there is a B and A elsewhere.",
    tokens={
        "type": "string",
        "pattern": r"\A[AB]{1,12}\Z",
        "description": "the sequence, a string of 1 to 12 letters A or B",
        "default": "AABA",
    },
    query=choice("the letter that is looked for", "B", ["A", "B"]),
    booster=number("the factor of each score", 1.0, 0, 12),
    base=choice('the base of the powers, "3" as in the note or "e" as everywhere else', "3", ["3", "e"]),
)
