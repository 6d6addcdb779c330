"""The figures of chapter 4."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

from .attention_maps import HALVES, word_map
from .style import BLUE, MUTED, ORANGE, PALE, WIDTH, two_decimals, use_house_style

use_house_style()


def lookup_steps(tokens, scores, weights, output):
    """Draw one soft lookup from left to right: scores, weights, output."""
    panels = [
        ("1. scores", tokens, scores),
        ("2. weights", tokens, weights),
        ("3. output", ["of A", "of B"], output),
    ]
    _, axes = plt.subplots(1, 3, figsize=(WIDTH, 2.5), width_ratios=[3.6, 4.4, 2.4], sharey=True)
    for ax, (title, names, heights) in zip(axes, panels, strict=True):
        colours = [ORANGE if "B" in name else BLUE for name in names]
        bars = ax.bar(range(len(names)), heights, color=colours, width=0.65)
        ax.bar_label(bars, [f"{height:.4g}".lstrip("0") or "0" for height in heights], fontsize=9, padding=2)
        ax.set(title=title, ylim=(0, 1.18))
        ax.set_yticks(*HALVES)
        ax.set_xticks(range(len(names)), names)
    plt.show()


def booster_curves(counts, booster):
    """Draw the weight of the one match against the booster β, for several lengths of the sentence."""
    beta = np.linspace(0, 16, 400)
    _, ax = plt.subplots(figsize=(WIDTH, 3))
    for n, line in zip(counts, ["-", "--", "-."], strict=True):
        needed = booster(n, 0.9)
        ax.plot(beta, 1 / (1 + (n - 1) * np.exp(-beta)), line, color=BLUE, label=f"n = {n:,}")
        ax.plot(needed, 0.9, "o", color=ORANGE)
        x, y, side = (needed - 0.2, 0.93, "right") if n == min(counts) else (needed + 0.25, 0.78, "left")
        ax.text(x, y, f"β = {needed:.1f}", ha=side, fontsize=10)
    ax.axhline(0.9, color=MUTED, linewidth=0.8)
    ax.set(xlabel="booster β", ylabel="weight of the match", ylim=(0, 1.04), xlim=(0, 16))
    ax.set_yticks([0, 0.5, 0.9, 1], ["0", ".5", ".9", "1"])
    ax.legend(frameon=False, loc="lower right")
    plt.show()


def weight_map(weights, words):
    """Draw the weights of a sentence that looks at itself as a heat map."""
    word_map(weights, words, words)


def luong_arrows(alpha, source, target):
    """Draw one decoder state that looks at every encoder state; the thicker the arrow, the larger the weight."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.5))
    middle = (len(source) - 1) / 2
    box = {"boxstyle": "round,pad=.45", "facecolor": "white"}
    for j, (word, weight) in enumerate(zip(source, alpha, strict=True)):
        ends = (j, 0.27), (middle + 0.28 * (j - middle), 1.68)
        look = {"linewidth": 0.8 + 7 * weight, "color": ORANGE if weight == max(alpha) else PALE}
        ax.add_patch(FancyArrowPatch(*ends, arrowstyle="-|>", mutation_scale=14, shrinkA=0, shrinkB=0, **look))
        ax.text(j, 0, f"$h_{j + 1}$\n{word}", ha="center", va="center", bbox=box | {"edgecolor": BLUE})
        halfway = np.mean(ends, axis=0)
        label = f"$\\alpha_{j + 1}$ = {two_decimals(weight)}"
        ax.text(
            *halfway, label, ha="center", va="center", fontsize=10, bbox={"facecolor": "white", "edgecolor": "none"}
        )
    says = f"decoder state $s$, about to write “{target}”"
    ax.text(middle, 1.9, says, ha="center", va="center", bbox=box | {"edgecolor": ORANGE})
    mixture = " + ".join(f"{two_decimals(weight)} $h_{j}$" for j, weight in enumerate(alpha, 1))
    ax.text(middle, 2.3, f"context  $c$ = {mixture}", ha="center", va="center")
    ax.set(xlim=(-0.5, len(source) - 0.5), ylim=(-0.35, 2.45))
    ax.axis("off")
    plt.show()
