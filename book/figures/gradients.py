"""The figure of chapter 11."""

import matplotlib.pyplot as plt
import numpy as np

from .style import SHADES, WIDTH, use_house_style

use_house_style()


def before_and_after(maps, rows, columns, titles):
    """Draw two maps of weights side by side: a row for each letter to be written, a column for each of the source."""
    _, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.9), sharey=True)
    for ax, weights, title in zip(axes, maps, titles, strict=True):
        ax.imshow(weights, cmap=SHADES, vmin=0, vmax=1)
        ax.set_xticks(range(len(columns)), columns)
        ax.set_yticks(range(len(rows)), rows)
        ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
        ax.set_title(title)
        for i, j in zip(*np.nonzero(np.asarray(weights) >= 0.095), strict=True):
            ax.text(j, i, f"{weights[i][j]:.1f}", ha="center", va="center", fontsize=10, color="black")
        ax.spines[:].set_visible(False)
    axes[0].set_ylabel("the letter about to be written")
    plt.show()
