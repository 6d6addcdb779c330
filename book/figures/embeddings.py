"""The figures of chapter 2."""

import matplotlib.pyplot as plt
import numpy as np

from .style import BLUE, INK, MUTED, ORANGE, PALE, WIDTH, use_house_style

use_house_style()


def features(words, table):
    """Draw each word's vector as a row of bars, one for each number, with the number above it."""
    _, axes = plt.subplots(len(words), 1, figsize=(WIDTH, 1.15 * len(words) + 0.3), sharex=True, sharey=True)
    places = np.arange(len(table[0]))
    for ax, word, numbers, colour in zip(axes, words, table, (BLUE, ORANGE), strict=False):
        ax.bar(places, numbers, width=0.6, color=colour)
        for place, number in zip(places, numbers, strict=True):
            ax.text(place, number + 0.05, f"{number:g}", ha="center", fontsize=11)
        ax.set_ylabel(word, rotation=0, ha="right", va="center")
        ax.set(ylim=(0, 1.3), yticks=[])
        ax.spines["left"].set_visible(False)
    axes[-1].set_xticks(places, places + 1)
    axes[-1].set_xlabel("feature")
    plt.show()


def directions(centre, others, names):
    """Draw vectors from the origin of a plane, and beside the tip of each its cosine with ``centre``, the first."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.7))
    target, length = np.array(centre), np.linalg.norm(centre)
    ax.plot([0, 1.5 * target[0]], [0, 1.5 * target[1]], color=MUTED, linewidth=1, linestyle=":")
    tips = [target, *map(np.array, others)]
    for tip, name, colour in zip(tips, names, [ORANGE] + [BLUE] * len(others), strict=True):
        ax.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkB": 0})
        cosine = tip @ target / (np.linalg.norm(tip) * length)
        left = tip[0] < 0
        ax.text(
            tip[0] + (-0.2 if left else 0.3),
            tip[1] + (0 if left else -0.35 if tip[1] else 0.5),  # above the axis, or a little below the tip
            f"{name}\ncosine {round(cosine, 4) + 0:g}",
            ha="right" if left else "left",
            va="center",
            color=colour,
            fontsize=11,
        )
    ax.axhline(0, color=PALE, linewidth=1, zorder=0)
    ax.axvline(0, color=PALE, linewidth=1, zorder=0)
    ax.set(xlim=(-3.3, 6.6), ylim=(-1.1, 5.6), aspect="equal", xticks=[], yticks=[])
    for spine in ax.spines.values():
        spine.set_visible(False)
    plt.show()


def likeness_of_pairs(pairs, columns):
    """Draw how alike two words are, a line for each pair, a mark for each table; ``columns`` is name -> cosines."""
    _, ax = plt.subplots(figsize=(WIDTH, 0.42 * len(pairs) + 1))
    places = np.arange(len(pairs))[::-1]
    ax.axvline(0, color=MUTED, linewidth=1)
    styles = [("s", ORANGE, "full"), ("o", BLUE, "none"), ("o", BLUE, "full")]
    for (name, cosines), (marker, colour, fill) in zip(columns.items(), styles, strict=True):
        ax.plot(cosines, places, marker, color=colour, fillstyle=fill, markersize=8, label=name, linestyle="none")
    before, after = list(columns.values())[1:]
    for place, start, end in zip(places, before, after, strict=True):
        ax.plot([start, end], [place, place], color=BLUE, linewidth=1.5, zorder=0)
    ax.set_yticks(places, [f"{one}, {other}" for one, other in pairs], color=INK)
    ax.set(xlim=(-0.3, 1.05), xlabel="cosine", xticks=[0, 0.5, 1], xticklabels=["0", "0.5", "1"])
    ax.grid(axis="y", color="#e3e7ec")
    ax.legend(loc="lower center", bbox_to_anchor=(0.45, 1), ncols=3, frameon=False, fontsize=10, handletextpad=0)
    plt.show()
