"""The figures of chapter 3."""

import matplotlib.pyplot as plt
import numpy as np

from .style import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    WEIGHT,
    WIDTH,
    arrow,
    cells,
    two_decimals,
    use_house_style,
)

RING = {"marker": "o", "color": BLUE, "markersize": 7, "fillstyle": "none"}
SQUARE = {"marker": "s", "color": ORANGE, "markersize": 3.5, "markeredgewidth": 0}
CELL = (0.62, 0.52)  # width and height of a number, in units of the axes
NARROW = 0.9 * WIDTH  # of what has small letters, which the page then shows larger

use_house_style()


def one_table(vectors, sentences, features):
    """Draw one table of vectors between two sentences, each of whose words has an arrow to its row.

    ``vectors`` maps words to rows, from above; a word of both ``sentences`` has one row and two arrows.
    """
    table, way, height = 1.65, 0.62, 0.68
    ax = _sheet(-0.05, 2 * table + CELL[0] * len(features) + 0.05, -height * (len(vectors) - 0.45), 0.68)
    _heads(ax, table, features)
    for row, (word, vector) in enumerate(vectors.items()):
        y, is_shared = -height * row, all(word in sentence for sentence in sentences)
        end = cells(ax, table, y, vector, INK if is_shared else MUTED, CELL)
        for sentence, colour, edge, side in zip(sentences, (ORANGE, BLUE), (table, end), (-1, 1), strict=True):
            if word in sentence:
                arrow(ax, (edge + side * way, y), (edge + side * 0.06, y), colour, 1.6, 11)
                look = {"color": colour, "fontsize": 13, "fontweight": "bold" if is_shared else "normal"}
                ax.text(edge + side * (way + 0.1), y, word, ha="right" if side < 0 else "left", va="center", **look)
    plt.show()


def mixture(words, x, shares, row, features):
    """Draw how a new row is mixed: each word's row, its share, what the share leaves of it, and their sum."""
    first, share, part, height = 0.85, 3.9, 4.65, 0.72
    ax = _sheet(-0.05, part + CELL[0] * len(features) + 0.15, -height * len(words) - 0.5, 0.75)
    _heads(ax, first, features)
    _heads(ax, part, features)
    for j, (word, vector) in enumerate(zip(words, x, strict=True)):
        y, colour = -height * j, INK if j == row else ORANGE
        ax.text(first - 0.1, y, word, ha="right", va="center", color=colour, fontweight="bold")
        cells(ax, first, y, vector, colour, CELL)
        ax.text(share, y, f"× {shares[j]:g}", ha="center", va="center", color=WEIGHT, fontweight="bold")
        ax.text(part - 0.2, y, "=", ha="center", va="center")
        cells(ax, part, y, shares[j] * vector, colour, CELL)
    bottom = -height * len(words) - 0.12
    ax.plot([part - 0.1, part + len(features) * CELL[0] + 0.1], [bottom + 0.42] * 2, color=INK, linewidth=1)
    ax.text(part - 0.12, bottom, f"new {words[row]}, the sum =", ha="right", va="center", fontweight="bold")
    cells(ax, part, bottom, shares @ x, INK, CELL)
    plt.show()


def changes(sentences, row, axes):
    """Draw how one word of each of two sentences moves in a plane: towards each neighbour, as far as its weight says.

    A sentence is its words, their places (n, 2), and the weights of the word in ``row``, which has one place in both.
    """
    _, ax = plt.subplots(figsize=(NARROW, 4))
    sides = ((ORANGE, (11, -4), "left"), (BLUE, (9, -21), "right"))  # where there is room for a name
    for (words, x, weights), (colour, offset, side) in zip(sentences, sides, strict=True):
        at = old = x[row]
        for word, place, weight in zip(words, x, weights, strict=True):
            if word == words[row]:
                continue
            ax.plot(*np.transpose([old, place]), color=colour, linewidth=1, linestyle=":")
            ax.plot(*place, "o", color=colour, markersize=8)
            _name(ax, word, place, (0, -18), "center", colour)
            tip = at + weight * (place - old)
            arrow(ax, at, tip, colour, 1.6, 11)
            _name(ax, f"{two_decimals(weight)} of the way", (at + tip) / 2, (6, 4), "left", WEIGHT, fontsize=10)
            at = tip
        ax.plot(*at, "o", color=colour, markersize=8)
        _name(ax, f"{words[row]}, after {words[0]}", at, offset, side, colour, fontweight="bold")
    ax.plot(*old, "o", color=INK, markersize=10, fillstyle="none", markeredgewidth=1.8)
    _name(ax, f"{words[row]}, in the table", old, (11, 1), "left", INK, fontweight="bold")
    ax.set(xlim=(-0.5, 2.6), ylim=(-0.3, 2.2), aspect="equal", xlabel=axes[0], ylabel=axes[1])
    ax.set(xticks=[0, 1, 2], yticks=[0, 1, 2])
    plt.show()


def _name(ax, text, place, offset, side, colour, **look):
    """Write beside a place."""
    ax.annotate(text, place, xytext=offset, textcoords="offset points", ha=side, color=colour, **look)


def _heads(ax, left, features):
    """Write the name of each column over a row of cells."""
    for column, feature in enumerate(features):
        ax.text(left + (column + 0.5) * CELL[0], 0.45, feature, ha="center", color=MUTED, fontsize=10)


def _sheet(left, right, bottom, top):
    """Return an axis without ticks, with units that are as high as they are wide."""
    _, ax = plt.subplots(figsize=(NARROW, NARROW * (top - bottom) / (right - left)))
    ax.set(xlim=(left, right), ylim=(bottom, top))
    ax.axis("off")
    return ax


def clouds(tables, meanings, names):
    """Draw rows of one word, two panels of ``tables`` (title -> rows), in their two main directions.

    ``meanings`` says for each row which of the two ``names`` it is translated by.
    """
    _, axes = plt.subplots(1, len(tables), figsize=(WIDTH, 2.6))
    for ax, (title, rows) in zip(axes, tables.items(), strict=True):
        centred = rows - rows.mean(axis=0)
        plane = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
        for name, meaning, style in zip(
            names, (True, False), (RING, SQUARE), strict=True
        ):  # a ring shows what is in it
            ax.plot(*plane[meanings == meaning].T, label=name, linestyle="none", **style)
        ax.set_title(title, loc="left")
        ax.set(xticks=[], yticks=[])
    axes[0].legend(loc="upper left", bbox_to_anchor=(0, -0.04), ncols=2, frameon=False, handletextpad=0)
    plt.show()
