"""The figures of chapter 3."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

from .style import BLUE, INK, MUTED, ORANGE, WIDTH, two_decimals, use_house_style

RING = {"marker": "o", "color": BLUE, "markersize": 7, "fillstyle": "none"}
SQUARE = {"marker": "s", "color": ORANGE, "markersize": 3.5, "markeredgewidth": 0}

use_house_style()


def one_new_row(words, x, weights, row):
    """Draw how one token is made anew: its score with each token, the weights, the weighed tokens, the sum."""
    scores, new, left, right = x @ x[row], weights @ x, 1.25, 3.7
    _, ax = plt.subplots(figsize=(WIDTH, 3.6))
    box = {"boxstyle": "round,pad=0.35", "facecolor": "white"}
    heads = [(0, "token"), (left, "score"), (2.45, "weight"), (right, "weight · token")]
    for place, head in heads:
        ax.text(place, 0.75, head, ha="center", color=MUTED, fontsize=10)
    for j, (word, token) in enumerate(zip(words, x, strict=True)):
        y = -0.95 * j
        part = weights[j] * token
        texts = [f"{word}\n{_vector(token, 0)}", f"{scores[j]:.0f}", two_decimals(weights[j]), _vector(part)]
        colour = ORANGE if j == row else BLUE
        for (place, _), text in zip(heads, texts, strict=True):
            ax.text(place, y, text, ha="center", va="center", bbox=box | {"edgecolor": colour}, fontsize=10)
        for start, end in ((0.42, 1.02), (1.48, 2.1), (2.8, 3.18)):
            ax.add_patch(FancyArrowPatch((start, y), (end, y), arrowstyle="-|>", mutation_scale=10, color=MUTED))
    bottom = -0.95 * len(words) - 0.1
    ax.plot([3.1, 4.3], [bottom + 0.5] * 2, color=INK, linewidth=1)
    ax.text(right, bottom, _vector(new), ha="center", va="center", fontweight="bold")
    ax.text(2.95, bottom, f"new {words[row]} =", ha="right", va="center")
    ax.text(1.85, 0.2, "softmax", ha="center", color=MUTED, fontsize=9, style="italic")
    ax.set(xlim=(-0.55, 4.4), ylim=(bottom - 0.35, 1))
    ax.axis("off")
    plt.show()


def _vector(numbers, digits=2):
    return "[" + ", ".join(two_decimals(n) if digits and n else f"{n:.0f}" for n in numbers) + "]"


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
