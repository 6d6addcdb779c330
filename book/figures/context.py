"""The figures of chapter 3."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

from .style import BLUE, INK, MUTED, ORANGE, SHADES, WIDTH, two_decimals, use_house_style

use_house_style()


def two_banks(static, contextual):
    """Draw the static words of the plane, and where *bank* goes in each of its sentences.

    ``static`` holds word -> vector, ``contextual`` holds sentence -> the new vector of bank.
    """
    _, ax = plt.subplots(figsize=(WIDTH, 4.2))
    for word, (x, y) in static.items():
        ax.plot(x, y, "o", color=INK if word == "bank" else MUTED)
        ax.text(x + 0.07, y + 0.07, word, fontweight="bold" if word == "bank" else "normal")
    for (sentence, new), colour in zip(contextual.items(), (ORANGE, BLUE), strict=True):
        ax.add_patch(
            FancyArrowPatch(static["bank"], new, arrowstyle="-|>", mutation_scale=14, color=colour, linewidth=2)
        )
        ax.plot(*new, "s", color=colour)
        ax.text(new[0] + 0.1, new[1] + 0.19, f"bank in\n“{sentence}”", color=colour, va="center")
    ax.set(xlim=(-0.1, 2.75), ylim=(-0.2, 2.3), xlabel="money", ylabel="water", aspect="equal")
    ax.set_xticks([0, 1, 2])
    ax.set_yticks([0, 1, 2])
    plt.show()


def one_new_row(words, x, weights, row):
    """Draw how one token is made anew: its score with each token, the weights, the weighed tokens, the sum."""
    scores, new, left, right = x @ x[row], weights @ x, 1.25, 3.7
    _, ax = plt.subplots(figsize=(WIDTH, 3.6))
    box = {"boxstyle": "round,pad=.35", "facecolor": "white"}
    heads = [(0, "token"), (left, "score"), (2.45, "weight"), (right, "weight · token")]
    for place, head in heads:
        ax.text(place, 0.75, head, ha="center", color=MUTED, fontsize=10)
    for j, (word, token) in enumerate(zip(words, x, strict=True)):
        y = -0.95 * j
        part = weights[j] * token
        texts = [f"{word}\n{_vector(token, 0)}", f"{scores[j]:.0f}", two_decimals(weights[j]), _vector(part)]
        colour = ORANGE if j == row else BLUE
        for (place, _), text in zip(heads, texts, strict=True):
            ax.text(place, y, text, ha="center", va="center", bbox=box | {"edgecolor": colour}, fontsize=10)
        for start, end in ((0.42, 1.02), (1.48, 2.1), (2.8, 3.18)):
            ax.add_patch(FancyArrowPatch((start, y), (end, y), arrowstyle="-|>", mutation_scale=10, color=MUTED))
    bottom = -0.95 * len(words) - 0.1
    ax.plot([3.1, 4.3], [bottom + 0.5] * 2, color=INK, linewidth=1)
    ax.text(right, bottom, _vector(new), ha="center", va="center", fontweight="bold")
    ax.text(2.95, bottom, f"new {words[row]} =", ha="right", va="center")
    ax.text(1.85, 0.2, "softmax", ha="center", color=MUTED, fontsize=9, style="italic")
    ax.set(xlim=(-0.55, 4.4), ylim=(bottom - 0.35, 1))
    ax.axis("off")
    plt.show()


def who_wins(words, as_they_are, unit_length):
    """Draw the weights of three words as they are and at length one, with the largest of each row framed."""
    _, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.7), sharey=True)
    for ax, (title, weights) in zip(
        axes, (("as they are", as_they_are), ("all of length one", unit_length)), strict=True
    ):
        ax.imshow(weights, cmap=SHADES, vmin=0, vmax=1)
        ax.set_title(title, pad=26)
        ax.set_xticks(range(len(words)), words)
        ax.set_yticks(range(len(words)), words)
        ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
        ax.spines[:].set_visible(False)
        for i, j in np.ndindex(weights.shape):
            most = weights[i, j] >= weights[i].max() - 1e-12
            ax.text(
                j, i, two_decimals(weights[i, j]), ha="center", va="center", fontweight="bold" if most else "normal"
            )
            if most:
                ax.add_patch(plt.Rectangle((j - 0.47, i - 0.47), 0.94, 0.94, fill=False, edgecolor=ORANGE, linewidth=2))
    plt.show()


def _vector(numbers, digits=2):
    return "[" + ", ".join(two_decimals(n) if digits and n else f"{n:.0f}" for n in numbers) + "]"
