"""The figures of chapter 2."""

from html import escape

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import FancyBboxPatch, Rectangle

from .shapes import canvas
from .style import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    PALE,
    PARAMETER,
    WIDTH,
    arrow,
    cells,
    use_house_style,
)
from .tables import Tables

use_house_style()
SIGNS = LinearSegmentedColormap.from_list("signs", [ORANGE, "white", BLUE])  # below 0, 0, above it


def letters(words):
    """Draw the letters of words of one length as the numbers in which text is stored; those of the first are lit."""
    ax = canvas(19, 2.6 * len(words) - 0.2)
    first = words[0]
    for i, word in enumerate(words):
        y = 1.1 + 2.6 * i
        ax.text(0, y, word, va="center", fontsize=15, fontweight="bold")
        for k, (letter, known) in enumerate(zip(word, first, strict=True)):
            same, left = letter == known, 3.4 + 2.9 * k
            face = BLUE if same else "none"
            ax.add_patch(Rectangle((left, y - 1), 2.7, 2, facecolor=face, alpha=0.18, edgecolor="none"))
            ax.add_patch(Rectangle((left, y - 1), 2.7, 2, fill=False, edgecolor=BLUE if same else MUTED, linewidth=1.2))
            ax.text(left + 0.3, y, letter, va="center", color=MUTED, fontsize=12)
            ax.text(left + 2.4, y, str(ord(letter)), va="center", ha="right", fontsize=14)
        shared = sum(one == other for one, other in zip(word, first, strict=True))
        if i:
            ax.text(12.7, y, f"{shared} of {len(word)} as in {first}", va="center", color=INK, fontsize=12.5)
    plt.show()


def bags(sentences, vocab):
    """Draw the one-hot rows of sentences side by side, and under each the sum of its rows: its bag."""
    high = max(len(sentence.split()) for sentence in sentences)
    panel = 3 + 1.7 * len(vocab)
    ax = canvas(len(sentences) * (panel + 1.2), high * 1.2 + 3.4)
    for place, sentence in enumerate(sentences):
        left = place * (panel + 1.8)
        for word, column in vocab.items():
            ax.text(left + 3 + 1.7 * (column + 0.5), 0.4, word, ha="center", color=MUTED, fontsize=11.5)
        total = np.zeros(len(vocab))
        for i, word in enumerate(sentence.split()):
            row = np.eye(len(vocab))[vocab[word]]
            total += row
            ax.text(left + 2.7, 1.4 + 1.2 * i, word, ha="right", va="center", fontsize=13)
            cells(ax, left + 3, 1.4 + 1.2 * i, row, INK, (1.7, 1))
        y = 1.4 + 1.2 * high + 0.7
        ax.plot([left + 3, left + panel], [y - 0.85] * 2, color=INK, linewidth=1.2)
        ax.text(left + 2.7, y, "sum", ha="right", va="center", fontsize=13, fontweight="bold")
        cells(ax, left + 3, y, total, BLUE, (1.7, 1))
        if place:
            ax.text(left - 0.2, y, "=", ha="center", va="center", fontsize=15)
    plt.show()


def directions(centre, others, names):
    """Draw vectors from the origin of a plane, and beside the tip of each its cosine with ``centre``, the first."""
    _, ax = plt.subplots(figsize=(WIDTH, 3.1))
    target = np.array(centre, dtype=float)
    ax.plot([0, 2.6 * target[0]], [0, 2.6 * target[1]], color=MUTED, linewidth=1, linestyle=":")
    tips = [target, *(np.array(tip, dtype=float) for tip in others)]
    hues = [ORANGE] + [BLUE] * len(others)
    drawn = sorted(zip(tips, names, hues, strict=True), key=lambda one: -np.linalg.norm(one[0]))
    for tip, name, colour in drawn:  # the longest first, so that none is hidden
        ax.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2.2, "shrinkB": 0})
        cosine = tip @ target / (np.linalg.norm(tip) * np.linalg.norm(target))
        above = tip[1] * target[0] >= tip[0] * target[1]  # on the dotted line, or to its left
        place = (tip[0] - 0.12, tip[1] + 0.12) if above else (tip[0] + 0.1, tip[1] + (0 if tip[1] else 0.22))
        said = f"{name}\ncosine {round(cosine, 2) + 0:g}"
        ax.text(*place, said, ha="right" if above else "left", va="center", color=colour, fontsize=12)
    ax.axhline(0, color=PALE, linewidth=1, zorder=0)
    ax.axvline(0, color=PALE, linewidth=1, zorder=0)
    ax.set(xlim=(-0.15, 4.4), ylim=(-0.2, 2.4), aspect="equal", xticks=[], yticks=[])
    ax.set_xlabel("how often “the” →", loc="left")
    ax.set_ylabel("how often “cat” →", loc="bottom")
    for spine in ax.spines.values():
        spine.set_visible(False)
    plt.show()


