"""The figures of chapter 4."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

from .style import BLUE, ORANGE, PALE, WIDTH, two_decimals, use_house_style

use_house_style()


def luong_arrows(alpha, source, target):
    """Draw one decoder state that looks at every encoder state; the thicker the arrow, the larger the weight."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.5))
    middle = (len(source) - 1) / 2
    box = {"boxstyle": "round,pad=0.45", "facecolor": "white"}
    for j, (word, weight) in enumerate(zip(source, alpha, strict=True)):
        ends = (j, 0.27), (middle + 0.28 * (j - middle), 1.68)
        look = {"linewidth": 0.8 + 7 * weight, "color": ORANGE if weight == max(alpha) else PALE}
        ax.add_patch(FancyArrowPatch(*ends, arrowstyle="-|>", mutation_scale=14, shrinkA=0, shrinkB=0, **look))
        ax.text(j, 0, f"$h_{j + 1}$\n{word}", ha="center", va="center", bbox=box | {"edgecolor": BLUE})
        halfway = np.mean(ends, axis=0)
        label = f"$\\alpha_{j + 1}$ = {two_decimals(weight)}"
        ax.text(
            *halfway, label, ha="center", va="center", fontsize=11, bbox={"facecolor": "white", "edgecolor": "none"}
        )
    says = f"decoder state $s$, about to write “{target}”"
    ax.text(middle, 1.9, says, ha="center", va="center", bbox=box | {"edgecolor": ORANGE})
    mixture = " + ".join(f"{two_decimals(weight)} $h_{j}$" for j, weight in enumerate(alpha, 1))
    ax.text(middle, 2.3, f"context  $c$ = {mixture}", ha="center", va="center")
    ax.set(xlim=(-0.5, len(source) - 0.5), ylim=(-0.35, 2.45))
    ax.axis("off")
    plt.show()
