"""The figure of the whole Transformer: what goes into each part and what comes out, while one word is written."""

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

from .style import INK, MUTED, PALE, WEIGHT, WIDTH, arrow, use_house_style, write

use_house_style()
READS, WRITES = 1.35, 4.6  # inches: the middles of the encoder and of the decoder
HALF, TALL = 1.15, 0.56
HIGH, STEP = 4.1, 0.98


def one_word(source, written, chosen, d, known):
    """Draw how a word is chosen.

    source, written, chosen   the source, what is written so far, and the next word
    d, known                  the width of a row, and how many words can be written
    """
    figure, ax = plt.subplots(figsize=(WIDTH, HIGH))
    figure.get_layout_engine().set(w_pad=0, h_pad=0)
    ax.set(xlim=(0, WIDTH), ylim=(0, HIGH))
    ax.axis("off")
    n, m = len(written), len(source)
    tops = [HIGH - 0.62 - STEP * k for k in range(4)]
    for x, words, rows in ((READS, source, m), (WRITES, written, n)):
        write(ax, x, HIGH - 0.14, " ".join(words), INK, 12.5, fontweight="bold")
        arrow(ax, (x, HIGH - 0.28), (x, tops[0] - 0.06))
        _part(ax, x, tops[0] - 0.34, "embed")
        _way(ax, x, tops[0] - 0.62, tops[1] - 0.06, f"{rows} × {d}")
    _part(ax, READS, tops[1] - 0.34, "encoder layer")
    _part(ax, WRITES, tops[1] - 0.34, "decoder layer")
    arrow(ax, (READS + HALF, tops[1] - 0.34), (WRITES - HALF, tops[1] - 0.34), WEIGHT, 2.2)
    between = (READS + WRITES) / 2
    write(ax, between, tops[1] - 0.18, "memory", WEIGHT, 11.5)
    write(ax, between, tops[1] - 0.52, f"{m} × {d}", MUTED, 11)
    _way(ax, WRITES, tops[1] - 0.62, tops[2] - 0.06, f"{n} × {d}, the last row")
    _part(ax, WRITES, tops[2] - 0.34, "linear")
    _way(ax, WRITES, tops[2] - 0.62, tops[3] - 0.06, f"{known} logits")
    write(ax, WRITES, tops[3] - 0.26, chosen, INK, 14, fontweight="bold")
    back = (WRITES + HALF + 0.5, tops[3] - 0.26), (WRITES + HALF + 0.5, HIGH - 0.14)
    for start, end in (((WRITES + 0.5, back[0][1]), back[0]), back):
        arrow(ax, start, end, PALE, 1.6, head="-")
    arrow(ax, back[1], (WRITES + 0.09 * len(" ".join(written)) / 2 + 0.2, HIGH - 0.14), PALE, 1.6)
    write(ax, READS, tops[2] - 0.2, "once for\nthe whole sentence", MUTED, 11)
    write(ax, WRITES - 0.5, tops[3] - 0.26, "once for each word:", MUTED, 11, ha="right")
    plt.show()


def _part(ax, x, y, name):
    """Draw a function of the listing."""
    corner = x - HALF, y - TALL / 2
    look = {"boxstyle": "round,pad=0,rounding_size=0.06", "facecolor": "white", "edgecolor": INK, "linewidth": 1.2}
    ax.add_patch(FancyBboxPatch(corner, 2 * HALF, TALL, **look))
    write(ax, x, y, name, "black", 12)


def _way(ax, x, start, end, shape):
    """Draw an arrow with the shape of what goes along it."""
    arrow(ax, (x, start), (x, end))
    write(ax, x + 0.1, (start + end) / 2 + 0.03, shape, MUTED, 11, ha="left")
