"""What the locked cells ``given_…`` of chapter 12 define, verbatim, with the course's functions of earlier chapters.

Wrong versions and tests translate with it.
"""

import numpy as np

from .given_functions import add_position, causal_mask, decoder_layer, encoder_layer, vocabulary
from .translator import numbers

english = vocabulary([" ".join(numbers["source"])])  # word -> its number
italian = numbers["target"]  # the words by their numbers
START, END = italian.index("<sos>"), italian.index("<eos>")


def embed(tokens, table):
    """Return the learned row of each token, with its position added: (n,) -> (n, d_model)."""
    d_model = table.shape[-1]
    return add_position(np.sqrt(d_model) * table[tokens])  # (n, d_model)


def encode(source):
    """Return the encoder's output for the numbers of the English words: the memory, (S, d_model)."""
    x = embed(source, numbers["source_embedding"])  # (S, d_model)
    return encoder_layer(x, numbers["encoder"], numbers["h"])  # (S, d_model)


def next_logits(tokens, memory):
    """Return the logits of the next Italian word (words,) from the tokens so far, START first."""
    x = embed(tokens, numbers["target_embedding"])  # (T, d_model)
    mask = causal_mask(len(tokens))  # (T, T)
    x = decoder_layer(x, memory, numbers["decoder"], numbers["h"], mask)  # (T, d_model)
    return x[-1] @ numbers["w_out"] + numbers["b_out"]  # (words,)
