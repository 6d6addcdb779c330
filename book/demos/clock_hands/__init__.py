"""Turn the clocks of the positional encoding, and see what moves and what stays."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Index, PowerOfTwo

LAST_POSITION, LARGEST_OFFSET, WIDEST = 40, 23, 16


class ClockHands(Demo):
    """The encodings of positions 0 to 63 as a heat map, and two of them as hands: one clock for each frequency.

    hand i of position p points at the angle p ω_i, clockwise from the top, ω_i = 10000^(-2i / d_model)
    PE(p) · PE(p + k) = Σ_i cos(k ω_i), whatever p is

    position  p, from 0 to 40: the first hand of each clock
    offset    k, from 0 to 23: how many positions the second hand is ahead
    d_model   2, 4, 8 or 16 numbers, for half as many clocks
    Errors: TraitError for anything else.
    """

    _esm = bundle("clock_hands.js")
    _css = bundle("clock_hands.css")
    _summary = (
        "Clock hands: a heat map of the positional encoding, a row for each of 64 positions. Each pair of columns is "
        "one clock, whose hand turns by the same angle from every position to the next; the first clock is the "
        "fastest. Two positions p and p + k show as two hands on each clock. As p moves, all hands turn, and the angle "
        "between the two of a clock stays; so does the dot product of the two rows, the sum of the angles' cosines."
    )

    d_model = PowerOfTwo(8, highest=WIDEST).tag(sync=True)
    position = Index(5).tag(sync=True)
    offset = Index(1).tag(sync=True)

    def __init__(self, position=5, offset=1, d_model=8):
        super().__init__(position=position, offset=offset, d_model=d_model)

    @traitlets.validate("d_model")
    def _has_pairs(self, proposal):
        if proposal.value < 2:
            raise traitlets.TraitError("expected d_model from 2, got 1: a clock takes a sine and a cosine")
        return proposal.value

    @traitlets.validate("position", "offset")
    def _exists(self, proposal):
        name, value = proposal.trait.name, proposal.value
        most = {"position": LAST_POSITION, "offset": LARGEST_OFFSET}[name]
        if value > most:
            raise traitlets.TraitError(f"expected {name} from 0 to {most}, got {value}: the heat map has 64 rows")
        return value
