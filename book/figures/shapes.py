"""Matrices drawn to scale, a square for each number: what is multiplied by what, and what is kept."""

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from .style import INK, KEY, MUTED, PARAMETER, QUERY, VALUE, WEIGHT, WIDTH, use_house_style

use_house_style()
LIT = "#b7c3e6"  # a row or a column that is meant


def canvas(width, height):
    """Return an axis of so many squares, the first row on top."""
    _, ax = plt.subplots(figsize=(WIDTH, WIDTH * height / width))
    ax.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    ax.axis("off")
    return ax


# What each matrix is drawn in, wherever it is drawn.
HUES = {"Q": QUERY, "K": KEY, "K^T": KEY, "V": VALUE, "output": VALUE, "weights": WEIGHT}
HUES |= {f"W_{name}": PARAMETER for name in "QKV"}


def matrix(ax, x, y, shape, name, lit=None):
    """Draw a matrix with its upper left corner at (x, y), one row lit, its name above and its shape below."""
    rows, columns = shape
    hue = HUES.get(name.strip("$"), MUTED)
    for top, high, strength in ((0, rows, 0.1), (lit, 1, 0.35)):
        if top is not None:
            ax.add_patch(Rectangle((x, y + top), columns, high, facecolor=hue, alpha=strength, edgecolor="none"))
    for i in range(rows + 1):
        ax.plot([x, x + columns], [y + i, y + i], color=hue, linewidth=0.5)
    for j in range(columns + 1):
        ax.plot([x + j, x + j], [y, y + rows], color=hue, linewidth=0.5)
    ax.text(x + columns / 2, y - 0.4, name, ha="center", va="bottom", color=hue if name.strip("$") in HUES else INK)
    size = f"{rows} × {columns}"
    ax.text(x + columns / 2, y + rows + 0.4, size, ha="center", va="top", fontsize=10, color=MUTED)


def sign(ax, x, y, text, size=13):
    """Write what is between two matrices."""
    ax.text(x, y, text, ha="center", va="center", fontsize=size)


def attention(n_q, n_k, d_k, d_v, lit):
    """Draw softmax(QKᵀ/√d_k)V as matrices, for sizes that all differ; one row is lit all the way."""
    ax = canvas(d_k + 2 * n_k + 10, d_k + n_k + 8)
    top = 2 + max(0, (d_k - n_q) / 2)
    matrix(ax, 1, top, (n_q, d_k), "$Q$", lit)
    sign(ax, d_k + 2, top + n_q / 2, "@")
    matrix(ax, d_k + 3, top + (n_q - d_k) / 2, (d_k, n_k), "$K^T$")
    sign(ax, d_k + n_k + 5.4, top + n_q / 2, r"$\div\sqrt{d_k}$ =", 11)
    matrix(ax, d_k + n_k + 8, top, (n_q, n_k), "scores", lit)
    below = top + n_q + max(3.6, (n_k - n_q) / 2 + 4)
    sign(ax, 3.4, below + n_q / 2, "softmax,\nrow by row:", 10)
    matrix(ax, 7, below, (n_q, n_k), "weights", lit)
    sign(ax, n_k + 8, below + n_q / 2, "@")
    matrix(ax, n_k + 9, below + (n_q - n_k) / 2, (n_k, d_v), "$V$")
    sign(ax, n_k + d_v + 10, below + n_q / 2, "=")
    matrix(ax, n_k + d_v + 11, below, (n_q, d_v), "output", lit)
    plt.show()


def cache(words, width):
    """Draw the keys at three turns of the decoder: rows that are kept, and the one that is new."""
    turns = range(1, len(words) + 1)
    ax = canvas(len(words) * (width + 6.5), len(words) + 5)
    for turn in turns:
        x = 4.6 + (turn - 1) * (width + 6.5)
        ax.text(x + width / 2, 0.2, f"turn {turn}", ha="center", va="top")
        for row, word in enumerate(words[:turn]):
            new = row == turn - 1
            for column in range(width):
                face = KEY if new else "white"
                ax.add_patch(
                    Rectangle((x + column, 2 + row), 1, 1, facecolor=face, edgecolor=KEY, linewidth=0.8, alpha=0.6)
                )
            ax.text(x - 0.3, 2.5 + row, word, ha="right", va="center", fontsize=10, color=INK if new else MUTED)
    bottom = len(words) + 3.4
    half = len(words) * (width + 6.5) / 2
    for x, face, said in ((1, KEY, "computed at this turn"), (half, "white", "kept from earlier turns")):
        ax.add_patch(Rectangle((x, bottom), 1, 1, facecolor=face, edgecolor=KEY, linewidth=0.5))
        ax.text(x + 1.5, bottom + 0.5, said, va="center", fontsize=10)
    plt.show()
