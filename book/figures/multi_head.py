"""The figures of chapter 6."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from .style import BLUE, INK, MUTED, ORANGE, PALE, SHADES, WIDTH, use_house_style

use_house_style()
HEADS = [BLUE, ORANGE, PALE]  # told apart by their numbers, too
STEP = 0.42  # the width of a column in the plan
N = 4  # rows that are drawn of a sentence


def plan(d_v=2):
    """Draw the way of Note 3: Q, K and V cut into three heads, one attention for each, side by side, and times w_o."""
    _, ax = plt.subplots(figsize=(WIDTH, 4.4))
    tables = {name: 0.9 + 3.2 * place for place, name in enumerate("QKV")}
    widths = {name: STEP * (d_v if name == "V" else 1) for name in tables}
    for name, left in tables.items():
        _stripes(ax, left, 8.6, [widths[name]] * 3, f"${name}$")
    for head, colour in enumerate(HEADS):
        left = 0.4 + 3.1 * head
        for place, (name, start) in enumerate(tables.items()):
            ends = (start + widths[name] * (head + 0.5), left + 0.65 + 0.6 * place)
            ax.plot(ends, (7.25, 6.15), color=colour, linewidth=1.5)
        ax.add_patch(Rectangle((left, 5.1), 2.5, 1, facecolor="none", edgecolor=colour, linewidth=2))
        ax.text(left + 1.25, 5.6, f"attention,\nhead {head}", ha="center", va="center", color=INK, fontsize=11)
        ax.plot((left + 1.25, 3.8 + STEP * (d_v * head + 1)), (5.1, 4.2), color=colour, linewidth=1.5)
    _stripes(ax, 3.8, 3.75, [STEP * d_v] * 3)
    ax.text(3.5, 3.1, "what the heads\nfound, side\nby side", ha="right", va="center", fontsize=11)
    ax.text(6.85, 3.1, "@", ha="center", va="center", fontsize=13)
    for head, colour in enumerate(HEADS):
        ax.add_patch(Rectangle((7.4, 3.6 - 0.62 * head), 1.5, 0.55, facecolor=colour, edgecolor="white"))
        ax.text(8.15, 3.87 - 0.62 * head, str(head), ha="center", va="center", color=_on(colour), fontsize=11)
    ax.text(8.15, 1.95, "$W_O$", ha="center", va="center")
    ax.annotate("", (5.06, 1.3), (5.06, 2.3), arrowprops={"arrowstyle": "-|>", "color": MUTED})
    ax.text(5.06, 0.9, "output: one row for each word", ha="center", va="center")
    ax.set(xlim=(0.2, 10), ylim=(0.5, 9.8))
    ax.axis("off")
    plt.show()


def _stripes(ax, left, top, widths, name=""):
    """Draw a table of N rows as stripes, one for each head, with its number in it and the table's name above."""
    ax.text(left + sum(widths) / 2, top + 0.75, name, ha="center", va="center")
    for head, width in enumerate(widths):
        x = left + sum(widths[:head])
        for row in range(N):
            ax.add_patch(Rectangle((x, top - 0.42 * row), width, 0.38, facecolor=HEADS[head], edgecolor="white"))
        ax.text(x + width / 2, top + 0.19, str(head), ha="center", va="center", color=_on(HEADS[head]), fontsize=10)


def _on(colour):
    """Return a colour that can be read on one of the heads' own."""
    return INK if colour == PALE else "white"


def maps_side_by_side(maps, rows, columns):
    """Draw the weights of four heads as heat maps, two beside two; the words appear once, at the left and on top."""
    fig, axes = plt.subplots(2, 2, figsize=(WIDTH, 6.3), sharex=True, sharey=True)
    for head, (ax, weights) in enumerate(zip(axes.flat, maps, strict=True)):
        image = ax.imshow(weights, cmap=SHADES, vmin=0, vmax=1)
        ax.set_title(f"head {head}", fontsize=11)
        ax.set_yticks(range(len(rows)), rows)
        ax.set_xticks(range(len(columns)), columns, rotation=90)
        ax.tick_params(length=0, labelsize=10)
        for side in ax.spines.values():
            side.set(visible=True, color=MUTED, linewidth=0.5)
    fig.supylabel("the word about to be written (query)", fontsize=11)
    fig.supxlabel("the word looked at (key)", fontsize=11)
    bar = fig.colorbar(image, ax=axes, location="top", shrink=0.5, aspect=30, label="weight")
    bar.set_ticks([0, 0.5, 1], labels=["0", "0.5", "1"])
    plt.show()


def broken(silences, names):
    """Draw for each head that was switched off how many translations broke; ``names`` says what each attention is."""
    _, ax = plt.subplots(figsize=(WIDTH, 0.27 * len(silences) + 1.2))
    counts = np.array([len(one.broken) for one in silences])
    places = np.arange(len(silences)) + 0.6 * np.array([list(names).index(one.attention) for one in silences])
    ax.barh(places, counts, color=BLUE)
    for place, count in zip(places, counts, strict=True):
        ax.text(count + 3, place, str(count), va="center", fontsize=11)
    ax.set_yticks(places, [f"{names[one.attention]}, head {one.head}" for one in silences])
    ax.set(xlim=(0, counts.max() * 1.12), xlabel="right translations that break")
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    plt.show()