def strips(words, table):
    """Draw each word's vector as a strip, a cell for each number: blue above 0, red below, the larger, the darker."""
    _, axes = plt.subplots(len(words), 1, figsize=(WIDTH, 0.62 * len(words)), sharex=True)
    most = np.abs(table).max()
    for ax, word, numbers in zip(axes, words, table, strict=True):
        ax.pcolormesh(np.sign(numbers[None]) * np.sqrt(np.abs(numbers[None]) / most), cmap=SIGNS, vmin=-1, vmax=1)
        ax.set_ylabel(word, rotation=0, ha="right", va="center", color=INK, fontsize=13)
        ax.set(xticks=[], yticks=[])
        for spine in ax.spines.values():
            spine.set(visible=True, linewidth=0.6)
    plt.show()


def neighbours(found):
    """Return a table of words with their nearest words and the cosine of each: word -> [(word, cosine), …]."""
    wide = 'style="text-align: left; white-space: normal"'
    rows = (
        f'<tr><th scope="row">{escape(word)}</th><td {wide}>'
        + ", ".join(f"{escape(near)} {cosine:.2f}" for near, cosine in those)
        + "</td></tr>"
        for word, those in found.items()
    )
    head = f'<tr><th scope="col" {wide}>word</th><th scope="col" {wide}>nearest words, with their cosines</th></tr>'
    return Tables(f'<table class="labelled"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>')


def steps(panels):
    """Draw pairs of words as arrows, a panel for each relation: title -> (pairs, vectors of the first, of the second).

    Each panel has the plane in which its own words differ most.
    """
    _, axes = plt.subplots(len(panels), 1, figsize=(WIDTH, 3.5 * len(panels)))
    for ax, (title, (pairs, first, second)) in zip(axes, panels.items(), strict=True):
        both = np.concatenate([first, second])
        plane = np.linalg.svd(both - both.mean(axis=0), full_matrices=False)[2][:2]
        along = plane @ (second - first).mean(axis=0)
        plane = (plane * np.sign(along)[:, None])[np.argsort(-np.abs(along))]  # to the right, at every build
        starts, ends = ((side - both.mean(axis=0)) @ plane.T for side in (first, second))
        ax.plot(*np.concatenate([starts, ends]).T, linestyle="none")  # so that all of them are within the panel
        for (one, other), start, end in zip(pairs, starts, ends, strict=True):
            ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": BLUE, "linewidth": 1.4})
            for word, at, apart in ((one, start, start - end), (other, end, end - start)):
                away = apart / max(np.linalg.norm(apart), 1e-9)
                ax.annotate(
                    word, at, away * 7, textcoords="offset points", ha="right" if away[0] < 0 else "left", va="center",
                    fontsize=10.5,
                )  # fmt: skip
        ax.set_title(title)
        ax.margins(0.16, 0.1)
        ax.set(xticks=[], yticks=[])
    plt.show()


def one_row_for_both(sentences, vectors, features, word):
    """Draw a table of word vectors, and the word of two sentences that both look up one row of it."""
    ax = canvas(21, 1.3 * len(vectors) + 1.4)
    left, rows = 12.4, list(vectors)
    for k, feature in enumerate(features):
        ax.text(left + 2.1 * (k + 0.5), 0.5, feature, ha="center", color=MUTED, fontsize=12)
    for i, name in enumerate(rows):
        y = 1.7 + 1.3 * i
        colour = BLUE if name == word else INK
        ax.text(left - 0.3, y, name, ha="right", va="center", fontsize=13, color=colour, fontweight="bold")
        cells(ax, left, y, vectors[name], colour, (2.1, 1.1))
    target = 1.7 + 1.3 * rows.index(word)
    for sentence, y in zip(sentences, (target - 1.95, target + 1.95), strict=True):
        x = 0.0
        for one in sentence.split():
            meant = one == word
            colour, weight = (INK, "bold") if meant else (MUTED, "normal")
            ax.text(x, y, one, va="center", fontsize=13, color=colour, fontweight=weight)
            if meant:
                side = 1 if y < target else -1
                arrow(ax, (x + 1.2, y + 0.7 * side), (left - 2.2, target - 0.2 * side), INK, size=11)
            x += 0.6 * len(one) + 0.5
    plt.show()


