"""Reading what a model shows: a head's share of attention (chapter 6), a loss curve (10), which head copies (13)."""

import numpy as np
from jaxtyping import Bool, Float, Int, Num


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


def diagnose(
    losses: Num[np.ndarray, "looks"], held_out: Num[np.ndarray, "looks"], right: float | int, words: int
) -> str:
    """Name what is broken in a training run, from two loss curves and from what the model then writes.

    even = ln(words), the loss of an even guess; seen and new are the last numbers of losses and of held_out

    "steps too long"  seen is not below even, or NaN: it has learned nothing, and forgotten how to guess
    "too few pairs"   new is not below even, although seen is: it knows its pairs by heart, and nothing else
    "nothing"         right is nearer to 1 than to 0
    "answer leaks"    new is nearer to 0 than to even: it is sure of every next word, and writes no sentence by itself
    "source unseen"   otherwise: it knows what its target language looks like, and not what a sentence says
    The first that holds is named.

    Shapes: losses and held_out (looks,), for each look at the run the mean loss of the batches since the look before,
    and the loss on held-out sentences; right the share of these written exactly, words the vocabulary's size.
    Errors: ValueError for no losses, curves of different lengths, or fewer than two words.
    Source: ours; the runs are in ``attention/trained/broken.json``.
    """
    if losses.shape != held_out.shape or not losses.size or words < 2:
        raise ValueError(
            f"expected two curves of one length and two words or more, got {losses.size} losses, {held_out.size} on "
            f"held-out sentences and {words} words: take both losses at the same moments"
        )
    even, seen, new = np.log(words), losses[-1], held_out[-1]
    if not seen < even:  # true for NaN
        return "steps too long"
    if new >= even:
        return "too few pairs"
    if right > 1 / 2:
        return "nothing"
    return "answer leaks" if new < even / 2 else "source unseen"


def copying_head(weights: Num[np.ndarray, "layers heads n n"], tokens: Int[np.ndarray, "n"]) -> tuple[int, int]:
    """Find the head that looks from a token to what followed the same token earlier: the field's *induction head*.

    (layer, head) = argmax of attention_share(weights, followers(tokens))

    Shapes: weights (layers, heads, n, n), tokens (n,) -> two whole numbers, counted from 0.
    Errors: ValueError where the weights are not for these tokens, or no token came before.
    Source: Olsson et al. (2022), In-context learning and induction heads, "prefix matching"; Elhage et al. (2021), A
    mathematical framework for transformer circuits. The models are in ``attention/trained/copying.json``.
    """
    shares = attention_share(weights, followers(tokens))  # (layers, heads)
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return int(layer), int(head)


def followers(tokens: Int[np.ndarray, "n"]) -> Bool[np.ndarray, "n n"]:
    """Mark for each token the places that followed the same token earlier.

    followers_ts = tokens_(s-1) is tokens_t, and s - 1 is before t

    Shapes: tokens (n,) -> (n, n), boolean. The row of a token that has not come before marks nothing.
    Source: as ``copying_head``.
    """
    earlier = np.tril(tokens[:, None] == tokens, -1)  # (n, n)
    return np.roll(earlier, 1, axis=-1)
