"""The figures of chapter 8."""

import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from .style import BLUE, INK, MUTED, ORANGE, SHADES, WIDTH, use_house_style

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


# From the bottom up: the label of each box, and how high it stands.
BOXES = (("multi-head attention", 1.5), ("add & norm", 2.7), ("feed-forward", 4.3), ("add & norm", 5.5))
ROADS = ((0.75, 2.7), (3.55, 5.5))  # where each residual road leaves, and where it ends


def encoder_block(shape):
    """Draw the encoder layer from the bottom up: two sublayers, each with add & norm behind it and a road around it."""
    _, ax = plt.subplots(figsize=(WIDTH, 4.6))
    for label, height in BOXES:
        strong = label == "add & norm"
        ax.add_patch(
            FancyBboxPatch(
                (-1.6, height - 0.3),
                *(3.2, 0.6),
                boxstyle="round,pad=0.05",
                facecolor="#fdeadf" if strong else "#e6effa",
                edgecolor=ORANGE if strong else BLUE,
                linewidth=1.5,
            )
        )
        ax.text(0, height, label, ha="center", va="center")
    for start, end in ((0.1, 1.13), (1.87, 2.33), (3.07, 3.93), (4.67, 5.13), (5.87, 6.7)):
        ax.add_patch(FancyArrowPatch((0, start), (0, end), arrowstyle="-|>", mutation_scale=12, color=INK, shrinkA=0))
    for low, high in ROADS:
        ax.plot([0, 2.4, 2.4], [low, low, high], color=ORANGE, linewidth=2.5)
        ax.add_patch(
            FancyArrowPatch((2.4, high), (1.62, high), arrowstyle="-|>", mutation_scale=14, color=ORANGE, linewidth=2.5)
        )
        ax.text(2.55, (low + high) / 2, "residual\nroad", color=ORANGE, va="center")
    for height, text in (
        (-0.15, f"x {shape}: the sentence, positions added"),
        (6.95, f"x {shape}: on to the next layer"),
    ):
        ax.text(0, height, text, ha="center", va="center")
    ax.text(-1.85, 1.5, "tokens look\nat each other", ha="right", va="center", color=MUTED, fontsize=10)
    ax.text(-1.85, 4.3, "each thinks\nfor itself", ha="right", va="center", color=MUTED, fontsize=10)
    ax.set(xlim=(-4.2, 4.2), ylim=(-0.5, 7.2))
    ax.axis("off")
    plt.show()