def sentence_to_rows(words, ids, rows, width):
    """Draw a sentence's words, their ids, and of the row that each id looks up the first three numbers and the last."""
    ax = canvas(20, 1.3 * len(words) + 2.7)
    for x, head in ((1.4, "token"), (5.2, "id"), (13.3, f"its row: {width} numbers")):
        ax.text(x, 0.5, head, ha="center", color=MUTED, fontsize=12)
    twice = {i for i in ids if list(ids).count(i) > 1}
    for i, (word, number, row) in enumerate(zip(words, ids, rows, strict=True)):
        y = 1.7 + 1.3 * i
        weight = "bold" if number in twice else "normal"
        ax.text(1.4, y, word, ha="center", va="center", fontsize=13, fontweight=weight)
        arrow(ax, (3.2, y), (4.3, y), INK, size=11)
        ax.text(5.2, y, str(number), ha="center", va="center", fontsize=13, fontweight=weight)
        arrow(ax, (6, y), (7.1, y), INK, size=11)
        end = cells(ax, 7.4, y, row[:3], PARAMETER, (2.4, 1.1))
        ax.text(end + 1.2, y, "···", ha="center", va="center", fontsize=13, color=PARAMETER)
        cells(ax, end + 2.4, y, row[-1:], PARAMETER, (2.4, 1.1))
    y = 1.7 + 1.3 * len(words) - 0.25
    ax.text(
        13.3, y + 0.3, "learned: every number is a parameter", ha="center", va="center", color=PARAMETER, fontsize=12
    )
    for text in ax.texts:
        text.set_text(text.get_text().replace("-", "−"))
    plt.show()


def pieces(cut):
    """Draw texts cut into pieces: text -> its pieces, and how many words and tokens they are."""
    ax = canvas(21, 1.5 * len(cut))
    for i, (text, parts) in enumerate(cut.items()):
        y, x = 0.75 + 1.5 * i, 6.0
        ax.text(5.4, y, text, ha="right", va="center", fontsize=13)
        for part in parts:
            wide = 0.5 * len(part) + 0.6
            box = FancyBboxPatch((x, y - 0.5), wide, 1, boxstyle="round,pad=0,rounding_size=0.25", facecolor="none")
            box.set(edgecolor=BLUE, linewidth=1.3)
            ax.add_patch(box)
            ax.text(x + wide / 2, y, part, ha="center", va="center", fontsize=12.5)
            x += wide + 0.25
        words, tokens = len(text.split()), len(parts)
        said = f"{words} word{'s' * (words > 1)}, {tokens} token{'s' * (tokens > 1)}"
        ax.text(16, y, said, va="center", color=MUTED, fontsize=12)
    plt.show()


def likeness_of_pairs(pairs, columns):
    """Draw how alike two words are, a line for each pair, a mark for each table; ``columns`` is name -> cosines."""
    _, ax = plt.subplots(figsize=(WIDTH, 0.46 * len(pairs) + 1))
    places = np.arange(len(pairs))[::-1]
    ax.axvline(0, color=MUTED, linewidth=1)
    before, after = columns.values()
    for (name, cosines), fill in zip(columns.items(), ("none", "full"), strict=True):
        ax.plot(cosines, places, "o", color=BLUE, fillstyle=fill, markersize=9, label=name, linestyle="none")
    for place, start, end in zip(places, before, after, strict=True):
        ax.plot([start, end], [place, place], color=BLUE, linewidth=1.5, zorder=0)
    ax.set_yticks(places, [f"{one}, {other}" for one, other in pairs], color=INK)
    ax.set(xlim=(-0.3, 1.05), xlabel="cosine", xticks=[0, 0.5, 1], xticklabels=["0", "0.5", "1"])
    ax.grid(axis="y", color="#e3e7ec")
    ax.legend(loc="lower center", bbox_to_anchor=(0.45, 1), ncols=2, frameon=False, fontsize=11, handletextpad=0)
    plt.show()
