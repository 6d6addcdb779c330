"""Turn the clocks of the positional encoding, and see what moves and what stays.

A heat map has a row for each of the positions 0 to 63; two of them are hands, one clock for each frequency:
hand i of position p points at the angle p ω_i, clockwise from the top, ω_i = 10000^(-2i / d_model)
PE(p) · PE(p + k) = Σ_i cos(k ω_i), whatever p is
"""

from ..shared.demo import define_demo
from ..shared.schema import choice, whole

ClockHands = define_demo(
    __name__,
    "Clock hands: a heat map of the positional encoding, a row for each of 64 positions. Each pair of columns is "
    "one clock, whose hand turns by the same angle from every position to the next; the first clock is the "
    "fastest. Two positions p and p + k show as two hands on each clock. As p moves, all hands turn, and the angle "
    "between the two of a clock stays; so does the dot product of the two rows, the sum of the angles' cosines.",
    position=whole("the position p of each clock's first hand", 5, maximum=40),
    offset=whole("the number k of positions that the second hand is ahead", 1, maximum=23),
    d_model=choice("the number of columns, two for each clock", 8, [2, 4, 8, 16], type="integer"),
)
