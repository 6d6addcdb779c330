"""Figures of what looks at what, and of how fast a model learns, for every chapter that shows the translator."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from .style import BLUE, INK, MUTED, ORANGE, PALE, SHADES, WEIGHT, WIDTH, two_decimals, use_house_style

use_house_style()
HALVES = [0, 0.5, 1], ["0", "0.5", "1"]  # ticks and how the course writes them
LETTER, GAP = 0.095, 0.16  # inches: a letter of 11 points, and between two words
LEAST = 0.05  # a smaller weight is not drawn
STYLES = [(BLUE, "-"), (ORANGE, "--"), (INK, "-."), (MUTED, ":"), (PALE, "-")]  # told apart without colour, too
FLOOR = 1e-4  # the record's last decimal: losses below it were rounded


def arcs(weights, source, target=None, mark=(), title=None):
    """Draw a line from each word that looks to each word that it looks at, as thick as the weight.

    ``weights`` has a row for each word of ``target``, which looks, and a column for each word of ``source``; without a
    target, the source looks at itself. Lines of the words in ``mark`` stand out; weights below 0.05 are not drawn.
    Two rows of words where they fit on a telephone, the words that look above; else two columns, these at the left.
    """
    weights, target = np.asarray(weights), source if target is None else target
    lying = max(_length(target), _length(source)) <= WIDTH
    places = [_spread(words) if lying else np.arange(len(words)) for words in (target, source)]
    ax = _plane(places, lying)
    for i, j in sorted(zip(*np.nonzero(weights >= LEAST), strict=True), key=lambda place: weights[place]):
        strong = target[i] in mark if mark else weights[i, j] >= 0.5
        colour = (ORANGE if mark else WEIGHT) if strong else PALE
        ax.add_patch(_line(places[0][i], places[1][j], lying, 7 * weights[i, j], colour))
    for side, words in enumerate((target, source)):
        at = (
            {"ha": "center", "va": ("bottom", "top")[side]}
            if lying
            else {"ha": ("right", "left")[side], "va": "center"}
        )
        for place, word in zip(places[side], words, strict=True):
            ax.text(*_point(place, side, lying), word, color=ORANGE if word in mark and not side else INK, **at)
    ax.set_title(title)
    plt.show()


def _length(words):
    """Return how many inches some words take side by side."""
    return sum(LETTER * len(word) + GAP for word in words)


def _spread(words):
    """Return where the middle of each word is if they share the whole width, in inches."""
    widths = np.array([LETTER * len(word) + GAP for word in words])
    return (np.cumsum(widths) - widths / 2) * (WIDTH / widths.sum())


def _plane(places, lying):
    """Make room for two rows of words, or for two columns."""
    first, last = min(map(min, places)) - 0.5, max(map(max, places)) + 0.5
    _, ax = plt.subplots(figsize=(WIDTH, 1.9) if lying else (WIDTH, 0.32 * (last - first)))
    if lying:
        ax.set(xlim=(first, last), ylim=(-0.3, 1.3))
    else:
        ax.set(xlim=(-1, 2), ylim=(-last, -first))
    ax.axis("off")
    return ax


def _point(along, side, lying):
    """Return the place of a word: the words that look have side 0, above or at the left."""
    return (along, 1 - side) if lying else (side, -along)


def _line(start, end, lying, width, colour):
    """Return a line that leaves one word and reaches another at right angles to their rows."""
    ends = [_point(*end, lying) for end in ((start, 0.04), (start, 0.5), (end, 0.5), (end, 0.96))]
    path = Path(ends, [Path.MOVETO, *[Path.CURVE4] * 3])
    return PathPatch(path, facecolor="none", edgecolor=colour, linewidth=width)


def word_map(weights, rows, columns, title=None, row_label="the word that looks (query)"):
    """Draw weights as a heat map: one row a word that looks, one column a word that is looked at."""
    cell = min(3.8 / len(columns), 0.5)
    fig, ax = plt.subplots(figsize=(WIDTH, 1.4 + cell * len(rows)))
    image = ax.imshow(weights, cmap=SHADES, vmin=0, vmax=1)
    ax.set_xticks(range(len(columns)), columns, rotation=45, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    ax.xaxis.set_label_position("top")
    ax.set(xlabel="the word looked at (key)", ylabel=row_label, title=title)
    ax.spines[:].set_visible(False)
    for i, j in zip(*np.nonzero(np.asarray(weights) > LEAST), strict=True):
        size = min(11, 24 * cell)  # two decimals then fit
        ax.text(j, i, two_decimals(weights[i, j]), ha="center", va="center", fontsize=size, color="black")
    bar = fig.colorbar(image, ax=ax, location="bottom", shrink=0.6, aspect=30, label="weight")
    bar.set_ticks(HALVES[0], labels=HALVES[1])
    plt.show()


def loss_curves(curves, steps=10):
    """Draw the loss of several models, each with its name at its end; ``curves`` holds name -> losses.

    Each number is the mean of ``steps`` losses, as the axis says: single batches are easier or harder.
    """
    _, ax = plt.subplots(figsize=(WIDTH, 3.4))
    curves = {name: np.maximum(losses, FLOOR) for name, losses in curves.items()}
    heights = 10 ** apart([np.log10(losses[-1]) for losses in curves.values()], 0.35)
    last = steps * max(map(len, curves.values()))
    for (name, losses), height, (colour, style) in zip(curves.items(), heights, itertools.cycle(STYLES), strict=False):
        at = steps * np.arange(1, len(losses) + 1)
        ax.plot(at, losses, style, color=colour, linewidth=2)
        ends = (at[-1], losses[-1]), (last * 1.06, height)
        link = {"arrowstyle": "-", "color": colour, "linewidth": 0.8, "shrinkA": 0}
        ax.annotate(name, *ends, color=colour, va="center", annotation_clip=False, arrowprops=link)
    ax.set(yscale="log", xlabel="step", ylabel=f"loss in nats per word,\nmean of {steps} steps", xlim=(0, last))
    ax.minorticks_off()
    plt.show()


def apart(heights, least):
    """Move heights as little as need be, so that any two are at least ``least`` apart, in the same order."""
    order, moved = np.argsort(heights, kind="stable"), np.array(heights, dtype=float)
    for _ in range(100):
        gaps = least - np.diff(moved[order])
        if (gaps <= 1e-9).all():
            break
        for place, gap in enumerate(gaps):
            if gap > 0:
                moved[order[place]] -= gap / 2
                moved[order[place + 1]] += gap / 2
    return moved
