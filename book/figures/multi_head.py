"""The figures of chapter 6."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from .style import (
    BLUE,
    INK,
    KEY,
    MUTED,
    ORANGE,
    PALE,
    PARAMETER,
    QUERY,
    SHADES,
    VALUE,
    WIDTH,
    arrow,
    cells,
    two_decimals,
    use_house_style,
)

use_house_style()
HEADS = [BLUE, ORANGE]  # head 0 asks which kind, head 1 what happens; in words, too
MONEY = {"marker": "o", "markersize": 11, "markeredgewidth": 2}
WATER = {"marker": "s", "markersize": 10, "markeredgewidth": 2}


def same_row(pairs, features, shares):
    """Draw two mixtures of a kind and a verb, {words: vectors}, a share of each; both make the same row."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.3))
    size, mixed = (0.57, 0.5), 4.75
    middles = []
    for place, words in enumerate(pairs):
        top = -2.0 * place
        row = 0
        for y, (word, vector), share, colour in zip((top, top - 0.7), words.items(), shares, HEADS, strict=True):
            ax.text(0.9, y, word, ha="right", va="center", color=colour, fontweight="bold", fontsize=13)
            end = cells(ax, 1, y, vector, colour, size)
            ax.text(end + 0.15, y, f"× {share[1]}", va="center", fontsize=13)
            arrow(ax, (end + 0.75, y), (mixed - 0.1, top - 0.35 + 0.1 * np.sign(y - top + 0.35)), width=1)
            row = row + share[0] * np.array(vector)
        cells(ax, mixed, top - 0.35, row, INK, (0.62, 0.5))
        middles.append(top - 0.35)
    for left, wide in ((1, size[0]), (mixed, 0.62)):
        for k, name in enumerate(features):
            ax.text(left + (k + 0.5) * wide, 0.5, name, ha="center", color=MUTED, fontsize=10)
    ax.text(mixed + 1.24, np.mean(middles), "the same row", ha="center", va="center", fontsize=12, fontweight="bold")
    for start, end in ((0.2, 0.62), (-0.2, -0.62)):
        arrow(ax, (mixed + 1.24, np.mean(middles) + start), (mixed + 1.24, np.mean(middles) + end), width=1)
    ax.set(xlim=(0, 7.3), ylim=(-3, 0.75))
    ax.axis("off")
    plt.show()


def points_on_a_line(points):
    """Draw four sentences, {(kind, verb): place}, on one line, told apart by kind above and by verb below."""
    _, axes = plt.subplots(2, 1, figsize=(WIDTH, 3.4))
    asked = (("Which kind?", 0, "money", "one cut does it"), ("What does it do?", 1, "grows", "no cut does it"))
    for ax, colour, (question, which, first, verdict) in zip(axes, HEADS, asked, strict=True):
        ax.plot([-1.9, 1.9], [0, 0], color=MUTED, linewidth=1)
        for words, place in points.items():
            full = words[which] == first
            style = MONEY if full else WATER
            ax.plot(place, 0, color=colour, fillstyle="full" if full else "none", linestyle="none", **style)
            ax.text(place, -0.42, words[which], ha="center", va="top", fontsize=12, color=colour)
            if which == 0:
                ax.text(place, 0.4, f"{place:g}".replace("-", "−"), ha="center", va="bottom", fontsize=11, color=MUTED)
        if which == 0:
            ax.plot([0, 0], [-0.9, 1.0], color=INK, linestyle="--", linewidth=1.5)
        ax.text(-3.5, 0.25, question, va="center", fontweight="bold", fontsize=12, color=colour)
        ax.text(-3.5, -0.3, verdict, va="center", fontsize=11)
        ax.set(xlim=(-3.55, 2.1), ylim=(-1.1, 1.1) if which == 0 else (-1.0, 0.8))
        ax.axis("off")
    plt.show()


