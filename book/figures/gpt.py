"""The figures of chapter 13."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle

from .blocks import arrow as line
from .style import BLUE, INK, MUTED, ORANGE, PALE, SHADES, WEIGHT, WIDTH, arrow, use_house_style, write

use_house_style()
HALF = 1.2  # of a box's width
BOX, STRIP = 0.31, 0.28  # half of a box's height, and the height of a strip at its edge
SPACE = "␣"


# What a translator and GPT-2 are made of, from the top: (place, label, look, strips above, strips below). A strip has a
# label and a look.
NORM, ADD, ADD_NORM = ("norm", "new"), ("add", "kept"), ("add & norm", "kept")
COLUMNS = {
    "encoder": (
        (0, "words", "gone", (), ()),
        (0.95, "word table\n+ positions", "gone", (), ()),
        (2.5, "self-attention", "gone", (), (("add & norm", "gone"),)),
        (3.65, "feed-forward", "gone", (), (("add & norm", "gone"),)),
    ),
    "decoder": (
        (0, "words", "kept", (), ()),
        (0.95, "word table", "kept", (), (("positions (sines)", "gone"),)),
        (2.5, "masked\nself-attention", "kept", (), (ADD_NORM,)),
        (3.65, "cross-attention", "gone", (), (("add & norm", "gone"),)),
        (4.8, "feed-forward", "kept", (), (ADD_NORM,)),
        (6.1, "word table", "gone", (), ()),
        (7.0, "greedy, beam", "gone", (), ()),
    ),
    "GPT-2": (
        (0, "subwords", "new", (), ()),
        (0.95, "word table", "kept", (), (("learned positions", "new"),)),
        (2.5, "masked\nself-attention", "kept", (NORM,), (("biases", "new"), ADD)),
        (4.3, "feed-forward", "kept", (NORM,), (("GELU", "new"), ADD)),
        (6.1, "the first table,\nonce more", "new", (NORM,), ()),
        (7.0, "temperature", "kept", (), (("top-p", "new"),)),
    ),
}
LOOKS = {
    "gone": {"edgecolor": PALE, "linewidth": 1.2, "linestyle": (0, (3, 2))},
    "kept": {"edgecolor": BLUE, "linewidth": 1.2},
    "new": {"edgecolor": ORANGE, "linewidth": 2},
}


def translator_and_gpt():
    """Draw a translator beside GPT-2, row by row: dashed is what GPT-2 drops, a thick frame is what is new or moved."""
    _, ax = plt.subplots(figsize=(WIDTH, 5.3))
    for x, (name, rows) in zip((0.95, 3.75, 7.1), COLUMNS.items(), strict=True):
        colour = MUTED if name == "encoder" else INK
        write(ax, x, -0.75, name, colour, 12, fontweight="bold")
        edges = [part(ax, x, *row) for row in rows]
        for (_, above), (below, _) in pairwise(edges):
            line(ax, [(x, above), (x, below)], PALE if name == "encoder" else INK)
    out, into = (0.95 + HALF, 3.65 + BOX + STRIP / 2), (3.75 - HALF, 3.65)
    middle = (out[0] + into[0]) / 2
    line(ax, [out, (middle, out[1]), (middle, into[1]), into], PALE)
    ax.add_patch(Rectangle((7.1 - HALF - 0.2, 1.73), 2 * HALF + 1.15, 3.6, fill=False, edgecolor=PALE))
    write(ax, 7.1 + HALF + 0.47, 3.5, "12\ntimes", MUTED, 10.5)
    ax.set(xlim=(-0.4, 9.35), ylim=(7.75, -1.05))
    ax.axis("off")
    plt.show()


def part(ax, x, place, label, look, above, below):
    """Draw a box of a column and its strips; return where the whole begins and ends."""
    box(ax, x, place, label, look, high=BOX)
    for strips, side in ((above, -1), (below, 1)):
        for k, (words, its_look) in enumerate(strips):
            strip(ax, x, place + side * (BOX + (k + 0.5) * STRIP), words, its_look)
    return place - BOX - len(above) * STRIP, place + BOX + len(below) * STRIP


def box(ax, x, y, label, look="kept", half=HALF, high=0.26):
    """Draw a box with round corners around a place; ``half`` of its width, ``high`` is half of its height."""
    frame = (x - half, y - high), 2 * half, 2 * high
    shape = "round,pad=0,rounding_size=0.08"
    ax.add_patch(FancyBboxPatch(*frame, boxstyle=shape, facecolor="white", **LOOKS[look]))
    write(ax, x, y, label, MUTED if look == "gone" else INK, 10.5, linespacing=0.95)


def strip(ax, x, y, label, look):
    """Draw a strip at the edge of a box; a thick one lies above its neighbours."""
    frame = (x - HALF, y - STRIP / 2), 2 * HALF, STRIP
    ax.add_patch(Rectangle(*frame, facecolor="white", zorder=1.5 if look == "new" else 1, **LOOKS[look]))
    write(ax, x, y, label, MUTED if look == "gone" else INK, 10)


def merges(steps):
    """Draw a line of text as boxes that grow together: ``steps`` are (the merged pair, the symbols), from above.

    A symbol that the step has made is filled; a space is drawn as a sign.
    """
    _, ax = plt.subplots(figsize=(WIDTH, 0.47 * len(steps) + 0.1))
    label = 6.8  # letters wide
    before = set()
    for row, (pair, symbols) in enumerate(steps):
        merged = " + ".join(symbol.replace(" ", SPACE) for symbol in pair) or "letters"
        write(ax, label - 0.6, row, merged, MUTED, 10, ha="right")
        at = label
        for symbol in symbols:
            new = row > 0 and symbol not in before
            face = SHADES(0.75) if new else "white"
            frame = (at + 0.06, row - 0.34), len(symbol) - 0.12, 0.68
            ax.add_patch(Rectangle(*frame, facecolor=face, edgecolor=BLUE if len(symbol) > 1 else PALE, linewidth=1.1))
            for k, letter in enumerate(symbol):
                faint = letter == " "
                write(ax, at + k + 0.5, row, SPACE if faint else letter, MUTED if faint else INK, 10,
                      fontweight="bold" if new else "normal")  # fmt: skip
            at += len(symbol)
        before |= set(symbols)
    ax.set(xlim=(0, label + sum(map(len, steps[0][1])) + 0.2), ylim=(len(steps) - 0.5, -0.5))
    ax.axis("off")
    plt.show()


def norm_moves():
    """Draw a layer with its norms on the residual connection, and one with its norms before the sublayers."""
    _, ax = plt.subplots(figsize=(WIDTH, 4.3))
    for left, title, pre in ((0.6, "post-norm", False), (5.0, "pre-norm", True)):
        write(ax, left + 1.4, -0.75, title, INK, 12, fontweight="bold")
        ax.plot([left, left], [-0.4, 6.1], color=PALE, linewidth=5, zorder=0, solid_capstyle="butt")
        arrow(ax, (left, 5.9), (left, 6.35), PALE, 4)
        for top, name in ((0.3, "attention"), (3.2, "feed-forward")):
            branch, middle = left + 2.2, top + (1.25 if pre else 0.9)
            entry = top + 0.24 if pre else middle - 0.26
            ax.plot([left, branch, branch], [top, top, entry], color=INK, linewidth=1.2)
            box(ax, branch, middle, name, half=0.95)
            line(ax, [(branch, middle + 0.26), (branch, top + 1.8), (left + 0.22, top + 1.8)])
            ax.plot(left, top + 1.8, "o", markersize=15, markerfacecolor="white", markeredgecolor=INK)
            write(ax, left, top + 1.8, "+", INK, 13)
            if pre:
                box(ax, branch, top + 0.5, "norm", "new", 0.95)
                line(ax, [(branch, top + 0.76), (branch, middle - 0.26)])
            else:
                box(ax, left, top + 2.4, "norm", "new", 0.55)
    ax.set(xlim=(-0.3, 8.4), ylim=(6.45, -1.05))
    ax.axis("off")
    plt.show()


def gelu_beside_relu(gelu, marked):
    """Draw the two curves; ``marked`` are the numbers at which GELU's value is written."""
    _, ax = plt.subplots(figsize=(0.9 * WIDTH, 3.0))
    x = np.linspace(-3.2, 2.2, 400)
    ax.axhline(0, color=PALE, linewidth=0.8)
    ax.axvline(0, color=PALE, linewidth=0.8)
    ax.plot(x, np.maximum(x, 0), color=ORANGE, linewidth=2.2)
    ax.plot(x, gelu(x), color=BLUE, linewidth=2.4)
    for at in marked:
        value = float(gelu(np.array(float(at))))
        ax.plot(at, value, "o", color=BLUE, markersize=7)
        said = f"{at} → {value:.2f}".replace("-", "−")
        write(ax, at + (0.1 if at > 0 else 0), value - 0.17, said, BLUE, 10.5, ha="left" if at > 0 else "center")
    write(ax, 1.5, 1.62, "ReLU", ORANGE, ha="right", va="bottom", fontweight="bold")
    write(ax, 2.06, 1.6, "GELU", BLUE, ha="left", va="center", fontweight="bold")
    ax.set(xlim=(-3.2, 2.65), ylim=(-0.55, 2.2))
    ax.set_xticks([-3, -2, -1, 0, 1, 2], ["−3", "−2", "−1", "0", "1", "2"])
    ax.set_yticks([0, 1, 2])
    plt.show()


