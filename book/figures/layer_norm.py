"""The figures of chapter 8."""

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from .blocks import draw_layer
from .style import BLUE, MUTED, SHADES, WIDTH, use_house_style

use_house_style()


def two_directions(words, width):
    """Draw a sentence as a grid twice: what one mean is taken of in layer norm, and what over all tokens."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.6))
    titles = "layer norm: a\ntoken’s own numbers", "not so: a column\nof all tokens"
    for start, (row, column), title in zip((0, width + 1), ((1, None), (None, 2)), titles, strict=True):
        for place in ((i, j) for i in range(len(words)) for j in range(width)):
            colour = SHADES(0.95) if place[0] == row or place[1] == column else "white"
            corner = start + place[1], place[0]
            ax.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor=MUTED, linewidth=0.8))
        frame = (start, row, width, 1) if column is None else (start + column, 0, 1, len(words))
        ax.add_patch(Rectangle(frame[:2], *frame[2:], facecolor="none", edgecolor=BLUE, linewidth=2.5))
        ax.text(start + width / 2, -0.4, title, ha="center", va="bottom")
    ax.set(xlim=(-0.1, 2 * width + 1.1), ylim=(len(words) + 0.1, -2.4), aspect="equal", xticks=[])
    ax.set_yticks([i + 0.5 for i in range(len(words))], words)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    plt.show()


def encoder_block(shape):
    """Draw the encoder layer: two sublayers, each with a residual connection around it, then add & norm."""
    draw_layer(
        rows=[
            (0.0, f"x {shape}: the sentence, positions added", False),
            (1.4, "multi-head attention", True),
            (2.4, "add & norm", True),
            (3.8, "feed-forward", True),
            (4.8, "add & norm", True),
            (5.9, f"{shape}: on to the next layer", False),
        ],
        residuals=((0.7, 2.4), (3.1, 4.8)),
        notes=((1.4, "tokens look\nat each other"), (3.8, "each token\non its own")),
    )
