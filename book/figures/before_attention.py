"""The figures of chapter 1."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from .style import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    PALE,
    PARAMETER,
    WEIGHT,
    WIDTH,
    arrow,
    two_decimals,
    use_house_style,
    write,
)

use_house_style()
COLOURS = {"rnn": BLUE, "cnn": ORANGE, "attention": INK, "no_positions": MUTED}
STYLES = {"rnn": "-", "cnn": "--", "attention": "-.", "no_positions": ":"}  # told apart without colour, too
SHARES = [0.5, 0.75, 1], ["50%", "75%", "100%"]
LETTER, GAP = 0.1, 0.17  # inches: a letter of 13 points, and between two words
HIGH = 0.36  # of a state's box


def agreement(words, source, target):
    """Draw a sentence, and what one word has to tell another: an arc over those between them."""
    ax = _sheet(1.6)
    places = _spread(words)
    for place, (x, word) in enumerate(zip(places, words, strict=True)):
        between = source < place < target
        weight = "bold" if place in (source, target) else "normal"
        write(ax, x, 0.55, word, MUTED if between else INK, 15, fontweight=weight)
    start, end = places[source], places[target]
    arrow(ax, (start, 0.72), (end, 0.72), BLUE, 2.5, bend=-0.22)
    write(ax, (start + end) / 2, 1.43, "more than one", BLUE, 13.5)
    first, last = places[source + 1] - 0.16, places[target - 1] + 0.42
    ax.plot([first, first, last, last], [0.36, 0.3, 0.3, 0.36], color=MUTED, linewidth=1)
    write(ax, (first + last) / 2, 0.13, f"{_number(target - source - 1)} words in between", MUTED, 13)
    plt.show()


def bottleneck(source, target, asks=None, shares=(), notes=None):
    """Draw an encoder that reads ``source`` and, above it, a decoder that writes ``target``.

    All that the decoder gets is the encoder's last state. With ``asks``, a word of the target, it looks at all of the
    encoder's states, in lines as thick as ``shares``; larger shares than equal ones stand out. ``notes`` are written
    below words of the source: place -> text.
    """
    ax = _sheet(3.2)
    if notes:
        ax.figure.set_size_inches(WIDTH, 3.5)
        ax.set_ylim(-0.3, 3.2)
    low, high = _spread(source, 0.75), _spread(target, 0.75)
    bottom, top, middle = 0.75, 2.45, 1.6
    for y, name, places, colour in ((bottom, "encoder", low, BLUE), (top, "decoder", high, ORANGE)):
        _chain(ax, places, y, colour)
        write(ax, 0.02, y, name, colour, 12.5, ha="left")
    for x, word in zip(low, source, strict=True):
        write(ax, x, 0.13, word, INK, 13.5)
        arrow(ax, (x, 0.27), (x, bottom - HIGH / 2), MUTED)
    for x, word in zip(high, target, strict=True):
        write(ax, x, 3.07, word, INK, 13.5)
        arrow(ax, (x, top + HIGH / 2), (x, 2.93), MUTED)
    if asks is None:
        left, right = 3.0, 3.0 + 4 * 0.3
        for k, share in enumerate((0.25, 0.6, 0.4, 0.1)):
            _cell(ax, left + 0.3 * (k + 0.5), middle, "", BLUE, (0.3, 0.34), share)
        arrow(ax, (low[-1], bottom + HIGH / 2), (right + 0.02, middle), BLUE, 2.5, bend=0.2)
        arrow(ax, (left - 0.02, middle), (high[0], top - HIGH / 2), BLUE, 2.5, bend=-0.2)
        write(ax, (left + right) / 2, middle - 0.32, "all that the decoder gets", MUTED, 12.5)
    else:
        for x, share in zip(low, shares, strict=True):
            ends = (x, high[asks]), (bottom + HIGH / 2, top - HIGH / 2)
            ax.plot(*ends, color=WEIGHT if share * len(shares) > 1 else PALE, linewidth=1 + 9 * share, zorder=0)
    for place, note in (notes or {}).items():
        write(ax, low[place], -0.15, note, WEIGHT, 12.5)
    plt.show()


def window(words, numbers, kernel, output):
    """Draw a kernel under its first window of a row of numbers, the products' sum, and the outputs of all windows."""
    ax = _sheet(2.6)
    step, side, left = 1.12, (0.72, 0.42), 0.95
    middles = left + step * np.arange(len(words)) + side[0] / 2
    width = len(kernel)
    ground = Rectangle((left - 0.14, 0.98), step * (width - 1) + side[0] + 0.28, 1.6, facecolor=PARAMETER, alpha=0.1)
    ax.add_patch(ground)
    for x, word, number in zip(middles, words, numbers, strict=True):
        write(ax, x, 2.42, word, INK, 13)
        _cell(ax, x, 1.98, number, INK, side, 0.05 * number)
    for x, number in zip(middles, kernel, strict=False):
        _cell(ax, x, 1.24, number, PARAMETER, side, 0.2 * abs(number))
        write(ax, x, 1.62, "×", MUTED, 12)
    for place, number in enumerate(output):
        _cell(ax, middles[place + width // 2], 0.3, number, ORANGE, side, 0.1 * abs(number))
    arrow(ax, (middles[width // 2], 0.98), (middles[width // 2], 0.53), ORANGE, 1.5)
    write(ax, middles[width // 2] + 0.1, 0.76, "add up", MUTED, 12.5, ha="left")
    for y, name, hue in ((1.98, "words", INK), (1.24, "kernel", PARAMETER), (0.3, "output", ORANGE)):
        write(ax, 0.02, y, name, hue, 12.5, ha="left")
    plt.show()


def field(words, seen_from, layers):
    """Draw what one output sees of a sentence through layers of convolution three wide."""
    ax = _sheet(0.4 + 0.72 * layers)
    places = _spread(words, 0.72)
    for x, (place, word) in zip(places, enumerate(words), strict=True):
        inside = abs(place - seen_from) <= layers
        weight = "bold" if place == seen_from else "normal"
        write(ax, x, 0.13, word, INK if inside else MUTED, 14, fontweight=weight)
        for layer in range(1, layers + 1):
            lit = abs(place - seen_from) <= layers - layer
            y = 0.72 * layer
            for neighbour in range(max(0, place - 1), min(len(words), place + 2)):
                below = 0.27 if layer == 1 else 0.72 * (layer - 1) + 0.07
                look = {"color": ORANGE, "linewidth": 1.6, "zorder": 2} if lit else {"color": PALE, "linewidth": 0.5}
                ax.plot([places[neighbour], x], [below, y - 0.07], **{"zorder": 0, **look})
            ax.plot(x, y, "o", markersize=9, color=ORANGE if lit else PALE, zorder=3)
    for layer in range(1, layers + 1):
        write(ax, 0.02, 0.72 * layer, f"layer {layer}", MUTED, 12.5, ha="left")
    plt.show()


def unrolled(words, inputs, states):
    """Draw a recurrent network with one number in its state, unrolled over a sentence: every number in its place."""
    ax = _sheet(2.55)
    step, first, wide = 0.91, 1.45, 0.56
    write(ax, 0.02, 1.75, "$h_0 = 0$", INK, 12.5, ha="left")
    for place, (word, number, state) in enumerate(zip(words, inputs, states, strict=True)):
        x = first + step * place
        write(ax, x, 0.13, word, INK, 13)
        _cell(ax, x, 0.55, number, INK, (0.36, 0.36), 0.3 * number)
        _cell(ax, x, 1.75, two_decimals(state) if state else 0, BLUE, (wide, 0.4), 0.6 * state)
        arrow(ax, (x, 0.74), (x, 1.54), PARAMETER)
        arrow(ax, (x - step + wide / 2 + 0.01, 1.75), (x - wide / 2 - 0.01, 1.75), PARAMETER)
        arrow(ax, (x, 1.96), (x, 2.3), PARAMETER)
        write(ax, x, 2.42, f"$y_{place + 1}$", INK, 12)
    write(ax, first + 0.06, 1.14, "$W_{hx} = 1$", PARAMETER, 12.5, ha="left")
    write(ax, first - step / 2 - 0.25, 2.08, "$W_{hh} = 0.5$", PARAMETER, 12.5)
    write(ax, first + step * (len(words) - 1) + 0.06, 2.16, "$W_{hy}$", PARAMETER, 12.5, ha="left")
    plt.show()


def chain(names, slopes):
    """Draw the computation graph of a chain of states, the slope at each arrow, and their product."""
    ax = _sheet(1.5)
    step = (WIDTH - 1.0) / len(slopes)
    places = 0.5 + step * np.arange(len(names))
    for x, name in zip(places, names, strict=True):
        write(ax, x, 0.9, name, INK, 12.5, bbox={"boxstyle": "round,pad=0.35", "facecolor": "none", "edgecolor": BLUE})
    for start, end, slope in zip(places, places[1:], slopes, strict=False):
        arrow(ax, (start + 0.27, 0.9), (end - 0.27, 0.9), BLUE, 1.5)
        write(ax, (start + end) / 2, 1.18, f"× {two_decimals(slope)}", BLUE, 12)
    write(ax, places[0], 0.4, "nudge: 1", MUTED, 12.5)
    write(ax, places[-1] + 0.45, 0.4, f"arrives: {two_decimals(np.prod(slopes))}", MUTED, 12.5, ha="right")
    plt.show()


def right_answers(readers, game, reach):
    """Draw the share of right answers in a game over the length: a line through the means, a dot for each run.

    ``readers`` holds name -> (words, what ``read_by`` returns); ``reach`` is the length up to which a convolution sees.
    """
    figure, ax = plt.subplots(figsize=(WIDTH, 3.5))
    for place, (name, (words, read)) in enumerate(readers.items()):
        rows = read["games"][game]
        lengths, look = list(rows), {"color": COLOURS[name]}
        means = [np.mean(rows[n]["right"]) for n in lengths]
        ax.plot(lengths, means, STYLES[name], linewidth=2, label=words, **look)
        for n in lengths:
            shifted = [n * 1.09 ** (place - 1)] * len(rows[n]["right"])  # so that dots at 100% hide no others
            ax.plot(shifted, rows[n]["right"], "o", markersize=4.5, alpha=0.6, **look)
    ax.axvline(reach, color=PALE, linewidth=1)
    ax.text(reach * 1.04, 1.05, f"convolutions see {reach}", color=MUTED, fontsize=10.5)
    ax.set(xscale="log", ylabel="accuracy", ylim=(0.4, 1.13), xlabel="length of the row")
    ax.set_yticks(*SHARES)
    ax.set_xticks(lengths, lengths)
    ax.minorticks_off()
    figure.legend(*ax.get_legend_handles_labels(), frameon=False, fontsize=11, loc="outside lower center", ncols=3)
    plt.show()


def effect_by_distance(readers, game, n):
    """Draw how much the answer moves with each token before training, over its distance from the end."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.2))
    for name, (words, read) in readers.items():
        sizes = np.array(read["games"][game][n]["before"])[::-1]
        seen = np.flatnonzero(sizes)
        ax.plot(seen, sizes[seen], STYLES[name], color=COLOURS[name], linewidth=2, label=words)
    ax.set(yscale="log", xlabel="tokens before the last one", ylabel="how far the answer moves")
    ax.set_yticks([1, 1e-3, 1e-6, 1e-9], ["1", "0.001", "10⁻⁶", "10⁻⁹"])
    ax.minorticks_off()
    ax.legend(frameon=False, fontsize=11, loc="lower left")
    plt.show()


# --- drawing on a sheet whose units are inches ---


def _sheet(high):
    """Return axes as wide as the column, in inches, with the origin at the lower left."""
    figure, ax = plt.subplots(figsize=(WIDTH, high))
    figure.get_layout_engine().set(w_pad=0, h_pad=0)
    ax.set(xlim=(0, WIDTH), ylim=(0, high))
    ax.axis("off")
    return ax


def _spread(words, left=0.0):
    """Return where the middle of each word is if they share what is right of ``left``, in inches."""
    widths = np.array([LETTER * len(word) + GAP for word in words])
    return left + (np.cumsum(widths) - widths / 2) * ((WIDTH - left) / widths.sum())


def _cell(ax, x, y, text, colour, size, strength):
    """Draw one cell around a place, tinted, with what is in it."""
    (wide, high), corner = size, (x - size[0] / 2, y - size[1] / 2)
    ax.add_patch(Rectangle(corner, wide, high, facecolor=colour, alpha=strength, edgecolor="none"))
    ax.add_patch(Rectangle(corner, wide, high, fill=False, edgecolor=colour, linewidth=1.2))
    write(ax, x, y, str(text).replace("-", "−"), INK, 12)


def _chain(ax, places, y, colour):
    """Draw a state for each word, and an arrow from each to the next."""
    for x in places:
        ax.add_patch(Rectangle((x - 0.17, y - HIGH / 2), 0.34, HIGH, fill=False, edgecolor=colour, linewidth=1.5))
    for start, end in itertools.pairwise(places):
        arrow(ax, (start + 0.18, y), (end - 0.18, y), colour)


def _number(count):
    """Write a small number as a word."""
    return ["no", "one", "two", "three", "four", "five", "six"][count]
