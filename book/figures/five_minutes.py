"""The figure of the book's first page: one word's way through a Transformer."""

import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from .style import (
    INK,
    MUTED,
    PALE,
    PARAMETER,
    VALUE,
    WEIGHT,
    WIDTH,
    cells,
    two_decimals,
    use_house_style,
    write,
)

use_house_style()
COLUMNS = 2.35, 3.93, 5.51  # inches: where the words' streams are
CELL = (0.37, 0.32)
HIGH = 6.4
LOOK, THINK = 3.45, 1.75  # where the corrections are added


def way_of(words, vectors, features, shares, after, asks):
    """Draw three words on their way down through a layer; ``asks`` is the one that is followed.

    ``features`` name the four numbers of a vector, above those of that word.

    vectors, after  each word's numbers before the layer, and those of the word that asks after its attention
    shares          how much that word takes from each
    """
    figure, ax = plt.subplots(figsize=(WIDTH, HIGH))
    figure.get_layout_engine().set(w_pad=0, h_pad=0)
    ax.set(xlim=(0, WIDTH), ylim=(0, HIGH))
    ax.axis("off")
    ax.add_patch(Rectangle((0.02, 1.2), WIDTH - 0.04, 3.1, facecolor=PALE, alpha=0.16, edgecolor="none"))
    for place, (x, word, vector) in enumerate(zip(COLUMNS, words, vectors, strict=True)):
        strong = place == asks
        colour, width = (INK, 2.4) if strong else (MUTED, 1.3)
        write(ax, x, HIGH - 0.2, word, INK, 13.5, fontweight="bold" if strong else "normal")
        _line(ax, (x, 5.2), (x, 0.62), colour, width)
        _row(ax, x, 5.33, vector)
        _line(ax, (x - 0.5, 4.66), (x - 0.14, 4.66), MUTED)
        write(ax, x - 0.6, 4.66, str(place), INK, 12)
        _plus(ax, x, 4.66)
        _think(ax, x, colour)
    for k, feature in enumerate(features):
        x, y = COLUMNS[asks] + (k - (len(features) - 1) / 2) * CELL[0], 5.6 + 0.2 * (k % 2)
        write(ax, x, y, feature, MUTED, 11)
        if k % 2:
            _line(ax, (x, y - 0.1), (x, 5.51), PALE, 1, head=False)
    for looking, end in enumerate(COLUMNS):
        for place, start in enumerate(COLUMNS):
            if place != looking:
                share = shares[place] if looking == asks else None
                _look(ax, start, end, share)
        _plus(ax, end, LOOK)
    for place, start in enumerate(COLUMNS):
        if place != asks:
            write(ax, start + 0.28 * (COLUMNS[asks] - start), 4.05, two_decimals(shares[place]), WEIGHT, 12, zorder=6)
    _row(ax, COLUMNS[asks], 2.98, after)
    write(ax, COLUMNS[1], 0.38, "a second stack looks at these three rows, and writes", INK, 12)
    for y, name in (
        (HIGH - 0.2, "words"),
        (5.33, "vectors"),
        (4.66, "+ position"),
        (3.7, "look at\none another"),
        (2.15, "think alone"),
        (0.38, "next word"),
    ):
        write(ax, 0.12, y, name, INK, 12.5, ha="left", fontweight="bold")
    write(ax, 0.12, 1.42, "× N", INK, 14, ha="left", fontweight="bold")
    plt.show()


def _look(ax, start, end, share):
    """Draw what a word takes from another; without a share, faintly."""
    side = 0.13 if start > end else -0.13
    bend = 0.22 if start < end else -0.22
    hue, width = (PALE, 0.9) if share is None else (WEIGHT, 1 + 7 * share)
    _line(ax, (start, 4.1), (end + side, LOOK + 0.02), hue, width, bend, head=False)


def _row(ax, x, y, numbers):
    """Draw a word's numbers around a place, on the page's own ground."""
    left = x - len(numbers) * CELL[0] / 2
    ax.add_patch(Rectangle((left, y - CELL[1] / 2), len(numbers) * CELL[0], CELL[1], facecolor="white"))
    cells(ax, left, y, numbers, INK, CELL)


def _line(ax, start, end, colour, width=1.2, bend=0.0, head=True):
    look = {"arrowstyle": "-|>" if head else "-", "mutation_scale": 9 + 2 * width, "shrinkA": 0, "shrinkB": 0}
    ax.add_patch(FancyArrowPatch(start, end, color=colour, linewidth=width, connectionstyle=f"arc3,rad={bend}", **look))


def _plus(ax, x, y):
    """Draw the place where something is added to a word."""
    ax.plot(x, y, "o", markersize=18, markerfacecolor="white", markeredgecolor=VALUE, markeredgewidth=1.5, zorder=4)
    write(ax, x, y, "+", VALUE, 13, zorder=5)


def _think(ax, x, colour):
    """Draw the way around the small network of each word, and back."""
    _line(ax, (x, 2.58), (x + 0.42, 2.36), colour)
    shape = "round,pad=0,rounding_size=0.06"
    ax.add_patch(FancyBboxPatch((x + 0.18, 2.02), 0.5, 0.32, boxstyle=shape, facecolor=PARAMETER, alpha=0.25))
    _line(ax, (x + 0.42, 2.01), (x + 0.13, THINK + 0.04), colour)
    _plus(ax, x, THINK)
