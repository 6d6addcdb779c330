"""The figures of chapter 4."""

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
    VALUE,
    WEIGHT,
    WIDTH,
    arrow,
    cells,
    two_decimals,
    use_house_style,
    write,
)

use_house_style()
CELL = 0.38, 0.34  # inches


def page(height):
    """Return an axis in inches, as wide as the page's text, the first line on top."""
    _, ax = plt.subplots(figsize=(WIDTH, height))
    ax.set(xlim=(0, WIDTH), ylim=(height, 0))
    ax.axis("off")
    return ax


def shared_out(ax, top, words, weights, mark):
    """Draw weights as one bar, cut into a part for each word; a part that is too narrow has no name."""
    long, left = WIDTH - 0.4, 0.2
    for word, weight in zip(words, weights, strict=True):
        part = Rectangle((left, top), weight * long, 0.42, facecolor=WEIGHT, edgecolor="white", linewidth=1.5)
        part.set_alpha(0.85 if word == mark else 0.22)
        ax.add_patch(part)
        if weight > 0.1:
            colour = "white" if word == mark else INK
            write(ax, left + weight * long / 2, top + 0.21, f"{word} {two_decimals(weight)}", colour=colour)
        left += weight * long


def like_or_needed(words, x, alike, asked, row=1, needed=0):
    """Draw the scores between the words, the same both ways, and below whom one of them listens to, by two rules."""
    ax = page(3.75)
    wide = x.shape[1] * CELL[0]
    lefts = np.linspace(0.2, WIDTH - 0.2 - wide, len(words))
    for j, (word, vector, left) in enumerate(zip(words, x, lefts, strict=True)):
        middle, colour = left + wide / 2, ORANGE if j == row else INK
        write(ax, middle, 0.8, word, colour=colour, fontweight="bold")
        cells(ax, left, 1.12, vector, colour, CELL)
        if j != row:
            ends = (lefts[row] + wide / 2 + np.sign(j - row) * 0.3, 0.66), (middle, 0.62)
            arrow(ax, *ends, head="<|-|>", bend=0.22 * np.sign(row - j), width=1.4)
            write(ax, np.mean([ends[0][0], middle]), 0.16, f"score {x[row] @ x[j]:.0f}, both ways", colour=MUTED)
    write(ax, lefts[row] + wide / 2, 1.46, f"with itself {x[row] @ x[row]:.0f}", colour=MUTED)
    for top, said, weights in (
        (1.98, f"By likeness, {words[row]} listens to", alike),
        (2.98, f"Asked which kind it is, {words[row]} should listen to", asked),
    ):
        write(ax, 0.2, top - 0.2, said, ha="left")
        shared_out(ax, top, words, weights, words[needed])
    plt.show()


def hard_and_soft(betas):
    """Draw how much of B a lookup returns while the query turns from A to B: the nearest key alone, and softly."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.9))
    turned = np.linspace(0, 1, 201)
    ax.plot([0, 0.5, 0.5, 1], [0, 0, 1, 1], "--", color=MUTED, linewidth=1.8)
    ax.text(0.56, 0.1, "the nearest key alone:\nno slope, then a jump", color=MUTED, va="bottom")
    for beta, colour, style in zip(betas, (BLUE, ORANGE), ("-", "-."), strict=True):
        share = 1 / (1 + np.exp(-beta * (2 * turned - 1)))
        ax.plot(turned, share, style, color=colour, linewidth=2.2)
        ax.text(1.01, share[-1], f"scores × {beta}" if beta != 1 else "soft", color=colour, va="center")
    ax.set(xlim=(0, 1), ylim=(-0.02, 1.04), ylabel="share of B that\ncomes back")
    ax.set_xticks([0, 0.5, 1], ["the query is A", "halfway", "the query is B"])
    ax.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    plt.show()


def learning_to_look(runs, wanted):
    """Draw how the weight of one word grows with the steps of training, from several beginnings."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.5))
    for run in runs:
        ax.plot(run, color=PARAMETER, linewidth=1.8, alpha=0.75)
    ax.set(xlim=(0, len(runs[0]) - 1), ylim=(0, 1.02), xlabel="steps", ylabel=f"weight of {wanted}")
    ax.set_xticks(range(0, len(runs[0]), 5))
    ax.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    plt.show()


def grid(ax, left, top, rows, name, colour, lit=None, words=(), note="", wide=CELL[0]):
    """Draw a matrix as rows of cells with its name above, its words at the left; return its right edge."""
    rows = np.asarray(rows, dtype=float)
    right = left + rows.shape[1] * wide
    write(ax, (left + right) / 2, top - 0.2, name, colour=colour, fontweight="bold")
    glow = Rectangle((left - 0.06, top + lit * 0.4 - 0.03), right - left + 0.12, 0.4, facecolor=colour, alpha=0.13)
    ax.add_patch(glow)
    for i, row in enumerate(rows):
        cells(ax, left, top + 0.17 + 0.4 * i, row, colour, (wide, CELL[1]))
    for i, word in enumerate(words):
        look = {"fontweight": "bold"} if i == lit else {"colour": MUTED}
        write(ax, left - 0.12, top + 0.17 + 0.4 * i, word, ha="right", **look)
    if note:
        write(ax, (left + right) / 2, top + 0.4 * len(rows) + 0.14, note, colour=MUTED, size=10.5)
    return right


