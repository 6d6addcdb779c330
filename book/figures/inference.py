"""The figures of chapter 12."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from .style import BLUE, INK, MUTED, ORANGE, PALE, WIDTH, use_house_style, write

use_house_style()
TURN, GAP = 0.34, 0.04  # of a column: where a branch bends, and what is free before the next one
ROW = 0.56  # inches for each sentence of a tree


def word_by_word(turns):
    """Draw for each turn the likeliest words: ``turns`` are (what was said, [(word, probability), …])."""
    _, axes = plt.subplots(len(turns), 1, figsize=(0.9 * WIDTH, 1.05 * len(turns)), sharex=True)
    for turn, (ax, (said, likely)) in enumerate(zip(axes, turns, strict=True), 1):
        names, shares = zip(*likely[::-1], strict=True)
        ax.barh(names, shares, color=[PALE] * (len(names) - 1) + [BLUE], height=0.7)
        ax.set_title(f"turn {turn}, after “{said}”", loc="left", fontsize=11, color=MUTED)
        for place, share in enumerate(shares):
            written = f"{share:.3f}" if share >= 0.001 else "< 0.001"
            inside = share > 0.5
            ax.text(share + (-0.01 if inside else 0.01), place, written, va="center", fontsize=10,
                    ha="right" if inside else "left", color="white" if inside else INK)  # fmt: skip
        ax.set(xlim=(0, 1), xticks=[])
        ax.spines["bottom"].set_visible(False)
        ax.tick_params(left=False, labelsize=10)
    plt.show()


def tree(branches, found, start="", before=1.0, row=ROW, decimals=4):
    """Draw a tree of words that grows to the right; a branch is as thick as the beginning is likely.

    branches  a path of words -> the probability of its last word; leaves from above in this order
    found     a path to a leaf -> (its colour, words below its probability)
    start     what has been said before, with the probability ``before``, which is written below it
    row       inches for each sentence
    decimals  of its probability
    """
    leaves = [path for path in branches if not any(other[: len(path)] == path != other for other in branches)]
    rows = {path: float(row) for row, path in enumerate(leaves)}
    for path in sorted(branches.keys() | {()}, key=len, reverse=True):
        if path not in rows:
            below = [rows[other] for other in branches if other[:-1] == path]
            rows[path] = (min(below) + max(below)) / 2
    depth, left = max(map(len, branches)), 0.95 if start else 0.12
    _, ax = plt.subplots(figsize=(0.85 * WIDTH, row * len(leaves) + 0.1))
    ax.set(xlim=(-left, depth + 0.62), ylim=(len(leaves) - 0.45, -0.62))
    ax.axis("off")
    write(ax, -0.06, rows[()], start, ha="right")
    if start:
        write(ax, -0.06, rows[()] + 0.4, f"{before:.2f}", MUTED, 10, ha="right")
    for path, p in branches.items():
        likely = before * np.prod([branches[path[:n]] for n in range(1, len(path) + 1)])
        colours = {colour for leaf, (colour, _) in found.items() if leaf[: len(path)] == path}
        colour = PALE if not colours else colours.pop() if len(colours) == 1 else INK
        x, y = len(path) - 1, rows[path]
        _branch(ax, (x, rows[path[:-1]]), (x + 1 - GAP, y), colour, 1 + 11 * likely)
        middle, off = x + (TURN + 1 - GAP) / 2, 0.08 + 0.12 * likely
        heavy = "normal" if colour == PALE else "bold"
        write(ax, middle, y - off, path[-1], va="bottom", size=11.5, fontweight=heavy)
        write(ax, middle, y + off, "1" if p == 1 else f"{p:.2f}", MUTED, 10, va="top")
        if path in leaves:
            _, note = found.get(path, (INK, ""))
            look = {"ha": "left", "colour": INK if colour == PALE else colour}
            write(ax, depth + 0.02, y - (0.16 if note else 0), f"{round(likely, decimals):g}",
                  fontweight="bold" if note else "normal", size=11.5, **look)  # fmt: skip
            write(ax, depth + 0.02, y + 0.2, note, size=10, **look)
            if len(path) < depth:
                ax.plot([len(path), depth - GAP], [y, y], color=PALE, linewidth=1, linestyle=":")
    plt.show()


def _branch(ax, start, end, colour, width):
    """Draw a line that bends at its beginning and then runs to the right."""
    (x, y), (far, level) = start, end
    bend = [(x, y), (x + TURN / 2, y), (x + TURN / 2, level), (x + TURN, level), (far, level)]
    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
    ax.add_patch(PathPatch(Path(bend, codes), fill=False, edgecolor=colour, linewidth=width, capstyle="butt"))


def shares_on_a_line(rows, marks):
    """Draw each row of shares, {name: [(word, share), …]}, side by side from 0 to 1, and where draws fall on it."""
    _, ax = plt.subplots(figsize=(0.85 * WIDTH, 0.72 * len(rows) + 0.45))
    shades = [0.75, 0.5, 0.3, 0.12]
    for y, (name, shares) in enumerate(rows.items()):
        ends = np.cumsum([0, *(share for _, share in shares)])
        for (word, share), (start, _), shade in zip(shares, pairwise(ends), shades, strict=True):
            ax.add_patch(Rectangle((start, y - 0.28), share, 0.56, facecolor=BLUE, alpha=shade, edgecolor="none"))
            ax.add_patch(Rectangle((start, y - 0.28), share, 0.56, fill=False, edgecolor="white", linewidth=1))
            if share > 0.1:
                write(ax, start + share / 2, y, word, "white" if shade > 0.6 else INK, 10.5)
        write(ax, -0.02, y, name, ha="right")
    for mark in marks:
        ax.plot([mark] * 2, [-0.5, len(rows) - 0.55], color=ORANGE, linewidth=1.6, linestyle="--")
        write(ax, mark, -0.52, f"u = {mark:g}", ORANGE, va="bottom")
    ax.set(xlim=(-0.19, 1.01), ylim=(len(rows) - 0.4, -0.95))
    ax.axis("off")
    plt.show()


def costs(anew, cached):
    """Draw how many multiplications each token costs, in millions, without a cache and with one."""
    _, ax = plt.subplots(figsize=(0.85 * WIDTH, 2.5))
    at = np.arange(1, len(anew) + 1)
    for values, colour, name in ((anew, ORANGE, "all rows anew"), (cached, BLUE, "with the cache")):
        ax.plot(at, np.array(values) / 1e6, color=colour, linewidth=2.2)
        write(ax, at[-1] + 0.6, values[-1] / 1e6, name, colour, ha="left")
    ax.set(xlabel="token", ylabel="million multiplications", xlim=(1, at[-1]), ylim=(0, None))
    ax.set_xticks([1, 10, 20, 30, 40])
    plt.show()
