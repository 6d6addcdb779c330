"""The figures of chapter 8."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Polygon

from .blocks import AROUND, HALF, HIGH, box
from .blocks import arrow as line
from .style import BLUE, INK, MUTED, ORANGE, PALE, SHADES, WIDTH, arrow, cells, use_house_style, write

use_house_style()
RESULT = 0.62, 0.5  # the width and the height of a cell


def alike(words, steps):
    """Draw the rows of a sentence below each other, in a column for each of ``steps``, {title: rows}."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.2))
    for place, (title, rows) in enumerate(steps.items()):
        left = 1.25 + 2.65 * place
        write(ax, left + 1.14, 0.62, title, MUTED)
        for row, (word, vector) in enumerate(zip(words, rows, strict=True)):
            cells(ax, left, -0.72 * row, vector, BLUE, (0.57, 0.5))
            if place == 0:
                write(ax, left - 0.12, -0.72 * row, word, size=12.5, ha="right", fontweight="bold")
        if place:
            arrow(ax, (left - 0.34, -0.72), (left - 0.05, -0.72))
    ax.set(xlim=(0, 8.9), ylim=(-1.8, 0.9))
    ax.axis("off")
    plt.show()


def encoder_layer(steps):
    """Draw the encoder layer from the top down, and beside each step what becomes of one word's row.

    ``steps`` are the five rows: what comes in, what attention adds, the first norm, what feed-forward adds, the second.
    """
    places = 0.1, 1.5, 2.7, 4.1, 5.3
    labels = "the word", "multi-head\nattention", "add & norm", "feed-forward", "add & norm"
    _, ax = plt.subplots(figsize=(WIDTH, 5.3))
    for start, end in ((0.8, places[2]), (3.4, places[4])):
        line(ax, [(0, start), (AROUND, start), (AROUND, end), (HALF, end)], PALE, 3.5)
    for k, (place, label, row) in enumerate(zip(places, labels, steps, strict=True)):
        if k:
            box(ax, 0, place, HALF)
            line(ax, [(0, places[k - 1] + (HIGH if k > 1 else 0.22)), (0, place - HIGH)])
        write(ax, 0, place, label, size=11, linespacing=0.95)
        added = k in (1, 3)
        cells(ax, 2.35, place, row, ORANGE if added else BLUE, RESULT)
        if added:
            write(ax, 2.2, place, "+", ORANGE, 14)
    line(ax, [(0, places[-1] + HIGH), (0, places[-1] + 0.95)])
    write(ax, 0, places[-1] + 1.15, "to the next layer", MUTED, 11)
    for place, label in ((places[1], "words look\nat each other"), (places[3], "each word\non its own")):
        write(ax, -HALF - 0.15, place, label, MUTED, 10.5, ha="right")
    write(ax, AROUND + 0.12, 0.8, "residual connection", MUTED, 10.5, ha="left")
    ax.set(xlim=(-2.9, 4.95), ylim=(places[-1] + 1.4, -0.3))
    ax.axis("off")
    plt.show()


def one_neuron(points, weights, bias, axes):
    """Draw words, {label: (two numbers)}, on a plane, and shade where a neuron with these weights and bias fires."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.5))
    low, high = np.array([-1.6, -1.9]), np.array([3.2, 1.1])
    corners = [(x, y) for x, y in ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1]))]
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    inside, cut = [], []
    for start, end in edges:  # the corners where it fires, and where its border meets the frame
        before, after = (np.dot(point, weights) + bias for point in (start, end))
        if before > 0:
            inside.append(start)
        if before * after < 0:
            crossing = np.array(start) + before / (before - after) * (np.array(end) - start)
            inside.append(tuple(crossing))
            cut.append(crossing)
    ax.add_patch(Polygon(inside, facecolor=SHADES(0.55), edgecolor="none"))
    ax.plot(*np.array(cut).T, color=INK, linestyle="--", linewidth=1.5)
    for label, (x, y) in points.items():
        fires = np.dot((x, y), weights) + bias > 0
        ax.plot(x, y, "o", markersize=10, color=BLUE, fillstyle="full" if fires else "none", markeredgewidth=2)
        write(ax, x + 0.1 * fires, y + 0.12, label, size=11.5, ha="left" if fires else "center", va="bottom")
    write(ax, high[0] - 0.08, low[1] + 0.12, "the neuron fires", size=11.5, ha="right", va="bottom", fontweight="bold")
    write(ax, low[0] + 0.08, low[1] + 0.12, "it is silent", size=11.5, ha="left", va="bottom", fontweight="bold")
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel=axes[0], ylabel=axes[1])
    ax.set_xticks([-1, 0, 1, 2, 3], ["−1", "0", "1", "2", "3"])
    ax.set_yticks([-1, 0, 1], ["−1", "0", "1"])
    plt.show()


def two_hops(people):
    """Draw people, {name: (friend, letter)}, and how the letter of the first one's friend's friend gets to it."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.3))
    names, wide = list(people), 1.72
    titles = "each row holds", "after layer 1", "after layer 2"
    second = {name: people[friend][0] for name, (friend, _) in people.items()}
    held = {
        name: [
            f"friend: {friend}\nletter: {letter}",
            f"friend: {friend}\nletter: {letter}\n+ their friend: {second[name]}",
            f"+ the letter: {people[second[name]][1]}",
        ]
        for name, (friend, letter) in people.items()
    }
    for column, title in enumerate(titles):
        left = 1.0 + 2.5 * column
        write(ax, left + wide / 2, 0.62, title, MUTED)
        for row, name in enumerate(names):
            if column == 0:
                write(ax, left - 0.12, -row, name, size=12.5, ha="right", fontweight="bold")
            lit = row == 0
            ax.add_patch(
                plt.Rectangle(
                    (left, -row - 0.42),
                    wide,
                    0.84,
                    facecolor=SHADES(0.45) if lit else "none",
                    edgecolor=BLUE if lit else PALE,
                    linewidth=1.5,
                )
            )
            write(ax, left + wide / 2, -row, held[name][column], INK if lit or column == 0 else MUTED, 10.5)
    for column, name in ((0, people[names[0]][0]), (1, second[names[0]])):
        left = 1.0 + 2.5 * column + wide
        arrow(ax, (left + 0.05, -names.index(name)), (left + 0.74, -0.12), ORANGE, 2)
    ax.set(xlim=(0.1, 7.85), ylim=(-len(names) + 0.45, 0.85))
    ax.axis("off")
    plt.show()
