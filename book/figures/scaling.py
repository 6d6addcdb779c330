"""The figures of chapter 5."""

import itertools
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

from .style import BLUE, INK, ORANGE, PALE, WIDTH, use_house_style

use_house_style()


def sums_of_signs(widths):
    """Draw for each width d how often each score comes about when all entries are 1 or -1."""
    _, axes = plt.subplots(1, len(widths), figsize=(WIDTH, 2.3), sharex=True)
    for ax, d in zip(axes, widths, strict=True):
        often = Counter(map(sum, itertools.product([1, -1], repeat=d)))
        scores, heights = list(often), np.array(list(often.values())) / sum(often.values())
        variance = np.sum(heights * np.square(scores))
        ax.bar(scores, heights, width=0.8, color=BLUE)
        ax.set(title=f"d = {d}\nvariance {variance:.0f}", ylim=(0, 0.6), yticks=[], xticks=[-8, 0, 8])
        ax.spines["left"].set_visible(False)
    axes[len(axes) // 2].set_xlabel("score")
    plt.show()


def slope_of_softmax(at):
    """Draw the weight of the better of two tokens against the difference of their scores, and its slope below."""
    s = np.linspace(0, 10, 300)
    p = 1 / (1 + np.exp(-s))
    _, (upper, lower) = plt.subplots(2, 1, figsize=(WIDTH, 4), sharex=True, height_ratios=[3, 2])
    upper.plot(s, p, color=BLUE)
    lower.plot(s, p * (1 - p), color=BLUE)
    for point in at:
        height = 1 / (1 + np.exp(-point))
        slope = height * (1 - height)
        along = np.array([-0.9, 0.9])
        upper.plot(point + along, height + slope * along, color=ORANGE, linewidth=2)
        upper.plot(point, height, "o", color=ORANGE)
        lower.plot(point, slope, "o", color=ORANGE)
        written = f"{slope:.4f}" if slope > 0.01 else f"{slope:.6f}"
        lower.text(point + 0.15, slope + 0.025, written, fontsize=11)
    upper.set(ylabel="weight p", ylim=(0.45, 1.08))
    upper.set_yticks([0.5, 1], ["0.5", "1"])
    lower.set(ylabel="slope p (1 − p)", xlabel="difference s between the two scores", ylim=(0, 0.29))
    lower.set_yticks([0, 0.25], ["0", "0.25"])
    plt.show()


def geometry(query, keys, names, scores, output):
    """Draw a query, its keys with the shadow that each throws on the query, and what attention returns."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.8))
    direction = query / np.linalg.norm(query)
    ax.plot(*zip((0, 0), 8.8 * direction, strict=True), "--", color=PALE, linewidth=1)
    for name, key, score in zip(names, keys, scores, strict=True):
        foot = key @ direction * direction
        ax.plot(*zip(key, foot, strict=True), ":", color=INK, linewidth=1.5)
        _arrow(ax, key, BLUE)
        left = key[0] < query[0]
        ax.text(
            key[0] + (-0.2 if left else 0.2),
            key[1] + (0.3 if left else 0),
            f"key of {name}\nscore {score:.0f}",
            color=BLUE,
            va="center",
            ha="right" if left else "left",
        )
    _arrow(ax, query, ORANGE)
    ax.text(query[0] - 0.1, query[1] + 0.45, "query of bank", color=ORANGE, ha="right")
    _arrow(ax, output, INK)
    ax.text(output[0] + 0.1, output[1] - 0.35, "new bank", color=INK)
    ax.plot(0, 0, "o", color=INK, markersize=4)
    ax.set(xlim=(-2.3, 10.5), ylim=(-0.5, 6.6), aspect="equal")
    ax.set_xticks([0, 2, 4, 6, 8])
    ax.set_yticks([0, 2, 4, 6])
    plt.show()


def _arrow(ax, tip, colour):
    ends = (0, 0), tip
    ax.add_patch(
        FancyArrowPatch(*ends, arrowstyle="-|>", mutation_scale=14, color=colour, linewidth=2, shrinkA=0, shrinkB=0)
    )
