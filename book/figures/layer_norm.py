"""The figures of chapter 8."""

import matplotlib.pyplot as plt
from matplotlib.patches import Circle, Rectangle

from .blocks import arrow, draw_layer
from .shapes import LIT
from .style import BLUE, INK, MUTED, PARAMETER, SHADES, WIDTH, use_house_style

use_house_style()


def two_directions(words, width):
    """Draw a sentence as a grid twice: what one mean is taken of in layer norm, and what over all tokens."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.6))
    titles = "layer norm: a\ntoken’s own numbers", "not so: a column\nof all tokens"
    for start, (row, column), title in zip((0, width + 1), ((1, None), (None, 2)), titles, strict=True):
        for place in ((i, j) for i in range(len(words)) for j in range(width)):
            colour = SHADES(0.95) if place[0] == row or place[1] == column else "white"
            corner = start + place[1], place[0]
            ax.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor=MUTED, linewidth=0.8))
        frame = (start, row, width, 1) if column is None else (start + column, 0, 1, len(words))
        ax.add_patch(Rectangle(frame[:2], *frame[2:], facecolor="none", edgecolor=BLUE, linewidth=2.5))
        ax.text(start + width / 2, -0.4, title, ha="center", va="bottom")
    ax.set(xlim=(-0.1, 2 * width + 1.1), ylim=(len(words) + 0.1, -2.4), aspect="equal", xticks=[])
    ax.set_yticks([i + 0.5 for i in range(len(words))], words)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    plt.show()


def encoder_block(shape):
    """Draw the encoder layer: two sublayers, each with a residual connection around it, then add & norm."""
    draw_layer(
        rows=[
            (0.0, f"x {shape}: the sentence, positions added", False),
            (1.4, "multi-head attention", True),
            (2.4, "add & norm", True),
            (3.8, "feed-forward", True),
            (4.8, "add & norm", True),
            (5.9, f"{shape}: on to the next layer", False),
        ],
        residuals=((0.7, 2.4), (3.1, 4.8)),
        notes=((1.4, "tokens look\nat each other"), (3.8, "each token\non its own")),
    )


def one_neuron(token, weights, bias, row):
    """Draw what one neuron of a feed-forward network does to a token: sum, ReLU, and what it adds to the output."""
    total = sum(number * weight for number, weight in zip(token, weights, strict=True)) + bias
    value = max(0, total)
    _, ax = plt.subplots(figsize=(WIDTH, 1.9))
    for number, weight, y in zip(token, weights, (1.7, 0.3), strict=True):
        _circle(ax, (0.4, y), number, "white")
        arrow(ax, [(0.75, y), (2.25, 1 + 0.25 * (y - 1))], INK)
        ax.text(1.4, y + (0.08 if y > 1 else -0.32), f"· {weight}", ha="center", color=PARAMETER)
    _circle(ax, (2.6, 1), total, "white")
    ax.text(2.6, 0.15, f"bias {bias}".replace("-", "−"), ha="center", color=PARAMETER)
    arrow(ax, [(2.95, 1), (4.25, 1)], INK)
    ax.text(3.6, 1.12, "ReLU", ha="center")
    _circle(ax, (4.6, 1), value, LIT)
    ax.text(4.6, 0.3, "the neuron", ha="center", fontsize=10, color=MUTED)
    for weight, y in zip(row, (1.7, 0.3), strict=True):
        arrow(ax, [(4.95, 1 + 0.25 * (y - 1)), (6.35, y)], INK)
        ax.text(5.7, y + (0.08 if y > 1 else -0.32), f"· {weight}".replace("-", "−"), ha="center", color=PARAMETER)
        ax.text(6.45, y, f"+ {value * weight}".replace("+ -", "− "), ha="left", va="center")
    for x, text in ((0.4, "token"), (6.7, "to the output")):
        ax.text(x, 2.15, text, ha="center", fontsize=10, color=MUTED)
    ax.set(xlim=(-0.1, 7.3), ylim=(-0.2, 2.4), aspect="equal")
    ax.axis("off")
    plt.show()


def _circle(ax, place, number, colour):
    """Draw a number in a circle."""
    ax.add_patch(Circle(place, 0.33, facecolor=colour, edgecolor=BLUE))
    ax.text(*place, str(number), ha="center", va="center")
