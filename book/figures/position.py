"""The figures of chapter 7."""

import matplotlib.pyplot as plt
import numpy as np

from attention.chapters.position import positional_encoding

from .style import (
    BLUE,
    INK,
    KEY,
    MUTED,
    ORANGE,
    PALE,
    QUERY,
    SHADES,
    WIDTH,
    arrow,
    cells,
    two_decimals,
    use_house_style,
    write,
)

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
    """Draw a query and a key as arrows, turned by their positions, for pairs of positions equally far apart.

    ``query`` and ``key`` are a word and its two numbers each.
    """
    _, axes = plt.subplots(1, len(places), figsize=(WIDTH, 2.6))
    longest = max(np.hypot(*pair) for _, pair in (query, key))
    for ax, (here, there) in zip(axes, places, strict=True):
        ax.add_patch(plt.Circle((0, 0), 1, facecolor="none", edgecolor=PALE))
        angles = []
        for what, (word, pair), position, colour in (("query", query, here, QUERY), ("key", key, there, KEY)):
            angle, length = np.arctan2(pair[1], pair[0]) + position, np.hypot(*pair) / longest
            angles.append(angle)
            out = np.array([np.cos(angle), np.sin(angle)])
            arrow(ax, (0, 0), length * out, colour, 2)
            ha = "center" if abs(out[0]) < 0.4 else "left" if out[0] > 0 else "right"  # outside the circle
            va = "bottom" if out[1] > 0.7 else "top" if out[1] < -0.7 else "center"
            write(ax, *(1.12 * out), f"{what} of {word},\nposition {position}", colour, 10, ha=ha, va=va)
        between = np.linspace(*angles, 60)
        ax.plot(0.35 * np.cos(between), 0.35 * np.sin(between), color=INK)
        ax.set(xlim=(-2.6, 2.6), ylim=(-1.4, 1.7), aspect="equal")
        ax.axis("off")
    plt.show()


def same_rows(sentences, features):
    """Draw the rows of two sentences, {word: row} each, and a line from each row to the equal one."""
    wide, high, gap = 0.72, 0.78, 1.5
    ends = wide * len(features), wide * len(features) + gap
    ax = _sheet(-1.0, ends[0] + ends[1] + 1.0, -high * (len(features) - 0.4), 1.3)
    for sentence, left, side, colour in zip(sentences, (0, ends[1]), ("right", "left"), (BLUE, ORANGE), strict=True):
        write(ax, left + ends[0] / 2, 1.05, " ".join(sentence), colour, 12, fontweight="bold")
        for column, feature in enumerate(features):
            write(ax, left + (column + 0.5) * wide, 0.52, feature, MUTED, 10)
        for row, (word, numbers) in enumerate(sentence.items()):
            cells(ax, left, -high * row, numbers, INK, (wide, 0.54))
            edge = left - 0.12 if side == "right" else left + ends[0] + 0.12
            write(ax, edge, -high * row, word, colour, 12, ha=side, fontweight="bold")
    for row, word in enumerate(sentences[0]):
        other = list(sentences[1]).index(word)
        arrow(ax, (ends[0] + 0.1, -high * row), (ends[1] - 0.1, -high * other), MUTED, 1.6, head="-")
    plt.show()


def hands(positions, d_model, explained):
    """Draw each clock at some positions, its two numbers below it; at one position, where the numbers are read off."""
    speeds = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    names = ["fast\nclock", "slow\nclock"]
    across, down, radius, cell = 1.5, 2.2, 0.62, (0.66, 0.44)
    ax = _sheet(-1.7, across * (len(positions) - 1) + 0.75, -down * (len(speeds) - 1) - 1.25, 1.25)
    for i, speed in enumerate(speeds):
        y = -down * i
        write(ax, -1.65, y, names[i], INK, 12, ha="left", fontweight="bold")
        write(ax, -1.65, y - 0.6, f"{speed:g} a step", MUTED, 10, ha="left")
        for column, position in enumerate(positions):
            x, angle = across * column, position * speed
            right, up = np.sin(angle), np.cos(angle)
            ax.add_patch(plt.Circle((x, y), radius, facecolor="none", edgecolor=MUTED))
            ax.plot([x, x], [y + 0.86 * radius, y + radius], color=MUTED, linewidth=1.2)
            if (i, position) == explained:
                tip = x + right * radius, y + up * radius
                ax.plot([x, tip[0]], [y, y], color=ORANGE, linewidth=2)
                ax.plot([tip[0]] * 2, [y, tip[1]], color=ORANGE, linewidth=2, linestyle=":")
            arrow(ax, (x, y), (x + right * radius, y + up * radius), BLUE, 2, 11)
            cells(ax, x - cell[0], y - 0.98, np.round([right, up], 2) + 0.0, INK, cell)
            if i == 0:
                write(ax, x, 1.05, f"position {position}" if column == 0 else position, INK, 11)
    plt.show()


def word_and_place(words, x, features):
    """Draw embedding + position = input, a row for each word."""
    d = x.shape[-1]
    wide, high, gap = 0.62, 0.72, 0.32
    block = wide * d
    lefts = [column * (block + gap) for column in range(3)]
    ax = _sheet(-0.85, lefts[-1] + block + 0.05, -high * (len(words) - 0.45), 1.35)
    pe = positional_encoding(len(words), d)
    heads = [
        ("embedding", INK, features),
        ("position", BLUE, ["fast clock", "slow clock"]),
        ("input", ORANGE, features),
    ]
    for left, (title, colour, names) in zip(lefts, heads, strict=True):
        write(ax, left + block / 2, 1.1, title, colour, 12, fontweight="bold")
        for column, name in enumerate(names):
            write(ax, left + (column + 0.5) * block / len(names), 0.52, name, MUTED, 9)
    for row, (word, numbers) in enumerate(zip(words, x, strict=True)):
        y = -high * row
        write(ax, -0.1, y, word, INK, 12, ha="right", fontweight="bold")
        for left, values, (_, colour, _) in zip(lefts, (numbers, pe[row], numbers + pe[row]), heads, strict=True):
            cells(ax, left, y, np.round(values, 2), colour, (wide, 0.52))
        for left, sign in zip(lefts[1:], "+=", strict=True):
            write(ax, left - gap / 2, y, sign, INK, 13)
    plt.show()


def looks_back(weights):
    """Draw the weights of some positions on one another, and write the largest of each row."""
    _, ax = plt.subplots(figsize=(0.75 * WIDTH, 0.6 * WIDTH))
    ax.imshow(weights, cmap=SHADES, vmin=0)
    for row, looked in enumerate(weights.argmax(axis=-1)):
        write(ax, looked, row, two_decimals(weights[row, looked]), INK, 10)
    ax.set(xlabel="looks at position", ylabel="the word at position")
    ax.set(xticks=range(len(weights)), yticks=range(len(weights)))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(True)
    plt.show()


def _sheet(left, right, bottom, top):
    """Return an axis without ticks, with units that are as high as they are wide."""
    _, ax = plt.subplots(figsize=(WIDTH, WIDTH * (top - bottom) / (right - left)))
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    ax.axis("off")
    return ax
