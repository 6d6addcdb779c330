"""The figures of chapter 11."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from .style import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    PARAMETER,
    QUERY,
    SHADES,
    VALUE,
    WEIGHT,
    WIDTH,
    arrow,
    cells,
    use_house_style,
    write,
)

use_house_style()
HUES = {"query": QUERY, "weights": WEIGHT, "found": VALUE}
CELL = 0.56, 0.36  # inches: a number with two decimals and a sign


def sheet(width, height):
    """Return an axis in inches, the first line on top; what is narrower than a page is shown larger."""
    _, ax = plt.subplots(figsize=(width, height))
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.axis("off")
    return ax


def undecided(words, value, share, found, probabilities, names, right):
    """Draw what a word finds if it takes the same ``share`` of every value, and which word the model then says."""
    ax = sheet(6.05, 1.78)
    first, finds, says = 0.6, 2.4, 4.72
    for column, name in enumerate(names):
        write(ax, first + (column + 0.5) * 0.5, 0.1, name, colour=MUTED, size=10)
    for row, (word, votes) in enumerate(zip(words, value, strict=True)):
        y = 0.42 + 0.46 * row
        write(ax, first - 0.1, y, word, ha="right")
        end = cells(ax, first, y, votes, VALUE, (0.5, 0.36))
        write(ax, end + 0.26, y, f"× {share}", colour=WEIGHT, fontweight="bold")
        arrow(ax, (end + 0.5, y), (finds - 0.07, 0.88 + 0.05 * (row - 1)), width=1.4)
    write(ax, finds + 0.52, 0.52, "bank finds", colour=VALUE, fontweight="bold")
    end = cells(ax, finds, 0.88, found, VALUE, (0.52, 0.36))
    arrow(ax, (end + 0.07, 0.88), (says - 0.68, 0.88), width=1.4)
    write(ax, (end + says - 0.6) / 2, 0.7, "softmax", colour=MUTED, size=10)
    for row, (name, share_of) in enumerate(zip(names, probabilities, strict=True)):
        y = 0.55 + 0.56 * row
        write(ax, says - 0.08, y, name, ha="right", fontweight="bold" if row == right else "normal")
        ax.add_patch(Rectangle((says, y - 0.16), share_of * 0.85, 0.32, facecolor=INK, alpha=0.75))
        if row == right:
            goal = Rectangle((says, y - 0.16), 0.85, 0.32, fill=False, edgecolor=ORANGE, linewidth=1.6, linestyle="--")
            ax.add_patch(goal)
            write(ax, says + 0.85, y + 0.34, "it should fill this box", colour=ORANGE, size=11, ha="right")
        write(ax, says + 0.92, y, f"{100 * share_of:.0f}%", ha="left")
    plt.show()


def there_and_back(stations, ways):
    """Draw a computation downwards and the slopes of the loss back up: (name, numbers, slopes) for each station.

    ``ways`` say what happens between one station and the next.
    """
    step, made, back = 0.76, 1.0, 4.05
    ax = sheet(6.1, 0.12 + step * len(stations))
    write(ax, made + 1.5 * CELL[0], 0.12, "forward: numbers", fontweight="bold")
    write(ax, back + 1.5 * CELL[0], 0.12, "back: slopes of the loss", colour=ORANGE, fontweight="bold")
    for row, (name, numbers, slopes) in enumerate(stations):
        y = 0.52 + step * row
        colour = HUES.get(name, INK)
        write(ax, made - 0.14, y, name, colour=colour, ha="right", fontweight="bold")
        for left, vector, hue in ((made, numbers, colour), (back, slopes, ORANGE)):
            start = left + (3 - len(vector)) * CELL[0] / 2
            cells(ax, start, y, vector, hue, CELL)
        if row + 1 < len(stations):
            between = (y + 0.23, y + step - 0.23)
            arrow(ax, (made + 1.5 * CELL[0], between[0]), (made + 1.5 * CELL[0], between[1]), width=1.4)
            arrow(ax, (back + 1.5 * CELL[0], between[1]), (back + 1.5 * CELL[0], between[0]), ORANGE, 1.4)
            write(ax, made + 1.5 * CELL[0] + 0.16, sum(between) / 2, ways[row], colour=MUTED, size=11, ha="left")
    plt.show()


def one_matrix(x, slopes, features, word):
    """Draw the slopes of a matrix: each number of a word times the slope of each number of its query."""
    ax = sheet(5.6, 2.6)
    column, grid = 1.5, 2.75
    write(ax, column + CELL[0] / 2, 0.72, word, fontweight="bold")
    write(ax, grid - 0.16, 0.3, "slopes of the query", colour=QUERY, ha="right", fontweight="bold")
    cells(ax, grid, 0.3, slopes, QUERY, (0.7, 0.36))
    write(ax, grid + 1.55, 0.3, "← column by column", colour=MUTED, size=11, ha="left")
    for row, (feature, number) in enumerate(zip(features, x, strict=True)):
        y = 1.06 + 0.42 * row
        write(ax, column - 0.12, y, feature, colour=MUTED, ha="right")
        cells(ax, column, y, [number], INK, (CELL[0], 0.36))
        write(ax, (column + CELL[0] + grid) / 2, y, "×", colour=MUTED)
        cells(ax, grid, y, number * slopes + 0.0, PARAMETER, (0.7, 0.36))  # 0, not −0
    write(ax, grid + 1.55, 1.48 + 0.21, "slopes of $W_Q$", colour=PARAMETER, ha="left", fontweight="bold")
    plt.show()


def slopes_and_steps(slopes, moves, rate):
    """Draw what Adam is told about some numbers, step by step, and how far it then moves each: name -> (steps,)."""
    _, axes = plt.subplots(2, len(slopes), figsize=(WIDTH, 3.3), sharex=True, sharey="row")
    for (above, below), (name, told) in zip(axes.T, slopes.items(), strict=True):
        at = np.arange(1, len(told) + 1)
        above.bar(at, told, color=MUTED, width=0.7)
        below.bar(at, moves[name], color=BLUE, width=0.7)
        above.set_title(name)
        below.set(xticks=[1, len(told) // 2, len(told)], xlabel="step")
        for ax in (above, below):
            ax.axhline(0, color=MUTED, linewidth=0.8)
            ax.spines["bottom"].set_visible(False)
            ax.tick_params(axis="x", length=0)
    most = max(np.abs(told).max() for told in slopes.values())
    for ax, told in zip(axes[0], slopes.values(), strict=True):
        if np.abs(told).max() < most / 20:  # bars too low to be seen
            ax.text(np.mean(ax.get_xlim()), most / 6, f"{told[0]:g} each time", ha="center", color=MUTED)
    axes[0, 0].set_ylabel("slope")
    axes[0, 0].set_yticks([-most, 0, most], [f"−{most:g}", "0", f"{most:g}"])
    axes[1, 0].set_ylabel("Adam's move")
    axes[1, 0].set_yticks([-rate, 0, rate], ["−rate", "0", "+rate"])
    plt.show()


def before_and_after(maps, rows, columns, titles):
    """Draw two maps of weights side by side: a row for each letter to be written, a column for each of the source."""
    _, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.9), sharey=True)
    for ax, weights, title in zip(axes, maps, titles, strict=True):
        ax.imshow(weights, cmap=SHADES, vmin=0, vmax=1)
        ax.set_xticks(range(len(columns)), columns)
        ax.set_yticks(range(len(rows)), rows)
        ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
        ax.set_title(title)
        for i, j in zip(*np.nonzero(np.asarray(weights) >= 0.095), strict=True):
            ax.text(j, i, f"{weights[i][j]:.1f}", ha="center", va="center", fontsize=10, color="black")
        ax.spines[:].set_visible(False)
    axes[0].set_ylabel("the letter about to be written")
    plt.show()
