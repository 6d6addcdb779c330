"""The figures of chapter 7."""

import matplotlib.pyplot as plt
import numpy as np

from attention.chapters.position import positional_encoding

from .style import BLUE, INK, ORANGE, PALE, WIDTH, use_house_style

use_house_style()


def counter_and_waves(positions, digits):
    """Draw the binary digits of each position, and beside each digit a wave that goes as often up and down."""
    p, halves = np.arange(positions)[:, None], 2 ** np.arange(digits)[::-1]
    bits = p // halves % 2
    waves = -np.cos(
        np.pi * (p - halves / 2 + 0.5) / halves
    )  # a round for each 0 … 1, its middles where the digit's are
    names = [f"{half}s" for half in halves]
    _, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.4), sharey=True)
    for ax, table, title in zip(axes, (2 * bits - 1, waves), ("binary digits", "waves"), strict=True):
        ax.imshow(table, cmap="Greys", vmin=-1.25, vmax=1.25, aspect="auto")
        ax.set_xticks(range(digits), names)
        ax.set(title=title)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(True)
    for (row, column), bit in np.ndenumerate(bits):
        axes[0].text(column, row, str(bit), ha="center", va="center", fontsize=10, color="white" if bit else INK)
    axes[0].set_yticks(range(0, positions, 5))
    axes[0].set_ylabel("position")
    plt.show()


def heat_map(positions, d_model):
    """Draw the encoding of each position as a row, dark for 1 and light for -1."""
    fig, ax = plt.subplots(figsize=(WIDTH, 3.4))
    image = ax.imshow(positional_encoding(positions, d_model), cmap="Greys", vmin=-1, vmax=1, aspect="auto")
    ax.set(xlabel=f"number in the row, of {d_model}", ylabel="position")
    bar = fig.colorbar(image, ax=ax, ticks=[-1, 0, 1])
    bar.set_ticklabels(["−1", "0", "1"])
    ax.spines[:].set_visible(True)
    plt.show()


def dot_products(widths, offsets):
    """Draw for each width how alike two encodings are at this distance: their dot product, as a share of d/2."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.8))
    for d, colour, style in zip(widths, (ORANGE, BLUE), ("--", "-"), strict=True):
        rows = positional_encoding(offsets + 1, d)
        ax.plot(rows @ rows[0] / (d / 2), style, color=colour, linewidth=2, label=f"{d} numbers")
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.set(xlabel="offset k", ylabel="dot product,\nas a share of the largest", xlim=(0, offsets), ylim=(-0.15, 1.05))
    ax.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.22), ncols=2, frameon=False)
    plt.show()


def turned_pairs(query, key, places):
    """Draw a query and a key as arrows, turned by their positions, for pairs of positions equally far apart."""
    _, axes = plt.subplots(1, len(places), figsize=(WIDTH, 2.5))
    for ax, (here, there) in zip(axes, places, strict=True):
        ax.add_patch(plt.Circle((0, 0), 1, facecolor="none", edgecolor=PALE))
        angles = []
        for name, pair, position, colour in (("query", query, here, BLUE), ("key", key, there, ORANGE)):
            angle = np.arctan2(pair[1], pair[0]) + position
            angles.append(angle)
            tip = np.cos(angle), np.sin(angle)
            ax.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2})
            ax.text(1.5 * tip[0], 1.35 * tip[1], f"{name}\nat {position}", ha="center", va="center", color=colour)
        between = np.linspace(*angles, 60)
        ax.plot(0.35 * np.cos(between), 0.35 * np.sin(between), color=INK)
        ax.set(xlim=(-1.9, 1.9), ylim=(-1.7, 1.6), aspect="equal")
        ax.axis("off")
    plt.show()
