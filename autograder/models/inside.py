"""Look inside a trained model: what its encoder makes of each word."""

import numpy as np
from jaxtyping import Float

from autograder.reference.embeddings import token_ids
from autograder.reference.transformer import embed, encode

from .store import Trained


def encoder_rows(
    trained: Trained, sentence: str
) -> tuple[Float[np.ndarray, "n d_model"], Float[np.ndarray, "n d_model"]]:
    """Return a sentence's rows before the encoder, positions added, and after it.

    Errors: KeyError for a word that the model does not know.
    """
    parameters, vocabulary, _, h, layers = trained.model
    tokens = token_ids(sentence.split(), vocabulary)
    with trained.put_in():
        return embed(tokens, parameters["source_embedding"]), encode(tokens, parameters, h, layers)


def mean_cosine(a: Float[np.ndarray, "n d"], b: Float[np.ndarray, "m d"]) -> float:
    """Return the mean cosine of every row of ``a`` with every row of ``b``.

    Where both are the same rows, no row is compared with itself.
    """
    unit_a, unit_b = (rows / np.linalg.norm(rows, axis=-1, keepdims=True) for rows in (a, b))
    cosines = unit_a @ unit_b.T  # (n, m)
    different = ~np.eye(len(a), dtype=bool) if a is b else np.ones(cosines.shape, dtype=bool)
    return float(cosines[different].mean())
