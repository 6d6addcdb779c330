"""The two sentences that the chapters carry along, from Note 2: *money bank grows* and *river bank flows*.

Each word has four numbers, made by hand: how much it has to do with money and with water, whether it says which kind,
and whether it says what happens. So are the matrices, in which *bank* asks two questions: *which kind am I?* in head 0
and *what do I do?* in head 1. Chapters 4 and 5 use head 0 alone.
"""

import numpy as np
from jaxtyping import Float

FEATURES = ["money", "water", "kind", "verb"]

VECTORS = {
    "money": [2, 0, 1, 0],
    "river": [0, 2, 1, 0],
    "bank": [1, 1, 0, 0],
    "grows": [1, 0, 0, 1],
    "flows": [0, 1, 0, 1],
}


def vectors_of(sentence: str) -> Float[np.ndarray, "n features"]:
    """Return the rows of a sentence's words, ``(n, 4)``. Errors: KeyError for a word that is not in VECTORS."""
    return np.array([VECTORS[word] for word in sentence.split()], dtype=float)


# In each head, column 0 finds the thing that a sentence is about: a word that says neither which kind nor what happens.
# Column 1 finds the words that say which kind (head 0) or what happens (head 1).
w_q = np.array(
    [
        # head 0 | head 1
        [1, 0, 1, 0],  # money
        [1, 0, 1, 0],  # water
        [-2, 1, -2, 0],  # kind
        [-1, 0, -1, 1],  # verb
    ]
)  # (4, 4)

# These columns exchanged, so that a question meets its answer; a kind and a verb answer twice as loudly as they ask.
w_k = np.array(
    [
        [0, 1, 0, 1],  # money
        [0, 1, 0, 1],  # water
        [2, -2, 0, -2],  # kind
        [0, -1, 2, -1],  # verb
    ]
)  # (4, 4)

w_v = np.array(
    [
        [1, 0, 1, 0],  # money
        [0, 1, 0, 1],  # water
        [0, 0, 0, 0],  # kind
        [0, 0, 0, 0],  # verb
    ]
)  # (4, 4)

# What is added to a word: more money and less water, or the reverse, for its kind; plus or minus for its verb.
w_o = np.array(
    [
        [0.5, -0.5, 0, 0],  # head 0 found money
        [-0.5, 0.5, 0, 0],  # head 0 found water
        [0, 0, 0, 1],  # head 1 found money
        [0, 0, 0, -1],  # head 1 found water
    ]
)  # (4, 4)
