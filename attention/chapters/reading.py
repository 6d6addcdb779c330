"""Reading what a model shows: a head's share of attention on chosen places (chapter 6), a loss curve (chapter 10)."""

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


def diagnose(losses: Num[np.ndarray, "steps"], right: float | int, words: int) -> str:
    """Name what is wrong with a training run, from its loss curve and from what the model then translates.

    even = ln(words), the loss of an even guess; first and last are the means of the first and the last ten losses

    "numbers grow"      first > 2 even, or a loss is not finite: a norm is missing, or steps are far too long
    "answer leaks"      last < 0.1 and right < 0.5: a mask or the shift is missing
    "frequencies only"  last > even / 4: it has learned how often each word occurs, and little else
    "nothing"           otherwise. The first that holds is named.

    Shapes: losses (steps,), right the share of held-out sentences translated correctly, words the vocabulary's size.
    Errors: ValueError for no losses, or fewer than two words.
    Source: ours; the runs are in the book's laboratory.
    """
    if not losses.size or words < 2:
        raise ValueError(f"expected losses and two words or more, got {losses.size} losses and {words} words")
    even, first, last = np.log(words), losses[:10].mean(), losses[-10:].mean()
    if not np.isfinite(losses).all() or first > 2 * even:
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    return "frequencies only" if last > even / 4 else "nothing"
