"""Four stacks of layers as towers: what becomes of a signal with and without the norm and the residual connection."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Choice, Curves, Index

DEEPEST = 48
MEASURES = ("size", "difference", "gradient")
ARRANGEMENTS = ("post", "pre", "no_norm", "no_residual")


class Towers(Demo):
    """A swatch for each layer of four untrained stacks: dark for 1, pale for less, of another colour for more.

    size, difference, gradient
            for each of "post", "pre", "no_norm" and "no_residual" a line [[layers, number], ...] for 1, 2, 3, …
            layers, at most 48, numbers above 0
    depth   how many layers the numbers are read at
    measure which of the three the colour shows
    Errors: TraitError for a depth that does not exist and for lines of other names.
    """

    _esm = bundle("towers.js")
    _css = bundle("towers.css")
    _summary = (
        "Towers: four towers of 24 untrained layers, each layer a swatch. Without a norm the numbers and the gradient "
        "explode. Without the residual connection all words become alike within four layers. With both, norm after the "
        "sum or before the sublayer, numbers, words and gradient get through."
    )

    size = Curves(names=ARRANGEMENTS, longest=DEEPEST).tag(sync=True)
    difference = Curves(names=ARRANGEMENTS, longest=DEEPEST).tag(sync=True)
    gradient = Curves(names=ARRANGEMENTS, longest=DEEPEST).tag(sync=True)
    depth = Index(1).tag(sync=True)
    measure = Choice("difference", options=MEASURES).tag(sync=True)

    def __init__(self, size, difference, gradient, **traits):
        super().__init__(size=size, difference=difference, gradient=gradient, **traits)

    @traitlets.validate("depth")
    def _exists(self, proposal):
        lines = [line for measure in MEASURES for line in getattr(self, measure).values()]
        layers = min(map(len, lines), default=1)
        if not 1 <= proposal.value <= layers:
            raise traitlets.TraitError(
                f"expected depth from 1 to {layers}, got {proposal.value}: so many layers have numbers"
            )
        return proposal.value
