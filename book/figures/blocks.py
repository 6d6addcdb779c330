"""One layer of the Transformer, drawn from the top down, as on the map: the figures of chapters 8 and 9."""

import itertools

import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from .style import BLUE, INK, MUTED, PALE, WIDTH

HALF, HIGH = 1.25, 0.3  # half of a box's width and of its height
AROUND = 1.65  # how far to the right a residual connection runs


def draw_layer(rows, residuals, beside=(), notes=()):
    """Draw a layer.

    rows       (place from the top, label, is it a box): data comes in at the first row and leaves at the last
    residuals  (place where a connection leaves, place of the box where it ends)
    beside     (place, label, words at the arrow): a box to the left that an arrow leads from
    notes      (place, label): small words to the left
    """
    last = rows[-1][0]
    _, ax = plt.subplots(figsize=(WIDTH, 0.62 * last + 0.6))
    for place, label, is_box in rows:
        if is_box:
            box(ax, 0, place, HALF)
        ax.text(0, place, label, ha="center", va="center", fontsize=11)
    for (above, *_), (below, *_) in itertools.pairwise(rows):
        arrow(ax, [(0, above + HIGH), (0, below - HIGH)])
    for start, end in residuals:
        arrow(ax, [(0, start), (AROUND, start), (AROUND, end), (HALF, end)], PALE, 2.5)
        ax.text(AROUND + 0.12, (start + end) / 2, "residual\nconnection", fontsize=10, color=MUTED, va="center")
    for place, label, words in beside:
        box(ax, -2.9, place, 1.0)
        ax.text(-2.9, place, label, ha="center", va="center", fontsize=10)
        arrow(ax, [(-1.9, place), (-HALF, place)])
        ax.text(-1.58, place - 0.16, words, fontsize=10, color=MUTED, ha="center", va="bottom")
    for place, label in notes:
        ax.text(-1.5, place, label, ha="right", va="center", color=MUTED, fontsize=10)
    ax.set(xlim=(-4.0, 3.0), ylim=(last + 0.5, -0.5))
    ax.axis("off")
    plt.show()


def box(ax, x, y, half):
    """Draw a box with round corners around a place."""
    shape = "round,pad=0,rounding_size=0.08"
    ax.add_patch(
        FancyBboxPatch((x - half, y - HIGH), 2 * half, 2 * HIGH, boxstyle=shape, facecolor="white", edgecolor=BLUE)
    )


def arrow(ax, corners, colour=INK, width=1.2):
    """Draw a line with corners that ends in an arrow head."""
    xs, ys = zip(*corners[:-1], strict=True)
    ax.plot(xs, ys, color=colour, linewidth=width)
    look = {"arrowstyle": "-|>", "mutation_scale": 9 + 2 * width, "shrinkA": 0, "shrinkB": 0}
    ax.add_patch(FancyArrowPatch(corners[-2], corners[-1], color=colour, linewidth=width, **look))
