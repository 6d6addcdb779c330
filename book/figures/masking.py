"""The figures of chapter 9."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from .style import BLUE, INK, MUTED, ORANGE, SHADES, WIDTH, two_decimals, use_house_style

use_house_style()
HIDDEN = "#eceff3"


def masked_matrix(words, scores, weights, mask):
    """Draw the scores of a sentence with itself, −∞ where the mask hides, and below them the weights."""
    _, axes = plt.subplots(2, 1, figsize=(WIDTH, 6.4))
    panels = ("scores, −∞ where hidden", scores, None), ("weights: softmax of each row", weights, SHADES)
    for ax, (title, numbers, shades) in zip(axes, panels, strict=True):
        image = np.where(mask, numbers if shades else 0, np.nan)
        ax.set_facecolor(HIDDEN)
        ax.imshow(image, cmap=shades or "Greys", vmin=0, vmax=1, aspect="auto")
        ax.set_xticks(range(len(words)), words)
        ax.set_yticks(range(len(words)), words)
        ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
        ax.set_ylabel("query")
        ax.set_title(title, pad=10)
        ax.spines[:].set_visible(False)
        for i, j in np.ndindex(mask.shape):
            text = _written(numbers[i, j]) if mask[i, j] else "0" if shades else "−∞"
            ax.text(j, i, text, ha="center", va="center", fontsize=10, color="black" if mask[i, j] else MUTED)
    plt.show()


def _written(number):
    """Write a number with two decimals and a true minus sign; 1 as it is."""
    text = "1" if number == 1 else two_decimals(abs(number))
    return f"−{text}" if number < 0 else text


def decoder_block(t, s, d_model):
    """Draw the decoder layer: three sublayers, each followed by add & norm, with the roads around them."""
    _, ax = plt.subplots(figsize=(WIDTH, 5.6))
    rows = [
        (0.0, f"x  ({t}, {d_model})\nthe translation so far", INK),
        (1.3, "masked self-attention", ORANGE),
        (2.2, "add & norm", MUTED),
        (3.3, "cross-attention", ORANGE),
        (4.2, "add & norm", MUTED),
        (5.3, "feed-forward", BLUE),
        (6.2, "add & norm", MUTED),
        (7.2, f"output  ({t}, {d_model})", INK),
    ]
    for y, text, colour in rows:
        _box(ax, 0, y, text, colour)
    for (below, *_), (above, *_) in itertools.pairwise(rows):
        _arrow(ax, [(0, below + 0.3), (0, above - 0.3)])
    for start, end in ((0.62, 2.2), (2.62, 4.2), (4.62, 6.2)):  # what a sublayer was given goes around it
        _arrow(ax, [(0, start), (1.55, start), (1.55, end), (1.19, end)], PALE_ROAD)
    ax.text(1.63, 1.4, "around", fontsize=9, color=MUTED, va="center")
    _box(ax, -2.6, 3.3, f"memory  ({s}, {d_model})\nfrom the encoder", INK, 1.0)
    _arrow(ax, [(-1.58, 3.3), (-1.17, 3.3)])
    ax.text(-1.37, 3.52, "K, V", fontsize=9, color=MUTED, ha="center")
    ax.text(0.08, 2.86, "Q", fontsize=9, color=MUTED, va="center")
    _box(ax, -2.6, 1.3, f"causal mask\n({t}, {t})", INK, 1.0)
    _arrow(ax, [(-1.58, 1.3), (-1.17, 1.3)])
    ax.set(xlim=(-3.7, 2.3), ylim=(-0.5, 7.6))
    ax.axis("off")
    plt.show()


PALE_ROAD = "#93a9c4"


def _box(ax, x, y, text, colour, half=1.15):
    """Draw a box with text in its middle."""
    place = (x - half, y - 0.3), 2 * half, 0.6
    ax.add_patch(FancyBboxPatch(*place, boxstyle="round,pad=0,rounding_size=.08", facecolor="white", edgecolor=colour))
    ax.text(x, y, text, ha="center", va="center", fontsize=10)


def _arrow(ax, corners, colour=INK):
    """Draw a line with corners that ends in an arrow head."""
    xs, ys = zip(*corners[:-1], strict=True)
    ax.plot(xs, ys, color=colour, linewidth=1.2)
    look = {"arrowstyle": "-|>", "mutation_scale": 11, "shrinkA": 0, "shrinkB": 0}
    ax.add_patch(FancyArrowPatch(corners[-2], corners[-1], color=colour, linewidth=1.2, **look))
