"""Switches single heads off."""

import numpy as np

from .store import Trained

W_O = {"encoder": "encoder.{}.w_o", "decoder": "decoder.{}.w_o", "cross": "decoder.{}.cross_w_o"}  # of each layer


def with_silent_head(trained: Trained, attention: str, layer: int, head: int) -> Trained:
    """Return a model in which one head's columns of the concatenation are 0.

    They are multiplied only by the head's own rows of w_o, so these are set to 0.
    Errors: KeyError for an attention that is not in W_O; ValueError for a layer or head that does not exist.
    """
    name, h = W_O[attention].format(layer), trained.model.h
    if not (0 <= layer < trained.model.layers and 0 <= head < h):
        raise ValueError(
            f"expected a layer below {trained.model.layers} and a head below {h}, got {layer} and {head}: count from 0"
        )
    w_o = np.array(trained.model.parameters[name])
    d_v = len(w_o) // h
    w_o[head * d_v : (head + 1) * d_v] = 0
    return trained._replace(model=trained.model._replace(parameters={**trained.model.parameters, name: w_o}))
