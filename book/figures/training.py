"""The figures of chapter 10."""

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
    """Draw each run's losses over those of a usual run, one panel each; dashed: the loss of an even guess."""
    _, axes = plt.subplots(2, 2, figsize=(WIDTH, 3.8), sharex=True, sharey=True)
    for ax, (name, losses) in zip(axes.flat, runs.items(), strict=True):
        ax.semilogy(usual, color=PALE, linewidth=4)
        ax.semilogy(losses, color=BLUE, linewidth=1.5)
        ax.axhline(guess, color=MUTED, linewidth=1, linestyle="--")
        ax.set_title(f"run {name}", loc="left", fontweight="bold")
    axes[1, 0].set(xlabel="step", ylabel="loss")
    plt.show()