def cut(charts, p):
    """Draw the likeliest words of each of ``charts``, {title: [(word, share), …]}, and which ones make up ``p``.

    All charts have one scale.
    """
    _, axes = plt.subplots(1, len(charts), figsize=(WIDTH, 3.5))
    longest = max(share for likely in charts.values() for _, share in likely)
    for ax, (title, likely) in zip(axes, charts.items(), strict=True):
        names, shares = zip(*likely, strict=True)
        before = np.cumsum(shares) - shares
        kept = before < p
        at = np.arange(len(names))
        ax.barh(at, shares, color=[BLUE if one else PALE for one in kept], height=0.72)
        ax.set_yticks(at, names, fontsize=10.5)
        ax.invert_yaxis()
        last = int(kept.sum()) - 0.5
        ax.axhline(last, color=ORANGE, linewidth=1.6, linestyle="--")
        together = f"together {sum(np.array(shares)[kept]):.2f}"
        write(ax, longest * 1.08, last + 0.12, together, ORANGE, 10.5, ha="right", va="top")
        ax.set(xlim=(0, longest * 1.1), xticks=[0, 0.1, 0.2, 0.3])
        ax.set_title(title, fontsize=11, color=MUTED)
        ax.tick_params(left=False)
    plt.show()


def products(turns):
    """Draw the table of scores at each turn: above, all of it is computed anew; below, one row with the cache."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.9))
    wide, left = turns + 1.3, 3.6
    for row, (name, top) in enumerate((("all rows\nanew", 0), ("with the\ncache", turns + 2.2))):
        write(ax, left - 0.7, top + turns / 2 - 0.4, name, INK, 11, ha="right")
        total = 0
        for turn in range(1, turns + 1):
            x = left + sum(k + 1.3 for k in range(1, turn))
            for i in range(turn):
                for j in range(turn):
                    lit = row == 0 or i == turn - 1
                    blank = row == 1 and not lit
                    face = SHADES(1.0) if lit else "white"
                    frame = Rectangle((x + j, top + i), 1, 1, facecolor=face, edgecolor=PALE if blank else WEIGHT)
                    frame.set_linewidth(0.6 if blank else 1)
                    ax.add_patch(frame)
            count = turn**2 if row == 0 else turn
            total += count
            write(ax, x + turn / 2, top + turn + 0.45, f"{count}", INK, 10.5)
            if row == 0:
                write(ax, x + turn / 2, -0.65, f"turn {turn}", MUTED, 10.5)
        write(ax, left + sum(k + 1.3 for k in range(1, turns + 1)) + 0.3, top + turns / 2 - 0.3, f"= {total}", INK, 13,
              ha="left", fontweight="bold")  # fmt: skip
    ax.set(xlim=(0, left + sum(k + 1.3 for k in range(1, turns + 1)) + wide * 0.55), ylim=(2 * turns + 3.2, -1.2))
    ax.set_aspect("equal")
    ax.axis("off")
    plt.show()


def doors(rows):
    """Draw rows of doors: ``rows`` are (words before them, how many, words behind them, whether it is the answer)."""
    _, ax = plt.subplots(figsize=(WIDTH, 0.78 * len(rows) + 0.1))
    for row, (name, many, said, answer) in enumerate(rows):
        colour = ORANGE if answer else BLUE
        write(ax, 3.1, row, name, INK, 11, ha="right", fontweight="bold" if answer else "normal")
        for k in range(many):
            x = 3.4 + 0.62 * k
            open_one = k == 0 and not answer
            face = SHADES(0.9) if open_one else "white"
            ax.add_patch(Rectangle((x, row - 0.34), 0.42, 0.68, facecolor=face, edgecolor=colour, linewidth=1.5))
            ax.plot(x + 0.33, row + 0.02, "o", markersize=2.6, color=colour)
        write(ax, 3.4 + 0.62 * 8 + 0.15, row, said, MUTED, 10.5, ha="left")
    ax.set(xlim=(0, 10.6), ylim=(len(rows) - 0.45, -0.5))
    ax.axis("off")
    plt.show()


def copying(tokens, query):
    """Draw tokens in a row, of which the second half repeats the first, and where a copying head looks from one."""
    _, ax = plt.subplots(figsize=(WIDTH, 1.9))
    half = len(tokens) // 2
    for k, token in enumerate(tokens):
        lit = k in (query, query - half, query - half + 1)
        frame = Rectangle((k + 0.06, -0.34), 0.88, 0.68, facecolor=SHADES(0.6) if lit else "white", edgecolor=BLUE)
        ax.add_patch(frame)
        write(ax, k + 0.5, 0, token, size=11.5, fontweight="bold" if lit else "normal")
    arrow(ax, (query + 0.45, 0.4), (query - half + 1.5, 0.4), ORANGE, 2.4, bend=0.28)
    write(ax, query - half / 2 + 1, 1.42, "looks at what came after it", ORANGE, 11)
    arrow(ax, (query + 0.55, -0.4), (query - half + 0.5, -0.4), PALE, 1.6, bend=-0.28)
    write(ax, query - half / 2 + 0.5, -1.5, "the same token, earlier", MUTED, 11)
    ax.set(xlim=(-0.1, len(tokens) + 0.1), ylim=(-1.8, 1.75))
    ax.axis("off")
    plt.show()
