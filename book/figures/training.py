"""The figures of chapter 10 and of the laboratory."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from .style import BLUE, INK, MUTED, ORANGE, PALE, WIDTH, arrow, use_house_style, write

use_house_style()


def learned(losses, untrained, trained):
    """Draw a loss curve, means of ten steps, with what the model says before its first step and after its last."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.6))
    heights = np.reshape(losses[: len(losses) // 10 * 10], (-1, 10)).mean(axis=1)
    at = np.arange(5, len(losses), 10)[: len(heights)]
    ax.plot(at, heights, color=BLUE, linewidth=2)
    for place, height, said, above, side in (
        (at[0], heights[0], untrained, 0.1, "left"),
        (at[-1], heights[-1], trained, 1.5, "right"),
    ):
        ax.plot(place, height, "o", color=ORANGE)
        text = 0.06 * len(losses) if side == "left" else len(losses)
        write(ax, text, height + above, f"“{said}”", ha=side, va="center", size=12)
        if side == "right":
            arrow(ax, (place, height + above - 0.35), (place, height + 0.3), ORANGE)
    ax.set(xlabel="step", ylabel="loss", xlim=(-0.01 * len(losses), 1.01 * len(losses)), ylim=(-0.2, 6))
    plt.show()


def shifted(shown, target):
    """Draw what is asked of the decoder: a beginning and its next token in each line, and below all of it at once."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.5))
    many, size = len(shown), 1.0
    for row, word in enumerate(target):
        for place in range(row + 1):
            token(ax, place, -0.62 * row, shown[place], MUTED)
        arrow(ax, (row + 0.56, -0.62 * row), (row + 0.9, -0.62 * row))
        token(ax, row + 1.46, -0.62 * row, word, BLUE, size)
    bottom = -0.62 * many - 0.75
    for place in range(many):
        token(ax, place, bottom - 0.85, shown[place], MUTED)
        token(ax, place, bottom, target[place], BLUE)
        arrow(ax, (place, bottom - 0.58), (place, bottom - 0.27))
        if place + 1 < many:
            start, end = (place + 0.3, bottom - 0.26), (place + 0.72, bottom - 0.58)
            look = {"arrowstyle": "-|>", "mutation_scale": 12, "color": ORANGE, "linestyle": "--", "shrinkA": 0}
            ax.add_patch(FancyArrowPatch(start, end, **look))
    sides = (
        (-0.31 * (many - 1), "four\nquestions"),
        (bottom, "to be\npredicted"),
        (bottom - 0.85, "what is\nshown"),
    )
    for height, name in sides:
        write(ax, -0.72, height, name, MUTED, ha="right")
    ax.set(xlim=(-1.75, many + 0.9), ylim=(bottom - 1.2, 0.35))
    ax.axis("off")
    plt.show()


def token(ax, x, y, text, colour, wide=0.94):
    """Write a token into a box."""
    ax.add_patch(Rectangle((x - 0.47, y - 0.24), wide, 0.48, facecolor=colour, alpha=0.12, edgecolor="none"))
    write(ax, x - 0.47 + wide / 2, y, text, INK)


def whole_pass(source, target, shapes):
    """Draw one training pass: the source down the left, the shifted target down the right, to the loss.

    ``shapes`` names the shapes of source rows, target rows and logits.
    """
    _, ax = plt.subplots(figsize=(WIDTH, 4.2))
    left, right, corner, last = 1.45, 4.75, 6.75, 5

    def put(x, row, words, note="", half=0.0):
        """Write a step, into a box if it is half as wide as ``half``."""
        if half:
            shape = "round,pad=0,rounding_size=0.08"
            start = (x - half, row - 0.33)
            ax.add_patch(FancyBboxPatch(start, 2 * half, 0.66, boxstyle=shape, facecolor="white", edgecolor=BLUE))
        write(ax, x, row - (0.12 if note else 0.02), words, size=12)
        write(ax, x, row + 0.17, note, MUTED, size=10.5)

    put(right, 0, " ".join(target), "the target")
    put(right, 1, "shift right", "<sos> " + " ".join(target[:-1]), 1.4)
    put(right, 2, "embedding + position", shapes[1], 1.4)
    put(right, 3, "decoder", "with the causal mask", 1.4)
    put(right, 4, "linear, softmax", f"probabilities, {shapes[2]}", 1.4)
    put(right, last, "cross-entropy", "real tokens only", 1.4)
    put(left, 1, " ".join(source), "the source")
    put(left, 2, "embedding + position", shapes[0], 1.4)
    put(left, 3, "encoder", f"memory, {shapes[0]}", 1.4)
    put(left, last, "loss", "one number")
    downwards = [(right, row) for row in range(last)] + [(left, 1), (left, 2)]
    for x, row in downwards:
        arrow(ax, (x, row + 0.36), (x, row + 0.64))
    arrow(ax, (left + 1.4, 3), (right - 1.4, 3))
    write(ax, (left + right) / 2, 3 - 0.2, "k, v", MUTED, 10.5)
    arrow(ax, (right - 1.4, last), (left + 0.6, last))
    ax.plot([right + 1.2, corner, corner], [0, 0, last], color=ORANGE, linestyle="--", linewidth=1.4)
    arrow(ax, (corner, last), (right + 1.4, last), ORANGE)
    write(ax, corner + 0.16, last / 2, "the right answers", ORANGE, 10.5, rotation=90)
    ax.set(xlim=(0, corner + 0.35), ylim=(last + 0.35, -0.4))
    ax.axis("off")
    plt.show()


def surprise(points):
    """Draw −ln p over the probability of the right token, against 1 − p, and mark some points: {p: words}."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.7))
    at = np.linspace(0.004, 1, 400)
    ax.plot(at, -np.log(at), color=BLUE, linewidth=2)
    ax.plot(at, 1 - at, color=ORANGE, linewidth=1.5, linestyle="--")
    write(ax, 0.1, 3.1, "surprise, −ln p", BLUE, ha="left")
    write(ax, 0.13, 0.45, "1 − p", ORANGE, ha="left")
    for p, words in points.items():
        ax.plot(p, -np.log(p), "o", color=BLUE)
        write(ax, p + 0.02, -np.log(p) + 0.25, words, INK, ha="left", size=10.5)
    ax.set(xlabel="p, the probability of the right token", xlim=(0, 1.02), ylim=(0, 5.3))
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
    plt.show()


def readings(runs, usual, even, frequencies):
    """Draw broken runs, {what is broken: (losses in training, means of ten steps; of held-out sentences, after them)}.

    Pale: training in the usual run. Dashed: the loss of an even guess; dotted: of a guess by frequency.
    """
    _, axes = plt.subplots(2, 2, figsize=(WIDTH, 4.6), sharex=True, sharey=True)
    for ax, (name, (training, held_out)) in zip(axes.flat, runs.items(), strict=True):
        at = 10 * np.arange(1, len(usual) + 1)
        middle = at - 4.5  # of the ten steps
        ax.plot(middle, usual, color=PALE, linewidth=4)
        ax.axhline(even, color=MUTED, linewidth=1, linestyle="--")
        ax.axhline(frequencies, color=MUTED, linewidth=1, linestyle=":")
        ax.plot(at, held_out, color=ORANGE, linewidth=1.8, linestyle="--")
        ax.plot(middle, training, color=BLUE, linewidth=1.8)
        ax.set_title(name)
    last = 10 * len(usual)
    ax = axes[0, 1]
    write(ax, last, even + 0.12, "even guess", MUTED, 10.5, ha="right", va="bottom")
    write(ax, last, frequencies - 0.12, "frequencies", MUTED, 10.5, ha="right", va="top")
    training, held_out = runs[list(runs)[1]]
    write(ax, last / 2, held_out[len(held_out) // 2] - 0.2, "held out", ORANGE, 11, va="top")
    write(ax, last / 2, training[len(training) // 2] + 0.2, "training", BLUE, 11, va="bottom")
    axes[0, 0].set(ylim=(-0.15, 5.9), xlim=(0, 1.02 * last))
    for ax in axes[:, 0]:
        ax.set_ylabel("loss")
    for ax in axes[1]:
        ax.set_xlabel("step")
    plt.show()


def rates(schedule, steps, peak):
    """Draw the learning rate of each step, and mark its peak."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.4))
    at = np.arange(1, steps + 1)
    heights = [schedule(int(step)) for step in at]
    ax.plot(at, heights, color=BLUE, linewidth=2)
    ax.plot(peak, heights[peak - 1], "o", color=ORANGE)
    ax.text(peak + steps / 40, heights[peak - 1], f"step {peak}: {heights[peak - 1]:.3g}", va="bottom")
    ax.set(xlabel="step", ylabel="rate", xlim=(0, steps), ylim=(0, heights[peak - 1] * 1.25))
    ax.set_yticks([0, 0.001, 0.002, 0.003, 0.004][: 2 + int(heights[peak - 1] // 0.001)])
    ax.set_yticklabels([f"{tick:g}" for tick in ax.get_yticks()])
    plt.show()


def seeds(shares, unit="of new sentences that are right", guess=None, guessed="best guess"):
    """Draw a point for each run of each model, {words: shares}, and a line at their mean; dashed: a guess, so named."""
    _, ax = plt.subplots(figsize=(WIDTH, 0.5 + 0.42 * len(shares)))
    for row, points in enumerate(shares.values()):
        colour = BLUE if row == 0 else ORANGE
        ax.plot(points, [row] * len(points), "o", color=colour, alpha=0.55, markersize=8, markeredgewidth=0)
        ax.plot([np.mean(points)] * 2, [row - 0.28, row + 0.28], color=colour, linewidth=2)
    if guess is not None:
        ax.axvline(guess, color=MUTED, linewidth=1, linestyle="--")
        write(ax, guess - 0.015, -0.1, guessed, MUTED, 10.5, ha="right")
    ax.set(xlim=(-0.02, 1.02), ylim=(len(shares) - 0.4, -0.6), xlabel=f"share {unit}")
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25%", "50%", "75%", "100%"])
    ax.set_yticks(range(len(shares)), list(shares))
    ax.tick_params(axis="y", length=0)
    plt.show()
