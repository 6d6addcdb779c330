"""Chapter 6, reading a map: how much of each head's attention lies on chosen places."""

import numpy as np
from jaxtyping import Bool, Float, Num


def attention_share(
    weights: Num[np.ndarray, "*batch h n m"], places: Bool[np.ndarray, "n m"]
) -> Float[np.ndarray, "*batch h"]:
    """Measure which share of its attention each head gives to the places, on average over the rows that have any.

    share = mean over rows t with a place of Σ_s weights_ts places_ts

    Shapes: weights (..., h, n, m), places (n, m), boolean -> (..., h), from 0 to 1.
    Errors: ValueError where places are not boolean, have another shape than one head's weights, or are none.
    Source: Voita et al. (2019), Analyzing multi-head self-attention, section 4, counts the largest weight instead.
    """
    if places.dtype != bool or places.shape != weights.shape[-2:]:
        raise ValueError(
            f"expected boolean places of one head's shape {weights.shape[-2:]}, got {places.dtype} of {places.shape}: "
            "True marks the keys that count for a query"
        )
    if not places.any():
        raise ValueError("expected at least one place, got none: mark the keys that count for a query with True")
    on_places = np.sum(weights * places, axis=-1)  # (..., h, n)
    return on_places[..., places.any(axis=-1)].mean(axis=-1)
