"""The figures of chapter 5."""

import itertools
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np

from .style import (
    BLUE,
    INK,
    KEY,
    MUTED,
    ORANGE,
    PALE,
    QUERY,
    WEIGHT,
    WIDTH,
    arrow,
    use_house_style,
)

use_house_style()


def rows_of_weights(rows, xlabel="the eight keys"):
    """Draw rows of weights side by side as bars, title -> row, the largest weight of each with its number."""
    _, axes = plt.subplots(1, len(rows), figsize=(WIDTH, 2.1), sharey=True)
    for ax, (title, row) in zip(axes, rows.items(), strict=True):
        most = int(np.argmax(row))
        colours = [WEIGHT if place == most else PALE for place in range(len(row))]
        ax.bar(range(len(row)), row, width=0.72, color=colours)
        ax.text(most, row[most] + 0.03, f"{100 * row[most]:.0f}%", ha="center", color=WEIGHT, fontweight="bold")
        ax.set_title(title)
        ax.set(ylim=(0, 1.16), xlim=(-0.8, len(row) - 0.2), xticks=[])
        ax.set_yticks([0, 0.5, 1], ["0", "50%", "100%"])
        ax.tick_params(axis="y", length=0)
    axes[0].set_ylabel("weight")
    axes[len(axes) // 2].set_xlabel(xlabel)
    plt.show()


def geometry(query, keys, names):
    """Draw a query that points to the right, its keys as arrows, and below them the shadows on the line of the query.

    The plane is turned and seen from the side on which the last key is above that line; lengths and angles are kept.
    """
    ahead = query / np.linalg.norm(query)
    up = keys[-1] - keys[-1] @ ahead * ahead
    up /= np.linalg.norm(up)
    _, ax = plt.subplots(figsize=(WIDTH, 2.9))
    ax.plot([0, 9.6], [0, 0], color=PALE, linewidth=1)
    long = float(query @ ahead)
    for place, (name, key) in enumerate(zip(names, keys, strict=True)):
        along, high = float(key @ ahead), float(key @ up)
        below = -1.05 - 0.75 * place
        ax.plot([along, along], [high, below], ":", color=MUTED, linewidth=1.2)
        arrow(ax, (0, 0), (along, high), KEY, 2)
        ax.plot([0, along], [below, below], color=KEY, linewidth=7, alpha=0.45, solid_capstyle="butt")
        ax.text(along + 0.15, below, f"shadow {along:.2f}", color=KEY, va="center")
        beside = (0.15, 0.12, "bottom") if high > 0 else (0.15, -0.02, "top")
        ax.text(along + beside[0], high + beside[1], f"key of {name}", color=KEY, va=beside[2])
    arrow(ax, (0, 0), (long, 0), QUERY, 2)
    ax.text(long + 0.2, 0.14, f"query of bank, {long:.2f} long", color=QUERY, va="bottom")
    ax.plot([0, 0], [0, -1.05 - 0.75 * (len(keys) - 1)], ":", color=MUTED, linewidth=1.2)
    ax.plot(0, 0, "o", color=INK, markersize=4)
    ax.set(xlim=(-0.3, 10.6), ylim=(-2.2, 2.6), aspect="equal")
    ax.axis("off")
    plt.show()


def two_shadows(degrees):
    """Draw a key √2 long in each direction, with its shadows on the line of the query and on the line across."""
    _, axes = plt.subplots(1, len(degrees), figsize=(WIDTH, 2.5), sharey=True)
    for ax, angle in zip(axes, np.radians(degrees), strict=True):
        along, across = np.sqrt(2) * np.cos(angle), np.sqrt(2) * np.sin(angle)
        ax.plot([-1.1, 1.6], [0, 0], color=QUERY, linewidth=1.2)
        ax.plot([0, 0], [-0.15, 1.6], color=MUTED, linewidth=1.2)
        for shadow in ([0, along], [0, 0]), ([0, 0], [0, across]):
            ax.plot(*shadow, color=KEY, linewidth=7, alpha=0.45, solid_capstyle="butt")
        ax.plot([along, along, 0], [0, across, across], ":", color=MUTED, linewidth=1.2)
        arrow(ax, (0, 0), (along, across), KEY, 2)
        ax.plot(0, 0, "o", color=INK, markersize=4)
        ax.set_title(f"{along**2:.2f} + {across**2:.2f} = 2")
        ax.set(xlim=(-1.15, 1.65), ylim=(-0.5, 1.65), aspect="equal")
        ax.axis("off")
    axes[0].text(0.25, -0.16, "line of the query", color=QUERY, va="top", ha="center")
    axes[0].text(-0.14, 1.0, "line\nacross", color=MUTED, va="center", ha="right")
    axes[1].text(0.86, 0.95, "key", color=KEY, va="center", ha="left")
    plt.show()


def sums_of_signs(widths):
    """Draw for each width d how often each score comes about when all entries are 1 or -1."""
    _, axes = plt.subplots(1, len(widths), figsize=(WIDTH, 2.3), sharex=True)
    for ax, d in zip(axes, widths, strict=True):
        often = Counter(map(sum, itertools.product([1, -1], repeat=d)))
        scores, heights = list(often), np.array(list(often.values())) / sum(often.values())
        variance = np.sum(heights * np.square(scores))
        ax.bar(scores, heights, width=0.8, color=BLUE)
        ax.set(title=f"width {d}\nvariance {variance:.0f}", ylim=(0, 0.6), yticks=[], xticks=[-8, 0, 8])
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
    lower.set(ylabel="slope p (1 − p)", xlabel="lead of the better word, s", ylim=(0, 0.29))
    lower.set_yticks([0, 0.25], ["0", "0.25"])
    plt.show()
