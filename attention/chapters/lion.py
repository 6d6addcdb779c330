"""The running sentence of Note 1, as the note writes it: eleven words and three matrices made by hand."""

import numpy as np

words = ["The", "hungry", "lion", "attacked", "the", "slow", "zebra", "in", "the", "tall", "grass"]

x = np.array(
    [
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],  # The
        [0, 2, 0, 0, 0, 0, 0, 0, 0, 0],  # hungry
        [0, 1, 3, 0, 0, 0, 0, 0, 0, 0],  # lion
        [0, 0, 1, 3, 0, 0, 1, 0, 0, 0],  # attacked
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],  # the
        [0, 2, 0, 0, 0, 0, 0, 0, 0, 0],  # slow
        [0, 0, 0, 0, 0, 1, 3, 0, 0, 0],  # zebra
        [0, 0, 0, 0, 2, 0, 0, 0, 0, 1],  # in
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],  # the
        [0, 2, 0, 0, 0, 0, 0, 0, 0, 0],  # tall
        [0, 0, 1, 0, 0, 2, 0, 1, 0, 0],  # grass
    ]
)  # (11, 10), where the note says 10×10

# What the note writes beside each row of the three matrices.
asks = ["DET", "ADJ queries NOUN", "NOUN queries VERB", "VERB queries NOUN, OBJ, CONTEXT", "DET"]
asks += ["ADJ queries NOUN", "OBJ queries VERB", "PREP queries CONTEXT", "DET", "ADJ"]
offers = ["DET", "ADJ offers descriptive info", "NOUN identity", "VERB offers strong verb/action", "DET"]
offers += ["ADJ", "OBJ identity", "PREP", "DET", "ADJ"]
hands_over = ["DET", "ADJ info", "NOUN info", "VERB info", "DET", "ADJ", "OBJ info", "PREP/CONTEXT", "DET", "ADJ"]

w_q = np.array(
    [
        [0, 0, 0],
        [1, 0, 0],
        [0, 2, 0],
        [1, 1, 1],
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 2],
        [0, 1, 1],
        [0, 0, 0],
        [1, 0, 0],
    ]
)  # (10, 3)

w_k = np.array(
    [
        [0, 0, 0],
        [2, 0, 0],
        [2, 0, 0],
        [0, 2, 2],
        [0, 0, 0],
        [2, 0, 0],
        [0, 0, 3],
        [0, 1, 1],
        [0, 0, 0],
        [2, 0, 0],
    ]
)  # (10, 3)

w_v = np.array(
    [
        [0, 0],
        [1, 0],
        [1, 0],
        [1, 1],
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 1],
        [0, 0],
        [1, 0],
    ]
)  # (10, 2)
