"""The figures of chapter 3."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

from .style import BLUE, INK, MUTED, ORANGE, WIDTH, cells, two_decimals, use_house_style

RING = {"marker": "o", "color": BLUE, "markersize": 7, "fillstyle": "none"}
SQUARE = {"marker": "s", "color": ORANGE, "markersize": 3.5, "markeredgewidth": 0}

use_house_style()


def one_new_row(words, x, weights, row):
    """Draw how one token is made anew: its score with each token, the weights, the weighed tokens, the sum."""
    scores, new = x @ x[row], weights @ x
    _, ax = plt.subplots(figsize=(WIDTH, 3.3))
    token, score, weight, part = 0.75, 2.1, 3.0, 4.1
    for place, head in ((token + 0.36, "token"), (score, "score"), (weight, "weight"), (part + 0.36, "weight × token")):
        ax.text(place, 0.62, head, ha="center", color=MUTED, fontsize=11)
    for j, (word, vector) in enumerate(zip(words, x, strict=True)):
        y, colour = -0.85 * j, INK if j == row else ORANGE
        ax.text(token - 0.12, y, word, ha="right", va="center", color=colour, fontweight="bold")
        cells(ax, token, y, vector, colour)
        ax.text(score, y, f"{scores[j]:.0f}", ha="center", va="center")
        ax.text(weight, y, two_decimals(weights[j]), ha="center", va="center", fontweight="bold")
        cells(ax, part, y, weights[j] * vector, colour)
        for start, end in ((1.55, 1.95), (2.25, 2.7), (3.3, 4.0)):
            ax.add_patch(FancyArrowPatch((start, y), (end, y), arrowstyle="-|>", mutation_scale=10, color=MUTED))
    bottom = -0.85 * len(words) - 0.15
    ax.plot([part - 0.1, part + 0.82], [bottom + 0.42] * 2, color=INK, linewidth=1)
    ax.text(part - 0.12, bottom, f"new {words[row]}  =", ha="right", va="center")
    cells(ax, part, bottom, new, INK)
    ax.text(2.47, 0.12, "softmax", ha="center", color=MUTED, fontsize=10)
    ax.set(xlim=(-0.2, 5), ylim=(bottom - 0.35, 0.8))
    ax.axis("off")
    plt.show()


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
