"""Edit a mask cell by cell, see what becomes of scores and weights, and test whether the future leaks.

Self-attention with no learned matrices under a mask, before and after one word is exchanged for another:
scores = x xᵀ / √d, −∞ where the mask hides,   weights = softmax(scores) row by row,   output = weights x
The preset "none" hides nothing, "causal" later words, "padding" keys from length on, "both" all of these.
"""

import numpy as np

from ..shared.demo import define_demo
from ..shared.schema import choice, mask, matrix, whole, words

PRESETS = ["none", "causal", "padding", "both"]


def mask_of(n, length, preset):
    """Return a preset's mask as lists."""
    seen = np.ones((n, n), dtype=bool)
    if preset in ("causal", "both"):
        seen &= np.tri(n, dtype=bool)
    if preset in ("padding", "both"):
        seen &= np.arange(n) < length
    return seen.tolist()


def name_of(mask, length):
    """Return the preset that this mask is, the first of equals, or "own"."""
    return next((preset for preset in PRESETS if mask == mask_of(len(mask), length, preset)), "own")


def preset_mask(demo):
    """Return the mask of a demo's preset."""
    return mask_of(len(demo.words), demo.length, demo.preset)


def follow(demo, changed):
    """Return the name of a mask that was edited, or the mask of a preset and a length."""
    if "mask" in changed:
        return {"preset": name_of(demo.mask, demo.length)}
    if changed & {"preset", "length"} and demo.preset in PRESETS:
        return {"mask": preset_mask(demo)}
    return {}


MaskEditor = define_demo(
    __name__,
    "Mask editor: a matrix of cells that say which word may look at which, beside the scores, with minus infinity "
    "where the mask hides, and the weights that softmax makes of them. Cells can be switched one by one, or by "
    "a causal mask and a padding mask. One word can be replaced by another: the outputs that change are marked, "
    "and those before that word are leaks. With a causal mask there are none.",
    follow,
    words=words("the words of the sentence, padding at the end", 2, 8, shape="n"),
    x=matrix("a row of numbers for each word", "n d"),
    other=matrix("what each row of x becomes when its word is changed", "n d"),
    length=whole("the number of words before padding", lambda demo: len(demo.words), minimum=1, upto="n"),
    preset=choice("the name of the mask", "none", [*PRESETS, "own"]),
    mask=mask("where a word may look at a word", default=preset_mask, shape="n n", minItems=1),
    changed=whole("the word that is exchanged, counted from 1, or 0 for none", upto="n"),
)
