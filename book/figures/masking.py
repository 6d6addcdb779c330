"""The figures of chapter 9."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from .blocks import draw_layer
from .style import INK, MUTED, ORANGE, PALE, WEIGHT, WIDTH, arrow, use_house_style, write

use_house_style()
OPEN, HIDDEN = 0.28, "#eceff3"  # how strong the hue of an open cell is, and the ground of a hidden one


def cheating(words, reader):
    """Draw a sentence, below it the word that each place must predict, and the look of one place at its answer."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.5))
    answers = words[1:]
    for place, word in enumerate(words):
        seen = place <= reader
        write(ax, place, 1, word, INK if seen else MUTED, 15, fontweight="bold" if place == reader else "normal")
    for place, word in enumerate(answers):
        asked = place == reader
        arrow(ax, (place, 0.74), (place, 0.3), INK if asked else PALE)
        write(ax, place, 0, f"{word}?", ORANGE if asked else MUTED, 15, fontweight="bold" if asked else "normal")
    arrow(ax, (reader + 0.98, 1.24), (reader + 0.04, 1.24), ORANGE, 2, bend=0.75)
    write(ax, reader + 0.5, 1.85, "attention reads the answer", ORANGE, 13)
    for y, name in ((1, "is shown"), (0, "must\npredict")):
        write(ax, -0.55, y, name, MUTED, 12.5, ha="right")
    ax.set(xlim=(-1.35, len(words) - 0.45), ylim=(-0.35, 2.05))
    ax.axis("off")
    plt.show()


def beginnings(words, mask):
    """Draw which word may look at which, and beside each row what it must predict."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.9))
    n = len(words)
    _grid(ax, 0, 0, mask)
    for i, word in enumerate(words):
        write(ax, -0.15, i + 0.5, word, size=12, ha="right")
        write(ax, i + 0.5, -0.3, word, size=12)
        arrow(ax, (n + 0.15, i + 0.5), (n + 0.6, i + 0.5), ORANGE)
        write(ax, n + 0.75, i + 0.5, words[i + 1] if i + 1 < n else "(the end)", ORANGE, 12, ha="left")
        if i + 1 < n:
            ax.add_patch(Rectangle((i + 1.06, i + 0.06), 0.88, 0.88, fill=False, edgecolor=ORANGE, linewidth=2))
    write(ax, n / 2, -0.85, "may be looked at (key)", MUTED, 11)
    write(ax, -0.15, -0.85, "looks (query)", MUTED, 11, ha="right")
    write(ax, n + 0.75, -0.85, "must predict", MUTED, 11, ha="left")
    ax.set(xlim=(-1.55, n + 2.2), ylim=(n + 0.1, -1.1))
    ax.axis("off")
    plt.show()


def padded(batch, masks):
    """Draw the sentences of a batch, filled up to one length, and three masks of the first: {title: mask}."""
    n = len(batch[0])
    _, (above, below) = plt.subplots(2, 1, figsize=(WIDTH, 4.3), height_ratios=(1, 2.3))
    for row, sentence in enumerate(batch):
        for place, word in enumerate(sentence):
            empty = word == "<pad>"
            corner = (place, row * 1.25)
            look = {"facecolor": HIDDEN if empty else "none", "edgecolor": MUTED, "linewidth": 0.8}
            above.add_patch(Rectangle(corner, 0.94, 1, **look))
            write(above, place + 0.47, row * 1.25 + 0.5, word, MUTED if empty else INK, 12)
    above.set(xlim=(-0.05, n), ylim=(2.35, -0.1))
    step = n + 1.6
    for k, ((title, mask), between) in enumerate(zip(masks.items(), ("", "and", "="), strict=True)):
        _grid(below, k * step, 0, np.broadcast_to(mask, (n, n)))
        write(below, k * step + n / 2, n + 0.7, title, size=12, fontweight="bold")
        write(below, k * step - 0.8, n / 2, between, MUTED, 12)
        for j, word in enumerate(batch[0]):
            write(below, k * step + j + 0.5, -0.2, word, size=10, rotation=90, va="bottom")
    for i, word in enumerate(batch[0]):
        write(below, -0.2, i + 0.5, word, size=10, ha="right")
    below.set(xlim=(-2.1, 3 * step - 1.5), ylim=(n + 1.1, -2.2))
    for ax in (above, below):
        ax.axis("off")
    plt.show()


def _grid(ax, left, top, mask):
    """Draw a square for each pair of a query and a key: dark where the mask permits, grey where it hides."""
    for i, j in np.ndindex(mask.shape):
        corner = (left + j, top + i)
        look = {"facecolor": WEIGHT, "alpha": OPEN} if mask[i, j] else {"facecolor": HIDDEN}
        ax.add_patch(Rectangle(corner, 1, 1, edgecolor="none", **look))
        ax.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor="white", linewidth=1.5))


def decoder_block(t, s, d_model):
    """Draw the decoder layer: three sublayers, each with a residual connection around it, then add & norm."""
    draw_layer(
        rows=[
            (0.0, f"x ({t}, {d_model}): the translation so far", False),
            (1.4, "masked self-attention", True),
            (2.4, "add & norm", True),
            (3.8, "cross-attention", True),
            (4.8, "add & norm", True),
            (6.2, "feed-forward", True),
            (7.2, "add & norm", True),
            (8.3, f"output ({t}, {d_model})", False),
        ],
        residuals=((0.7, 2.4), (3.1, 4.8), (5.5, 7.2)),
        beside=(
            (1.4, f"causal mask\n({t}, {t})", ""),
            (3.8, f"memory ({s}, {d_model})\nfrom the encoder", "K, V"),
        ),
        notes=((2.05, f"weights ({t}, {t})"), (4.45, f"weights ({t}, {s})")),
    )
