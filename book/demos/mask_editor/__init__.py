"""Edit a mask cell by cell, see what becomes of scores and weights, and test whether the future leaks."""

import numpy as np
import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Choice, Index, Mask, Matrix, Words

PRESETS = ("none", "causal", "padding", "both")
MOST = 8


class MaskEditor(Demo):
    """Self-attention with no learned matrices under a mask, before and after one word is exchanged for another.

    scores = x xᵀ / √d, −∞ where the mask hides,   weights = softmax(scores) row by row,   output = weights x

    words    n words, 2 to 8, one for each row of x; those from ``length`` on are padding
    x        (n, d)      other  (n, d), what each word's row becomes when it is changed
    mask     (n, n) True and False, True = may attend; follows ``preset`` unless that is "own"
    preset   "none" hides nothing, "causal" later words, "padding" keys from length on, "both" all of these
    changed  the word that is exchanged, counted from 1; 0 exchanges none
    Errors: TraitError for shapes that do not fit, a mask that is not of True and False, a word that does not exist.
    """

    _esm = bundle("mask_editor.js")
    _css = bundle("mask_editor.css")
    _summary = (
        "Mask editor: a matrix of cells that say which word may look at which, beside the scores, with minus infinity "
        "where the mask hides, and the weights that softmax makes of them. Cells can be switched one by one, or by "
        "a causal mask and a padding mask. One word can be replaced by another: the outputs that change are marked, "
        "and those before that word are leaks. With a causal mask there are none."
    )

    words = Words().tag(sync=True)
    x = Matrix().tag(sync=True)
    other = Matrix().tag(sync=True)
    length = Index(1).tag(sync=True)
    mask = Mask().tag(sync=True)
    preset = Choice("none", options=(*PRESETS, "own")).tag(sync=True)
    changed = Index(0).tag(sync=True)

    def __init__(self, words, x, other, length=None, preset="none", mask=None, changed=0):
        length = len(words) if length is None else length
        mask = mask_of(len(words), length, preset) if mask is None else mask
        super().__init__(words=words, x=x, other=other, length=length, mask=mask, preset=preset, changed=changed)

    @traitlets.validate("words", "x", "other", "length", "mask")
    def _fits(self, proposal):
        now = {name: getattr(self, name) for name in ("words", "x", "other", "length", "mask")}
        _require_fit(**now | {proposal.trait.name: proposal.value})
        return proposal.value

    @traitlets.validate("changed")
    def _exists(self, proposal):
        if proposal.value > len(self.words):
            raise traitlets.TraitError(
                f"expected changed from 0 to {len(self.words)}, got {proposal.value}: words count from 1, and 0 is none"
            )
        return proposal.value

    @traitlets.observe("preset", "length")
    def _follow_preset(self, change):
        if self.preset in PRESETS:
            self.mask = mask_of(len(self.words), self.length, self.preset)

    @traitlets.observe("mask")
    def _name(self, change):
        self.preset = name_of(self.mask, self.length)


def mask_of(n, length, preset):
    """Return a preset's mask as lists; of an unknown preset nothing is hidden, for the trait to complain."""
    seen = np.ones((n, n), dtype=bool)
    if preset in ("causal", "both"):
        seen &= np.tri(n, dtype=bool)
    if preset in ("padding", "both"):
        seen &= np.arange(n) < length
    return seen.tolist()


def name_of(mask, length):
    """Return the preset that this mask is, the first of equals, or "own"."""
    rows = np.asarray(mask).tolist()
    return next((preset for preset in PRESETS if rows == mask_of(len(rows), length, preset)), "own")


def _require_fit(words, x, other, length, mask):
    """Refuse tables that do not belong together, and sentences for which there is no room."""
    n = len(words)
    sizes = {
        "rows of x": len(x),
        "rows of other": len(other),
        "rows of mask": len(mask),
        "columns of mask": len(mask[0]),
    }
    for what, size in sizes.items():
        if size != n:
            raise traitlets.TraitError(f"expected as many {what} as words, got {size} and {n}: one for each word")
    if len(x[0]) != len(other[0]):
        raise traitlets.TraitError(
            f"expected other as wide as x, got {len(other[0])} and {len(x[0])} columns: it holds rows to put into x"
        )
    if not 2 <= n <= MOST:
        raise traitlets.TraitError(f"expected 2 to {MOST} words, got {n}: leave some out, or add some")
    if not 1 <= length <= n:
        raise traitlets.TraitError(f"expected length from 1 to {n}, got {length}: it counts the words before padding")