def plan(words):
    """Draw the way through two heads: Q, K and V cut into halves, an attention for each, side by side, times w_o."""
    _, ax = plt.subplots(figsize=(WIDTH, 5.0))
    step, high, n = 0.42, 0.4, len(words)
    tables = dict(zip("QKV", (2.0, 4.6, 7.2), strict=True))
    hues = dict(zip("QKV", (QUERY, KEY, VALUE), strict=True))
    for name, left in tables.items():
        ax.text(left + 2 * step, 9.72, f"${name} = x\\,W_{name}$", ha="center", va="center", color=hues[name])
        _halves(ax, left, 9.3, step, n, high)
    for row, word in enumerate(words):
        ax.text(1.85, 9.3 - high * (row + 0.5), word, ha="right", va="center", fontsize=11)
    questions = ("head 0\nwhich kind?", "head 1\nwhat does it do?")
    for head, (left, question) in enumerate(zip((0.9, 5.9), questions, strict=True)):
        colour = HEADS[head]
        for place, start in enumerate(tables.values()):
            ends = (start + step * (1 + 2 * head), left + 0.85 + 0.75 * place)
            ax.plot(ends, (9.3 - high * n - 0.05, 6.75), color=colour, linewidth=1.5)
        ax.add_patch(Rectangle((left, 5.55), 3.2, 1.2, facecolor="none", edgecolor=colour, linewidth=2))
        ax.text(left + 1.6, 6.15, question, ha="center", va="center", fontsize=11.5, color=colour)
        ax.plot((left + 1.6, 4.6 + step * (1 + 2 * head)), (5.55, 4.75), color=colour, linewidth=1.5)
    _halves(ax, 4.6, 4.7, step, n, high)
    ax.text(4.45, 4.7 - high * n / 2, "what the heads found,\nside by side", ha="right", va="center", fontsize=11)
    ax.text(6.6, 4.7 - high * n / 2, "@", ha="center", va="center", fontsize=13)
    for row in range(4):
        _halves(ax, 7.1, 4.9 - high * row, step, 1, high, HEADS[row // 2])
    ax.text(7.1 + 4 * step + 0.15, 4.9 - 2 * high, "$W_O$", va="center", color=PARAMETER)
    arrow(ax, (4.6 + 2 * step, 3.35), (4.6 + 2 * step, 2.65), width=1)
    for row in range(n):
        _halves(ax, 4.6, 2.55 - high * row, step, 1, high, PALE)
    ax.text(4.45, 2.55 - high * n / 2, "a change for each word", ha="right", va="center", fontsize=11)
    ax.set(xlim=(0.2, 9.8), ylim=(1.2, 10.1))
    ax.axis("off")
    plt.show()


def _halves(ax, left, top, step, rows, high, colour=None):
    """Draw a table of four columns; the left two belong to head 0 and the right two to head 1."""
    for row in range(rows):
        for column in range(4):
            face = colour or HEADS[column // 2]
            corner = (left + step * column, top - high * (row + 1))
            ax.add_patch(Rectangle(corner, step, high, facecolor=face, alpha=0.3, edgecolor="none"))
            ax.add_patch(Rectangle(corner, step, high, fill=False, edgecolor=face, linewidth=1))


def products(words, x, matrices, features):
    """Draw each learned matrix, (4, 4), and what it makes of each word; a gap where the heads are cut apart.

    ``matrices`` holds for each name, Q, K and V, the matrix and what its product is for.
    """
    _, ax = plt.subplots(figsize=(WIDTH, 6.6))
    wide, high, left, right, gap = 0.62, 0.52, 1.0, 5.15, 0.16
    hues = {"Q": QUERY, "K": KEY, "V": VALUE}

    def halves(start, y, row, colour, most):
        for head in (0, 1):
            for k, number in enumerate(row[2 * head : 2 * head + 2]):
                corner = (start + (2 * head + k) * wide + gap * head, y - high / 2)
                shade = 0.3 * abs(number) / most
                ax.add_patch(Rectangle(corner, wide, high, facecolor=colour, alpha=shade, edgecolor="none"))
                ax.add_patch(Rectangle(corner, wide, high, fill=False, edgecolor=colour, linewidth=1.2))
                text = f"{number:.0f}".replace("-", "−")
                ax.text(corner[0] + wide / 2, y, text, ha="center", va="center", fontsize=12)

    top = 0
    for name, (w, use) in matrices.items():
        for start in (left, right):
            for head in (0, 1):
                middle = start + (2 * head + 1) * wide + gap * head
                ax.text(middle, top + 0.42, f"head {head}", ha="center", fontsize=9.5, color=HEADS[head])
        ax.text(left + 2 * wide, top + 0.85, f"$W_{name}$", ha="center", color=PARAMETER, fontsize=13)
        ax.text(right + 2 * wide, top + 0.85, f"$x\\,W_{name}$: {use}", ha="center", color=hues[name], fontsize=12)
        for row, feature in enumerate(features):
            y = top - high * row
            ax.text(left - 0.12, y, feature, ha="right", va="center", fontsize=10.5, color=MUTED)
            halves(left, y, w[row], PARAMETER, np.abs(w).max())
        for row, (word, made) in enumerate(zip(words, x @ w, strict=True)):
            y = top - high * (row + 0.5)
            ax.text(right - 0.12, y, word, ha="right", va="center", fontsize=11, fontweight="bold")
            halves(right, y, made, hues[name], max(1, np.abs(x @ w).max()))
        top -= high * 4 + 1.25
    ax.set(xlim=(0, 8.0), ylim=(top + 0.75, 1.25))
    ax.axis("off")
    plt.show()


def dealt(words):
    """Draw the slices of three words for two heads: as they lie in memory, as they should be cut, as a reshape does."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.7))
    wide, high = 1.45, 0.52
    slices = [(word, head) for word in words for head in (0, 1)]

    def line(y, row, left=1.5):
        for k, (word, head) in enumerate(row):
            corner = (left + k * wide, y - high / 2)
            ax.add_patch(Rectangle(corner, wide, high, facecolor=HEADS[head], alpha=0.25, edgecolor="none"))
            ax.add_patch(Rectangle(corner, wide, high, fill=False, edgecolor=HEADS[head], linewidth=1.5))
            ax.text(corner[0] + wide / 2, y, f"{word} {head}", ha="center", va="center", fontsize=11.5)

    ax.text(0.02, 0.62, "in memory, one after the other", fontweight="bold", fontsize=11.5)
    line(0, slices, left=0.05)
    n = len(words)
    blocks = (
        (-1.1, "what each head should get", ([(word, head) for word in words] for head in (0, 1))),
        (-3.15, "what a reshape alone deals out", (slices[n * head : n * (head + 1)] for head in (0, 1))),
    )
    for top, title, rows in blocks:
        ax.text(0.02, top + 0.15, title, fontweight="bold", fontsize=11.5)
        for head, row in enumerate(rows):
            y = top - 0.35 - 0.68 * head
            ax.text(1.35, y, f"head {head}", ha="right", va="center", color=HEADS[head], fontsize=11.5)
            line(y, row)
    ax.set(xlim=(0, 8.85), ylim=(-4.6, 0.95))
    ax.axis("off")
    plt.show()


def rows_of_heads(rows, words, titles):
    """Draw what each head gives to the words of a sentence, one panel for each word that asks, {its place: (h, n)}."""
    _, axes = plt.subplots(len(rows), 1, figsize=(WIDTH, 4.6), sharex=True)
    for ax, (place, weights), title in zip(axes, rows.items(), titles, strict=True):
        ax.imshow(weights, cmap=SHADES, vmin=0, vmax=1, aspect="auto")
        ax.set_title(title, fontsize=11.5)
        ax.set_yticks(range(len(weights)), [f"head {head}" for head in range(len(weights))])
        ax.set_xticks(range(len(words)), words, rotation=90)
        frame = Rectangle((place - 0.5, -0.5), 1, len(weights), fill=False, edgecolor=INK, linewidth=1.5)
        frame.set_clip_on(False)
        ax.add_patch(frame)
        for (head, column), weight in np.ndenumerate(weights):
            if weight >= 0.1:
                ax.text(column, head, two_decimals(weight), ha="center", va="center", fontsize=9.5)
        ax.tick_params(length=0, labelsize=11)
        for side in ax.spines.values():
            side.set(visible=True, color=MUTED, linewidth=0.5)
    plt.show()


def broken(counts):
    """Draw how many translations break without some heads, {words: (all, with a wrong meaning)}."""
    _, ax = plt.subplots(figsize=(WIDTH, 0.45 * len(counts) + 1.2))
    for place, (broke, meaning) in enumerate(counts.values()):
        ax.barh(place, broke, color=PALE, alpha=0.6, label="other mistakes alone" if place == 0 else None)
        ax.barh(place, meaning, color=BLUE, label="a noun has its other meaning" if place == 0 else None)
        ax.text(broke + 2, place, f"{broke}, of these {meaning}", va="center", fontsize=11)
    ax.set_yticks(range(len(counts)), list(counts))
    ax.set(xlim=(0, 1.45 * max(broke for broke, _ in counts.values())), xlabel="right translations that break")
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, reverse=True)
    plt.show()