def pipeline(words, x, made, lit):
    """Draw the whole of self-attention with its numbers, from the words to what is added to them; one row is lit."""
    ax = page(6.55)
    first, second, third = 0.45, 2.7, 4.95
    left, middle, right = 0.62, 2.86, 5.36
    wide = 0.48  # a number with two decimals
    end = grid(ax, left, first, x, "$x$", INK, lit, words, "the words")
    arrow(ax, (end + 0.12, first + 0.6), (middle - 0.14, first + 0.6), width=1.4)
    write(ax, (end + middle) / 2, first + 0.5, "$@W_Q$\n$@W_K$\n$@W_V$", colour=PARAMETER, size=10, va="bottom")
    for place, name, colour, note in (
        (middle, "query", QUERY, "asks"),
        (middle + 1.24, "key", KEY, "offers"),
        (right + 0.1, "value", VALUE, "hands over"),
    ):
        grid(ax, place, first, made[name], f"${name[0].upper()}$", colour, lit, note=note)
    for start, target in ((middle + 0.38, 1.15), (middle + 1.62, 1.4), (right + 0.48, right + 0.48)):
        arrow(ax, (start, first + 1.5), (target, second - 0.36), width=1.4)
    end = grid(ax, left, second, made["scores"], "$QK^T$", INK, lit, words, "scores")
    arrow(ax, (end + 0.12, second + 0.6), (middle - 0.14, second + 0.6), width=1.4)
    write(ax, (end + middle) / 2, second + 0.4, "softmax,", colour=MUTED, size=10)
    write(ax, (end + middle) / 2, second + 0.8, "row by row", colour=MUTED, size=10)
    end = grid(ax, middle, second, made["weights"], "$A$", WEIGHT, lit, note="weights", wide=wide)
    arrow(ax, (end + 0.12, second + 0.6), (right - 0.14, second + 0.6), width=1.4)
    write(ax, (end + right) / 2, second + 0.4, "$@V$", colour=VALUE, size=10)
    grid(ax, right, second, made["output"], "output", VALUE, lit, note="found", wide=wide)
    end = grid(ax, left + 0.02, third, x + made["change"], "$x$ + change", INK, lit, words, "the words, changed", 0.5)
    begin = WIDTH - 4 * 0.56 - 0.08
    grid(ax, begin, third, made["change"], "change", VALUE, lit, note="what is added", wide=0.56)
    arrow(ax, (right + wide, second + 1.5), (right + wide, third - 0.06), width=1.4)
    write(ax, right + wide + 0.1, third - 0.34, "$@W_O$", colour=PARAMETER, size=10, ha="left")
    arrow(ax, (begin - 0.14, third + 0.6), (end + 0.14, third + 0.6), width=1.4)
    write(ax, (begin + end) / 2, third + 0.42, "+ $x$", size=10)
    plt.show()


def bottleneck(source, target):
    """Draw a translator without attention: all that was read reaches the decoder through the last state alone."""
    ax = page(1.35)
    places = np.linspace(0.62, 3.3, len(source))
    box = {"boxstyle": "round,pad=0.4", "facecolor": "white"}
    for j, (word, place) in enumerate(zip(source, places, strict=True)):
        write(ax, place, 0.5, f"$h_{j + 1}$", bbox=box | {"edgecolor": BLUE})
        write(ax, place, 1.12, word)
        arrow(ax, (place, 0.98), (place, 0.74), BLUE, width=1.4)
        if j:
            arrow(ax, (places[j - 1] + 0.26, 0.5), (place - 0.26, 0.5), BLUE, width=1.4)
    arrow(ax, (places[-1] + 0.26, 0.5), (5.0, 0.5), ORANGE, width=2.6, size=18)
    write(ax, (places[-1] + 5.26) / 2, 0.22, "one vector for all", colour=ORANGE)
    write(ax, 5.35, 0.5, "$s$", bbox=box | {"edgecolor": ORANGE})
    write(ax, 5.35, 1.12, f"decoder, about\nto write “{target}”", va="center")
    plt.show()


def luong_arrows(alpha, source, target):
    """Draw one decoder state that looks at every encoder state; the thicker the arrow, the larger the weight."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.5))
    middle = (len(source) - 1) / 2
    box = {"boxstyle": "round,pad=0.45", "facecolor": "white"}
    for j, (word, weight) in enumerate(zip(source, alpha, strict=True)):
        ends = (j, 0.27), (middle + 0.28 * (j - middle), 1.68)
        colour = ORANGE if weight == max(alpha) else PALE
        arrow(ax, *ends, colour, 0.8 + 7 * weight, 14)
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
