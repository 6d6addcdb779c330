"""The figures of chapter 10 and of the laboratory."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

from .style import BLUE, INK, MUTED, ORANGE, PALE, WIDTH, use_house_style

use_house_style()


def shifted(shown, target):
    """Draw what the decoder is shown below what it must guess, and the way that each word takes from there."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.1))
    for place, (before, word) in enumerate(zip(shown, target, strict=True)):
        ax.text(place, 0, before, ha="center", va="center", color=INK, fontweight="bold")
        ax.text(place, 1, word, ha="center", va="center", color=BLUE, fontweight="bold")
        up = FancyArrowPatch((place, 0.14), (place, 0.86), arrowstyle="-|>", mutation_scale=12, color=MUTED)
        ax.add_patch(up)
        if place + 1 < len(shown):
            ends = (place + 0.12, 0.88), (place + 0.88, 0.12)
            ax.add_patch(FancyArrowPatch(*ends, arrowstyle="-|>", mutation_scale=12, color=ORANGE, linestyle="--"))
    for height, name in ((1, "it must\nguess"), (0, "it is\nshown")):
        ax.text(-0.75, height, name, ha="center", va="center", color=MUTED)
    ax.set(xlim=(-1.1, len(shown) - 0.5), ylim=(-0.25, 1.25))
    ax.axis("off")
    plt.show()


def rates(schedule, steps, peak):
    """Draw the learning rate of each step, and mark its peak."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.4))
    at = np.arange(1, steps + 1)
    heights = [schedule(int(step)) for step in at]
    ax.plot(at, heights, color=BLUE, linewidth=2)
    ax.plot(peak, heights[peak - 1], "o", color=ORANGE)
    ax.text(peak + steps / 40, heights[peak - 1], f"step {peak}: {heights[peak - 1]:.4f}", va="bottom")
    ax.set(xlabel="step", ylabel="rate", xlim=(0, steps), ylim=(0, heights[peak - 1] * 1.25))
    ax.set_yticks([0, 0.001, 0.002, 0.003, 0.004][: 2 + int(heights[peak - 1] // 0.001)])
    ax.set_yticklabels([f"{tick:g}" for tick in ax.get_yticks()])
    plt.show()


def curves(runs, usual, guess):
    """Draw each run's losses, means of ten steps, over those of a usual run; dashed: the loss of an even guess."""
    _, axes = plt.subplots(2, 2, figsize=(WIDTH, 3.8), sharex=True, sharey=True)
    for ax, (name, losses) in zip(axes.flat, runs.items(), strict=True):
        for values, colour, width in ((usual, PALE, 4), (losses, BLUE, 1.5)):
            ax.semilogy(10 * np.arange(1, len(values) + 1), values, color=colour, linewidth=width)
        ax.axhline(guess, color=MUTED, linewidth=1, linestyle="--")
        ax.set_title(f"run {name}", loc="left", fontweight="bold")
    axes[1, 0].set(xlabel="step", ylabel="loss")
    plt.show()


def seeds(shares, unit="of new sentences that are right"):
    """Draw a point for each run of each model, {words: shares}, and a line at their mean."""
    _, ax = plt.subplots(figsize=(WIDTH, 0.5 + 0.42 * len(shares)))
    for row, points in enumerate(shares.values()):
        colour = BLUE if row == 0 else ORANGE
        ax.plot(points, [row] * len(points), "o", color=colour, alpha=0.55, markersize=8, markeredgewidth=0)
        ax.plot([np.mean(points)] * 2, [row - 0.28, row + 0.28], color=colour, linewidth=2)
    ax.set(xlim=(-0.02, 1.02), ylim=(len(shares) - 0.4, -0.6), xlabel=f"share {unit}")
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25%", "50%", "75%", "100%"])
    ax.set_yticks(range(len(shares)), list(shares))
    ax.tick_params(axis="y", length=0)
    plt.show()
