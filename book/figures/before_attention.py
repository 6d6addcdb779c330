"""The figures of chapter 1."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

from .style import BLUE, INK, MUTED, ORANGE, PALE, WIDTH, use_house_style

use_house_style()
COLOURS = {"rnn": BLUE, "cnn": ORANGE, "attention": INK, "no_positions": MUTED}
STYLES = {"rnn": "-", "cnn": "--", "attention": "-.", "no_positions": ":"}  # told apart without colour, too
SHARES = [0.5, 0.75, 1], ["50%", "75%", "100%"]


def unrolled(n):
    """Draw a recurrent network unrolled over n words: two arrows into each state, one from it to its output."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.7))
    box = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": BLUE}
    names = [*range(1, n), "n"]
    for place, name in enumerate(names):
        x = 1 + place + (0.4 if name == "n" else 0)
        for y, letter in enumerate("xhy"):
            ax.text(x, y, f"${letter}_{name}$", ha="center", va="center", bbox=box if letter == "h" else None)
        _arrow(ax, (x, 0.2), (x, 0.72), MUTED)
        _arrow(ax, (x, 1.28), (x, 1.8), MUTED)
        _arrow(ax, (x - (0.6 if name == "n" else 0.72), 1), (x - 0.26, 1), ORANGE)
    ax.text(0, 1, "$h_0 = 0$", ha="center", va="center")
    ax.text(n - 0.4, 1, "…", ha="center", va="center")
    ax.text(0.62, 1.22, "$W_{hh}$", color=ORANGE, ha="center", fontsize=10)
    ax.text(1.08, 0.45, "$W_{hx}$", color=MUTED, fontsize=10)
    ax.text(1.08, 1.5, "$W_{hy}$", color=MUTED, fontsize=10)
    ax.set(xlim=(-0.5, n + 0.8), ylim=(-0.3, 2.3))
    ax.axis("off")
    plt.show()


def _arrow(ax, start, end, colour):
    ax.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=9, color=colour, shrinkA=3, shrinkB=3))


def right_answers(readers, reach):
    """Draw the share of right answers over the length, a panel a game: a line through the means, a dot for each run.

    ``readers`` holds name -> (words, what ``read_by`` returns); ``reach`` is the length up to which a convolution sees.
    """
    games = list(next(iter(readers.values()))[1]["games"])
    figure, axes = plt.subplots(len(games), 1, figsize=(WIDTH, 5.9), sharex=True)
    for ax, game in zip(axes, games, strict=True):
        for place, (name, (words, read)) in enumerate(readers.items()):
            rows = read["games"][game]
            lengths, look = list(rows), {"color": COLOURS[name]}
            means = [np.mean(rows[n]["right"]) for n in lengths]
            ax.plot(lengths, means, STYLES[name], linewidth=2, label=words, **look)
            for n in lengths:
                shifted = [n * 1.09 ** (place - 1)] * len(rows[n]["right"])  # so that dots at 100% hide no others
                ax.plot(shifted, rows[n]["right"], "o", markersize=4, alpha=0.6, **look)
        ax.axvline(reach, color=PALE, linewidth=1)
        ax.text(reach * 1.04, 1.05, f"{reach} tokens", color=MUTED, fontsize=10)
        ax.set(xscale="log", ylabel="right answers", ylim=(0.4, 1.13), title=f"{game}?")
        ax.set_yticks(*SHARES)
    axes[-1].set_xlabel("length of the row")
    axes[-1].set_xticks(lengths, lengths)
    axes[-1].minorticks_off()
    figure.legend(*axes[0].get_legend_handles_labels(), frameon=False, fontsize=10, loc="outside lower center", ncols=2)
    plt.show()


def gradient_by_distance(readers, game, n):
    """Draw how much the answer would move with each token before training, over its distance from the end."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.2))
    for name, (words, read) in readers.items():
        sizes = np.array(read["games"][game][n]["before"])[::-1]
        seen = np.flatnonzero(sizes)
        ax.plot(seen, sizes[seen], STYLES[name], color=COLOURS[name], linewidth=2, label=words)
    title = f"before training: {game}? on rows of {n}, mean of five"
    ax.set(yscale="log", xlabel="tokens before the last one", ylabel="gradient", title=title)
    ax.set_yticks([1, 1e-3, 1e-6, 1e-9], ["1", "0.001", "10⁻⁶", "10⁻⁹"])
    ax.minorticks_off()
    ax.legend(frameon=False, fontsize=10, loc="lower left")
    plt.show()
